"""Rows of headers in a browser are added and removed in place, by mouse and keyboard."""

from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from playwright.async_api import expect


async def test_rows_of_headers_are_added_and_removed_in_place(phone_page: WatchedPage, person: Person) -> None:
    page = phone_page.page
    await person.sign_in_browser(page)
    await page.goto(person.path("/settings/connections/webhooks/new"))
    add = page.get_by_role("button", name="Add header")
    for number, name in enumerate(("Authorization", "X-Wrong", "X-Key"), 1):
        await add.press("Enter")
        await expect(page.get_by_label(f"Name of header {number}", exact=True)).to_be_focused()
        await page.keyboard.type(name)
        await page.get_by_label(f"Value of header {number}", exact=True).fill(f"s3cr3t {number}")
    await page.get_by_role("button", name="Remove header 2").press("Enter")
    await expect(page.get_by_role("button", name="Remove header 2")).to_be_focused()
    await expect(page.get_by_label("Name of header 2", exact=True)).to_have_value("X-Key")
    await expect(page.get_by_role("button", name="Remove header 3")).to_have_count(0)
    await page.get_by_label("URL", exact=True).fill("https://crm.example.org")
    # Enter saves, although the buttons of the rows come before the save button.
    await page.get_by_label("Name", exact=True).fill("CRM")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Authorization, X-Key")).to_be_visible()
    assert "s3cr3t" not in await page.content()
