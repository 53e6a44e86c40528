"""Removing a photo on an offline phone: the button can be reached by touch and keyboard."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from fixtures.browser import PHONE, borrow_context
from fixtures.fill_pages import AccountApi, Phone, choose, set_offline
from playwright.async_api import Browser, Page, expect

TOUCH_TARGET = 44
PHOTOS: dict[str, Any] = {"name": "photos", "type": "photo", "maxFiles": 3}
FIELDS: dict[str, dict[str, Any]] = {
    "field": PHOTOS,
    "row": {"name": "rows", "type": "repeat", "min": 1, "fields": [PHOTOS]},
}


@pytest_asyncio.fixture(loop_scope="session")
async def small_phone(browser: Browser) -> AsyncIterator[Phone]:
    size = {"width": 320, "height": 640}
    async with borrow_context(browser, **PHONE | {"viewport": size}, locale="en-GB") as context:
        phone = Phone(context)
        yield phone
        assert phone.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("place", FIELDS)
async def test_a_photo_taken_offline_can_be_removed(api: AccountApi, small_phone: Phone, place: str) -> None:
    small_phone.ignore_errors()
    form = await api.create_form(FIELDS[place])
    page = await small_phone.open(form.url)
    await small_phone.wait_until_cached(page)
    await set_offline(small_phone.context)
    for number in (1, 2, 3):
        await choose(page)
        await page.get_by_role("img", name=f"Photo {number}").wait_for()
    remove = page.get_by_role("button", name="Remove Photo 2")
    await _assert_in_reach(page, "Remove Photo 2")
    await remove.tap()
    await expect(page.get_by_role("img")).to_have_count(2)
    await expect(page.get_by_role("button", name="Choose photo")).to_be_focused()
    last = page.get_by_role("button", name="Remove Photo 1")
    await page.get_by_role("button", name="Remove Photo 2").focus()
    await page.keyboard.press("Shift+Tab")
    await expect(last).to_be_focused()
    outline = await last.evaluate("one => getComputedStyle(one).outlineStyle + getComputedStyle(one).outlineWidth")
    assert outline == "solid3px"
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("img")).to_have_count(1)


async def _assert_in_reach(page: Page, label: str) -> None:
    """Check that the button is large enough for a thumb, inside the window and not covered.

    This measures the page before Playwright scrolls, which would also move parts that a person cannot move.
    """
    left, right, size, on_top = await page.evaluate(_MEASURE, label)
    assert size >= TOUCH_TARGET
    assert left >= 0
    assert right <= (page.viewport_size or {})["width"]
    assert on_top


_MEASURE = """label => {
  const button = document.querySelector(`[aria-label="${label}"]`);
  scrollTo(0, scrollY + button.getBoundingClientRect().y - innerHeight / 2);
  const { left, right, top, width, height } = button.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return [left, right, Math.min(width, height), button.contains(above)];
}"""
