"""The columns of tables: their names, their types in OData, and their values."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from formwright.core.clock import rfc3339
from formwright.domain.forms.fields import AnswerKind, AnyField, Shape
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.submissions.typed_answers import LOCATION_PARTS, to_typed, type_converter


class ColumnType(Enum):
    """The type of a column; the value is its name in CSDL.

    Values are texts, except numbers, booleans, and those of `MOMENT`, which are milliseconds since 1970.
    """

    TEXT = "Edm.String"
    INTEGER = "Edm.Int64"
    NUMBER = "Edm.Double"
    FLAG = "Edm.Boolean"
    DAY = "Edm.Date"
    TIME = "Edm.TimeOfDay"
    MOMENT = "Edm.DateTimeOffset"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `read` returns its value in a row, or None; `title` is what people call it, or empty."""

    name: str
    type: ColumnType
    read: Callable[[Any], Any]
    title: str = ""

    @property
    def read_json(self) -> Callable[[Any], Any]:
        """The function that returns the value in a row as it is in JSON."""
        if self.type is not ColumnType.MOMENT:
            return self.read
        return lambda row: None if (ms := self.read(row)) is None else rfc3339(ms)


_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?", re.ASCII)
_TEXT_KINDS = (
    *(AnswerKind.TEXT, AnswerKind.CHOICE, AnswerKind.CHOICES, AnswerKind.FILE, AnswerKind.FILES),
    *(AnswerKind.POSITION, AnswerKind.POSITIONS),
)
_COLUMN_TYPES: Mapping[AnswerKind, ColumnType] = {
    AnswerKind.INTEGER: ColumnType.INTEGER,
    AnswerKind.DECIMAL: ColumnType.NUMBER,
    AnswerKind.BOOLEAN: ColumnType.FLAG,
    AnswerKind.DATE: ColumnType.DAY,
    AnswerKind.TIME: ColumnType.TIME,
    AnswerKind.DATETIME: ColumnType.MOMENT,
    **dict.fromkeys(_TEXT_KINDS, ColumnType.TEXT),
}


def answer_columns(fields: Sequence[AnyField], languages: Sequence[str], reserved: Sequence[str] = ()) -> list[Column]:
    """Return the columns of these fields, without repeats. They read the attribute `answers` of rows.

    A location has a column for each of its parts, such as `site_latitude`. Points, lines and areas are well-known text
    (WKT). An answer with several values is a text, in which commas separate them; a comma within
    a value is preceded by a backslash. Columns have the names of their fields, unless these are `reserved` or were
    those of other fields in earlier versions.
    """
    taken = {name.casefold() for name in reserved}
    # Names of fields come first, so that no other column takes them.
    names = {field.name for field in fields if _take(field.name, taken)}
    columns: list[Column] = []
    for field in fields:
        title = label_text(field.label, languages)
        name = field.name if field.name in names else _unique_name(field.name, taken)
        columns.append(_field_column(field, name, title))
        if field.answer_kind is AnswerKind.POSITION:
            columns += _location_columns(field, title, taken)
    return columns


def _take(name: str, taken: set[str]) -> bool:
    """Take a name, and return whether it was free. Some programs compare names without case."""
    is_free = name.casefold() not in taken
    taken.add(name.casefold())
    return is_free


def _unique_name(name: str, taken: set[str]) -> str:
    """Return the name, or one with `_` at its end that is free, and take it."""
    while not _take(name, taken):
        name += "_"
    return name


def _field_column(field: AnyField, column: str, title: str) -> Column:
    name, convert = field.name, type_converter(field)

    def typed(row: Any) -> Any:
        value = row.answers.get(name)
        return None if value is None else convert(value)

    kind = field.answer_kind
    to_text = _area_to_wkt if field.shape is Shape.AREA else _TO_TEXT.get(kind)
    read = (lambda row: to_text(typed(row))) if to_text else typed
    return Column(column, _COLUMN_TYPES[kind], read, title)


def _location_columns(field: AnyField, title: str, taken: set[str]) -> list[Column]:
    def part_reader(part: str) -> Callable[[Any], Any]:
        return lambda row: (to_typed(field, row.answers.get(field.name)) or {}).get(part)

    columns = []
    for part in LOCATION_PARTS:
        name = _unique_name(f"{field.name}_{part}", taken)
        columns.append(Column(name, ColumnType.NUMBER, part_reader(part), f"{title} ({part})"))
    return columns


def to_wkt(place: Mapping[str, float | None] | None) -> str | None:
    """Return a location as well-known text (OGC 06-103r4); None if its coordinates are missing."""
    if not place or place["longitude"] is None or place["latitude"] is None:
        return None
    # Well-known text has x before y, so the longitude comes first.
    return f"POINT ({place['longitude']!r} {place['latitude']!r})"


Points = Sequence[Mapping[str, float | None]]


def _line_to_wkt(points: Points | None) -> str | None:
    coordinates = _wkt_coordinates(points)
    return f"LINESTRING ({', '.join(coordinates)})" if coordinates else None


def _area_to_wkt(points: Points | None) -> str | None:
    coordinates = _wkt_coordinates(points)
    # A ring in well-known text ends with its first point.
    return f"POLYGON (({', '.join([*coordinates, coordinates[0]])}))" if coordinates else None


def _wkt_coordinates(points: Points | None) -> list[str]:
    """Return longitude and latitude of each point; nothing if one of them is missing."""
    found = [f"{one['longitude']!r} {one['latitude']!r}" for one in points or ()]
    return [] if any("None" in one for one in found) else found


def to_time(text: str | None) -> str | None:
    """Return a time of day with its seconds; None if it isn't one."""
    return (text + ":00")[:8] if text and _TIME.fullmatch(text) else None


def _join(values: Sequence[str] | None) -> str | None:
    return None if values is None else ",".join(value.replace(",", "\\,") for value in values)


_TO_TEXT: Mapping[AnswerKind, Callable[[Any], str | None]] = {
    AnswerKind.POSITION: to_wkt,
    AnswerKind.POSITIONS: _line_to_wkt,
    AnswerKind.CHOICES: _join,
    AnswerKind.FILES: _join,
    AnswerKind.TIME: to_time,
}
