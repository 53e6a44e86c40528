"""Browsers in which the owner of a new account is signed in."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, WatchedPage, open_page
from playwright.async_api import Browser


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: Browser, person: Person) -> AsyncIterator[WatchedPage]:
    """A page on a desktop."""
    async with open_page(browser, **DESKTOP) as watched:
        await person.sign_in_browser(watched.page)
        yield watched


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, person: Person) -> AsyncIterator[WatchedPage]:
    """A page on a phone."""
    async with open_page(browser, **PHONE) as watched:
        await person.sign_in_browser(watched.page)
        yield watched
