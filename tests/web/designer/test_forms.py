"""What is done with a whole form: put away, brought back, kept as a template; and what its history tells."""

import io
import re
from itertools import count
from pathlib import Path
from typing import Any

import xlsxwriter
from fixtures.browser import Sight
from playwright.async_api import expect
from web.designer.site import Site, more, row

FIELDS: list[dict[str, Any]] = [{"type": "text", "name": "site", "label": "Site"}]
_numbers = count(1)


async def test_a_form_is_archived_after_a_question_and_undone(desk: Sight, site: Site) -> None:
    page, name = desk.page, f"Put away {next(_numbers)}"
    form = site.make(FIELDS, name=name)
    await page.goto(f"{site.url}/forms")
    await more(page, name, "Archive")
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Existing submissions are kept")
    await dialog.get_by_role("button", name="Cancel").click()
    assert site.api("GET", f"{site.forms}/{form['id']}")["status"] == "ACTIVE"
    await more(page, name, "Archive")
    await dialog.get_by_role("button", name="Archive", exact=True).click()
    await expect(page.get_by_text(f"“{name}” was archived")).to_be_visible()
    await expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    assert site.api("GET", f"{site.forms}/{form['id']}")["status"] == "ARCHIVED"
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text(f"“{name}” was restored")).to_be_visible()
    await expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert site.api("GET", f"{site.forms}/{form['id']}")["status"] == "ACTIVE"
    assert desk.errors == []


async def test_an_archived_form_is_found_again_and_brought_back(desk: Sight, site: Site) -> None:
    page, name = desk.page, f"Found again {next(_numbers)}"
    form = site.make(FIELDS, name=name)
    site.api("PUT", f"{site.forms}/{form['id']}", {"status": "ARCHIVED"})
    await page.goto(f"{site.url}/forms/{form['id']}/design")
    await expect(page.get_by_text("This form is archived")).to_be_visible()
    await page.goto(f"{site.url}/forms")
    await page.get_by_role("link", name=re.compile(r"Archived forms \(\d+\)")).click()
    await page.get_by_role("button", name=f"Restore {name}").click()
    await expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert site.api("GET", f"{site.forms}/{form['id']}")["status"] == "ACTIVE"
    assert desk.errors == []


async def test_a_form_becomes_a_template_that_is_renamed_used_and_deleted(desk: Sight, site: Site) -> None:
    page, number = desk.page, next(_numbers)
    site.make(FIELDS, name=f"Origin {number}", description="Each week")
    await page.goto(f"{site.url}/forms")
    await more(page, f"Origin {number}", "Save Origin")
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
    await page.goto(f"{site.url}/forms/templates")
    await page.get_by_role("link", name=f"Delete Tour {number}").click()
    await dialog.get_by_role("button", name="Delete template").click()
    await expect(line).to_have_count(0)
    templates = site.api("GET", f"/forms/customer/{site.customer_id}/templates?limit=1000")["items"]
    assert [one["name"] for one in templates if one["name"].endswith(f" {number}")] == []
    assert desk.errors == []


async def test_a_folder_is_moved_but_not_into_itself(desk: Sight, site: Site) -> None:
    page, number = desk.page, next(_numbers)
    folders = f"/forms/customer/{site.customer_id}/folders"
    outer, other = (site.api("POST", folders, {"name": f"{name} {number}"})["id"] for name in ("Outer", "Other"))
    inner = site.api("POST", folders, {"name": "Inner", "parentId": outer})["id"]
    await page.goto(f"{site.url}/forms?folder={outer}")
    await page.get_by_role("button", name="Move folder").click()
    choices = await page.get_by_role("dialog").get_by_label("Destination").locator("option").all_text_contents()
    assert f"Other {number}" in choices
    assert not [choice for choice in choices if choice.startswith(f"Outer {number}")]
    await page.get_by_role("dialog").get_by_label("Destination").select_option(f"Other {number}")
    await page.get_by_role("dialog").get_by_role("button", name="Move").click()
    trail = page.get_by_label("You are here")
    await expect(trail.get_by_role("link", name=f"Other {number}")).to_be_visible()
    assert site.api("GET", f"{folders}/{outer}")["parentId"] == other
    assert site.api("GET", f"{folders}/{inner}")["parentId"] == outer
    assert desk.errors == []


async def test_the_history_says_who_made_and_who_changed_a_version(desk: Sight, site: Site) -> None:
    page = desk.page
    form = site.make(FIELDS, publish=False)
    await site.design(page, form["id"])
    await page.get_by_role("button", name="Publish").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. New responses")).to_be_visible()
    await page.goto(f"{site.url}/forms/{form['id']}/versions")
    line = page.get_by_role("row").filter(has_text="Version 1")
    await expect(line.get_by_role("cell").nth(2)).to_contain_text("by API key “<b>First</b>”")
    await expect(line.get_by_role("cell").nth(3)).to_contain_text("by Demo")
    version = site.newest(form["id"])
    assert (version["createdBy"][:4], version["updatedBy"][:4]) == ("key_", "usr_")


async def test_a_report_that_is_loaded_again_imports_nothing_again(desk: Sight, site: Site, tmp_path: Path) -> None:
    page, content, name = desk.page, io.BytesIO(), f"Sounds {next(_numbers)}"
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("survey")
        for place, line in enumerate([("type", "name", "label"), ("text", "a", "A"), ("audio", "b", "B")]):
            sheet.write_row(place, 0, line)
        workbook.add_worksheet("settings").write_column(0, 0, ("form_title", name))
    file = tmp_path / "form.xlsx"
    file.write_bytes(content.getvalue())
    await page.goto(f"{site.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("row").filter(has_text="audio")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("row").filter(has_text="audio")).to_be_visible()
    made = [one["id"] for one in site.api("GET", f"{site.forms}?limit=1000")["items"] if one["name"] == name]
    assert len(made) == 1
    await page.goto(f"{site.url}/forms/{made[0]}/versions")
    await page.get_by_role("link", name="View import report").click()
    await expect(page.get_by_role("row").filter(has_text="audio")).to_be_visible()
    assert desk.errors == []
