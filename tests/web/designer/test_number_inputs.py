"""Numbers in the designer: read like those on forms, saved as they were meant, or refused and kept as typed."""

from fixtures.browser import WatchedPage
from playwright.async_api import expect
from web.designer.pages import Designer, row, wait_until_saved

FIELDS = [
    {"type": "decimal", "name": "size", "label": "Size", "min": 1},
    {"type": "integer", "name": "count", "label": "Count"},
]


async def test_limits_and_defaults_are_saved_as_meant_or_refused(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Size").click()
    least, default = page.get_by_label("Minimum", exact=True), page.get_by_label("Default", exact=True)
    await least.fill("-1.234,5")
    await least.hover()
    await page.mouse.wheel(0, 100)
    await page.keyboard.press("ArrowUp")
    await expect(least).to_have_value("-1.234,5")
    await default.fill("1,234")
    await expect(page.get_by_text("“1,234” could mean 1234 or 1.234. Enter one of these.")).to_be_visible()
    await expect(default).to_have_attribute("aria-invalid", "true")
    await row(page, "Count").click()
    await page.get_by_role("button", name="Publish").click()
    await expect(default).to_be_focused()
    await expect(default).to_have_value("1,234")
    await default.fill("1,5")
    await page.get_by_label("Maximum", exact=True).fill("12345678901234567890")
    await expect(page.get_by_text("more digits than can be stored exactly")).to_be_visible()
    await page.get_by_label("Maximum", exact=True).fill("2e3")
    await wait_until_saved(page)
    saved = designer.newest_version(form["id"])["fields"][0]
    assert (saved["min"], saved["max"], saved["default"]) == (-1234.5, 2000, 1.5)
    desktop.errors.clear()  # The browser reports refused saves.
