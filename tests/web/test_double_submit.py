"""Pressing a button twice performs its action once, however long the server takes."""

import asyncio

import pytest
from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from playwright.async_api import Page, Route, expect

KEYS = "/settings/connections/api-keys"


async def delay_response(route: Route) -> None:
    """Let the server perform the request, and delay its response."""
    answer = await route.fetch(max_redirects=0)
    await asyncio.sleep(0.5)
    await route.fulfill(response=answer)


async def press_twice(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name)
    await button.scroll_into_view_if_needed()
    place = await button.bounding_box()
    assert place
    for _ in range(2):
        await page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        await page.wait_for_timeout(200)


async def open_new_key(page: Page, person: Person) -> None:
    await person.sign_in_browser(page)
    await page.goto(person.path(KEYS))
    await page.get_by_role("link", name="Add API key").click()
    await page.get_by_label("Name", exact=True).fill("Twice")


async def test_a_form_submitted_twice_is_processed_once(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await open_new_key(page, person)
    await page.route(f"**{KEYS}/new", delay_response)
    await press_twice(page, "Add key")
    await expect(page.get_by_label("Key", exact=True)).to_have_count(1)
    await page.unroute_all()
    await page.goto(person.path(KEYS))
    await expect(page.get_by_text("2 of 20 keys.")).to_be_visible()
    assert desktop_page.errors == []


@pytest.mark.slow
async def test_a_form_can_be_submitted_again_after_going_back(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await open_new_key(page, person)
    await page.route(f"**{KEYS}/new", lambda route: route.fulfill(status=204))
    await press_twice(page, "Add key")
    await expect(page.get_by_role("button", name="Add key")).to_have_attribute("aria-disabled", "true")
    await page.unroute_all()
    # Browsers fire this event for a page from the back/forward cache.
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    await page.get_by_role("button", name="Add key").click()
    await expect(page.get_by_label("Key", exact=True)).to_have_count(1)
