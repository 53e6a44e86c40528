"""The designer of one account, and browsers in which its owner is signed in."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Office
from fixtures.browser import DESKTOP, PHONE, Sight, opened
from playwright.async_api import Browser
from web.designer.pages import Designer


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def designer(plain_office: Office) -> Designer:
    return Designer(await plain_office.owner("Demo"))


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: Browser, designer: Designer) -> AsyncIterator[Sight]:
    """A page on a desktop in which the owner is signed in."""
    async with opened(browser, **DESKTOP) as sight:
        await designer.person.enter(sight.page)
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, designer: Designer) -> AsyncIterator[Sight]:
    """A page on a phone in which the owner is signed in."""
    async with opened(browser, **PHONE) as sight:
        await designer.person.enter(sight.page)
        yield sight
