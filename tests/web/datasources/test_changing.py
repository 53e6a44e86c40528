"""One data source: its rows, its columns, its imports, and replacing its rows by another file."""

import asyncio
import re
from typing import Any

import pytest
from factories.row_files import csv_file
from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from fixtures.server_process import eventually
from playwright.async_api import Page, expect
from web.datasources.pages import call_api, cells, create_datasource, list_rows, table, upload

ROWS = [{"number": f"C-{n}", "name": f"Customer {n}", "city": "Zürich" if n % 2 else "Bern"} for n in range(1, 61)]
NEW = csv_file(
    [["number", "name", "city"], ["C-1", "Customer 1", "Zürich"], ["C-2", "Mill", "Bern"], ["C-99", "Neu", ""]]
)


async def open_page(page: Page, person: Person, one: Any, part: str = "") -> None:
    await page.goto(person.path(f"/datasources/{one['id']}{part}"))


@pytest.mark.slow
async def test_rows_are_paginated_searched_and_opened(phone: WatchedPage, person: Person) -> None:
    page = phone.page
    one = await create_datasource(person, ROWS)
    await open_page(page, person, one)
    await expect(page.get_by_text("Rows 1–25 of 60.")).to_be_visible()
    await page.get_by_role("link", name="Next rows").click()
    await expect(page.get_by_text("Rows 26–50 of 60.")).to_be_visible()
    await page.get_by_role("link", name="Next rows").click()
    await expect(page.get_by_text("Rows 51–60 of 60.")).to_be_visible()
    await expect(page.get_by_role("link", name="Next rows")).to_have_count(0)
    assert (await cells(table(page, "Rows")))[-1][0] == "C-60"
    await page.get_by_role("link", name="First rows").click()
    await expect(page.get_by_text("Rows 1–25 of 60.")).to_be_visible()

    await page.get_by_label("Search rows").fill("zurich 5")
    await page.get_by_label("Search rows").press("Enter")
    await expect(page).to_have_url(re.compile("q=zurich"))
    assert [row[0] for row in await cells(table(page, "Rows"))] == ["C-5", "C-51", "C-53", "C-55", "C-57", "C-59"]
    await page.get_by_role("link", name="C-51").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("C-51")
    await expect(page.get_by_role("definition").filter(has_text="Customer 51")).to_be_visible()
    await open_page(page, person, one, "?q=nobody")
    await expect(page.get_by_role("heading", name="No matching rows")).to_be_visible()
    assert phone.errors == []


@pytest.mark.slow
async def test_a_row_page_does_not_overflow_on_a_phone(phone: WatchedPage, person: Person) -> None:
    row = {f"column {n}": "W" * 300 for n in range(40)} | {"number": "N" * 400, "two": "x\ny " * 200}
    one = await create_datasource(person, [{"number": row["number"]} | row])
    for part in ("", "/columns", "/imports", "/schedule", f"/row?key={row['number']}", "/import"):
        await open_page(phone.page, person, one, part)
        wide = await phone.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 412, part


@pytest.mark.slow
async def test_replacing_all_rows_needs_confirmation(phone: WatchedPage, person: Person) -> None:
    page = phone.page
    one = await create_datasource(person, ROWS)
    await open_page(page, person, one)
    await page.get_by_role("link", name="Import file").click()
    await expect(page.get_by_label("Replace all rows")).to_be_checked()
    await upload(page, "new.csv", NEW)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Replace rows of “Customers”")
    counts = await page.locator(".counts > div").all_inner_texts()
    assert ["".join(text.split()) for text in counts] == ["added1", "updated1", "deleted58", "unchanged1"]
    await page.get_by_role("button", name="Import 3 rows").click()
    await expect(page.get_by_label("Delete 58 rows from “Customers”")).to_be_focused()
    assert len(await list_rows(person, one["id"])) == 60
    # The server needs the confirmation, too, in case the browser does not ask.
    await page.eval_on_selector("#preview", "form => form.noValidate = true")
    await page.get_by_role("button", name="Import 3 rows").click()
    await expect(page.get_by_role("alert")).to_have_text("Confirm that you want to delete these rows.")
    assert len(await list_rows(person, one["id"])) == 60
    await page.get_by_label("Delete 58 rows").check()
    await page.get_by_role("button", name="Import 3 rows").click()
    await expect(page.get_by_role("status").filter(has_text="Import complete.")).to_contain_text(
        "1 added, 1 updated, 58 deleted, 1 unchanged"
    )
    assert sorted(row["number"] for row in await list_rows(person, one["id"])) == ["C-1", "C-2", "C-99"]


