"""Text is never interpreted as markup: in labels, hints, options, answers and messages, in every state of the page."""

from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import Page, expect

EVIL = '<img src=x onerror="document.title=1"><q>{one}</q>'
FAMILY = "👩‍👩‍👧‍👦 Käse — «ß»"


async def test_markup_in_a_form_is_shown_as_text(api: AccountApi, phone: Phone) -> None:
    options = [{"value": EVIL, "label": EVIL}, {"value": "b", "label": "b"}]
    many = [*options, *({"value": str(number), "label": f"{EVIL}{number}"} for number in range(9))]
    rows = [{"number": EVIL, "name": EVIL}]
    lookup = {"type": "lookup", "datasourceId": await api.create_datasource(rows), "display": ["name"]}
    kinds: list[dict[str, Any]] = [
        {"type": "note"},
        {"type": "text", "validIf": "f1 != 'x'", "message": EVIL},
        {"type": "choice", "options": options},
        {"type": "choices", "options": many},
        lookup,
        *({"type": kind} for kind in ("boolean", "rating", "slider", "location", "barcode", "signature", "photo")),
        {"type": "repeat", "fields": [{"name": "inner", "label": EVIL, "hint": EVIL, "type": "text"}], "min": 1},
        {"type": "section", "fields": [{"name": "deep", "label": EVIL, "type": "textarea", "default": EVIL}]},
    ]
    fields = [{"name": f"f{index}", "label": EVIL, "hint": EVIL, **one} for index, one in enumerate(kinds)]
    form = await api.create_form(*fields, thanks=EVIL)
    page = await phone.open(form.url)
    await page.locator('[data-name="f1"] input').fill("x")
    await page.locator('[data-name="f2"]').get_by_text(EVIL, exact=True).last.click()
    await page.locator("#send").click()
    await page.locator("#problems a").first.wait_for()
    await page.locator('[data-name="f4"] .sd-dropdown').click()
    await page.get_by_role("option").filter(has_text="onerror").last.click()
    await assert_no_script_ran(page)
    await page.locator('[data-name="f1"] input').fill(EVIL)
    await page.reload()
    await page.locator("#send:visible").wait_for()
    await assert_no_script_ran(page)
    await page.locator("#send").click()
    await expect(page.locator("#thanks h1")).to_have_text(EVIL)
    await assert_no_script_ran(page)
    data = await form.data()
    assert [data["f1"], data["f2"], data["f4"], data["deep"]] == [EVIL] * 4


async def assert_no_script_ran(page: Page) -> None:
    assert await page.title() != "1"
    assert await page.locator('img[src="x"], #form b').count() == 0


async def test_every_script_and_emoji_is_submitted_unchanged(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "it", "type": "text", "label": FAMILY, "hint": "مرحبا بالعالم"})
    page = await phone.open(form.url)
    await page.get_by_label(FAMILY).fill(f"{FAMILY} مرحبا")
    await send(page)
    assert await form.data() == {"it": f"{FAMILY} مرحبا"}


async def test_the_language_sets_the_text_direction(api: AccountApi, phone: Phone) -> None:
    label = {"en": "Place", "ar": "x", "he": "x", "de": "x"}
    form = await api.create_form({"name": "it", "type": "text", "label": label}, language="en")
    page = await phone.open(form.url)
    assert await page.locator("html").get_attribute("dir") == "ltr"
    for tag, way in {"ar": "rtl", "de": "ltr", "he": "rtl"}.items():
        # Its accessible name changes with the language.
        await page.locator("#language").select_option(tag)
        await expect(page.locator("html")).to_have_attribute("dir", way)


async def test_urls_and_numbers_are_left_to_right_in_every_language(api: AccountApi, phone: Phone) -> None:
    kinds = ("url", "integer", "decimal", "phone")
    form = await api.create_form(*({"name": f"a_{kind}", "type": kind} for kind in kinds), language="ar")
    page = await phone.open(form.url)
    ways = await page.locator("#form input").evaluate_all("all => all.map((one) => getComputedStyle(one).direction)")
    assert ways == ["ltr"] * 4


async def test_languages_are_in_the_order_of_the_form(api: AccountApi, phone: Phone) -> None:
    label = {"pl": "Miejsce", "en": "Place", "de": "Ort"}
    form = await api.create_form({"name": "it", "type": "text", "label": label}, language="pl")
    page = await phone.open(form.url)
    assert await page.locator("#language option").evaluate_all("all => all.map((one) => one.value)") == [
        "pl",
        "en",
        "de",
    ]


@pytest.mark.slow
async def test_text_that_is_too_long_is_reported_and_not_cut_off(api: AccountApi, phone: Phone) -> None:
    """Browsers count an emoji as two or more characters; people and the server count it as one."""
    form = await api.create_form({"name": "it", "type": "text", "maxLength": 5})
    page = await phone.open(form.url)
    await page.get_by_label("It").press_sequentially("👍👍👍👍👍👍")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("link", name="It: Enter at most 5 characters.").wait_for()
    await page.get_by_label("It").press("Backspace")
    await send(page)
    assert await form.data() == {"it": "👍👍👍👍👍"}


WRITTEN = {
    "text": "Pier 7",
    "email": "a@example.org",
    "phone": "+49 40 123",
    "url": "https://example.org",
    "integer": "791",
}


@pytest.mark.slow
async def test_pasted_text_is_counted_before_the_field_loses_focus(api: AccountApi, phone: Phone) -> None:
    page = await phone.open((await api.create_form(*({"name": kind, "type": kind} for kind in WRITTEN))).url)
    for kind, written in WRITTEN.items():
        field = page.get_by_label(kind.capitalize())
        await field.focus()
        # Menus, dictation and password managers insert text without key presses.
        await page.evaluate("text => document.execCommand('insertText', false, text)", written)
        await page.wait_for_function("text => JSON.stringify(localStorage).includes(text)", arg=written)
        await expect(field).to_be_focused()
    await expect(page.locator("#state")).to_have_text("Saved")
    await page.reload()
    for kind, written in WRITTEN.items():
        await expect(page.get_by_label(kind.capitalize())).to_have_value(written)
