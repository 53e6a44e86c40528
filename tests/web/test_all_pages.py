"""Every page, with realistic data, is accessible and does not overflow at any width, from a small phone to a desktop.

640 px is also what a window of 1,280 px shows at 200 %, and 320 px at 400 %.
"""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from factories.site_map import PageAddress
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page

ALL_WIDTHS = bool(os.environ.get("ALL_WIDTHS"))
"""`make pages` sets it. Otherwise each page is checked at some widths and in one of the color schemes, and pages that
differ only in which rows they list are checked once."""
WIDTHS = (320, 390, 640, 768, 834, 900, 1024, 1440)
FEWER_WIDTHS = ((320,), (320, 768))
"""Every other page is checked at the first, the others at the second of these, its dialogs only at 320 px."""
ROWS_ONLY = {"days", "exact", "order", "tab"}
"""Names in the query that change the rows of a page, but not its parts."""
# Phones and desktops show different elements, so both are checked, each in one color scheme.
COLOR_SCHEMES: list[tuple[int, Any]] = [(390, "dark"), (1440, "light")]
HEIGHT = 800
GONE = 410
"""The page of an expired link."""
SHARES = 3
"""The pages are split among this many tabs."""
_HERE = Path(__file__).parent
_OVERFLOWS = (_HERE / "layout.js").read_text()
_DIALOGS = (_HERE / "dialogs.js").read_text()
_BOTH = f"() => [...({_OVERFLOWS.strip()})(), ...({_DIALOGS.strip()})()]"


async def test_every_page_is_accessible_and_fits_every_width(
    browser: Browser, realistic_account: tuple[Person, list[PageAddress]]
) -> None:
    person, every = realistic_account
    pages = every if ALL_WIDTHS else _one_per_layout(every)
    async with asyncio.TaskGroup() as tabs:
        shares = [tabs.create_task(_check(browser, person, pages[share::SHARES])) for share in range(SHARES)]
    faults = {page: wrong for share in shares for page, wrong in share.result().items()}
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


async def _check(browser: Browser, person: Person, pages: list[PageAddress]) -> dict[str, list[Any]]:
    """Return the problems of these pages, by page and width."""
    faults = dict[str, list[Any]]()
    for signed_in in (False, True):
        # German has the longest words.
        async with open_page(browser, viewport={"width": WIDTHS[0], "height": HEIGHT}, locale="de-DE") as watched:
            await axe.bring(watched.page)
            if signed_in:
                await person.sign_in_browser(watched.page)
            for index, one in enumerate(pages):
                if one.signed_in == signed_in:
                    await _load(watched.page, one)
                    turn = index % 2
                    schemes = COLOR_SCHEMES if ALL_WIDTHS else COLOR_SCHEMES[turn:][:1]
                    widths = WIDTHS if ALL_WIDTHS else FEWER_WIDTHS[turn]
                    faults |= await _find_problems(watched.page, one.name, schemes, widths)
    return faults


def _one_per_layout(pages: list[PageAddress]) -> list[PageAddress]:
    """Of pages with the same parts, return the one with the longest query, because it may show more of them."""
    longest = sorted(pages, key=lambda one: len(one.query))
    return sorted({(one.route, *sorted({*one.query} - ROWS_ONLY), one.state): one for one in longest}.values())


async def _load(page: Page, one: PageAddress) -> None:
    answer = await page.goto(one.url)
    assert answer is not None
    assert answer.ok or answer.status == GONE, (one.name, answer.status)
    if one.route == "/fill/{token:str}":
        await page.locator("#send:visible, #next:visible, .closed").first.wait_for()


async def _find_problems(
    page: Page, name: str, schemes: list[tuple[int, Any]], widths: tuple[int, ...]
) -> dict[str, list[Any]]:
    """Return WCAG violations and overflows, also with each dialog and menu open, by page and width."""
    found = dict[str, list[Any]]()
    # Before the dialogs, because checking one that was open leaves it open differently.
    for width, scheme in schemes:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": HEIGHT})
        if wrong := await axe.faults(page):
            found[f"{name} at {width}, {scheme}"] = wrong
    for width in dict.fromkeys([*(width for width, _ in reversed(schemes)), *widths]):
        await page.set_viewport_size({"width": width, "height": HEIGHT})
        if wrong := await page.evaluate(_BOTH if ALL_WIDTHS or width == min(widths) else _OVERFLOWS):
            found[f"{name} at {width}"] = wrong
    return found
