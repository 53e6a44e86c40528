"""The lookup field online: searching by part of a word, choosing by touch or keyboard, and its messages."""

import re
from typing import Any

import pytest
from fixtures.accounts import Person
from fixtures.fill_pages import AccountApi, Form, Phone, choose, send, set_offline
from fixtures.server_process import eventually
from playwright.async_api import Page, expect

ROWS: list[dict[str, Any]] = [
    {"number": f"C-{i}", "name": f"{name} {i}", "city": city, "street": f"Quay {i}", "staff": i}
    for i, (name, city) in enumerate(
        [("Harbour Works", "Kiel"), ("Müller & Söhne", "Ulm"), ("Café Zentral", "Kiel")] * 30
    )
]
CITIES = [{"value": "Kiel", "label": "Kiel"}, {"value": "Ulm", "label": "Ulm"}]

# The service worker requests the page, so the request is delayed before the service worker.
SLOW = """() => {
  const ask = globalThis.fetch;
  const whenTold = () => new Promise((resolve) => (globalThis.goOn = resolve));
  globalThis.fetch = async (address, ...more) => {
    if (String(address).includes("q=caf")) await whenTold();
    return ask(address, ...more);
  };
}"""

KEEPS_NO_ROWS = """
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (name, ...more) {
    if (name === "formwright-rows") throw new DOMException("Full", "QuotaExceededError");
    return open.call(this, name, ...more);
  };
"""


async def create_form(api: AccountApi) -> Form:
    lookup = {
        "name": "customer",
        "type": "lookup",
        "datasourceId": await api.create_datasource(ROWS),
        "display": ["name", "city"],
        "filter": {"city": "city"},
        "mapping": {"street": "street", "staff": "people"},
    }
    return await api.create_form(
        {"name": "city", "type": "choice", "options": CITIES},
        lookup,
        {"name": "street", "type": "text"},
        {"name": "people", "type": "integer"},
    )


def options(page: Page) -> Any:
    return page.get_by_role("option").filter(has_text="·")


@pytest.mark.slow
async def test_part_of_a_word_finds_a_row(api: AccountApi, phone: Phone) -> None:
    page = await phone.open((await create_form(api)).url)
    await page.locator(".sd-dropdown").click()
    for typed, found in (("rbou", "Harbour"), ("üll", "Müller & Söhne"), ("zentr 8", "Café")):
        await page.get_by_placeholder("Type to search").fill(typed)
        await expect(options(page).first).to_contain_text(found)
        await expect(options(page).filter(has_not_text=found)).to_have_count(0)


@pytest.mark.slow
async def test_a_row_chosen_by_keyboard_fills_the_other_fields(api: AccountApi, desktop: Phone) -> None:
    form = await create_form(api)
    page = await desktop.open(form.url)
    await page.get_by_role("combobox", name="Customer").focus()
    await page.keyboard.type("zentral 29")
    await options(page).filter(has_text="Café Zentral 29").wait_for()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Street")).to_have_value("Quay 29")
    await expect(page.get_by_label("People")).to_have_value("29")
    await send(page)
    assert await form.data() == {"customer": "C-29", "street": "Quay 29", "people": 29}


@pytest.mark.parametrize("way", ["keyboard", "mouse", "open"])
async def test_typing_replaces_a_chosen_row(api: AccountApi, desktop: Phone, way: str) -> None:
    form = await create_form(api)
    page = await desktop.open(form.url)
    box = page.get_by_role("combobox", name="Customer")
    await box.focus()
    await page.keyboard.type("works 3")
    await options(page).filter(has_text="Harbour Works 3 ·").wait_for()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Street")).to_have_value("Quay 3")
    if way == "mouse":
        await page.get_by_label("Street").focus()
        await page.locator(".sd-dropdown").click()
    elif way == "keyboard":
        await page.get_by_label("Street").focus()
        await page.keyboard.press("Shift+Tab")
        await box.focus()
    await expect(box).to_have_value("Harbour Works 3 · Kiel")
    await page.keyboard.type("zentral 29")
    found = options(page).filter(has_text="Café Zentral 29 ·")
    await found.wait_for()
    await (found.click() if way == "mouse" else page.keyboard.press("Enter"))
    await expect(page.get_by_label("Street")).to_have_value("Quay 29")
    await send(page)
    assert (await form.data())["customer"] == "C-29"


