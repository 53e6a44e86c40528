"""Browsers in which the owner of a new account is signed in."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, Sight, opened
from playwright.async_api import Browser


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: Browser, person: Person) -> AsyncIterator[Sight]:
    """A page on a desktop."""
    async with opened(browser, **DESKTOP) as sight:
        await person.enter(sight.page)
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, person: Person) -> AsyncIterator[Sight]:
    """A page on a phone."""
    async with opened(browser, **PHONE) as sight:
        await person.enter(sight.page)
        yield sight
