"""An account for the designer's pages, and its owner, who has signed in."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Office
from fixtures.browser import DESKTOP, PHONE, Sight, opened
from playwright.async_api import Browser
from web.designer.site import Site


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site(plain_office: Office) -> Site:
    return Site(await plain_office.owner("Demo"))


@pytest_asyncio.fixture(loop_scope="session")
async def desk(browser: Browser, site: Site) -> AsyncIterator[Sight]:
    """A person at a desk who has signed in."""
    async with opened(browser, **DESKTOP) as sight:
        await site.person.enter(sight.page)
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, site: Site) -> AsyncIterator[Sight]:
    """A person with a phone who has signed in."""
    async with opened(browser, **PHONE) as sight:
        await site.person.enter(sight.page)
        yield sight
