"""Printed pages show content only: nothing to press and nothing to write in."""

import pytest
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, expect


@pytest.mark.slow
async def test_a_printed_submission_and_summary_have_no_controls(browser: Browser, person: Person) -> None:
    fields = [{"type": "text", "name": "site", "label": "Site"}]
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Doors", "fields": fields, "publish": True})).json()
        items = [{"op": "create", "formId": form["id"], "data": {"site": "Quay 9"}}]
        await api.post(f"/api/v1.0/customers/{person.customer_id}/submissions/bulk", json={"items": items})
        [sent] = (await api.get(f"/api/v1.0/submissions?formId={form['id']}")).json()["items"]
    async with open_page(browser) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        for path in (f"/submissions/{sent['id']}", f"/forms/{form['id']}/summary"):
            await page.goto(person.path(path))
            await expect(
                page.get_by_role("heading", name="Comments").or_(page.get_by_text("Newest answers"))
            ).to_be_visible()
            await page.emulate_media(media="print")
            await expect(page.get_by_text("Quay 9").first).to_be_visible()
            shown = page.locator("main :is(button, .button, textarea, select)").locator("visible=true")
            await expect(shown).to_have_count(0)
            await expect(page.get_by_role("heading", name="Comments")).to_be_hidden()
            await page.emulate_media(media="screen")
