"""Texts with markup on the page, the page of a submission and in its report."""

from typing import Any

from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect

OPTIONS: list[dict[str, Any]] = [
    {"value": "a", "label": {"en": "**Apple** of {{who}}", "de": "Apfel von **{{who}}**"}},
    {"value": "b", "label": "*Pear*"},
]


async def test_markup_is_shown_and_answers_in_it_are_text(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "who", "type": "text", "label": {"en": "**Who** are _you_?", "de": "**Wer** bist du?"},
         "required": True, "hint": "See [the page](https://example.org/a?b=1&c) {who}"},
        {"name": "fruit", "type": "choice", "options": OPTIONS, "label": "Fruit"},
        {"name": "order", "type": "ranking", "options": OPTIONS, "label": "Order"},
        {"name": "told", "type": "note",
         "label": "# Hello **{{who}}**\n\n- one {who}\n- <u>two</u> <script>x</script>"},
        {"name": "part", "type": "section", "label": "About **{{who}}**", "hint": "Line\n<b>next</b>", "fields": [
            {"name": "count", "type": "integer", "label": "How *many*?"}]},
        welcome="# Welcome",
    )  # fmt: skip
    page = await phone.open(form.url)
    await expect(page.locator("strong", has_text="Welcome")).to_be_visible()
    await page.locator("#next").click()
    who = page.get_by_label("Who are you?")
    await page.locator("#send").click()
    await expect(page.get_by_role("link", name="Who are you?: ")).to_be_visible()
    await expect(page.locator(".sd-question__title strong", has_text="Who")).to_be_visible()
    link = page.get_by_role("link", name="the page")
    assert await link.get_attribute("href") == "https://example.org/a?b=1&c"
    await expect(page.get_by_text("See the page {who}")).to_be_visible()
    evil = "**x** <img src=y onerror=alert(1)> {who} {{count}} [a](https://b.org)"
    await who.fill(evil)
    for place in ["p strong", "label strong", ".sd-panel__title strong"]:
        shown = page.locator(place, has_text=evil if place != "label strong" else "Apple")
        await expect(shown.first).to_be_visible()
    await expect(page.locator(".ranking strong", has_text="Apple")).to_be_visible()
    await expect(page.locator(".ranking em", has_text="Pear")).to_be_visible()
    await expect(page.locator("li", has_text="one {who}")).to_be_visible()
    await expect(page.get_by_text("two <script>x</script>")).to_be_visible()
    assert await page.locator("#form img, #form script").count() == 0
    await page.locator("#language").select_option("de")
    await expect(page.locator("label strong", has_text=evil)).to_be_visible()
    await expect(page.locator(".sd-question__title strong", has_text="Wer")).to_be_visible()
    await page.locator("label strong", has_text=evil).click()
    await page.locator("#language").select_option("en")
    await send(page)
    assert (await form.data())["fruit"] == "a"
