"""Options that depend on other answers."""

from typing import Any

import pytest
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
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    region = page.get_by_role("radiogroup", name="Region")
    await expect(region.get_by_role("radio")).to_have_count(0)
    await page.get_by_role("radiogroup", name="Land").get_by_text("De").click()
    await expect(region.get_by_role("radio")).to_have_count(2)
    await region.get_by_text("North").click()
    await choose(page, "North3")
    for name in ("North", "South"):
        await page.get_by_role("group", name="Seen").get_by_text(name).click()
    await page.get_by_role("radiogroup", name="Stop").get_by_text("South").click()
    await page.get_by_role("radiogroup", name="Land").get_by_text("Fr").click()
    for text in ("North", "North3", "North, South", "South"):
        await expect(
            page.get_by_text(f"“{text}” no longer matches your other answers and was removed.")
        ).to_be_visible()
    await expect(region.get_by_role("radio")).to_have_count(1)
    await region.get_by_text("Alsace").click()
    await choose(page, "Alsace11")
    await page.get_by_role("group", name="Seen").get_by_text("Alsace").click()
    await set_offline(phone.context, off=False)
    await send(page)
    assert await form.data() == {
        "land": "fr", "region": "alsace", "town": "alsace11", "seen": ["alsace"], "is_north": False, "rows": [{}],
    }  # fmt: skip
    phone.ignore_errors()
