"""On a slow network, a page appears before its scripts. Its controls work anyway, and no input is lost."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import PHONE, hold_scripts, open_page
from playwright.async_api import Browser, Page, expect


class SlowPage:
    """A page whose scripts load when the test says so."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._scripts_requested = asyncio.Event()

    async def delay_scripts(self) -> None:
        await hold_scripts(self.page.context, self._scripts_requested.wait)

    async def load_scripts(self) -> None:
        self._scripts_requested.set()
        await self.page.wait_for_load_state()


@pytest_asyncio.fixture(loop_scope="session")
async def slow_page(browser: Browser, person: Person) -> AsyncIterator[SlowPage]:
    async with open_page(browser, **PHONE) as watched:
        await person.sign_in_browser(watched.page)
        slow_page = SlowPage(watched.page)
        await slow_page.delay_scripts()
        yield slow_page
        await slow_page.load_scripts()
        assert watched.errors == []


async def test_options_chosen_before_the_scripts_load_are_kept(slow_page: SlowPage, person: Person) -> None:
    page, show = slow_page.page, slow_page.page.get_by_role("button", name="Apply")
    await page.goto(person.path("/submissions"), wait_until="commit")
    await page.get_by_role("button", name="Filter").click()
    await page.get_by_label("Status").select_option(label="Approved")
    await slow_page.load_scripts()
    await show.click()
    await page.wait_for_url("**status=*")
    await expect(show).to_be_hidden()
    await page.get_by_role("button", name="Filter (1)").click()
    await expect(page.get_by_label("Status").locator("option:checked")).to_have_text("Approved")


async def test_copy_buttons_appear_when_they_work(slow_page: SlowPage, person: Person) -> None:
    page, copy = slow_page.page, slow_page.page.locator("[data-copy]").first
    await page.goto(person.path("/datasources/new"), wait_until="commit")
    await copy.wait_for(state="attached")
    await expect(copy).to_be_hidden()
    await slow_page.load_scripts()
    await expect(copy).to_be_visible()
