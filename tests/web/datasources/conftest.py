"""People who have signed in, each to an account of her own."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, Sight, opened
from playwright.async_api import Browser


@pytest_asyncio.fixture(loop_scope="session")
async def desk(browser: Browser, person: Person) -> AsyncIterator[Sight]:
    """At a desk."""
    async with opened(browser, **DESKTOP) as sight:
        await person.enter(sight.page)
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, person: Person) -> AsyncIterator[Sight]:
    """With a phone."""
    async with opened(browser, **PHONE) as sight:
        await person.enter(sight.page)
        yield sight
