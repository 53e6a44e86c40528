"""URLs of list pages: filters and the position in the list as query parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, TypeVar
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from formwright.core.errors import Invalid
from formwright.core.pagination import Position
from formwright.web.templating import start_of_day

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """One page of a list, as the macro `list_page` renders it.

    `first_url` is empty on the first page, `next_url` on the last.
    """

    path: str
    rows: Sequence[Row]
    is_filtered: bool
    first_url: str
    next_url: str


def build_list_page(
    path: str,
    rows: Sequence[Row],
    next_position: Position | None,
    *,
    position: Position | None,
    filters: Mapping[str, str] | None = None,
    parameter: str = "after",
) -> ListPage[Row]:
    """Return the rows with the URLs of the first and the next page, which keep the filters.

    `parameter` is the query parameter of the `position` after which this page starts.
    """
    filters = filters or {}
    return ListPage(
        path,
        rows,
        is_filtered=any(filters.values()),
        first_url=list_url(path, filters) if position else "",
        next_url=list_url(path, filters, **{parameter: format_position(next_position)}) if next_position else "",
    )


def parse_position(value: str) -> Position | None:
    """Parse a position in a list: a number, and after a dot an id. Raises `Invalid` if it is malformed."""
    number, _, name = value.partition(".")
    if not value:
        return None
    if not (number.isascii() and number.isdecimal()) or len(number) > 18 or not name.isascii():
        raise Invalid.at("?after", "query.value", "This page of the list doesn’t exist. Go back to the first page.")
    return Position(int(number), name)


def format_position(position: Position) -> str:
    """Return a position in the format of `parse_position`."""
    return f"{position.number}.{position.id}" + (f".{position.key}" if position.key else "")


def list_url(path: str, filters: Mapping[str, str], **more: str) -> str:
    """Return the URL of a list with these query parameters, except empty ones."""
    query = {name: value for name, value in ({**filters} | more).items() if value}
    return f"{path}?{urlencode(query)}" if query else path


def parse_day_range(filters: Mapping[str, str], zone: ZoneInfo) -> tuple[int | None, int | None, dict[str, str]]:
    """Return the start, the exclusive end, and the errors of the filters `from` and `to`. Invalid dates are ignored."""
    days: dict[str, int] = {}
    faults: dict[str, str] = {}
    for name, offset in (("from", 0), ("to", 1)):
        try:
            if filters[name]:
                days[name] = start_of_day(date.fromisoformat(filters[name]) + timedelta(days=offset), zone)
        except (ValueError, OverflowError):
            faults[name] = "Enter a date like 2026-11-21."
    return days.get("from"), days.get("to"), faults
