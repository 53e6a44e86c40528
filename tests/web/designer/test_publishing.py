"""Publishing shows its consequences first, and every version stays available."""

import io
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from fixtures.browser import WatchedPage
from playwright.async_api import expect
from web.designer.pages import Designer, add_field, names, row, wait_until_saved

FIELDS = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "integer", "name": "people", "label": "People"},
]


async def test_publishing_lists_breaking_changes_and_affected_submissions(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    for number in range(3):
        designer.submit(form["id"], {"site": f"Harbour {number}", "people": 1})
    await designer.open(page, form["id"])
    await row(page, "Site").click()
    await page.get_by_label("Field name").fill("place")
    await expect(page.get_by_text("Renaming is a breaking change for integrations")).to_be_visible()
    await page.get_by_role("button", name="Keep old name").click()
    await expect(page.get_by_label("Field name")).to_have_value("site")
    await page.get_by_label("Field name").fill("place")
    await add_field(page, "Date", "Day")
    await wait_until_saved(page)

    await page.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog", name="Publish this form?")
    lines = dialog.get_by_role("listitem")
    await expect(lines.first).to_contain_text("Renamed the field of “Site” from site to place.")
    await expect(lines.first).to_contain_text("Breaking change for integrations. 3 submissions have an answer.")
    await expect(lines.nth(1)).to_have_text("Added “Day”.")
    await dialog.get_by_role("button", name="Cancel").click()
    assert (
        designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["publishedVersionId"]
        == form["publishedVersionId"]
    )
    await page.get_by_role("button", name="Publish").click()
    await dialog.get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. New responses use")).to_be_visible()
    assert designer.newest_version(form["id"])["status"] == "FINAL"
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_draft_that_changed_while_the_dialog_was_open_is_not_published(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await page.get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    draft = designer.newest_version(form["id"])
    designer.call_api("PUT", f"{designer.forms_path}/{form['id']}/versions/{draft['id']}", {"fields": FIELDS[:1]})
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("alert")).to_contain_text("Not published. Someone else changed the form")
    assert designer.newest_version(form["id"])["status"] == "DRAFT"


@pytest.mark.slow
async def test_a_version_published_while_the_dialog_was_open_stays_published(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    await page.get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    theirs = designer.call_api("PUT", f"{designer.forms_path}/{form['id']}", {"fields": FIELDS[:1], "publish": True})
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("alert")).to_contain_text("Not published. Someone else changed the form")
    now = designer.call_api("GET", f"{designer.forms_path}/{form['id']}")
    assert now["publishedVersionId"] == theirs["publishedVersionId"] != form["publishedVersionId"]


async def test_a_form_with_errors_is_not_published_and_the_first_error_is_shown(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    await row(page, "People").click()
    await page.get_by_label("Minimum").fill("10")
    await page.get_by_label("Maximum").fill("1")
    await page.get_by_role("button", name="Form settings").click()
    await page.get_by_role("button", name="Publish").click()
    await expect(page.get_by_label("Minimum")).to_be_focused()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_versions_are_compared_restored_and_published_again(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    second = designer.call_api(
        "POST", f"{designer.forms_path}/{form['id']}/versions", {"fields": FIELDS[:1], "remarks": "Shorter"}
    )
    designer.call_api("POST", f"{designer.forms_path}/{form['id']}/versions/{second['id']}/publish")
    await page.goto(f"{designer.url}/forms/{form['id']}/versions")
    await expect(page.get_by_role("row").filter(has_text="Version 2").filter(has_text="Published")).to_contain_text(
        "Shorter"
    )
    await expect(page.locator(".changes")).to_contain_text("Removed “People” (people).")
    await page.get_by_label("From").select_option("Version 2")
    await expect(page.get_by_text("No differences.")).to_be_visible()
    await page.wait_for_load_state()
    await page.get_by_label("To", exact=True).select_option("Version 1")
    await expect(page.locator(".changes")).to_have_text("Added “People”.")
    await page.get_by_role("button", name="Publish version 1").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_role("row").filter(has_text="Version 1").filter(has_text="Published")).to_be_visible()
    await page.get_by_label("More for version 1").click()
    await page.get_by_role("button", name="New draft from version 1").click()
    await page.wait_for_url("**/design")
    await expect(row(page, "People")).to_be_visible()
    assert designer.newest_version(form["id"])["number"] == 3
    assert desktop.errors == []


async def test_a_form_is_exported_to_excel_and_imported_again(
    desktop: WatchedPage, designer: Designer, tmp_path: Path
) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, name="Out & back")
    await page.goto(f"{designer.url}/forms/{form['id']}/versions")
    await page.get_by_label("More for version 1").click()
    async with page.expect_download() as wait:
        await page.get_by_role("link", name="Download version 1 as Excel").click()
    download = await wait.value
    assert download.suggested_filename == "Out & back 1.xlsx"
    file = tmp_path / "form.xlsx"
    await download.save_as(file)
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Out & back")
    if await page.get_by_role("link", name="Open form").count():
        await page.get_by_role("link", name="Open form").click()
    await expect(row(page, "People")).to_be_visible()
    assert await names(page) == ["Site", "People"]


async def test_unsupported_parts_of_an_excel_file_are_reported_by_row(
    desktop: WatchedPage, designer: Designer, tmp_path: Path
) -> None:
    page, file = desktop.page, tmp_path / "form.xlsx"
    file.write_bytes(_survey([("text", "site", "Site"), ("osm", "house", "House")]))
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import", exact=True).click()
    line = page.get_by_role("row").filter(has_text="No map editor opens here")
    await expect(line.get_by_role("cell").nth(1)).to_have_text("3")
    await page.get_by_role("link", name="Open form").click()
    await expect(row(page, "Site")).to_be_visible()


async def test_an_invalid_file_creates_no_form(desktop: WatchedPage, designer: Designer, tmp_path: Path) -> None:
    page, file = desktop.page, tmp_path / "form.xlsx"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("hello.txt", "hello")
    before = len(designer.call_api("GET", f"{designer.forms_path}?limit=1000")["items"])
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("Import failed.")
    assert len(designer.call_api("GET", f"{designer.forms_path}?limit=1000")["items"]) == before


def _survey(rows: list[tuple[str, str, str]]) -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("survey")
        for place, line in enumerate([("type", "name", "label"), *rows]):
            sheet.write_row(place, 0, line)
    return content.getvalue()
