"""The submissions of a form as a table for exports: its columns and cells."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

import msgspec

from formwright.core.clock import EARLIEST, LATEST, to_local
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms.answer_fields import list_answer_fields, list_of_all_versions
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    DateField,
    DatetimeField,
    DecimalField,
    IntegerField,
    RatingField,
    RepeatField,
    SliderField,
    flatten_sections,
    label_text,
)
from formwright.domain.saved_views.models import ANSWER_PREFIX
from formwright.domain.submissions.answer_filters import parse_timestamp as instant
from formwright.domain.submissions.models import Submission
from formwright.web.session import Reader
from formwright.web.views.submissions.answer_text import DisplayContext, format_answer
from formwright.web.views.submissions.list_query import FormContext

PickedCell = TypeVar("PickedCell")
Cell = str | int | float | date | datetime | None
BUILT_IN_HEADINGS = {
    "id": "Submission",
    "status": "Status",
    "submittedAt": "Submitted",
    "updated": "Changed",
    "userId": "Who",
    "externalId": "External id",
    "note": "Note",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "accuracy": "Accuracy (m)",
}
"""The headings of the columns that every submission has, by name: those of saved views have the same names."""
_FORM_COLUMN = "formId"
_FORM_HEADING = "Form"


_DAY_MS = 86_400_000
"""No time zone differs from UTC by more than a day."""

Batch = Sequence[tuple[Submission, str]]
"""Submissions, each with the name of its author."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: the built-in columns, then a column per field. With `repeat`, it has the rows of that repeat."""

    fields: Sequence[AnyField]
    repeat: RepeatField | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet of submissions, and one for each repeat of the form.

    `columns` are the names of the chosen columns in their order, as in saved views; empty means all of them. Then the
    fields of the main sheet are those among the columns.
    """

    main: Sheet
    repeats: Sequence[Sheet]
    context: DisplayContext
    columns: Sequence[str] = ()
    form_name: str = ""

    @property
    def answer_names(self) -> frozenset[str] | None:
        """The names of the fields among the chosen columns; None if all columns are."""
        return frozenset(field.name for field in self.main.fields) if self.columns else None


async def build_table(
    tx: ReadTransaction, reader: Reader, form_context: FormContext, columns: Sequence[str] = ()
) -> Table:
    """Build the columns: the fields of the published version in their order, then those of earlier versions.

    With `columns`, the table has only these, as far as the form has or had them, or else the ids.
    """
    form = form_context.form
    assert form is not None  # noqa: S101
    fields = await list_of_all_versions(tx, reader.actor, form_context.fields, form_id=form.id)
    if columns:
        names = {*BUILT_IN_HEADINGS, _FORM_COLUMN, *(ANSWER_PREFIX + field.name for field in fields)}
        columns = [name for name in columns if name in names] or ["id"]
        fields = [field for field in fields if ANSWER_PREFIX + field.name in columns]
    repeats = [field for field in fields if isinstance(field, RepeatField)]
    sheets = [Sheet(list_answer_fields(repeat.fields), repeat) for repeat in repeats]
    return Table(Sheet(fields), sheets, form_context.display, columns, form.name)


def headings(table: Table, sheet: Sheet) -> list[str]:
    """Return the headings of a sheet. Labels that occur twice get the name of the field."""
    if table.columns and sheet.repeat is None:
        return _pick_columns(table, [*_all_headings(table, sheet), _FORM_HEADING])
    return _all_headings(table, sheet)


def _pick_columns(table: Table, cells: Sequence[PickedCell]) -> list[PickedCell]:
    """Return the cells of the chosen columns, from those of the built-in columns, of all fields and of the form."""
    names = [*BUILT_IN_HEADINGS, *(ANSWER_PREFIX + field.name for field in table.main.fields), _FORM_COLUMN]
    cells_by_name = dict(zip(names, cells, strict=True))
    return [cells_by_name[name] for name in table.columns]


def _all_headings(table: Table, sheet: Sheet) -> list[str]:
    labels = [label_text(field.label, (table.context.language,)) for field in sheet.fields]
    built_in = ("Submission", "Row") if sheet.repeat else tuple(BUILT_IN_HEADINGS.values())
    all_labels = [*built_in, *labels]
    unique = [
        label if all_labels.count(label) == 1 else f"{label} ({field.name})"
        for label, field in zip(labels, sheet.fields, strict=True)
    ]
    return [*built_in, *unique]


def sheet_title(table: Table, sheet: Sheet) -> str:
    """Return the title of a sheet."""
    return label_text(sheet.repeat.label, (table.context.language,)) if sheet.repeat else "Submissions"


def submission_row(table: Table, record: Submission, person: str) -> list[Cell]:
    """Return the cells of a submission. Times are in the account's time zone."""
    place: dict[str, Any] = msgspec.json.decode(record.location) if record.location else {}
    built_in: list[Cell] = [
        record.id,
        record.status.capitalize(),
        None if record.submitted is None else _local_time(record.submitted, table.context),
        _local_time(record.updated, table.context),
        person,
        record.external_id,
        record.note,
        place.get("latitude"),
        place.get("longitude"),
        place.get("accuracy"),
    ]
    data = msgspec.json.decode(record.data)
    cells = built_in + [answer_cell(field, data.get(field.name), table.context) for field in table.main.fields]
    return _pick_columns(table, [*cells, table.form_name]) if table.columns else cells


def repeat_rows(table: Table, sheet: Sheet, record: Submission) -> Iterator[list[Cell]]:
    """Yield the rows of a repeat in a submission, with the id of the submission and their number."""
    rows = msgspec.json.decode(record.data).get(sheet.repeat.name if sheet.repeat else "")
    for number, row in enumerate(rows if isinstance(rows, list) else [], start=1):
        inside: Mapping[str, Any] = row if isinstance(row, dict) else {}
        yield [
            record.id,
            number,
            *(answer_cell(field, inside.get(field.name), table.context) for field in sheet.fields),
        ]


def answer_cell(field: AnyField, value: Any, context: DisplayContext) -> Cell:
    """Return an answer as a number, date or time if it is one, else as text."""
    match field, value:
        case _, None:
            return None
        case IntegerField() | DecimalField() | RatingField() | SliderField(), int() | float() if not isinstance(
            value, bool
        ):
            return value
        case BooleanField(), _:
            return format_answer(field, value, context)
        case DateField(), str() if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return _parse_day(value)
        case DatetimeField(), str():
            ms = instant(value)
            return (
                value
                if ms is None or not EARLIEST + _DAY_MS <= ms <= LATEST - _DAY_MS
                else _local_time(int(ms), context)
            )
        case RepeatField(), list():
            return msgspec.json.encode([_order_row(field, row) for row in value]).decode()
    return format_answer(field, value, context)


def _order_row(repeat: RepeatField, row: Any) -> Any:
    """Return a row in the order of the form. Databases may store its properties in another order."""
    names = [field.name for field in flatten_sections(repeat.fields)]
    return {name: row[name] for name in names if name in row} if isinstance(row, dict) else row


def _parse_day(text: str) -> Cell:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def _local_time(ms: int, context: DisplayContext) -> datetime:
    return to_local(ms, context.time_zone).replace(microsecond=0, tzinfo=None)
