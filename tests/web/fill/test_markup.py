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


async def test_more_information_is_shown_on_request(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "who", "type": "text", "hint": "Short", "guidance": {"en": "**Longer**\n\ntext", "de": "*Länger*"}},
        {"name": "told", "type": "note", "label": "Note", "guidance": "About {{who}} {x}"},
        {"name": "part", "type": "section", "guidance": "Of the section", "page": True, "fields": [
            {"name": "rows", "type": "repeat", "min": 1, "fields": [
                {"name": "count", "type": "integer", "guidance": "For **{{count}}** of {{who}}"}]}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    first, note = (page.locator("details.guidance").nth(place) for place in (0, 1))
    await expect(page.get_by_text("text", exact=True)).to_be_hidden()
    await first.locator("summary").press("Enter")
    await expect(page.get_by_text("text", exact=True)).to_be_visible()
    await page.get_by_label("Who").fill("<b>Ana</b> {who}")
    await note.locator("summary").click()
    await expect(note.locator("div")).to_have_text("About <b>Ana</b> {who} {x}")
    await page.locator("#language").select_option("de")
    await expect(first.locator("em")).to_have_text("Länger")
    await expect(note.locator("summary")).to_have_text("Mehr Informationen")
    await page.locator("#next").click()
    await page.get_by_label("Count").fill("3")
    await expect(page.get_by_text("Of the section")).to_be_hidden()
    inner = page.locator("details.guidance").nth(1)
    await inner.locator("summary").click()
    await expect(inner.locator("div")).to_have_text("For 3 of <b>Ana</b> {who}")
    await expect(inner.locator("strong")).to_have_text("3")
