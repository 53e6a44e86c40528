"""Creating a data source from a file: upload, preview, and import after confirmation."""

import codecs
from typing import Any

import pytest
from factories.row_files import csv_file, xlsx_file
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, WatchedPage, open_page
from playwright.async_api import Browser, Page, expect
from web.datasources.pages import (
    MARKUP,
    call_api,
    cells,
    change_preview,
    choose_file,
    create_datasource,
    list_rows,
    open_preview,
    table,
    upload,
)

# The file as a German Excel saves it: semicolons, Windows-1252, decimal commas.
GERMAN = "Kundennr;Name;Umsatz;Seit\r\n007;Müller & Söhne;1.234,50;2020-03-01\r\n008;Größe;7;2021-04-05\r\n".encode(
    "cp1252"
)
PLAIN = csv_file([["number", "name", "staff"], ["C-1", "Harbour", 3], ["C-2", "Mill", 12]])


async def list_datasources(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await call_api(person, "GET", "/datasources"))["items"]
    return found


async def import_rows(page: Page, rows: str) -> None:
    await page.get_by_role("button", name=f"Import {rows}").click()
    await page.wait_for_url("**imported=1")


async def test_a_file_of_a_german_excel_becomes_a_datasource(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    await page.goto(person.path("/datasources"))
    await expect(page.get_by_role("heading", name="No data sources yet")).to_be_visible()
    await open_preview(page, person, "kunden_2026.csv", GERMAN)
    await expect(page.get_by_label("Name", exact=True)).to_have_value("kunden 2026")
    await expect(page.get_by_label("Delimiter")).to_have_value("")
    await expect(page.get_by_label("Delimiter")).to_contain_text("Automatic: Semicolon")
    await expect(page.get_by_label("Encoding", exact=True)).to_contain_text(
        "Automatic: Western European (Windows-1252)"
    )
    await expect(page.get_by_label("Key column")).to_have_value("Kundennr")
    await expect(page.get_by_label("Type of Seit")).to_contain_text("Automatic: Date")
    shown = await cells(table(page, "First rows"))
    assert shown[0][1:] == ["007", "Müller & Söhne", "1234.50", "2020-03-01"]
    assert await list_datasources(person) == []

    await import_rows(page, "2 rows")
    await expect(page.get_by_role("status").filter(has_text="Import complete.")).to_contain_text("2 added")
    [one] = await list_datasources(person)
    assert (one["name"], one["keyColumn"], one["types"]["Umsatz"]) == ("kunden 2026", "Kundennr", "decimal")
    [first, second] = await list_rows(person, one["id"])
    assert first == {"Kundennr": "007", "Name": "Müller & Söhne", "Umsatz": 1234.5, "Seit": "2020-03-01"}
    await page.goto(person.path("/datasources"))
    await expect(page.get_by_role("row").filter(has_text="kunden 2026")).to_contain_text("2 added")
    assert second["Name"] == "Größe"
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_sheet_of_an_excel_file_is_chosen(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    content = xlsx_file([["a", "b"], ["1", 2.5]], Stores=[["store", "since"], ["North", "2020-01-01"]])
    await open_preview(page, person, "two sheets.xlsx", content)
    await expect(page.get_by_label("Delimiter")).to_have_count(0)
    assert [row[1:] for row in await cells(table(page, "First rows"))] == [["1", "2.5"]]
    await change_preview(page, page.get_by_label("Sheet"), "Stores")
    assert [row[1:] for row in await cells(table(page, "First rows"))] == [["North", "2020-01-01"]]
    await import_rows(page, "1 row")
    [one] = await list_datasources(person)
    assert one["columns"] == ["store", "since"]


@pytest.mark.slow
async def test_the_first_of_several_sheets_is_imported_as_shown(desktop: WatchedPage, person: Person) -> None:
    content = xlsx_file([["a", "b"], ["1", 2.5]], Stores=[["store", "since"], ["North", "2020-01-01"]])
    await open_preview(desktop.page, person, "two sheets.xlsx", content)
    await import_rows(desktop.page, "1 row")
    [one] = await list_datasources(person)
    assert one["columns"] == ["a", "b"]


@pytest.mark.slow
async def test_column_names_may_have_several_lines(desktop: WatchedPage, person: Person) -> None:
    page, names = desktop.page, ["Customer\nnumber", "Staff\nin\nall", "Name"]
    await open_preview(page, person, "lines.xlsx", xlsx_file([names, ["C-1", 3, "Harbour"], ["C-2", 12, "Mill"]]))
    await change_preview(page, page.get_by_label("Type of Staff in all"), "decimal")
    await import_rows(page, "2 rows")
    [one] = await list_datasources(person)
    assert (one["keyColumn"], one["types"]["Staff\nin\nall"]) == ("Customer\nnumber", "decimal")

    await page.goto(person.path(f"/datasources/{one['id']}/columns"))
    await page.get_by_label("Type of Staff in all").select_option("text")
    await page.get_by_role("button", name="Save types").click()
    await expect(page.get_by_text("Types saved.")).to_be_visible()
    assert (await list_datasources(person))[0]["types"]["Staff\nin\nall"] == "text"


@pytest.mark.slow
async def test_an_unreadable_file_is_reported_and_another_can_be_chosen(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    await open_preview(page, person, "export.csv", b"<!doctype html><html><body>Please sign in</body></html>")
    await expect(page.get_by_role("alert")).to_contain_text("an HTML page")
    await expect(page.get_by_role("button", name="Import")).to_have_count(0)
    await page.get_by_role("button", name="Choose another file").click()
    await page.wait_for_url("**/datasources/new")
    await upload(page, "empty.csv", b"")
    await expect(page.get_by_role("alert")).to_contain_text("The file is empty.")
    await upload(page, "good.csv", PLAIN)
    await expect(page.get_by_role("button", name="Import 2 rows")).to_be_visible()
    assert await list_datasources(person) == []


async def test_invalid_rows_are_listed_and_only_skipped_on_request(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    content = csv_file([["number", "name"], ["1", "a"], ["", "b"], ["1", "c"], ["2"], ["3", "d"]])
    await open_preview(page, person, "bad.csv", content)
    await page.get_by_label("Key column").select_option("number")
    await expect(page.locator("#announcement")).to_have_text("Preview updated")
    shown = await cells(page.locator(".bad-rows"))
    assert [row[:2] for row in shown] == [["3", "number"], ["4", "number"], ["5", "–"]]
    assert "has 1 cells and the header has 2" in shown[2][2]
    await page.get_by_role("button", name="Import 2 rows").click()
    await expect(page.get_by_label("Import the 2 valid rows")).to_be_focused()
    assert await list_datasources(person) == []

    await page.get_by_label("Import the 2 valid rows").check()
    await import_rows(page, "2 rows")
    [one] = await list_datasources(person)
    assert [row["name"] for row in await list_rows(person, one["id"])] == ["a", "d"]
    await page.get_by_text("Skipped rows").click()
    assert [row[0] for row in await cells(page.locator(".bad-rows"))] == ["3", "4", "5"]


async def test_errors_of_a_chosen_type_and_key_are_shown_before_the_import(
    desktop: WatchedPage, person: Person
) -> None:
    page = desktop.page
    content = csv_file(
        [["name", "staff", "number"], ["Harbour", 3, "C-1"], ["Mill", "many", "C-2"], ["Mill", 3, "C-3"]]
    )
    await open_preview(page, person, "sites.csv", content)
    await expect(page.get_by_label("Key column")).to_have_value("number")
    await expect(page.get_by_label("Type of staff")).to_contain_text("Automatic: Text")
    await change_preview(page, page.get_by_label("Type of staff"), "integer")
    await expect(page.get_by_label("Type of staff")).to_be_focused()
    assert [row[:2] for row in await cells(page.locator(".bad-rows"))] == [["3", "staff"]]
    await change_preview(page, page.get_by_label("Key column"), "name")
    assert [row[0] for row in await cells(page.locator(".bad-rows"))] == ["3"]
    await change_preview(page, page.get_by_label("Key column"), "number")
    await page.get_by_label("Import the 2 valid rows").check()
    await import_rows(page, "2 rows")
    [one] = await list_datasources(person)
    assert (one["keyColumn"], one["types"]["staff"]) == ("number", "integer")
    answer = await call_api(
        person,
        "POST",
        f"/customers/{{c}}/datasources/{one['id']}/rows?dryRun=true&skipBadRows=true",
        {"rows": [{"number": "C-9", "staff": "some"}]},
    )
    assert answer["badRows"][0]["code"] == "datasource.cell.type"


@pytest.mark.slow
async def test_the_detected_format_can_be_changed(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    await open_preview(page, person, "old.csv", "Nr;Ort\r\n1;Łódź\r\n2;Kraków\r\n".encode("cp1250"))
    assert (await cells(table(page, "First rows")))[0][2] == "Łódź"
    await change_preview(page, page.get_by_label("Encoding", exact=True), "cp1252")
    await expect(page.get_by_role("region", name="Check the encoding")).to_contain_text("£ódŸ")
    assert (await cells(table(page, "First rows")))[0][2] == "£ódŸ"
    await change_preview(page, page.get_by_label("Encoding", exact=True), "cp1250")
    assert (await cells(table(page, "First rows")))[0][2] == "Łódź"
    await change_preview(page, page.get_by_label("Delimiter"), ",")
    assert [len(row) for row in await cells(table(page, "First rows"))] == [2, 2]
    await change_preview(page, page.get_by_label("Encoding", exact=True), "utf-8")
    await expect(page.get_by_role("alert")).to_contain_text("cannot be decoded as utf-8")
    await change_preview(page, page.get_by_label("Encoding", exact=True), "cp1250")
    await change_preview(page, page.get_by_label("Delimiter"), "")
    await import_rows(page, "2 rows")
    [one] = await list_datasources(person)
    assert [row["Ort"] for row in await list_rows(person, one["id"])] == ["Łódź", "Kraków"]


@pytest.mark.slow
async def test_a_duplicate_or_missing_name_is_reported_next_to_the_input(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    await create_datasource(person, [{"number": "1"}], "Sites")
    await open_preview(page, person, "Sites.csv", PLAIN)
    await expect(page.locator("#name-fault")).to_contain_text("already has a data source with this name")
    await page.get_by_role("button", name="Import 2 rows").click()
    await expect(page.locator("#name-fault")).to_contain_text("already has a data source with this name")
    await page.get_by_label("Name", exact=True).fill("Places")
    await import_rows(page, "2 rows")
    assert [one["name"] for one in await list_datasources(person)] == ["Sites", "Places"]


async def test_typed_markup_is_shown_as_text(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    rows = [
        [MARKUP, "قائمة", "🌿 e\u0301"],
        [f"1{MARKUP}", "شركة الميناء", "👩‍👩‍👧"],
        [MARKUP, MARKUP, "</table><script>document.title='run'</script>"],
    ]
    content = codecs.BOM_UTF8 + csv_file([*rows, ["only one"]])
    await open_preview(page, person, f"{MARKUP}.csv", content)
    for text in (MARKUP, "شركة الميناء", "👩‍👩‍👧", "</table><script>"):
        await expect(page.get_by_text(text).first).to_be_attached()
    await page.get_by_label("Import the 2 valid rows").check()
    await import_rows(page, "2 rows")
    here = page.url.partition("?")[0]
    for address in ("", "/columns", "/imports", "/import", f"?q={MARKUP}", "/../"):
        await page.goto(here + address)
        await expect(page.get_by_text("onerror").first).to_be_attached()
        assert await page.locator("main img, main script:not([src])").count() == 0
        assert "run" not in await page.title() or MARKUP in await page.title()
    await page.goto(here)
    await page.get_by_role("link", name="1<img").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"1{MARKUP}")
    assert desktop.errors == []


async def test_a_file_is_imported_without_javascript(browser: Browser, person: Person) -> None:
    async with open_page(browser, java_script_enabled=False, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path("/datasources/new"))
        await choose_file(page, "kunden.csv", GERMAN)
        await page.get_by_role("button", name="Preview").click()
        await page.get_by_label("Type of Seit").select_option("text")
        await page.get_by_role("button", name="Import 2 rows").click()
        # The options were changed without updating the preview, so the new preview is shown first.
        await expect(page.get_by_label("Type of Seit")).to_have_value("text")
        assert await list_datasources(person) == []
        await import_rows(page, "2 rows")
    [one] = await list_datasources(person)
    assert one["types"]["Seit"] == "text"


async def test_a_file_can_be_dropped(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    await page.goto(person.path("/datasources/new"))
    drop = await page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'dropped.csv')); return all; }",
        PLAIN.decode(),
    )
    await page.dispatch_event("[data-drop]", "drop", {"dataTransfer": drop})
    await expect(page.get_by_label("Name", exact=True)).to_have_value("dropped")
    await page.get_by_role("button", name="Discard", exact=True).click()
    await page.wait_for_url("**/datasources")
    assert await list_datasources(person) == []


@pytest.mark.slow
async def test_the_designer_links_to_adding_a_datasource_if_there_is_none(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    fields = [{"type": "text", "name": "a", "label": "A"}]
    form = await call_api(person, "POST", "/forms/customer/{c}/forms", {"name": "Visit", "fields": fields})
    await page.goto(person.path(f"/forms/{form['id']}/design"))
    await page.get_by_role("button", name="Add field").click()
    await expect(page.get_by_text("Requires a data source. There are none yet.").first).to_be_visible()
    await page.get_by_role("link", name="Add data source").first.click()
    await upload(page, "sites.csv", PLAIN)
    await import_rows(page, "2 rows")
    await page.goto(person.path(f"/forms/{form['id']}/design"))
    await page.get_by_role("button", name="Add field").click()
    await page.get_by_role("dialog").locator("button[data-type=lookup]").click()
    await expect(page.get_by_label("Data source", exact=True)).to_contain_text("sites")
    here = page.get_by_role("link", name="View rows")
    await expect(here).to_have_attribute("href", f"/datasources/{(await list_datasources(person))[0]['id']}")
    assert desktop.errors == []
