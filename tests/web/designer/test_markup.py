"""What people type stays text, on each page of the designer and while it is typed."""

import io
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from fixtures.browser import Sight
from playwright.async_api import Page, expect
from web.designer.site import Site, row, rows, saved

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


async def unhurt(sight: Sight) -> None:
    """No script of theirs ran and no element of theirs is there, in the page or in the preview within it."""
    for frame in sight.page.frames:
        assert await frame.evaluate("window.hurt === undefined && !document.querySelector('[onerror]')")
    assert await sight.page.evaluate("document.images.length") == 0
    assert sight.errors == []


@pytest.fixture
def made(site: Site) -> dict[str, str]:
    """A form, a folder and a template that are called markup, with an earlier version whose remarks are."""
    number, base = next(_numbers), f"/forms/customer/{site.customer_id}"
    folder = site.api("POST", f"{base}/folders", {"name": f"{BAD} {number}"})["id"]
    site.api("POST", f"{base}/folders", {"name": BAD, "parentId": folder})
    template = site.api("POST", f"{base}/templates", {"name": BAD, "description": BAD, "fields": FIELDS})["id"]
    settings = {"language": "en", "thanks": BAD}
    form = site.make(FIELDS, BAD, description=BAD, tags=[BAD], folderId=folder, settings=settings)["id"]
    site.api("POST", f"{site.forms}/{form}/versions", {"fields": [*FIELDS[1:], FIELDS[0]], "remarks": BAD})
    site.api("POST", f"{site.forms}/{form}/versions", {"fields": FIELDS[:3], "remarks": BAD})
    return {"form": form, "folder": folder, "template": template}


@pytest.mark.parametrize(
    "path",
    [
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
    ],
)
async def test_markup_is_text_on_every_page(desk: Sight, site: Site, made: dict[str, str], path: str) -> None:
    await desk.page.goto(site.url + path.format(**made))
    await desk.page.wait_for_load_state("networkidle")
    await expect(desk.page.locator("body")).to_contain_text("<img src=x onerror=")
    await unhurt(desk)


async def test_markup_is_text_in_each_panel_of_the_designer(desk: Sight, site: Site, made: dict[str, str]) -> None:
    page = desk.page
    await site.design(page, made["form"])
    for index in range(await rows(page).count()):
        await rows(page).nth(index).click()
        await open_all(page)
        await unhurt(desk)
    await page.get_by_role("button", name="Form settings").click()
    await unhurt(desk)
    await rows(page).nth(1).click()
    await page.get_by_role("button", name="Edit as text").click()
    await expect(page.get_by_label("One option per line")).to_have_value(f"{BAD}\n{BAD}")
    await unhurt(desk)


async def test_markup_that_is_typed_is_kept_as_text(desk: Sight, site: Site) -> None:
    page = desk.page
    form = site.make([{"type": "text", "name": "a", "label": "A"}], "Plain", publish=False)
    await site.design(page, form["id"])
    await rows(page).first.click()
    await page.get_by_label("Question", exact=True).fill(BAD)
    await expect(row(page, BAD)).to_be_visible()
    await saved(page)
    frame = page.frame_locator("#preview")
    await expect(frame.get_by_role("textbox", name=BAD)).to_be_visible()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.locator(".toast")).to_contain_text(BAD)
    await page.get_by_role("button", name="Undo").first.click()
    await unhurt(desk)
    await page.get_by_role("button", name="Publish").click()
    await page.get_by_label("Remarks").fill(BAD)
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. New responses")).to_be_visible()
    await page.goto(f"{site.url}/forms/{form['id']}/versions")
    await expect(page.get_by_role("row").filter(has_text="Version 1")).to_contain_text(BAD)
    await unhurt(desk)


async def test_markup_from_a_spreadsheet_is_text_in_its_report(desk: Sight, site: Site, tmp_path: Path) -> None:
    page, content = desk.page, io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("survey")
        lines = [("type", "name", "label"), ("text", "site", BAD), ("audio", BAD, BAD)]
        for place, line in enumerate(lines):
            sheet.write_row(place, 0, line)
        workbook.add_worksheet("settings").write_column(0, 0, ("form_title", BAD))
    file = tmp_path / f"{BAD.replace('/', '')}.xlsx"
    file.write_bytes(content.getvalue())
    await page.goto(f"{site.url}/forms/new")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await page.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(BAD)
    await expect(page.get_by_role("row").filter(has_text=f"{BAD} was renamed")).to_be_visible()
    await unhurt(desk)


async def open_all(page: Page) -> None:
    await page.locator("#panel").evaluate("panel => panel.querySelectorAll('details').forEach(one => one.open = true)")
