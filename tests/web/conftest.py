"""A running server, over TLS and HTTP/2 unless stated otherwise, and accounts on it."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from factories import realistic, site_map
from factories.site_map import PageAddress
from fixtures.accounts import AccountFactory, Person, account_factory
from fixtures.fill_pages import PlainServer
from fixtures.server_process import Server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def http_accounts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AccountFactory]:
    """Creates accounts on a server over plain HTTP, because browsers allow service workers there."""
    running = PlainServer(tmp_path_factory.mktemp("plain"), INSECURE_HTTP="1")
    await running.start()
    async with account_factory(running) as account:
        yield account
    running.close()


@pytest.fixture
def server(https_accounts: AccountFactory) -> Server:
    return https_accounts.server


@pytest_asyncio.fixture(loop_scope="session")
async def person(https_accounts: AccountFactory) -> Person:
    """The owner of a new account. The names of owner and key are markup, which pages must escape."""
    return await https_accounts.create_account()


@pytest_asyncio.fixture(loop_scope="session")
async def neighbour(https_accounts: AccountFactory) -> Person:
    """The owner of another account, which must not see or change anything of the first."""
    return await https_accounts.create_account()


@pytest_asyncio.fixture(loop_scope="session")
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with server.client() as client:
        yield client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def realistic_account(https_accounts: AccountFactory) -> tuple[Person, list[PageAddress]]:
    """An account full of long names, and the addresses of all pages."""
    person = await https_accounts.create_account(realistic.ORGANISATION)
    return person, await site_map.find_pages(person)
