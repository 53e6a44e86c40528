"""What the lists of the pages hold in their addresses: filters, and a place in the list."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from formwright.core.errors import Invalid
from formwright.core.pagination import Place
from formwright.web.templating import day_begins


def place_of(text: str) -> Place | None:
    """The place in a list that an address names: a number, and behind a dot an id."""
    number, _, name = text.partition(".")
    if not text:
        return None
    if not (number.isascii() and number.isdecimal()) or len(number) > 18 or not name.isascii():
        raise Invalid.at("?after", "query.value", "This page of the list doesn’t exist. Go back to the first page.")
    return Place(int(number), name)


def written(place: Place) -> str:
    """A place as `place_of` reads it."""
    return f"{place.number}.{place.id}"


def address(here: str, asked: Mapping[str, str], **more: str) -> str:
    """The list as it is asked for; empty filters are left out."""
    given = {name: value for name, value in ({**asked} | more).items() if value}
    return f"{here}?{urlencode(given)}" if given else here


def turns(here: str, asked: Mapping[str, str], before: Place | None, following: Place | None) -> dict[str, Any]:
    """Where the newest rows are, unless these are they, and where the older ones, if there are any."""
    return {
        "newest_url": address(here, asked) if before else "",
        "next_url": address(here, asked, before=written(following)) if following else "",
    }


def days_between(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[int | None, int | None, dict[str, str]]:
    """From when, until when (no longer), and what of it cannot be read: that is shown and does not count."""
    days: dict[str, int] = {}
    faults: dict[str, str] = {}
    for name, later in (("from", 0), ("to", 1)):
        try:
            if asked[name]:
                days[name] = day_begins(date.fromisoformat(asked[name]) + timedelta(days=later), zone)
        except (ValueError, OverflowError):
            faults[name] = "Enter a date like 2026-11-21."
    return days.get("from"), days.get("to"), faults
