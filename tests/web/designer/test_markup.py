"""Markup typed by users is shown as text on every page of the designer, and while they type it."""

import io
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from fixtures.browser import WatchedPage
from playwright.async_api import Page, expect
from web.designer.pages import Designer, row, rows, wait_until_saved

BAD = '<img src=x onerror="window.hurt=1">'
_numbers = count(1)

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "a", "label": BAD, "hint": BAD, "default": BAD, "validIf": "a != 'x'", "message": BAD},
    {
        "type": "choice",
        "name": "c",
        "label": {"en": BAD, "de": BAD},
        "options": [{"value": BAD, "label": {"en": BAD, "de": f"</script>{BAD}"}}, {"value": "y", "label": BAD}],
    },
    {"type": "note", "name": "n", "label": f"</script>{BAD}"},
    {"type": "section", "name": "s", "label": BAD, "fields": [{"type": "text", "name": "u", "label": BAD}]},
]


async def assert_markup_is_inert(watched: WatchedPage) -> None:
    """Check that no injected script ran and no injected element exists, in the page and its preview."""
    for frame in watched.page.frames:
        assert await frame.evaluate("window.hurt === undefined && !document.querySelector('[onerror]')")
    assert await watched.page.evaluate("document.images.length") == 0
    assert watched.errors == []


@pytest.fixture
def markup_names(designer: Designer) -> dict[str, str]:
    """Create a form, a folder and a template named with markup, and earlier versions with markup as remarks."""
    number, base = next(_numbers), f"/forms/customer/{designer.customer_id}"
    folder = designer.call_api("POST", f"{base}/folders", {"name": f"{BAD} {number}"})["id"]
    designer.call_api("POST", f"{base}/folders", {"name": BAD, "parentId": folder})
    template = designer.call_api("POST", f"{base}/templates", {"name": BAD, "description": BAD, "fields": FIELDS})["id"]
    settings = {"language": "en", "thanks": BAD}
    form = designer.create_form(FIELDS, BAD, description=BAD, tags=[BAD], folderId=folder, settings=settings)["id"]
    designer.call_api(
        "POST", f"{designer.forms_path}/{form}/versions", {"fields": [*FIELDS[1:], FIELDS[0]], "remarks": BAD}
    )
    designer.call_api("POST", f"{designer.forms_path}/{form}/versions", {"fields": FIELDS[:3], "remarks": BAD})
    return {"form": form, "folder": folder, "template": template}


PAGES = (
    "/forms",
    "/forms?folder={folder}",
    "/forms?folder={folder}&rename=1",
    "/forms?folder={folder}&place=1",
    "/forms?move={form}",
    "/forms?archive={form}",
    "/forms?template={form}",
    "/forms?form={form}&done=restored",
    "/forms?add=1&name=%3Cimg%20src=x%20onerror=%22window.hurt=1%22%3E&fault=%3Cimg%20src=x%20onerror=hurt()%3E",
    "/forms/new?folder={folder}",
    "/forms/templates?created={template}",
    "/forms/templates?change={template}",
    "/forms/templates?remove={template}",
    "/forms/{form}/versions",
    "/forms/{form}/preview",
    "/forms/{form}/design?publish=1",
)


async def test_markup_is_text_on_every_page(
    desktop: WatchedPage, designer: Designer, markup_names: dict[str, str]
) -> None:
    for path in PAGES:
        await desktop.page.goto(designer.url + path.format(**markup_names))
        await expect(desktop.page.locator("body"), path).to_contain_text("<img src=x onerror=")
        await assert_markup_is_inert(desktop)


@pytest.mark.slow
async def test_markup_is_text_in_each_panel_of_the_designer(
    desktop: WatchedPage, designer: Designer, markup_names: dict[str, str]
) -> None:
    page = desktop.page
    await designer.open(page, markup_names["form"])
    for index in range(await rows(page).count()):
        await rows(page).nth(index).click()
        await open_all(page)
        await assert_markup_is_inert(desktop)
    await page.get_by_role("button", name="Form settings").click()
    await assert_markup_is_inert(desktop)
    await rows(page).nth(1).click()
    await page.get_by_role("button", name="Edit as text").click()
    await expect(page.get_by_label("One option per line")).to_have_value(f"{BAD}\n{BAD}")
    await assert_markup_is_inert(desktop)


@pytest.mark.slow
async def test_typed_markup_is_stored_as_text(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([{"type": "text", "name": "a", "label": "A"}], "Plain", publish=False)
    await designer.open(page, form["id"])
    await rows(page).first.click()
    await page.get_by_label("Question", exact=True).fill(BAD)
    await expect(row(page, BAD)).to_be_visible()
    await wait_until_saved(page)
    frame = page.frame_locator("#preview")
    await expect(frame.get_by_role("textbox", name=BAD)).to_be_visible()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.locator(".toast")).to_contain_text(BAD)
    await page.get_by_role("button", name="Undo").first.click()
    await assert_markup_is_inert(desktop)
    await page.get_by_role("button", name="Publish").click()
    await page.get_by_label("Remarks").fill(BAD)
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. Anyone with the link")).to_be_visible()
    await page.goto(f"{designer.url}/forms/{form['id']}/versions")
    await expect(page.get_by_role("row").filter(has_text="Version 1")).to_contain_text(BAD)
    await assert_markup_is_inert(desktop)


async def test_markup_in_a_spreadsheet_is_text_in_the_import_report(
    desktop: WatchedPage, designer: Designer, tmp_path: Path
) -> None:
    page, content = desktop.page, io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("survey")
        lines = [("type", "name", "label"), ("text", "site", BAD), ("audio", BAD, BAD)]
        for place, line in enumerate(lines):
            sheet.write_row(place, 0, line)
        workbook.add_worksheet("settings").write_column(0, 0, ("form_title", BAD))
    file = tmp_path / f"{BAD.replace('/', '')}.xlsx"
    file.write_bytes(content.getvalue())
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(BAD)
    await expect(page.get_by_role("row").filter(has_text=f"{BAD} was renamed")).to_be_visible()
    await assert_markup_is_inert(desktop)


async def open_all(page: Page) -> None:
    await page.locator("#panel").evaluate("panel => panel.querySelectorAll('details').forEach(one => one.open = true)")
