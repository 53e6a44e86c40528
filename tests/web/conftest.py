"""A server as browsers meet it, over TLS and HTTP/2; one for all tests here, since each has an account of its own."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio
from rig.server import Server

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who can sign in, and the account she owns. `key` is a key of it, made on the command line."""

    server: Server
    email: str
    customer_id: str
    key: str

    def path(self, path: str) -> str:
        return self.server.base_url + path

    async def sign_in(self, http: httpx.AsyncClient, password: str = PASSWORD, next_: str = "") -> httpx.Response:
        """As a browser does it without script."""
        token = csrf(await http.get("/sign-in"))
        form = {"_csrf_token": token, "email": self.email, "password": password, "next": next_}
        return await http.post("/sign-in", data=form)


def csrf(answer: httpx.Response) -> str:
    """The token that the page carries for its forms."""
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', answer.text)
    assert found
    return found[1]


@pytest.fixture(scope="session")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("web"))
    yield made
    made.close()


@pytest_asyncio.fixture
async def server(_server: Server) -> Server:
    if not _server.running:
        await _server.start()
    return _server


@pytest.fixture
def person(server: Server) -> Person:
    """The owner of an account that no other test knows; her name and her key's are markup, and stay text."""
    return _owner(server)


@pytest.fixture
def neighbour(server: Server) -> Person:
    """The owner of another account, which must see and touch nothing of the first."""
    return _owner(server)


def _owner(server: Server) -> Person:
    email = f"person{next(_numbers)}@example.org"
    words = ["--name", "<i>Owner</i>", "--email", email, "--password", PASSWORD, "--json"]
    made = json.loads(server.command("account", "create", *words).stdout)
    words = ["--customer", made["customerId"], "--name", "<b>First</b>", "--json"]
    key = json.loads(server.command("keys", "create", *words).stdout)
    return Person(server, email, made["customerId"], key["apiKey"])


@pytest_asyncio.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with server.client() as client:
        yield client
