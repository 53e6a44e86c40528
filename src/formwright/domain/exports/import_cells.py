"""The cells of tables for an import, which reads the same answers from them."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from formwright.domain.exports.cells import Cell, Column, record_rows
from formwright.domain.exports.records import Batch
from formwright.domain.exports.table import Sheet, Table
from formwright.domain.forms.fields import AnyField, RepeatField
from formwright.domain.submissions.imports.cells import encode_cell, encode_number, escape_text
from formwright.domain.submissions.typed_answers import LOCATION_PARTS


def format_rows(table: Table, batch: Batch) -> str:
    """Return the rows of a CSV file. Each repeat is a cell with JSON."""
    columns = _build_columns(table, batch, encode_cell)
    escaped = [[escape_text(cell) if isinstance(cell, str) else cell for cell in column] for column in columns]
    text = io.StringIO(newline="")
    # Every text is quoted, because parsers skip spaces before a cell that is not.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows(zip(*escaped, strict=True))
    return text.getvalue()


def build_sheet_columns(table: Table, batch: Batch) -> list[Column]:
    """Return the columns of the main sheet of a workbook. Rows of repeats are in sheets of their own."""
    return _build_columns(table, batch, _encode_sheet_cell)


def repeat_rows(table: Table, sheet: Sheet, batch: Batch) -> Iterator[list[Cell]]:
    """Yield the rows of a repeat in each submission, with the id of the submission and the numbers of the rows around
    the row.
    """
    for record in batch.records:
        for numbers, row in record_rows(table, sheet, record):
            yield [
                record.id,
                *numbers[:-1],
                *(_encode_sheet_cell(field, row.get(field.name)) for field in sheet.fields),
            ]


def _build_columns(table: Table, batch: Batch, encode: Callable[[AnyField, Any], Cell]) -> list[Column]:
    records = batch.records
    places: Sequence[Mapping[str, Any]] = [record.location or {} for record in records]
    return [
        [record.id for record in records],
        [record.external_id for record in records],
        [record.submitted_at for record in records],
        [record.user_id for record in records],
        *([_encode_number(place.get(name)) for place in places] for name in LOCATION_PARTS),
        *(
            [encode(field, getattr(record.data, _attribute(table, field))) for record in records]
            for field in table.main.fields
        ),
    ]


def _attribute(table: Table, field: AnyField) -> str:
    return f"answer_{list(table.main.fields).index(field)}"


def _encode_number(value: float | None) -> Cell:
    return None if value is None else encode_number(value)


def _encode_sheet_cell(field: AnyField, value: Any) -> Cell:
    # A repeat without rows has none in its sheet either, so it would look like no answer.
    return (
        (None if value else encode_cell(field, value)) if isinstance(field, RepeatField) else encode_cell(field, value)
    )
