"""Over a slow network a page is there before its scripts: nothing on it is dead, and nothing chosen is lost."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import PHONE, hold_scripts, opened
from playwright.async_api import Browser, Page, expect


class Slow:
    """A page whose scripts come when the test says so."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._there = asyncio.Event()

    async def begin(self) -> None:
        await hold_scripts(self.page.context, self._there.wait)

    async def scripts(self) -> None:
        self._there.set()
        await self.page.wait_for_load_state()


@pytest_asyncio.fixture(loop_scope="session")
async def slow(browser: Browser, person: Person) -> AsyncIterator[Slow]:
    async with opened(browser, **PHONE) as sight:
        await person.enter(sight.page)
        made = Slow(sight.page)
        await made.begin()
        yield made
        await made.scripts()
        assert sight.errors == []


async def test_what_was_chosen_before_can_still_be_shown(slow: Slow, person: Person) -> None:
    page, show = slow.page, slow.page.get_by_role("button", name="Apply")
    await page.goto(person.path("/people"), wait_until="commit")
    await page.get_by_label("Status").select_option(label="Invited")
    await slow.scripts()
    await show.click()
    await page.wait_for_url("**status=*")
    await expect(page.get_by_label("Status").locator("option:checked")).to_have_text("Invited")
    await expect(show).to_be_hidden()


async def test_copying_is_offered_once_it_works(slow: Slow, person: Person) -> None:
    page, copy = slow.page, slow.page.locator("[data-copy]").first
    await page.goto(person.path("/datasources/new"), wait_until="commit")
    await copy.wait_for(state="attached")
    await expect(copy).to_be_hidden()
    await slow.scripts()
    await expect(copy).to_be_visible()
