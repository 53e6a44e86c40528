"""A running server and browsers of a phone and a desktop, for the fill pages."""

from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import AccountFactory, Person
from fixtures.browser import DESKTOP, PHONE, borrow_context
from fixtures.fill_pages import AccountApi, Phone
from playwright.async_api import Browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def account(http_accounts: AccountFactory) -> Person:
    """Return an account shared by all tests, because each test creates its own forms."""
    return await http_accounts.create_account()


@pytest_asyncio.fixture(loop_scope="session")
async def api(account: Person) -> AsyncIterator[AccountApi]:
    async with account.client() as http:
        yield AccountApi(account.server, account.customer_id, http)


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser) -> AsyncIterator[Phone]:
    """A phone in Berlin with English as its language. The test fails if a page reports an error."""
    position = {"latitude": 53.5411123, "longitude": 9.99, "accuracy": 12}
    manner = {
        "locale": "en-GB",
        "timezone_id": "Europe/Berlin",
        "permissions": ["geolocation"],
        "geolocation": position,
    }
    async with borrow_context(browser, **PHONE, **manner) as context:
        phone = Phone(context)
        yield phone
        assert phone.errors == []


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: Browser) -> AsyncIterator[Phone]:
    """A browser like `phone`, but with a keyboard and without touch."""
    async with borrow_context(browser, **DESKTOP, locale="en-GB") as context:
        phone = Phone(context)
        yield phone
        assert phone.errors == []
