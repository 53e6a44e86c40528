"""Rankings and the net promoter score on the page."""

from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import Locator, Page, expect

OPTIONS: list[dict[str, Any]] = [
    {"value": "bus", "label": {"en": "Bus", "de": "Bus"}},
    {"value": "tram", "label": "Tram in {{town}}"},
    {"value": "bike", "label": "Bike"},
]


def shown(page: Page, number: int = 0) -> Locator:
    return page.locator(".ranking").nth(number).locator(".rank-text")


@pytest.mark.slow
async def test_options_are_ranked_with_buttons_and_by_dragging(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "town", "type": "text", "required": True},
        {"name": "ranks", "type": "ranking", "options": OPTIONS, "required": True, "validIf": "ranks[0] != 'bus'"},
        {"name": "kept", "type": "ranking", "options": OPTIONS, "randomize": True},
        {"name": "likely", "type": "nps", "lowLabel": "Never", "highLabel": "Surely in {{town}}"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [
            {"name": "each", "type": "ranking", "options": OPTIONS}, {"name": "again", "type": "nps"}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("Ranks")
    await page.get_by_label("Town").fill("Kiel")
    await expect(shown(page)).to_have_text(["Bus", "Tram in Kiel", "Bike"])
    ranks = page.locator('[data-name="ranks"]')
    await ranks.get_by_role("button", name="Keep this order").click()
    await page.get_by_role("button", name="Submit").click()
    await expect(ranks.get_by_text("This answer isn’t valid.").first).to_be_visible()

    # Buttons keep the focus, and say where the option is.
    await ranks.get_by_role("button", name="Move Bike up").press("Enter")
    await expect(ranks.get_by_role("button", name="Move Bike up")).to_be_focused()
    await expect(ranks.get_by_role("status")).to_have_text("Bike: place 2 of 3")
    grip, goal = ranks.locator(".rank-grip").nth(1), ranks.locator(".rank-grip").first
    await grip.hover()
    end = await goal.bounding_box()
    assert end
    await page.mouse.down()
    await page.mouse.move(end["x"] + 5, end["y"] - 2, steps=4)
    await page.mouse.up()
    await expect(shown(page)).to_have_text(["Bike", "Bus", "Tram in Kiel"])
    before = await shown(page, 1).all_text_contents()
    await page.locator('[data-name="kept"]').get_by_role("button", name="Keep this order").click()
    await page.locator('[data-name="each"]').get_by_role("button", name="Move Bus down").click()
    await expect(page.get_by_text("Surely in Kiel")).to_be_visible()
    await page.locator('[data-name="likely"]').get_by_role("radio", name="0 of 10", exact=True).check(force=True)
    await page.locator('[data-name="again"]').get_by_role("radio", name="10 of 10").check(force=True)

    await page.reload()
    await expect(shown(page)).to_have_text(["Bike", "Bus", "Tram in Kiel"])
    await set_offline(phone.context, off=False)
    await send(page)
    values = {"Bus": "bus", "Tram in Kiel": "tram", "Bike": "bike"}
    assert await form.data() == {
        "town": "Kiel", "ranks": ["bike", "bus", "tram"], "kept": [values[text] for text in before], "likely": 0,
        "rows": [{"each": ["tram", "bus", "bike"], "again": 10}],
    }  # fmt: skip
    phone.ignore_errors()
