"""Folders: a tree that organises forms and filters the list."""

from itertools import count

import pytest
from fixtures.browser import WatchedPage
from playwright.async_api import Page, expect
from web.designer.pages import Designer, choose_from_menu

FIELDS = [{"type": "text", "name": "site", "label": "Site"}]
_numbers = count(1)


async def make_folder(page: Page, name: str) -> None:
    await page.get_by_role("button", name="New folder").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_role("button", name="Create folder").click()


@pytest.mark.slow
async def test_a_form_is_moved_into_a_nested_folder(desktop: WatchedPage, designer: Designer) -> None:
    page, number = desktop.page, next(_numbers)
    form = designer.create_form(FIELDS, name=f"Moved {number}")
    outer, inner = f"Sites {number}", f"North {number}"
    await page.goto(f"{designer.url}/forms")
    await make_folder(page, outer)
    await expect(page.get_by_role("heading", level=1)).to_have_text(outer)
    await expect(page.get_by_text("No forms in this folder")).to_be_visible()
    await make_folder(page, inner)
    inside = page.url

    await page.goto(f"{designer.url}/forms")
    await choose_from_menu(page, f"Moved {number}", "Move Moved")
    await page.get_by_role("dialog").get_by_label("Folder").select_option(f"{outer} › {inner}")
    await page.get_by_role("button", name="Move", exact=True).click()
    await page.goto(inside)
    await expect(page.get_by_role("link", name=f"Moved {number}", exact=True)).to_be_visible()
    await page.get_by_label("You are here").get_by_role("link", name=outer).click()
    await expect(page.get_by_role("link", name=f"Moved {number}", exact=True)).to_be_visible()
    assert designer.call_api("GET", f"{designer.forms_path}/{form['id']}")["folderId"] == inside.split("folder=")[1]

    await choose_from_menu(page, f"Moved {number}", "Move Moved")
    await page.get_by_role("dialog").get_by_label("Folder").select_option("No folder")
    await page.get_by_role("button", name="Move", exact=True).click()
    await expect(page.get_by_text("No forms in this folder")).to_be_visible()
    assert desktop.errors == []


async def test_a_duplicate_name_is_reported_next_to_the_input(desktop: WatchedPage, designer: Designer) -> None:
    page, name = desktop.page, f"Twice {next(_numbers)}"
    await page.goto(f"{designer.url}/forms")
    await make_folder(page, name)
    await page.goto(f"{designer.url}/forms")
    await make_folder(page, name)
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("alert")).to_contain_text("A folder with this name already exists")
    await expect(dialog.get_by_label("Name")).to_have_value(name)


@pytest.mark.slow
async def test_a_folder_is_renamed_and_a_form_created_in_it(desktop: WatchedPage, designer: Designer) -> None:
    page, number = desktop.page, next(_numbers)
    await page.goto(f"{designer.url}/forms")
    await make_folder(page, f"Old {number}")
    await page.get_by_role("button", name="Rename folder").click()
    await page.get_by_role("dialog").get_by_label("Name").fill(f"New {number}")
    await page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"New {number}")
    here = page.url
    await page.get_by_role("link", name="New form").click()
    await page.get_by_label("Name").fill("Inside")
    await page.get_by_role("button", name="Create blank form").click()
    await page.goto(here)
    await expect(page.get_by_role("link", name="Inside", exact=True)).to_be_visible()
    assert desktop.errors == []
