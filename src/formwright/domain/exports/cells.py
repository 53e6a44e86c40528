"""The cells of exported tables: numbers, dates and times as such, everything else as people read it.

Columns are converted as a whole, because most of their cells are alike: a text stays as it is, and each distinct choice
is looked up once. Only what is left is converted cell by cell, by `answer_cell`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from formwright.core.clock import EARLIEST, LATEST, parse_timestamp, to_local, to_milliseconds
from formwright.domain.exports.records import Batch
from formwright.domain.exports.table import Sheet, Table, pick_columns
from formwright.domain.forms.answer_fields import iter_rows
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, flatten_sections
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.point_lists import to_xlsform_text
from formwright.domain.submissions.models import SubmissionStatus
from formwright.domain.submissions.typed_answers import LOCATION_PARTS


class Link(NamedTuple):
    """A text that links to a page of this server."""

    text: str
    url: str


Cell = str | int | float | date | datetime | Link | None
Column = Sequence[Cell]
FormatTime = Callable[[str], Cell]
"""Returns the cell of a time in UTC, such as `2026-03-29T12:30:05.123Z`."""

BuildAnswers = Callable[[Table, Batch, AnyField, Sequence[Any]], Sequence[Column]]
"""Returns the columns of the answers to a field of the main sheet."""

_DAY_MS = 86_400_000
"""No time zone differs from UTC by more than a day."""
_STATUS_LABELS = {status.value: status.value.capitalize() for status in SubmissionStatus}
_NONE = type(None)
_TEXT_TYPES, _NUMBER_TYPES, _FLAG_TYPES, _LIST_TYPES = {str, _NONE}, {int, float, _NONE}, {bool, _NONE}, {list, _NONE}
_PLAIN_KINDS = (AnswerKind.TEXT, AnswerKind.TIME)


def build_plain_column(table: Table, batch: Batch, field: AnyField, values: Sequence[Any]) -> Sequence[Column]:
    """Return the answers to a field in one column."""
    return [answer_column(field, values, table.context)]


def build_columns(
    table: Table, batch: Batch, format_time: FormatTime, build_answers: BuildAnswers = build_plain_column
) -> list[Column]:
    """Return the columns of the main sheet."""
    records, fields = batch.records, table.main.fields
    places: list[Mapping[str, Any]] = [record.location or {} for record in records]
    built_in: list[Column] = [
        [record.id for record in records],
        [_STATUS_LABELS[record.status] for record in records],
        [record.submitted_at and format_time(record.submitted_at) for record in records],
        [format_time(record.updated) for record in records],
        [batch.names[record.user_id] for record in records],
        [record.external_id for record in records],
        [record.note for record in records],
        *([place.get(name) for place in places] for name in LOCATION_PARTS),
    ]
    answers = [record.data for record in records]
    cells = [
        *built_in,
        *(
            column
            for number, field in enumerate(fields)
            for column in build_answers(table, batch, field, list(map(attrgetter(f"answer_{number}"), answers)))
        ),
    ]
    return pick_columns(table, [*cells, [table.form_name] * len(batch)]) if table.columns else cells


def answer_column(field: AnyField, values: Sequence[Any], context: DisplayContext) -> Column:
    """Return the cells of the answers to a field, as `answer_cell` does for each of them."""
    types, kind = set(map(type, values)), field.answer_kind
    # Keys of rows are shown with the cells of the rows.
    is_plain = kind in _PLAIN_KINDS and not field.datasource_id
    if (types <= _TEXT_TYPES and is_plain) or (types <= _NUMBER_TYPES and kind.is_number):
        return values
    if types <= _TEXT_TYPES or types <= _FLAG_TYPES:
        cells = {value: answer_cell(field, value, context) for value in set(values)}
        return [cells[value] for value in values]
    if kind is AnswerKind.CHOICES and types <= _LIST_TYPES:
        return _lists_column(field, values, context)
    return [answer_cell(field, value, context) for value in values]


def _lists_column(field: AnyField, values: Sequence[list[Any] | None], context: DisplayContext) -> Column:
    """Return the cells of lists of options or rows, each combination of which is formatted once."""
    keys = ["\0".join(value) if value and set(map(type, value)) == {str} else value for value in values]
    cells = {key: answer_cell(field, key.split("\0"), context) for key in {one for one in keys if type(one) is str}}
    return [cells[key] if type(key) is str else answer_cell(field, key, context) for key in keys]


def repeat_rows(table: Table, sheet: Sheet, batch: Batch) -> Iterator[list[Cell]]:
    """Yield the rows of a repeat in each submission: the id of the submission, the numbers of the rows around the row
    and of the row itself, and its answers.
    """
    for record in batch.records:
        for numbers, row in record_rows(table, sheet, record):
            cells = (answer_cell(field, row.get(field.name), table.context) for field in sheet.fields)
            yield [record.id, *numbers, *cells]


def record_rows(table: Table, sheet: Sheet, record: Any) -> Iterator[tuple[tuple[int, ...], Mapping[str, Any]]]:
    """Yield the rows of the sheet in a submission, with their numbers in each of its repeats."""
    outermost, *others = sheet.path
    rows = getattr(record.data, f"answer_{list(table.main.fields).index(outermost)}")
    return iter_rows({outermost.name: rows}, [outermost.name, *(repeat.name for repeat in others)])


def answer_cell(field: AnyField, value: Any, context: DisplayContext) -> Cell:
    """Return an answer as a number, date or time if it is one, else as text."""
    match field.answer_kind, value:
        case _, None:
            return None
        case kind, int() | float() if kind.is_number and not isinstance(value, bool):
            return value
        case AnswerKind.DATE, str() if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return _parse_day(value)
        case AnswerKind.DATETIME, str():
            ms = parse_timestamp(value)
            if ms is None or not EARLIEST + _DAY_MS <= ms <= LATEST - _DAY_MS:
                return value
            return _local(int(ms), context.time_zone)
        case AnswerKind.POSITIONS, list():
            return _points_cell(field, value)
        case AnswerKind.ROWS, list():
            return msgspec.json.encode(_order_rows(field, value)).decode()
    return field.format_answer(value, context)


def _points_cell(field: AnyField, value: list[Any]) -> str:
    """Return the points of a line or area as XLSForm writes them, which other programs can read."""
    try:
        return to_xlsform_text(field, value)
    except (KeyError, TypeError):
        return str(value)


def _order_row(repeat: RepeatField, row: Any) -> Any:
    """Return a row in the order of the form. Databases may store its properties in another order."""
    if not isinstance(row, dict):
        return row
    return {
        field.name: _order_rows(field, row[field.name])
        for field in flatten_sections(repeat.fields)
        if field.name in row
    }


def _order_rows(field: AnyField, value: Any) -> Any:
    if not isinstance(field, RepeatField) or not isinstance(value, list):
        return value
    return [_order_row(field, row) for row in value]


def _parse_day(text: str) -> Cell:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def local_time(text: str, zone: str) -> datetime:
    """Return a time in UTC, such as `2026-03-29T12:30:05.123Z`, in a time zone, to the second and without offset."""
    return _local(to_milliseconds(datetime.fromisoformat(text)), zone)


def _local(ms: int, zone: str) -> datetime:
    # Excel's times have no time zone, and XlsxWriter rejects those that do.
    return to_local(ms, zone).replace(microsecond=0, tzinfo=None)


class LocalTimeFormat:
    """Formats times as `local_time` returns them: `2026-03-29 14:30:05`. Times of a minute are formatted together."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._find_minute = lru_cache(maxsize=4096)(self._format_minute)

    def __call__(self, text: str) -> str:
        minute = self._find_minute(text[:16])
        return minute + text[17:19] if minute else local_time(text, self._zone).isoformat(" ")

    def _format_minute(self, minute: str) -> str | None:
        """Return a minute up to its seconds; None if they differ from those in UTC, as in some zones before 1972."""
        first, last = (local_time(f"{minute}:{second}Z", self._zone) for second in ("00", "59"))
        is_whole = first.second == 0 and last - first == timedelta(seconds=59)
        return first.isoformat(" ", "minutes") + ":" if is_whole else None
