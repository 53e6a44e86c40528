"""Every page at every width, from a small phone to a desktop, with realistic data: nothing overflows.

640 px is also what a window of 1,280 px shows at 200 %, and 320 px at 400 %.
"""

import json
from pathlib import Path

import pytest
from factories.site_map import PageAddress
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page

WIDTHS = (320, 390, 640, 768, 834, 900, 1024, 1440)
HEIGHT = 800
GONE = 410
"""The page of an expired link."""
SHARES = 4
"""The pages are split among this many tests, which run in parallel."""
_HERE = Path(__file__).parent
_FAULTS = (_HERE / "layout.js").read_text()
_DIALOGS = (_HERE / "dialogs.js").read_text()


@pytest.mark.parametrize("share", range(SHARES))
async def test_no_page_overflows_at_any_width(
    browser: Browser, realistic_account: tuple[Person, list[PageAddress]], share: int
) -> None:
    person, pages = realistic_account
    faults = dict[str, list[str]]()
    for signed_in in (False, True):
        async with open_page(browser, viewport={"width": WIDTHS[0], "height": HEIGHT}, locale="de-DE") as watched:
            if signed_in:
                await person.sign_in_browser(watched.page)
            for one in pages[share::SHARES]:
                if one.signed_in == signed_in:
                    await _load(watched.page, one)
                    faults |= await _find_problems(watched.page, one.name)
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


async def _load(page: Page, one: PageAddress) -> None:
    answer = await page.goto(one.url)
    assert answer is not None
    assert answer.ok or answer.status == GONE, (one.name, answer.status)
    if one.route == "/fill/{token:str}":
        await page.locator("#send:visible, #next:visible, .closed").first.wait_for()


async def _find_problems(page: Page, name: str) -> dict[str, list[str]]:
    """Return the problems of the loaded page, as it is and with each of its dialogs and menus open."""
    found = dict[str, list[str]]()
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": HEIGHT})
        wrong = [*await page.evaluate(_FAULTS), *await page.evaluate(_DIALOGS)]
        if wrong:
            found[f"{name} at {width}"] = wrong
    return found
