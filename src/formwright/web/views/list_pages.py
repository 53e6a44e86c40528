"""List pages: the filter, the position and the rows of a list, which query parameters name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Generic, Self, TypeVar
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from formwright.core.errors import Invalid
from formwright.core.pagination import Position, Window
from formwright.web.page import PublicPage
from formwright.web.templating import start_of_day
from formwright.web.views.form_input import read_text

_PAGE_SIZE = 50
_MAX_LENGTH = 254
Row = TypeVar("Row")
Options = Sequence[tuple[str, str]]
"""The options of a select: each with its value and its label."""


@dataclass(frozen=True, slots=True)
class FilterField:
    """A field of a filter: a select of `options`, or an input of another `type` than “select”.

    `first` is the label of the select's empty option. Fields that are `further` are in the menu *Filter* beside the
    others.
    """

    name: str
    label: str
    options: Options = ()
    first: str = ""
    type: str = "select"
    further: bool = False


def search_field(label: str, name: str = "q") -> FilterField:
    """Return the field in which words are entered."""
    return FilterField(name, label, type="search")


def label_options(values: Iterable[str]) -> Options:
    """Return the values of an enumeration as options, each labelled by its name in the API."""
    return [(value, value.capitalize()) for value in values]


def day_fields() -> list[FilterField]:
    """Return the fields of the first and the last day; see `parse_day_range`."""
    return [FilterField(name, name.capitalize(), type="date", further=True) for name in ("from", "to")]


@dataclass(frozen=True, slots=True)
class ListFilter:
    """The filter of a list, as the macro `strip` renders it.

    `values` are those of the fields, empty for those that are not set. `hidden` are the other parameters that the page
    keeps, `faults` say what is wrong by name, and `clear_url` is the list without filters.
    """

    path: str
    fields: Sequence[FilterField]
    values: Mapping[str, str]
    clear_url: str
    is_filtered: bool
    hidden: Options = ()
    faults: Mapping[str, str] = field(default_factory=dict)

    def with_field(self, added: FilterField, value: str) -> Self:
        """Return the filter with another field."""
        hidden = [(name, text) for name, text in self.hidden if name != added.name]
        return replace(self, fields=[*self.fields, added], values={**self.values, added.name: value}, hidden=hidden)

    def count_set(self, *, further: bool = False) -> int:
        """Return how many fields besides the search are set; with `further`, only of the further ones."""
        counted = [each for each in self.fields if each.type != "search" and (each.further or not further)]
        return sum(1 for each in counted if self.values.get(each.name) and (each.first or each.type != "select"))


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """One page of a list, as the macro `list_page` renders it.

    `first_url` is empty on the first page, `next_url` on the last.
    """

    filter: ListFilter
    rows: Sequence[Row]
    first_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Which page of a list is requested: the values of its filter, and the position after which the page begins.

    `kept` are the names of values that choose the list, and are no filter of it.
    """

    path: str
    values: Mapping[str, str]
    position: Position | None
    size: int
    kept: Sequence[str]

    @property
    def window(self) -> Window:
        """The window of the rows to load."""
        return Window(self.size, self.position)

    def build(
        self,
        rows: Sequence[Row],
        next_position: Position | None,
        *fields: FilterField,
        faults: Mapping[str, str] | None = None,
    ) -> ListPage[Row]:
        """Return the page with these rows, and the filter with these fields."""
        next_url = list_url(self.path, self.values, after=format_position(next_position)) if next_position else ""
        first_url = list_url(self.path, self.values) if self.position else ""
        return ListPage(self.build_filter(fields, faults or {}), rows, first_url, next_url)

    def build_filter(self, fields: Sequence[FilterField], faults: Mapping[str, str]) -> ListFilter:
        """Return the filter with these fields. It keeps the values that have none."""
        kept = {name: self.values[name] for name in self.kept}
        shown = [each.name for each in fields]
        return ListFilter(
            self.path,
            fields,
            self.values,
            list_url(self.path, kept),
            is_filtered=any(value for name, value in self.values.items() if name not in kept),
            hidden=[(name, value) for name, value in self.values.items() if value and name not in shown],
            faults=faults,
        )


def read_list_request(page: PublicPage, path: str, *names: str, size: int = 0, kept: Sequence[str] = ()) -> ListRequest:
    """Read the values of these names, and the position `after`. Raises `Invalid` if the position is malformed."""
    values = {name: read_text(page.query, name, _MAX_LENGTH) for name in (*names, *kept)}
    return ListRequest(path, values, parse_position(page.query.get("after", "")), size or _PAGE_SIZE, kept)


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
