"""Where the rows of lists are: near the top of every screen, low on phones, and with their buttons in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from factories.site_map import PageAddress
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page

WIDTHS = {320: 844, 390: 844, 768: 1024, 1024: 768, 1440: 900}
"""The height of the screen, by its width."""
FIRST_ROW = {320: 360, 390: 360, 768: 460, 1024: 400, 1440: 330}
"""How far from the top the first submission of a form is at most, in pixels."""
TWO_LINES = 64
TWO_CONTROLS = 96
_POSITIONS = (Path(__file__).parent / "positions.js").read_text()
_FIELDS = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "integer", "name": "people", "label": "People on site"},
    {"type": "choice", "name": "kind", "label": "Kind of visit", "options": [{"value": "c1", "label": "Complaint"}]},
]


async def _positions(page: Page, width: int) -> dict[str, Any]:
    await page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    found: dict[str, Any] = await page.evaluate(_POSITIONS)
    return found


@pytest.mark.slow
async def test_submissions_of_a_form_begin_near_the_top(browser: Browser, person: Person) -> None:
    async with person.client() as http:
        form = (await http.post("/api/v1.0/forms", json={"name": "Visit", "fields": _FIELDS, "publish": True})).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        for number in range(12):
            data = {"site": f"Harbour {number}", "people": number, "kind": "c1"}
            assert (await http.post(path, json={"data": data})).status_code == 201
    async with open_page(browser, viewport={"width": 1440, "height": 900}) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        for width in WIDTHS:
            found = await _positions(page, width)
            assert found["top"] <= FIRST_ROW[width], (width, found)
            assert found["overflow"] == 0, (width, found)
            assert found["height"] <= TWO_LINES or width >= 768, (width, found)
            # No empty line below the filter.
            assert found["strip"] <= TWO_CONTROLS if width < 1200 else found["strip"] <= 44, (width, found)


@pytest.mark.slow
async def test_rows_of_every_list_have_their_buttons_in_one_line(
    browser: Browser, realistic_account: tuple[Person, list[PageAddress]]
) -> None:
    person, every = realistic_account
    faults = dict[str, Any]()
    async with open_page(browser, viewport={"width": 1440, "height": 900}, locale="de-DE") as watched:
        page = watched.page
        await person.sign_in_browser(page)
        for one in {each.route: each for each in every if each.signed_in and not each.query}.values():
            await page.goto(one.url)
            if await page.locator("main tbody tr .tight .actions").count() == 0:
                continue
            for width in (768, 1024, 1440):
                found = await _positions(page, width)
                if found["stacked"] or found["overflow"]:
                    faults[f"{one.name} at {width}"] = found
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_sheets_and_menus_of_a_list_are_accessible(
    browser: Browser, realistic_account: tuple[Person, list[PageAddress]], scheme: Any
) -> None:
    person, every = realistic_account
    tab = next(one for one in every if one.route == "/submissions" and "form" in one.query)
    for width, opener in ((390, ".sheet-opener"), (1440, "main summary")):
        viewport = {"width": width, "height": WIDTHS[width]}
        async with open_page(browser, viewport=viewport, color_scheme=scheme) as watched:
            page = watched.page
            await axe.bring(page)
            await person.sign_in_browser(page)
            await page.goto(tab.url)
            await page.locator("html[data-ready]").wait_for()
            for index in range(await page.locator(f"{opener}:visible").count()):
                control = page.locator(f"{opener}:visible").nth(index)
                await control.click()
                assert await axe.faults(page) == [], (width, await control.inner_text())
                await page.keyboard.press("Escape")
