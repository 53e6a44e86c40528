"""Every kind of field, filled in on a phone, and the submission it produces."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fixtures.fill_pages import PICTURE, AccountApi, Form, Phone, choose, draw, send
from playwright.async_api import Locator, expect

Fill = Callable[[Locator], Awaitable[None]]
"""Answers a field."""


def type_text(text: str) -> Fill:
    return lambda field: field.locator("input, textarea").first.fill(text)


def click_option(text: str) -> Fill:
    return lambda field: field.get_by_text(text, exact=True).first.click()


OPTIONS = [{"value": "g", "label": "Green"}, {"value": "r|2", "label": "Red"}]
SIMPLE: list[tuple[dict[str, Any], Fill, object]] = [
    ({"type": "text"}, type_text("Pier <b>7</b>"), "Pier <b>7</b>"),
    ({"type": "textarea"}, type_text("one\ntwo"), "one\ntwo"),
    ({"type": "email"}, type_text("a.b@example.org"), "a.b@example.org"),
    ({"type": "phone"}, type_text("+49 40 123"), "+49 40 123"),
    ({"type": "url"}, type_text("https://example.org/x"), "https://example.org/x"),
    ({"type": "integer"}, type_text("-3"), -3),
    ({"type": "decimal", "unit": "<b>m²</b>"}, type_text("2.5"), 2.5),
    ({"type": "boolean"}, click_option("No"), False),
    ({"type": "date"}, type_text("2031-03-14"), "2031-03-14"),
    ({"type": "time"}, type_text("14:30"), "14:30"),
    ({"type": "datetime"}, type_text("2031-07-14T14:30"), "2031-07-14T14:30:00+02:00"),
    ({"type": "choice", "options": OPTIONS}, click_option("Red"), "r|2"),
    ({"type": "choices", "options": OPTIONS}, click_option("Red"), ["r|2"]),
    ({"type": "barcode"}, type_text("4006381333931"), "4006381333931"),
]


async def test_an_answer_of_each_kind_is_submitted(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(*({"name": kind["type"], "required": True, **kind} for kind, *_ in SIMPLE))
    page = await phone.open(form.url)
    assert await page.get_by_text("<b>m²</b>").count() == 1
    for kind, fill, _ in SIMPLE:
        await fill(page.locator(f'#form [data-name="{kind["type"]}"]'))
    await send(page)
    assert await form.data() == {kind["type"]: answer for kind, _, answer in SIMPLE}


async def test_ratings_and_sliders(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "order", "type": "rating"}, {"name": "level", "type": "slider", "max": 10})
    page = await phone.open(form.url)
    await page.get_by_role("radio", name="4 of 5").check(force=True)
    await page.get_by_role("slider").focus()
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await send(page)
    data = await form.data()
    assert data["order"] == 4
    assert 2 <= data["level"] <= 4


async def test_markup_in_a_note_is_shown_as_text(api: AccountApi, phone: Phone) -> None:
    note = {"name": "care", "type": "note", "label": "Mind the <video>gap</video> {it}"}
    form = await api.create_form(note, {"name": "it", "type": "text"})
    page = await phone.open(form.url)
    assert await page.get_by_text("Mind the <video>gap</video> {it}").is_visible()


async def test_a_lookup_is_searched_and_fills_other_fields(api: AccountApi, phone: Phone) -> None:
    rows = [{"number": f"C-{i}", "name": f"Customer {i}", "size": i, "secret": f"hidden{i}"} for i in range(120)]
    lookup = {
        "name": "customer",
        "type": "lookup",
        "datasourceId": await api.create_datasource(rows),
        "display": ["name"],
        "mapping": {"name": "company", "size": "people"},
    }
    form = await api.create_form(lookup, {"name": "company", "type": "text"}, {"name": "people", "type": "integer"})
    page = await phone.open(form.url)
    await page.locator(".sd-dropdown").click()
    await page.get_by_placeholder("Type to search").fill("mer 117")
    await page.get_by_role("option", name="Customer 117").click()
    assert await page.get_by_label("Company").input_value() == "Customer 117"
    await page.reload()
    await page.get_by_text("Customer 117").first.wait_for()
    await send(page)
    assert await form.data() == {"customer": "C-117", "company": "Customer 117", "people": 117}
    assert (await _lookup_rows(api, form, "customer", q="hidden117")) == [], (
        "columns that the form does not show cannot be searched"
    )
    [only] = await _lookup_rows(api, form, "customer", q="117")
    assert only == {"key": "C-117", "label": "Customer 117", "data": {"name": "Customer 117", "size": 117}}


async def test_a_lookup_is_filtered_by_another_answer(api: AccountApi, phone: Phone) -> None:
    rows = [{"number": str(i), "city": ["Bremen", "Ulm 100%"][i % 2]} for i in range(6)]
    lookup = {
        "name": "site",
        "type": "lookup",
        "datasourceId": await api.create_datasource(rows),
        "filter": {"city": "city"},
    }
    form = await api.create_form({"name": "city", "type": "text"}, lookup)
    page = await phone.open(form.url)
    await page.get_by_label("City").fill("Ulm 100%")
    await page.locator(".sd-dropdown").click()
    await page.get_by_role("option").nth(2).wait_for()
    offered = await page.get_by_role("option").all_inner_texts()
    assert [text.strip() for text in offered if text.strip()] == ["1", "3", "5"]
    assert [one["key"] for one in await _lookup_rows(api, form, "site", **{"by.city": "Bremen"})] == ["0", "2", "4"]
    assert await _lookup_rows(api, form, "site", q="%") == []


async def _lookup_rows(api: AccountApi, form: Form, name: str, **query: str) -> list[dict[str, Any]]:
    response = await api.http.get(f"{form.url}/lookup/{name}", params=query)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["items"]
    return found


async def test_a_lookup_gives_access_to_its_own_datasource_only(api: AccountApi) -> None:
    form = await api.create_form({"name": "it", "type": "text"})
    assert (await api.http.get(f"{form.url}/lookup/it")).status_code == 404
    assert (await api.http.get(f"{api.server.base_url}/fill/nothing/lookup/it")).status_code == 404


async def test_files_are_uploaded_before_the_submission(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "photos", "type": "photo", "maxFiles": 2}, {"name": "papers", "type": "file", "required": True}
    )
    page = await phone.open(form.url)
    await choose(page, [PICTURE, PICTURE])
    await page.get_by_role("button", name="Choose photo").wait_for(state="hidden")
    await page.get_by_role("button", name="Remove Photo 2").click()
    await choose(page, {"name": "Plan ü.txt", "mimeType": "text/plain", "buffer": b"the plan"}, button="Choose file")
    await page.get_by_text("Plan ü.txt").wait_for()
    await send(page)
    data = await form.data()
    assert [len(data["photos"]), len(data["papers"])] == [1, 1]
    assert all(one.startswith("fil_") for one in (*data["photos"], *data["papers"]))


@pytest.mark.slow
async def test_a_signature_is_drawn(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "sign", "type": "signature", "required": True})
    page = await phone.open(form.url)
    await draw(page)
    await page.get_by_role("button", name="Clear").click()
    await draw(page)
    await page.reload()
    await page.get_by_role("button", name="Clear").wait_for()
    await send(page)
    assert (await form.data())["sign"].startswith("fil_")


@pytest.mark.slow
async def test_our_own_widgets_work_in_repeats(api: AccountApi, phone: Phone) -> None:
    kinds = {"photos": {"type": "photo", "maxFiles": 2}, "sign": {"type": "signature"}, "place": {"type": "location"}}
    inner = [{"name": name} | kind for name, kind in (kinds | {"code": {"type": "barcode"}}).items()]
    form = await api.create_form({"name": "rows", "type": "repeat", "fields": inner})
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Add new").click()
    await draw(page)
    await choose(page)
    await choose(page)
    await expect(page.get_by_role("button", name="Choose photo")).to_be_hidden()
    await page.get_by_role("textbox", name="Place").fill("48.1, 11.5")
    await page.get_by_role("textbox", name="Code").fill("4006381333931")
    await page.reload()
    await page.get_by_role("img", name="Photo 2").wait_for()
    await page.get_by_role("button", name="Clear").wait_for()
    await send(page)
    [row] = (await form.data())["rows"]
    assert (len(row["photos"]), row["sign"][:4]) == (2, "fil_")
    assert (row["place"], row["code"]) == ({"latitude": 48.1, "longitude": 11.5}, "4006381333931")


async def test_a_location_is_measured_or_typed(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "here", "type": "location"}, {"name": "there", "type": "location"})
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Use my location").first.click()
    await page.get_by_text("accurate to 12 m").wait_for()
    await page.get_by_role("textbox", name="There").fill("48.1, 11.5")
    await page.get_by_role("textbox", name="There").press("Tab")
    await send(page)
    place = {"latitude": 53.541112, "longitude": 9.99, "accuracy": 12}
    assert await form.data() == {"here": place, "there": {"latitude": 48.1, "longitude": 11.5}}


@pytest.mark.slow
async def test_an_invalid_location_is_reported(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "place", "type": "location"})
    page = await phone.open(form.url)
    typed = page.get_by_role("textbox", name="Place")
    for text in ("53.5 9.9 12", "53°32'N 9°59'E", "53,54,9,99"):
        await typed.fill(text)
        await page.get_by_role("button", name="Submit").click()
        await page.get_by_role("link", name="The format isn’t correct. Latitude, longitude").wait_for()
        await expect(typed).to_have_value(text)
    await typed.fill("53,54; 9,99")
    await send(page)
    assert await form.data() == {"place": {"latitude": 53.54, "longitude": 9.99}}


@pytest.mark.slow
async def test_a_partly_typed_location_is_kept(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "place", "type": "location"})
    page = await phone.open(form.url)
    typed = page.get_by_role("textbox", name="Place")
    await typed.press_sequentially("53.50, ٩٫٠٩")
    await expect(typed).to_have_value("53.50, ٩٫٠٩")
    await page.reload()
    await expect(typed).to_have_value("53.5, 9.09")
    await typed.press("End")
    await typed.press_sequentially("1")
    await send(page)
    assert await form.data() == {"place": {"latitude": 53.5, "longitude": 9.091}}


@pytest.mark.slow
async def test_an_invalid_location_is_not_carried_over_to_the_next_form(api: AccountApi, phone: Phone) -> None:
    fields = [{"name": "lost", "type": "boolean"}, {"name": "place", "type": "location", "visibleIf": "!lost"}]
    form = await api.create_form(*fields)
    page = await phone.open(form.url)
    await page.get_by_text("No", exact=True).click()
    await page.get_by_role("textbox", name="Place").fill("by the pier")
    await page.get_by_text("Yes", exact=True).click()
    await send(page)
    await page.get_by_role("button", name="Submit another response").click()
    await page.get_by_text("No", exact=True).click()
    await expect(page.get_by_role("textbox", name="Place")).to_have_value("")
    await send(page)


async def test_a_decimal_comma_works_in_a_german_form_in_an_english_browser(api: AccountApi, phone: Phone) -> None:
    """The browser's own number input would drop the comma, and 1,5 would be sent as 15."""
    form = await api.create_form(
        {"name": "price", "type": "decimal"}, {"name": "cost", "type": "decimal"}, language="de"
    )
    page = await phone.context.new_page()
    await page.goto(form.url)
    await page.get_by_label("Price").press_sequentially("-1,5")
    await page.get_by_label("Cost").focus()
    await page.keyboard.insert_text("1.234,25")
    await page.get_by_role("button", name="Absenden").click()
    await page.get_by_role("heading", name="Vielen Dank").wait_for()
    assert await form.data() == {"price": -1.5, "cost": 1234.25}


async def test_a_closed_form_is_reported(api: AccountApi) -> None:
    response = await api.http.get(f"/fill/f{'0' * 43}")
    assert (response.status_code, "isn’t available" in response.text) == (404, True)
