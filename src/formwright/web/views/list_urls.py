"""What the lists of the pages hold in their addresses: filters, and a place in the list."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from formwright.core.errors import Invalid
from formwright.core.pagination import Position
from formwright.web.templating import start_of_day


def parse_place(value: str) -> Position | None:
    """The place in a list that an address names: a number, and behind a dot an id."""
    number, _, name = value.partition(".")
    if not value:
        return None
    if not (number.isascii() and number.isdecimal()) or len(number) > 18 or not name.isascii():
        raise Invalid.at("?after", "query.value", "This page of the list doesn’t exist. Go back to the first page.")
    return Position(int(number), name)


def format_place(place: Position) -> str:
    """A place as `place_of` reads it."""
    return f"{place.number}.{place.id}"


def list_url(path: str, filters: Mapping[str, str], **more: str) -> str:
    """The list as it is asked for; empty filters are left out."""
    query = {name: value for name, value in ({**filters} | more).items() if value}
    return f"{path}?{urlencode(query)}" if query else path


def pager_urls(
    path: str, filters: Mapping[str, str], before: Position | None, next_place: Position | None
) -> dict[str, Any]:
    """Where the newest rows are, unless these are they, and where the older ones, if there are any."""
    return {
        "newest_url": list_url(path, filters) if before else "",
        "next_url": list_url(path, filters, before=format_place(next_place)) if next_place else "",
    }


def parse_day_range(filters: Mapping[str, str], zone: ZoneInfo) -> tuple[int | None, int | None, dict[str, str]]:
    """From when, until when (no longer), and what of it cannot be read: that is shown and does not count."""
    days: dict[str, int] = {}
    faults: dict[str, str] = {}
    for name, offset in (("from", 0), ("to", 1)):
        try:
            if filters[name]:
                days[name] = start_of_day(date.fromisoformat(filters[name]) + timedelta(days=offset), zone)
        except (ValueError, OverflowError):
            faults[name] = "Enter a date like 2026-11-21."
    return days.get("from"), days.get("to"), faults
