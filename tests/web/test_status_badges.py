"""Status badges in a real browser differ by more than colour and have enough contrast."""

from itertools import product
from typing import Any

import pytest
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser

STATES = ("started", "submitted", "approved", "rejected", "draft", "archived", "waiting", "failing", "paused")
_LOOKS = """states => states.map((state) => {
  const badge = document.createElement("span");
  badge.className = `status ${state}`;
  document.querySelector("main").append(badge);
  const style = getComputedStyle(badge), sign = getComputedStyle(badge, "::before").content;
  const rgb = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  return {state, sign, text: rgb(style.color), ground: rgb(style.backgroundColor)};
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_each_status_has_its_own_icon_and_enough_contrast(browser: Browser, person: Person, scheme: str) -> None:
    async with open_page(browser, color_scheme=scheme) as watched:
        await person.sign_in_browser(watched.page)
        await watched.page.goto(person.path("/submissions"))
        looks = await watched.page.evaluate(_LOOKS, STATES)
    assert len({look["sign"] for look in looks}) == len(STATES), looks
    colours = {look["state"]: (look["text"], look["ground"]) for look in looks}
    of_submissions = ("started", "submitted", "approved", "rejected")
    assert all(colours[one] != colours[other] for one, other in product(of_submissions, repeat=2) if one != other)
    for look in looks:
        assert _contrast(look["text"], look["ground"]) >= 4.5, look


def _contrast(*colours: Any) -> float:
    """Return the contrast ratio of WCAG 2.1."""
    dark, light = sorted(_luminance(colour) for colour in colours)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: list[float]) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