@pytest.mark.slow
async def test_a_chosen_row_fills_hidden_fields_which_rules_see(api: AccountApi, phone: Phone) -> None:
    lookup = {
        "name": "customer",
        "type": "lookup",
        "datasourceId": await api.create_datasource(ROWS),
        "display": ["name"],
        "mapping": {"street": "street"},
    }
    form = await api.create_form(
        lookup,
        {"name": "street", "type": "text", "hidden": True},
        {"name": "where", "type": "note", "label": "It is at {{street}}.", "visibleIf": "street != ''"},
        {"name": "visits", "type": "repeat", "min": 1, "fields": [
            lookup | {"name": "guest", "mapping": {"street": "home"}},
            {"name": "home", "type": "text", "hidden": True},
            {"name": "address", "type": "text", "calculate": "'Home: ' + home"},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    for place, row in ((0, "Café Zentral 29"), (1, "Café Zentral 2 ")):
        await page.locator(".sd-dropdown").nth(place).click()
        await page.get_by_placeholder("Type to search").locator("visible=true").fill(row)
        await page.get_by_role("option").filter(has_text=row.strip()).first.click()
    await expect(page.get_by_text("It is at Quay 29.")).to_be_visible()
    await expect(page.get_by_label("Address")).to_have_value(re.compile(r"Home: Quay 2"))
    await send(page)
    data = await form.data()
    assert (data["street"], data["visits"][0]["home"]) == (
        "Quay 29",
        data["visits"][0]["address"].removeprefix("Home: "),
    )


async def test_another_answer_filters_the_rows_at_once(api: AccountApi, phone: Phone) -> None:
    page = await phone.open((await create_form(api)).url)
    for city in ("Ulm", "Kiel"):
        await page.locator("label").get_by_text(city, exact=True).click()
        await page.locator(".sd-dropdown").click()
        await expect(options(page).first).to_contain_text(f"· {city}")
        await expect(options(page).filter(has_not_text=f"· {city}")).to_have_count(0)
        await page.get_by_role("button", name="Cancel").click()


@pytest.mark.slow
async def test_an_empty_result_is_reported(api: AccountApi, phone: Phone) -> None:
    page = await phone.open((await create_form(api)).url)
    await page.locator(".sd-dropdown").click()
    await page.get_by_placeholder("Type to search").fill("nobody")
    await expect(page.get_by_role("status").get_by_text("No results")).to_be_visible()


@pytest.mark.slow
async def test_a_failed_search_is_reported_and_works_again_later(api: AccountApi, phone: Phone) -> None:
    form = await create_form(api)
    await phone.context.add_init_script(KEEPS_NO_ROWS)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await phone.context.set_offline(True)
    await page.locator(".sd-dropdown").click()
    await page.get_by_placeholder("Type to search").fill("harb")
    await expect(page.get_by_role("status").get_by_text("Search is unavailable.")).to_be_visible()
    await phone.context.set_offline(False)
    await page.get_by_placeholder("Type to search").fill("harbour 3")
    await options(page).filter(has_text="Harbour Works 3 ·").click()
    await expect(page.get_by_label("Street")).to_have_value("Quay 3")
    await send(page)
    assert (await form.data())["customer"] == "C-3"
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_slow_response_to_an_earlier_search_is_discarded(api: AccountApi, phone: Phone) -> None:
    page = await phone.open((await create_form(api)).url)
    await page.evaluate(SLOW)
    await page.locator(".sd-dropdown").click()
    await options(page).first.wait_for()
    search = page.get_by_placeholder("Type to search")
    await search.fill("caf")
    await eventually(lambda: page.evaluate("Boolean(globalThis.goOn)"))
    await search.fill("harb")
    await expect(options(page).filter(has_not_text="Harbour")).to_have_count(0)
    await page.evaluate("goOn()")
    await page.wait_for_timeout(500)
    await expect(options(page).filter(has_not_text="Harbour")).to_have_count(0)
    await expect(options(page).filter(has_text="Harbour").first).to_be_visible()


@pytest.mark.slow
async def test_a_row_that_no_longer_matches_the_filter_is_removed_at_once(api: AccountApi, phone: Phone) -> None:
    form = await create_form(api)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    city = page.locator("label")
    await page.locator(".sd-dropdown").click()
    await options(page).filter(has_text="Müller & Söhne 1 ·").click()
    await phone.context.set_offline(True)
    await city.get_by_text("Kiel", exact=True).click()
    said = page.get_by_text("“Müller & Söhne 1 · Ulm” was removed because it doesn’t match your answer to “City”.")
    await expect(said).to_be_visible()
    await phone.context.set_offline(False)
    await city.get_by_text("Ulm", exact=True).click()
    await send(page)
    assert "customer" not in await form.data()
    phone.ignore_errors()


@pytest.mark.slow
async def test_an_invalid_cell_is_not_copied(account: Person, api: AccountApi, phone: Phone) -> None:
    rows: list[dict[str, Any]] = [
        {"number": "good", "day": "2026-03-29", "at": "14:30", "city": "Kiel", "picture": "a.png"},
        {"number": "bad", "day": "soon", "at": "noon", "city": "Rome", "picture": "b.png"},
    ]
    mapping = {"day": "day", "at": "at", "city": "city", "picture": "spare"}
    lookup = {"name": "which", "type": "lookup", "datasourceId": await api.create_datasource(rows), "mapping": mapping}
    form = await api.create_form(
        lookup,
        {"name": "day", "type": "date"},
        {"name": "at", "type": "time"},
        {"name": "city", "type": "choice", "options": CITIES},
        {"name": "photos", "type": "photo"},
        {"name": "spare", "type": "text"},
    )
    await _map_to_photos(account, form)
    page = await phone.open(form.url)
    await choose(page)
    for key, day in (("good", "2026-03-29"), ("bad", "")):
        await page.locator(".sd-dropdown").click()
        await page.get_by_role("option", name=key).click()
        await expect(page.get_by_label("Day")).to_have_value(day)
    await send(page)
    data = await form.data()
    assert (data.keys(), data["which"], len(data["photos"])) == ({"which", "photos"}, "bad", 1)


async def _map_to_photos(account: Person, form: Form) -> None:
    """Map a column to a photo field, as older forms may do."""
    async with account.factory.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE versions SET definition = replace(definition, '\"spare\"}', '\"photos\"}')"
            " WHERE customer_id = $1 AND form_id = $2",
            account.customer_id,
            form.id,
        )


@pytest.mark.slow
async def test_rows_of_computed_keys_are_found_without_a_network(api: AccountApi, phone: Phone) -> None:
    row = {"type": "lookup", "hidden": True, "datasourceId": await api.create_datasource(ROWS)}
    form = await api.create_form(
        {"name": "number", "type": "integer"},
        {"name": "row", **row, "calculate": "'C-' + string(number)", "mapping": {"street": "street", "staff": "staff"}},
        {"name": "street", "type": "text", "hidden": True},
        {"name": "staff", "type": "integer"},
        {"name": "where", "type": "note", "label": "It is at {{street}}.", "visibleIf": "street != ''"},
        {"name": "visits", "type": "repeat", "min": 1, "fields": [
            {"name": "guest", "type": "text"},
            {"name": "found", **row, "calculate": "guest", "mapping": {"name": "called"}},
            {"name": "called", "type": "text", "hidden": True},
            {"name": "address", "type": "text", "calculate": "'Dear ' + called"},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    number, where = page.get_by_label("Number"), page.get_by_text("It is at")
    await number.fill("29")
    await expect(page.get_by_text("It is at Quay 29.")).to_be_visible()
    await expect(page.get_by_label("Staff")).to_have_value("29")
    await number.fill("1000")
    await expect(where).to_be_hidden()
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await number.fill("2")
    await expect(page.get_by_text("It is at Quay 2.")).to_be_visible()
    await page.get_by_label("Guest").fill("C-4")
    await expect(page.get_by_label("Address")).to_have_value("Dear Müller & Söhne 4")
    await page.reload()
    await expect(page.get_by_text("It is at Quay 2.")).to_be_visible()
    await set_offline(phone.context, off=False)
    # The page waits for the row of a key that was typed just now.
    await number.fill("3")
    await send(page)
    assert await form.data() == {
        "number": 3, "row": "C-3", "street": "Quay 3", "staff": 3,
        "visits": [{"guest": "C-4", "found": "C-4", "called": "Müller & Söhne 4", "address": "Dear Müller & Söhne 4"}],
    }  # fmt: skip
    phone.ignore_errors()
