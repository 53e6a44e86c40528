"""Numbers that are typed, pasted and turned by the wheel: stored exactly, or refused and kept as they were typed."""

from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Form, Phone, send
from playwright.async_api import Locator, Page, expect

NUMBERS = [{"name": name, "type": "decimal"} for name in ("a", "b", "c", "d")]
TYPED = {
    "en": {"a": "1,5", "b": "1.234,5", "c": "1e3", "d": "12,345,678.25"},
    "de": {"a": "-1,5", "b": "1.234,5", "c": "1,234", "d": "0.125"},
    "ar": {"a": "١٫٥", "b": "١٬٢٣٤٫٥", "c": "-٧", "d": "۱۲٫۵"},
}
STORED = {
    "en": {"a": 1.5, "b": 1234.5, "c": 1000, "d": 12345678.25},
    "de": {"a": -1.5, "b": 1234.5, "c": 1.234, "d": 0.125},
    "ar": {"a": 1.5, "b": 1234.5, "c": -7, "d": 12.5},
}
LONG = "12345678901234567890"
REFUSED = {
    LONG: "at most 15 digits",
    "1,234": "“1,234” could mean 1234 or 1.234",
    "1.5.": "a number",
    "12 kg": "a number",
}


async def open_form(api: AccountApi, phone: Phone, *fields: dict[str, Any], language: str = "en") -> tuple[Form, Page]:
    form = await api.create_form(*fields, language=language)
    return form, await phone.open(form.url)


async def submit(page: Page) -> None:
    await page.locator("#send").click()
    await page.locator("#thanks h1").wait_for()


async def paste(page: Page, field: Locator, text: str) -> None:
    """Insert a text without key presses, as menus and dictation do."""
    await field.focus()
    await page.keyboard.insert_text(text)


async def described_by(field: Locator) -> str:
    return await field.get_attribute("aria-describedby") or await field.get_attribute("aria-errormessage") or ""


@pytest.mark.parametrize("language", TYPED)
async def test_typed_and_pasted_numbers_are_read_in_any_notation(api: AccountApi, phone: Phone, language: str) -> None:
    form, page = await open_form(api, phone, *NUMBERS, language=language)
    for name, text in TYPED[language].items():
        field = page.get_by_label(name.upper(), exact=True)
        await (field.press_sequentially(text) if name in "ac" else paste(page, field, text))
        await expect(field).to_have_value(text)
    await submit(page)
    assert await form.data() == STORED[language]


async def test_other_texts_are_refused_in_a_sentence_and_kept_as_typed(api: AccountApi, phone: Phone) -> None:
    form, page = await open_form(api, phone, {"name": "size", "type": "decimal"})
    field = page.get_by_role("textbox", name="Size")
    for text, message in REFUSED.items():
        await field.clear()
        await field.press_sequentially(text)
        await field.blur()
        await expect(field).to_have_attribute("aria-invalid", "true")
        error = page.locator(", ".join(f"#{one}" for one in (await described_by(field)).split()))
        await expect(error).to_contain_text(message)
        await expect(field).to_have_value(text)
        await page.locator("#send").click()
        await expect(page.locator("#problems a")).to_contain_text(message)
        await expect(field).to_have_value(text)
    assert await form.submissions() == []
    await field.fill("1234.5")
    await expect(page.locator("#problems")).to_be_hidden()
    await send(page)
    assert await form.data() == {"size": 1234.5}


async def test_the_wheel_and_the_arrow_keys_change_no_number(api: AccountApi, desktop: Phone) -> None:
    kinds = ("integer", "decimal")
    form, page = await open_form(api, desktop, *({"name": kind, "type": kind} for kind in kinds))
    for kind in kinds:
        field = page.get_by_label(kind.capitalize())
        await field.press_sequentially("100")
        await field.hover()
        await page.mouse.wheel(0, 240)
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowUp")
        await expect(field).to_have_value("100")
    await send(page)
    assert await form.data() == {"integer": 100, "decimal": 100}


