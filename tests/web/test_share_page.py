"""The tab Share with every card, notice and error open is accessible in both color schemes, on phones and desktops."""

import pytest
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, open_page
from playwright.async_api import Browser, expect

LINK = {
    "closesAt": "2060-01-01T00:00:00Z",
    "maxResponses": 5,
    "embedOrigins": ["https://www.example.org"],
    "redirectUrl": "https://www.example.org/thanks",
}


@pytest.mark.slow
async def test_the_tab_share_is_accessible_with_all_cards(browser: Browser, person: Person) -> None:
    fields = [{"type": "text", "name": "a", "label": "A"}]
    body = {"name": "Doors", "fields": fields, "publish": True, "publicLink": LINK}
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json=body)).json()
    for screen in (PHONE, DESKTOP):
        async with open_page(browser, **screen) as watched:
            page = watched.page
            await axe.bring(page)
            await person.sign_in_browser(page)
            for scheme in ("light", "dark"):
                await page.emulate_media(color_scheme=scheme)
                await page.goto(person.path(f"/forms/{form['id']}/share"))
                await expect(page.get_by_label("Code for your page")).to_be_visible()
                assert not await axe.faults(page), scheme
                await page.get_by_label("Redirect to").fill("ftp://x.example")
                async with page.expect_response(lambda answer: answer.status == 422):
                    await page.get_by_role("button", name="Save redirect").click()
                await expect(page.get_by_text("Enter the URL of a page")).to_be_visible()
                assert not await axe.faults(page), scheme
