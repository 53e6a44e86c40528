"""Options that depend on other answers."""

from typing import Any

import pytest
from fixtures import axe
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import Page, expect


def option(value: str, **columns: str) -> dict[str, Any]:
    return {"value": value, "label": value.capitalize(), "columns": columns}


LANDS = [option("de"), option("fr")]
REGIONS = [option("north", land="de"), option("south", land="de"), option("alsace", land="fr")]
TOWNS = [option(f"{region}{n}", region=region) for region in ("north", "south", "alsace") for n in range(12)]


async def choose(page: Page, option_text: str) -> None:
    await page.locator(".sd-dropdown").click()
    await page.get_by_role("option", name=option_text, exact=True).click()


@pytest.mark.slow
async def test_a_cascade_offers_what_fits_and_removes_what_no_longer_does(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "land", "type": "choice", "options": LANDS},
        {"name": "region", "type": "choice", "options": REGIONS, "optionFilter": "option.land == land"},
        {"name": "town", "type": "choice", "options": TOWNS, "optionFilter": "option.region == region"},
        {"name": "seen", "type": "choices", "options": REGIONS, "optionFilter": "option.land == land"},
        {"name": "is_north", "type": "boolean", "calculate": "answered.town && town.startsWith('north')"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [
            {"name": "stop", "type": "choice", "options": REGIONS, "optionFilter": "option.land == land"}]},
    )  # fmt: skip
    await axe.bring(phone.context.pages[0])
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    region = page.get_by_role("radiogroup", name="Region")
    await expect(region.get_by_role("radio")).to_have_count(0)
    notices = page.get_by_role("status")
    await expect(notices.get_by_text("Answer “Land” first.")).to_have_count(3)
    await expect(notices.get_by_text("Answer “Region” first.")).to_be_visible()
    await expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    await page.get_by_role("radiogroup", name="Land").get_by_text("De").click()
    await expect(notices.get_by_text("first.")).to_have_text("Answer “Region” first.")
    await expect(region.get_by_role("radio")).to_have_count(2)
    await region.get_by_text("North").click()
    await choose(page, "North3")
    for name in ("North", "South"):
        await page.get_by_role("group", name="Seen").get_by_text(name).click()
    await page.get_by_role("radiogroup", name="Stop").get_by_text("South").click()
    await page.get_by_role("radiogroup", name="Land").get_by_text("Fr").click()
    for text in ("North", "North, South", "South"):
        words = f"“{text}” was removed because it doesn’t match your answer to “Land”."
        await expect(notices.get_by_text(words)).to_be_visible()
    # The region went, too: it is not the reason any more.
    await expect(
        notices.get_by_text("“North3” was removed because it doesn’t match your other answers.")
    ).to_be_visible()
    # This is information: nothing is wrong with the form.
    await page.get_by_role("button", name="Clear: Land").click()
    await expect(page.get_by_role("radio", name="De", exact=True)).to_be_focused()
    await expect(page.get_by_role("button", name="Clear: Land")).to_have_count(0)
    assert await axe.faults(page) == []
    await expect(page.locator("#problems, .sd-question--error, .sd-question__erbox")).to_have_count(1)
    await expect(page.locator("#problems")).to_be_hidden()
    await page.get_by_role("radiogroup", name="Land").get_by_text("Fr").click()
    await expect(region.get_by_role("radio")).to_have_count(1)
    await region.get_by_text("Alsace").click()
    await expect(notices.get_by_text("“North” was removed")).to_have_count(0)
    await choose(page, "Alsace11")
    await page.get_by_role("group", name="Seen").get_by_text("Alsace").click()
    await set_offline(phone.context, off=False)
    await send(page)
    assert await form.data() == {
        "land": "fr", "region": "alsace", "town": "alsace11", "seen": ["alsace"], "is_north": False, "rows": [{}],
    }  # fmt: skip
    phone.ignore_errors()