async def test_rows_are_added_and_updated_and_others_stay(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    one = await create_datasource(person, ROWS)
    await open_page(page, person, one, "/import")
    await page.get_by_label("Add and update rows").check()
    await upload(page, "more.csv", csv_file([["name", "number"], ["Mill", "C-2"], ["Neu", "C-99"]]))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Add and update rows of “Customers”")
    await expect(page.get_by_label("Key column")).to_have_count(0)
    await page.get_by_role("button", name="Import 2 rows").click()
    await page.wait_for_url("**imported=1")
    rows = {row["number"]: row for row in await list_rows(person, one["id"])}
    assert len(rows) == 61
    assert rows["C-2"] == {"number": "C-2", "name": "Mill", "city": "Bern"}

    await open_page(page, person, one, "/import?mode=upsert")
    await expect(page.get_by_label("Add and update rows")).to_be_checked()
    await upload(page, "keyless.csv", csv_file([["name"], ["Mill"]]))
    await expect(page.get_by_role("alert")).to_contain_text("There is no column 'number'")


async def test_a_replacing_file_may_have_another_key(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    one = await create_datasource(person, ROWS[:2])
    await open_page(page, person, one, "/import")
    await upload(page, "other.csv", csv_file([["code", "name"], ["a", "Mill"]]))
    await expect(page.get_by_label("Key column")).to_have_value("code")
    await expect(page.get_by_text("Previously “number”.")).to_be_visible()


async def test_a_datasource_is_renamed_and_its_types_are_fixed(phone: WatchedPage, person: Person) -> None:
    page = phone.page
    await create_datasource(person, [{"number": "1"}], "Taken")
    one = await create_datasource(person, [{"number": "1", "staff": "3"}, {"number": "2", "staff": "4"}])
    await open_page(page, person, one, "/columns")
    await page.get_by_label("Name", exact=True).fill("Taken")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("alert")).to_contain_text("already has a data source with this name")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Taken")
    await page.get_by_label("Name", exact=True).fill("Sites")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Sites")

    await page.get_by_label("Type of staff").select_option("date")
    await page.get_by_role("button", name="Save types").click()
    await expect(page.get_by_role("alert")).to_contain_text("is not of type date")
    await page.get_by_label("Type of staff").select_option("integer")
    await page.get_by_role("button", name="Save types").click()
    await expect(page.get_by_text("Types saved.")).to_be_visible()
    found = await call_api(person, "GET", f"/customers/{{c}}/datasources/{one['id']}")
    assert (found["name"], found["types"]["staff"]) == ("Sites", "integer")
    await expect(page.get_by_label("Type of staff")).to_have_value("integer")


@pytest.mark.slow
async def test_the_history_shows_imports_with_their_results_and_users(desktop: WatchedPage, person: Person) -> None:
    page = desktop.page
    one = await create_datasource(person, ROWS[:3])
    path = person.server.base_url + f"/api/v1.0/customers/{person.customer_id}/datasources/{one['id']}/rows"
    async with person.client() as http:
        response = await http.put(path, json={"rows": [{"number": ""}, {"number": "C-1"}]})
    assert response.status_code == 422
    await open_page(page, person, one, "/import")
    await upload(page, "new.csv", NEW)
    await page.get_by_label("Delete 1 row").check()
    await page.get_by_role("button", name="Import 3 rows").click()
    await page.wait_for_url("**imported=1")
    await page.get_by_role("link", name="Imports").click()
    await page.wait_for_url("**/imports")
    by_file, refused, first = [row for row in await cells(page.locator("main")) if len(row) == 4]
    assert "1 added, 1 updated, 1 deleted, 1 unchanged" in by_file[1]
    assert (by_file[2], by_file[3]) == ("CSV, replaced all rows", "<i>Owner</i>")
    assert "Failed" in refused[1]
    assert "3 added" in first[1]
    assert (first[2], first[3]) == ("JSON, replaced all rows", "API key “<b>First</b>”")
    await page.get_by_text("Invalid rows").click()
    await expect(page.get_by_text("Every row needs a value in the key column.")).to_be_visible()
    await page.goto(person.path("/datasources"))
    await expect(page.get_by_role("row").filter(has_text="Customers")).to_contain_text("1 added, 1 updated")


async def is_importing(person: Person) -> bool:
    """Return whether an import of the account has begun and not ended."""
    sql = "SELECT 1 FROM datasource_uploads WHERE customer_id = $1 AND state = 'IMPORTING'"
    async with person.factory.ctx.db.reading() as tx:
        return await tx.fetch_one(sql, person.customer_id) is not None


@pytest.mark.slow
async def test_a_long_import_shows_its_progress_and_continues_in_the_background(
    desktop: WatchedPage, person: Person
) -> None:
    page = desktop.page
    rows = ([f"C-{n}", f"Customer {n} of a long list", f"{n % 97} High Street", n / 7] for n in range(40_000))
    content = csv_file([["number", "name", "street", "amount"], *rows])
    await page.goto(person.path("/datasources/new"))
    await upload(page, "long list.csv", content)
    pressing = asyncio.create_task(page.get_by_role("button", name="Import 40,000 rows").click(timeout=60_000))
    await eventually(lambda: is_importing(person))
    # A fast machine would finish too early. While this transaction is open, nothing else can write.
    async with person.factory.ctx.db.writing():
        await pressing
        await expect(page.get_by_text("You can leave this page")).to_be_visible()
        await expect(page.locator("progress")).to_be_visible()
        await page.goto(person.path("/datasources"))
        await page.get_by_role("link", name="long list").click()
        await expect(page.get_by_role("heading", name="Importing")).to_be_visible()
    await page.wait_for_url("**imported=1", timeout=90_000)
    await expect(page.get_by_text("Rows 1–25 of 40,000.")).to_be_visible()
    assert desktop.errors == []
