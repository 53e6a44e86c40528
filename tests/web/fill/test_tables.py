"""Choices with the same options, shown as a table."""

from typing import Any

import pytest
from fixtures.browser import open_page
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import Browser, expect

OPTIONS = [{"value": f"v{n}", "label": {"en": f"Level {n}", "de": f"Stufe {n}"}} for n in range(1, 11)]


def rows(kind: str, *names: str) -> list[dict[str, Any]]:
    return [{"type": kind, "name": name, "label": name.capitalize(), "options": OPTIONS} for name in names]


@pytest.mark.slow
async def test_a_table_has_columns_on_wide_screens_and_lists_on_phones(
    api: AccountApi, phone: Phone, browser: Browser
) -> None:
    service = rows("choice", "speed", "price")
    service[0]["required"] = True
    service.append({**rows("choice", "why")[0], "visibleIf": "price == 'v1'"})
    form = await api.create_form(
        {"type": "section", "name": "service", "label": "Service", "table": True, "fields": service},
        {"type": "section", "name": "uses", "label": "Uses", "page": True, "table": True,
         "fields": rows("choices", "home", "work")},
    )  # fmt: skip
    async with open_page(browser, viewport={"width": 1024, "height": 700}) as desk:
        await desk.page.goto(form.url)
        await expect(desk.page.locator(".table-head").first).to_be_visible()
        boxes = desk.page.get_by_role("radiogroup", name="Speed").get_by_role("radio", name="Level 10")
        head = await desk.page.locator(".table-head span").nth(9).bounding_box()
        box = await boxes.bounding_box()
        assert head
        assert box
        assert head["x"] <= box["x"] <= head["x"] + head["width"]
        assert desk.errors == []

    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await expect(page.locator(".table-head").first).to_be_hidden()
    await page.get_by_role("radiogroup", name="Price").get_by_text("Level 1", exact=True).click()
    await page.get_by_role("radiogroup", name="Why").get_by_text("Level 3").click()
    await page.get_by_role("button", name="Next").click()
    await expect(page.locator("#problems")).to_contain_text("Speed")
    await page.get_by_role("radiogroup", name="Speed").get_by_text("Level 10").click()
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("group", name="Work").get_by_text("Level 2").click()
    await page.get_by_role("group", name="Work").get_by_text("Level 4").click()
    await set_offline(phone.context, off=False)
    await send(page)
    assert await form.data() == {"speed": "v10", "price": "v1", "why": "v3", "work": ["v2", "v4"]}
    phone.ignore_errors()