async def test_rules_leave_a_number_and_the_caret_alone_while_it_is_typed(api: AccountApi, phone: Phone) -> None:
    form, page = await open_form(
        api,
        phone,
        {"name": "price", "type": "decimal"},
        {"name": "double", "type": "decimal", "calculate": "price * 2.0"},
        {"name": "note", "type": "note", "label": "Price: {{price}}", "visibleIf": "price < 0.0"},
    )
    price = page.get_by_label("Price", exact=True)
    for key, shown in [
        ("-", "-"),
        ("1", "-1"),
        (",", "-1,"),
        ("5", "-1,5"),
        ("0", "-1,50"),
        ("e", "-1,50e"),
        ("2", "-1,50e2"),
    ]:
        await price.press(key)
        await expect(price).to_have_value(shown)
    await expect(page.get_by_text("Price: -150")).to_be_visible()
    await price.press("ArrowLeft")
    await price.press("ArrowLeft")
    await price.press("Backspace")
    await price.press("5")
    assert await price.evaluate("one => [one.value, one.selectionStart]") == ["-1,55e2", 5]
    await price.blur()
    await expect(price).to_have_value("-155")
    await expect(page.get_by_label("Double")).to_have_value("-310")
    await send(page)
    assert await form.data() == {"price": -155, "double": -310}


async def test_a_draft_keeps_numbers_and_what_is_none_yet(api: AccountApi, phone: Phone) -> None:
    rows = {"name": "rows", "type": "repeat", "min": 1, "fields": [{"name": "n", "type": "integer"}]}
    form, page = await open_form(api, phone, *NUMBERS[:2], rows, language="de")
    await page.get_by_label("A", exact=True).fill("1.234,5")
    await page.get_by_label("B", exact=True).fill(LONG)
    await page.get_by_label("N", exact=True).fill("1-")
    await expect(page.locator("#state")).to_have_text("Gespeichert")
    await page.reload()
    await expect(page.get_by_label("A", exact=True)).to_have_value("1234,5")
    await expect(page.get_by_label("B", exact=True)).to_have_value(LONG)
    await expect(page.get_by_label("N", exact=True)).to_have_value("1-")
    await page.locator("#send").click()
    await expect(page.locator("#problems a")).to_have_count(2)
    await page.get_by_label("B", exact=True).fill("-2")
    await page.get_by_label("N", exact=True).fill("1.000")
    await submit(page)
    assert await form.data() == {"a": 1234.5, "b": -2, "rows": [{"n": 1000}]}


@pytest.mark.slow
async def test_another_language_writes_the_same_number(api: AccountApi, phone: Phone) -> None:
    field = {"name": "size", "type": "decimal", "label": {"en": "Size", "de": "Größe"}}
    form, page = await open_form(api, phone, field)
    await page.get_by_label("Size").fill("1.234")
    await page.locator("#language").select_option("de")
    await expect(page.get_by_label("Größe")).to_have_value("1,234")
    await page.get_by_label("Größe").fill("1.234")
    await page.locator("#send").click()
    await expect(page.locator("#problems a")).to_contain_text("„1.234“ kann 1234 oder 1,234 bedeuten")
    await page.get_by_label("Größe").fill("1234")
    await submit(page)
    assert await form.data() == {"size": 1234}


@pytest.mark.slow
async def test_a_button_on_phones_changes_the_sign(api: AccountApi, phone: Phone, desktop: Phone) -> None:
    fields = [{"name": "depth", "type": "integer", "unit": "m"}, {"name": "people", "type": "integer", "min": 0}]
    form, page = await open_form(api, phone, *fields)
    sign = page.get_by_role("button", name="Change the sign")
    depth = page.get_by_role("textbox", name="Depth")
    await depth.fill("12")
    await sign.click()
    await expect(depth).to_have_value("-12")
    await expect(depth).to_be_focused()
    assert [await one.get_attribute("inputmode") for one in await page.locator("#form input").all()] == ["numeric"] * 2
    await expect(page.locator(".change-sign")).to_have_count(1)
    await send(page)
    assert await form.data() == {"depth": -12}
    await expect((await desktop.open(form.url)).locator(".change-sign")).to_be_hidden()
