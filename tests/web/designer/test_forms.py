"""Whole forms: archiving, restoring, templates and the version history."""

import io
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from fixtures.browser import WatchedPage
from playwright.async_api import expect
from web.designer.pages import Designer, choose_from_menu, row

FIELDS: list[dict[str, Any]] = [{"type": "text", "name": "site", "label": "Site"}]
_numbers = count(1)


async def test_archiving_a_form_needs_confirmation_and_can_be_undone(desktop: WatchedPage, designer: Designer) -> None:
    page, name = desktop.page, f"Old survey {next(_numbers)}"
    form = designer.create_form(FIELDS, name=name)
    await page.goto(f"{designer.url}/forms")
    await choose_from_menu(page, name, "Archive")
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Existing submissions are kept")
    await dialog.get_by_role("button", name="Cancel").click()
    assert designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["status"] == "ACTIVE"
    await choose_from_menu(page, name, "Archive")
    await dialog.get_by_role("button", name="Archive", exact=True).click()
    await expect(page.get_by_text(f"“{name}” was archived")).to_be_visible()
    await expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    assert designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["status"] == "ARCHIVED"
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text(f"“{name}” was restored")).to_be_visible()
    await expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["status"] == "ACTIVE"
    assert desktop.errors == []


async def test_an_archived_form_is_found_and_restored(desktop: WatchedPage, designer: Designer) -> None:
    page, name = desktop.page, f"Found again {next(_numbers)}"
    form = designer.create_form(FIELDS, name=name)
    designer.call_api("PUT", f"{designer.forms_path}/{form['id']}", {"status": "ARCHIVED"})
    await page.goto(f"{designer.url}/forms/{form['id']}/design")
    await expect(page.get_by_text("This form is archived")).to_be_visible()
    await page.goto(f"{designer.url}/forms")
    await page.get_by_role("link", name=re.compile(r"Archived forms \(\d+\)")).click()
    await page.get_by_role("button", name=f"Restore {name}").click()
    await expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["status"] == "ACTIVE"
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_form_becomes_a_template_that_is_renamed_used_and_deleted(
    desktop: WatchedPage, designer: Designer
) -> None:
    page, number = desktop.page, next(_numbers)
    designer.create_form(FIELDS, name=f"Origin {number}", description="Each week")
    await page.goto(f"{designer.url}/forms")
    await choose_from_menu(page, f"Origin {number}", "Save Origin")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Description")).to_have_value("Each week")
    await dialog.get_by_label("Name").fill(f"Round {number}")
    await dialog.get_by_role("button", name="Save as template").click()
    await expect(page.get_by_text(f"“Round {number}” was saved as a template")).to_be_visible()
    await page.get_by_role("link", name=f"Rename Round {number}").click()
    await dialog.get_by_label("Name").fill(f"Tour {number}")
    await dialog.get_by_role("button", name="Rename").click()
    line = page.get_by_role("row").filter(has_text=f"Tour {number}")
    await line.get_by_role("button", name="New form").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Tour {number}")
    await expect(row(page, "Site")).to_be_visible()
    await page.goto(f"{designer.url}/forms/templates")
    await page.get_by_role("link", name=f"Delete Tour {number}").click()
    await dialog.get_by_role("button", name="Delete template").click()
    await expect(line).to_have_count(0)
    templates = designer.call_api("GET", f"/forms/customer/{designer.customer_id}/templates?limit=1000")["items"]
    assert [one["name"] for one in templates if one["name"].endswith(f" {number}")] == []
    assert desktop.errors == []


async def test_a_folder_cannot_be_moved_into_itself(desktop: WatchedPage, designer: Designer) -> None:
    page, number = desktop.page, next(_numbers)
    folders = f"/forms/customer/{designer.customer_id}/folders"
    outer, other = (
        designer.call_api("POST", folders, {"name": f"{name} {number}"})["id"] for name in ("Outer", "Other")
    )
    inner = designer.call_api("POST", folders, {"name": "Inner", "parentId": outer})["id"]
    await page.goto(f"{designer.url}/forms?folder={outer}")
    await page.get_by_role("button", name="Move folder").click()
    choices = await page.get_by_role("dialog").get_by_label("Destination").locator("option").all_text_contents()
    assert f"Other {number}" in choices
    assert not [choice for choice in choices if choice.startswith(f"Outer {number}")]
    await page.get_by_role("dialog").get_by_label("Destination").select_option(f"Other {number}")
    await page.get_by_role("dialog").get_by_role("button", name="Move").click()
    trail = page.get_by_label("You are here")
    await expect(trail.get_by_role("link", name=f"Other {number}")).to_be_visible()
    assert designer.call_api("GET", f"{folders}/{outer}")["parentId"] == other
    assert designer.call_api("GET", f"{folders}/{inner}")["parentId"] == outer
    assert desktop.errors == []


async def test_the_history_shows_who_created_and_changed_a_version(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await page.get_by_role("button", name="Publish").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. Anyone with the link")).to_be_visible()
    await page.goto(f"{designer.url}/forms/{form['id']}/versions")
    line = page.get_by_role("row").filter(has_text="Version 1")
    await expect(line.get_by_role("cell").nth(2)).to_contain_text("by API key “<b>First</b>”")
    await expect(line.get_by_role("cell").nth(3)).to_contain_text("by Demo")
    version = designer.newest_version(form["id"])
    assert (version["createdBy"][:4], version["updatedBy"][:4]) == ("key_", "usr_")


@pytest.mark.slow
async def test_reloading_an_import_report_does_not_import_again(
    desktop: WatchedPage, designer: Designer, tmp_path: Path
) -> None:
    page, content, name = desktop.page, io.BytesIO(), f"Maps {next(_numbers)}"
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("survey")
        for place, line in enumerate([("type", "name", "label"), ("text", "a", "A"), ("osm", "b", "B")]):
            sheet.write_row(place, 0, line)
        workbook.add_worksheet("settings").write_column(0, 0, ("form_title", name))
    file = tmp_path / "form.xlsx"
    file.write_bytes(content.getvalue())
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("row").filter(has_text="No map editor opens here")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("row").filter(has_text="No map editor opens here")).to_be_visible()
    form = [
        one["id"]
        for one in designer.call_api("GET", f"{designer.forms_path}?limit=1000")["items"]
        if one["name"] == name
    ]
    assert len(form) == 1
    await page.goto(f"{designer.url}/forms/{form[0]}/versions")
    await page.get_by_role("link", name="View import report").click()
    await expect(page.get_by_role("row").filter(has_text="No map editor opens here")).to_be_visible()
    assert desktop.errors == []
