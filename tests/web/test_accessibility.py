"""Every page passes the accessibility checks, in light mode on a desktop and in dark mode on a phone."""

import json
from typing import Any

import pytest
from factories.site_map import PageAddress
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, open_page
from playwright.async_api import Browser


@pytest.mark.parametrize(("manner", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desk", "phone"])
async def test_every_page_is_accessible(
    browser: Browser, realistic_account: tuple[Person, list[PageAddress]], manner: dict[str, Any], scheme: str
) -> None:
    person, pages = realistic_account
    faults = dict[str, Any]()
    for signed_in in (False, True):
        async with open_page(browser, color_scheme=scheme, **manner) as watched:
            await axe.bring(watched.page)
            if signed_in:
                await person.sign_in_browser(watched.page)
            for one in [one for one in pages if one.signed_in == signed_in]:
                answer = await watched.page.goto(one.url)
                assert answer is not None
                assert answer.ok or answer.status == 410, (one.name, answer.status)
                if found := await axe.faults(watched.page):
                    faults[one.name] = found
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)
