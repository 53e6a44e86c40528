"""Answers in the texts of a form."""

from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect

OPTIONS: list[dict[str, Any]] = [
    {"value": "b", "label": {"en": "Boat of {{who}}", "de": "Boot von {{who}}"}},
    {"value": "c", "label": {"en": "Car", "de": "Auto"}},
]


@pytest.mark.slow
async def test_texts_show_answers_as_text_in_the_language_of_the_page(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "who", "type": "text", "label": {"en": "Who?", "de": "Wer?"}},
        {"name": "birth", "type": "date"},
        {"name": "price", "type": "decimal"},
        {"name": "kind", "type": "choice", "options": OPTIONS},
        {"name": "secret", "type": "text", "visibleIf": "price > 5000.0"},
        {"name": "told", "type": "note",
         "label": {"en": "{{who}}, born {{birth}}: {{price}} for a {{kind}} {{secret}}{{nobody}} {who}",
                   "de": "{{who}}, geboren {{birth}}: {{price}} für {{kind}} {{secret}}{{nobody}} {who}"}},
        {"name": "part", "type": "section", "label": "About {{who}}", "hint": "Really {{who}}", "fields": [
            {"name": "count", "type": "integer", "label": "How many does {{ who }} have?", "hint": "{{price}}",
             "validIf": "count < 3", "message": "{{count}} is too many for {{who}}"}]},
        {"name": "rows", "type": "repeat", "min": 1, "label": "Children of {{who}}", "fields": [
            {"name": "child", "type": "text", "label": "Name"},
            {"name": "age", "type": "integer", "label": "Age of {{child}}, child of {{who}}", "required": True,
             "requiredMessage": "How old is {{child}}?"}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await expect(page.get_by_text("…, born …: … for a … …{{nobody}} {who}")).to_be_visible()
    await page.get_by_label("Who?").fill("<img src=x onerror=alert(1)> {who} {{price}}")
    await page.get_by_label("Birth", exact=True).fill("2001-02-03")
    await page.get_by_label("Price", exact=True).fill("1234.5")
    who = "<img src=x onerror=alert(1)> {who} {{price}}"
    await page.get_by_text(f"Boat of {who}").click()
    said = f"{who}, born 3 Feb 2001: 1,234.5 for a Boat of … …{{{{nobody}}}} {{who}}"
    await expect(page.get_by_text(said)).to_be_visible()
    assert await page.locator("#form img").count() == 0
    await expect(page.get_by_text(f"About {who}")).to_be_visible()
    await expect(page.get_by_text(f"Really {who}")).to_be_visible()
    await expect(page.get_by_text(f"Children of {who}")).to_be_visible()
    await page.get_by_label("Who?").fill("Ana")
    await page.get_by_label("Name", exact=True).fill("Ben")
    await expect(page.get_by_label("Age of Ben, child of Ana")).to_be_visible()
    await page.get_by_label("How many does Ana have?").fill("3")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("link", name="How many does Ana have?: 3 is too many for Ana").wait_for()
    await page.get_by_role("link", name="Age of Ben, child of Ana: How old is Ben?").wait_for()
    await page.get_by_label("How many does Ana have?").fill("2")
    await page.get_by_label("Age of Ben").fill("7")
    await page.locator("#language").select_option("de")
    await expect(page.get_by_text("Ana, geboren 03.02.2001: 1.234,5 für Boot von … …{{nobody}} {who}")).to_be_visible()
    await page.locator("#language").select_option("en")
    await send(page)
    assert (await form.data())["kind"] == "b"
