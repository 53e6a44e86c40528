"""The lookup of several rows: chosen by touch or keyboard, shown as chips, filtered, limited, and kept offline."""

import re
from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Form, Phone, send
from playwright.async_api import Page, expect
from web.fill.test_lookup_offline import wait_for_rows

ROWS: list[dict[str, Any]] = [
    {"number": f"C-{i}", "name": f"{name} {i}", "city": city}
    for i, (name, city) in enumerate(
        [("Harbour Works", "Kiel"), ("Müller & Söhne", "Ulm"), ("Café Zentral", "Kiel")] * 30
    )
]
CITIES = [{"value": "Kiel", "label": "Kiel"}, {"value": "Ulm", "label": "Ulm"}]


async def create_form(api: AccountApi, *, with_rows: bool = False) -> Form:
    of = await api.create_datasource(ROWS)
    customers = {
        "name": "customers",
        "type": "lookups",
        "datasourceId": of,
        "display": ["name", "city"],
        "filter": {"city": "city"},
        "maxChoices": 3,
        "minChoices": 2,
    }
    copy = customers | {"name": "copy", "filter": {}, "calculate": "size(customers) > 2 ? ['C-1', 'C-2'] : customers"}
    stops = {"name": "stops", "type": "lookups", "datasourceId": of}
    return await api.create_form(
        {"name": "city", "type": "choice", "options": CITIES},
        customers,
        {"name": "count", "type": "integer", "calculate": "size(customers)"},
        {"name": "shown", "type": "note", "label": "Chosen: {{customers}}", "visibleIf": "'C-2' in customers"},
        *([copy, {"name": "trips", "type": "repeat", "min": 1, "fields": [stops]}] if with_rows else []),
    )


def options(page: Page) -> Any:
    return page.get_by_role("option").filter(has_text="·")


def chips(page: Page) -> Any:
    return page.locator(".chip")


@pytest.mark.slow
async def test_rows_are_chosen_and_removed_by_keyboard(api: AccountApi, desktop: Phone) -> None:
    form = await create_form(api, with_rows=True)
    page = await desktop.open(form.url)
    await page.get_by_role("combobox", name="Customers").focus()
    for typed, found in (("zentral 29", "Zentral 29"), ("rbour 3", "Works 3"), ("harbour 36", "Works 36")):
        await page.keyboard.type(typed)
        await expect(options(page).first).to_contain_text(found)
        await expect(options(page).filter(has_not_text=found)).to_have_count(0)
        await page.keyboard.press("Enter")
        await expect(chips(page).filter(has_text=found).first).to_be_visible()
    await expect(page.get_by_label("Count")).to_have_value("3")
    # No more can be chosen.
    await expect(page.get_by_role("option", name="Müller & Söhne 1 ·").first).to_have_class(re.compile("disabled"))
    await page.keyboard.press("Escape")
    copy = page.locator("[data-name=copy]")
    await expect(copy).to_contain_text("Müller & Söhne 1 · Ulm, Café Zentral 2 · Kiel")
    await page.get_by_role("button", name="Remove Harbour Works 3 ·").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Count")).to_have_value("2")
    await expect(page.get_by_role("combobox", name="Customers")).to_be_focused()
    await expect(copy).to_contain_text("Café Zentral 29 · Kiel, Harbour Works 36 · Kiel")
    await page.get_by_role("combobox", name="Stops").focus()
    await page.keyboard.type("C-41")
    await page.get_by_role("option", name="C-41").wait_for()
    await expect(page.get_by_role("option", name="C-1", exact=True)).to_have_count(0)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")
    await send(page)
    [came] = await form.submissions()
    chosen = ["C-29", "C-36"]
    assert came["data"] == {"customers": chosen, "copy": chosen, "trips": [{"stops": ["C-41"]}], "count": 2}
    rows = [(row["pointer"], row["key"]) for row in came["lookups"]]
    assert rows[:2] == [("/data/customers/0", "C-29"), ("/data/customers/1", "C-36")]
    assert rows[4:] == [("/data/trips/0/stops/0", "C-41")]


async def test_offline_rows_are_chosen_shown_again_and_filtered(api: AccountApi, phone: Phone) -> None:
    form = await create_form(api)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await wait_for_rows(page)
    await phone.context.set_offline(True)
    await page.locator(".sd-dropdown").click()
    for number in (1, 2):
        await page.get_by_placeholder("Type to search").fill(f"c-{number}")
        await options(page).filter(has_text=re.compile(f" {number} ·")).click()
    await page.get_by_role("button", name="OK").click()
    await expect(page.get_by_text("Chosen: C-1, C-2")).to_be_visible()
    await page.reload()
    await expect(chips(page)).to_have_text(["Müller & Söhne 1 · Ulm×", "Café Zentral 2 · Kiel×"])
    city = page.locator("label")
    await city.get_by_text("Kiel", exact=True).click()
    said = page.get_by_text("“Müller & Söhne 1 · Ulm” was removed because it doesn’t match your answer to “City”.")
    await expect(said).to_be_visible()
    await expect(chips(page)).to_have_text(["Café Zentral 2 · Kiel×"])
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_text("Choose at least 2 options.").first).to_be_visible()
    await page.locator(".sd-dropdown").click()
    await page.get_by_placeholder("Type to search").fill("c-3")
    await options(page).filter(has_text=re.compile(" 3 ·")).click()
    await page.get_by_role("button", name="OK").click()
    await phone.context.set_offline(False)
    await send(page)
    [came] = await form.wait_for_submissions(1)
    assert came["data"] == {"city": "Kiel", "customers": ["C-2", "C-3"], "count": 2}
    assert [row["data"]["name"] for row in came["lookups"]] == ["Café Zentral 2", "Harbour Works 3"]
    phone.ignore_errors()
