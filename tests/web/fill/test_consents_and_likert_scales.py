"""Consents and Likert scales on the page."""

import pytest
from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect


@pytest.mark.slow
async def test_an_agreement_is_given_by_ticking_a_box(api: AccountApi, desktop: Phone) -> None:
    degrees = [{"value": str(n), "label": f"Degree {n}"} for n in range(1, 11)]
    form = await api.create_form(
        {"name": "consent", "type": "boolean", "agreement": True, "required": True, "label": "I have read the terms."},
        {"name": "news", "type": "boolean", "agreement": True},
        {"name": "name", "type": "text", "visibleIf": "news"},
        {"name": "degree", "type": "choice", "likert": True, "options": degrees},
    )
    page = await desktop.open(form.url)
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("I have read the terms.: This field is required.")
    consent = page.get_by_role("checkbox", name="I have read the terms.: I agree")
    await expect(consent).to_be_focused()
    await consent.press("Space")
    news = page.get_by_role("checkbox", name="News: I agree")
    await news.press("Space")
    await page.get_by_label("Name").fill("Ada")
    await news.press("Space")
    await expect(page.get_by_label("Name")).to_be_hidden()
    tops = {(await one.bounding_box() or {"y": None})["y"] for one in await page.locator(".likert label").all()}
    assert len(tops) == 1
    await page.get_by_text("Degree 7").click()
    await send(page)
    assert await form.data() == {"consent": True, "degree": "7"}

    path = f"/api/v1.0/customers/{api.customer_id}/forms/{form.id}/submissions"
    refused = await api.http.post(path, json={"data": {"consent": False}})
    assert [(one["pointer"], one["code"]) for one in refused.json()["errors"]] == [("/data/consent", "value.choice")]
