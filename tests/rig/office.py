"""Accounts on a running server, and people who have signed in to them: made beside it, in the database that it uses.

What a person does to sign in has tests of its own; all others spare it the two pages and the slow hash.
"""

import itertools
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Page

from formwright.core.access import actor as actors
from formwright.core.access.actor import ResourceType
from formwright.core.access.permissions import Permission
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import Wish
from formwright.domain.people import persons, roles
from formwright.domain.people import service as people
from formwright.domain.people.model import SignIn
from formwright.domain.people.rights import Grant, NewPerson
from formwright.domain.people.signin import sessions
from formwright.house import House
from formwright.web.session import cookie_name
from rig.houses import opened
from rig.server import Server

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who can sign in, and the account she owns. `key` is a key of it."""

    office: "Office"
    email: str
    id: str
    customer_id: str
    key: str

    @property
    def server(self) -> Server:
        return self.office.server

    def path(self, path: str) -> str:
        return self.server.base_url + path

    def client(self) -> httpx.AsyncClient:
        """What calls the API with her key."""
        return self.server.client(**{"x-api-key": self.key})

    async def sign_in(self, http: httpx.AsyncClient, password: str = PASSWORD, next_: str = "") -> httpx.Response:
        """As a browser does it without script."""
        token = csrf(await http.get("/sign-in"))
        form = {"_csrf_token": token, "email": self.email, "password": password, "next": next_}
        return await http.post("/sign-in", data=form)

    async def enter(self, page: Page) -> None:
        """She is signed in, in this page and all others of its browser window."""
        page.set_default_timeout(10_000)
        token = await self.office.session(self)
        name = cookie_name(self.office.house.settings)
        secure = name.startswith("__Host-")
        await page.context.add_cookies(
            [{"name": name, "value": token, "url": self.server.base_url, "httpOnly": True, "secure": secure}]
        )


def csrf(answer: httpx.Response) -> str:
    """The token that the page carries for its forms."""
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', answer.text)
    assert found
    return found[1]


@dataclass(frozen=True, slots=True)
class Office:
    """Where accounts are opened for a server."""

    server: Server
    house: House

    async def owner(self, name: str = "<i>Owner</i>", key_name: str = "<b>First</b>") -> Person:
        """The owner of a new account. Her name and her key's are markup, and stay text."""
        email = f"person{next(_numbers)}@example.org"
        password_hash = await self.house.passwords.hash(PASSWORD)
        async with self.house.db.writing() as tx:
            customer, user = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
            _, key = await keys.add(tx, actors.system(customer.id), Wish(key_name), maker_name="")
        return Person(self, email, user.id, customer.id, key)

    async def colleague(self, person: Person, name: str, *permissions: Permission) -> Person:
        """One more person of the account, who may do this and nothing else."""
        email = f"{name}.{person.email}"
        password_hash = await self.house.passwords.hash(PASSWORD)
        async with self.house.db.writing() as tx:
            actor = actors.system(person.customer_id)
            role = await roles.create(tx, actor, name=name, permissions=list(permissions))
            grant = Grant(role.id, ResourceType.ACCOUNT, person.customer_id)
            user = await persons.add(tx, actor, NewPerson(email, name, grants=[grant]), password_hash=password_hash)
        return replace(person, email=email, id=user.id)

    async def session(self, person: Person) -> str:
        """The secret of a session of hers."""
        async with self.house.db.writing() as tx:
            return await sessions.begin(tx, SignIn(person.customer_id, person.id, ""))


@asynccontextmanager
async def office(server: Server) -> AsyncIterator[Office]:
    """The office of a server that runs."""
    async with opened(server.settings()) as house:
        yield Office(server, house)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    """A server over TLS that runs, for all tests of this process, since each has an account of its own.

    What it calls may be on loopback.
    """
    running = Server(tmp_path_factory.mktemp("served"), WEBHOOK_ALLOW="127.0.0.0/8")
    await running.start()
    async with office(running) as made:
        yield made
    running.close()
