"""The designer of one account, and browsers in which its owner is signed in."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import AccountFactory
from fixtures.browser import DESKTOP, PHONE, WatchedPage, open_page
from playwright.async_api import Browser
from web.designer.pages import Designer


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def designer(http_accounts: AccountFactory) -> Designer:
    return Designer(await http_accounts.create_account("Demo"))


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: Browser, designer: Designer) -> AsyncIterator[WatchedPage]:
    """A page on a desktop in which the owner is signed in."""
    async with open_page(browser, **DESKTOP) as watched:
        await designer.person.sign_in_browser(watched.page)
        yield watched


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, designer: Designer) -> AsyncIterator[WatchedPage]:
    """A page on a phone in which the owner is signed in."""
    async with open_page(browser, **PHONE) as watched:
        await designer.person.sign_in_browser(watched.page)
        yield watched
