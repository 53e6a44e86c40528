"""A server as browsers meet it, over TLS and HTTP/2."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from factories import realistic, site_map
from factories.site_map import PageAddress
from fixtures.accounts import Office, Person, office
from fixtures.fill_pages import PlainServer
from fixtures.server_process import Server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def plain_office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    """That of a server over plain HTTP, which lets service workers in."""
    running = PlainServer(tmp_path_factory.mktemp("plain"), INSECURE_HTTP="1")
    await running.start()
    async with office(running) as made:
        yield made
    running.close()


@pytest.fixture
def server(served: Office) -> Server:
    return served.server


@pytest_asyncio.fixture(loop_scope="session")
async def person(served: Office) -> Person:
    """The owner of an account that no other test knows; her name and her key's are markup, and stay text."""
    return await served.owner()


@pytest_asyncio.fixture(loop_scope="session")
async def neighbour(served: Office) -> Person:
    """The owner of another account, which must see and touch nothing of the first."""
    return await served.owner()


@pytest_asyncio.fixture(loop_scope="session")
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with server.client() as client:
        yield client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def furnished(served: Office) -> tuple[Person, list[PageAddress]]:
    """An account full of long names, and all pages that there are."""
    person = await served.owner(realistic.ORGANISATION)
    return person, await site_map.find_pages(person)
