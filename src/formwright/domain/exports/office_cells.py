"""The cells of Excel files for people: lookups as text and key, locations as numbers, and files as links.

The links lead to the page of the submission, which needs a sign-in. No other cell is a link.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from formwright.domain.exports.cells import Cell, Column, Link, answer_cell, build_plain_column, record_rows
from formwright.domain.exports.records import Batch, Record
from formwright.domain.exports.table import Sheet, Table, list_suffixes
from formwright.domain.forms.fields import AnswerKind, AnyField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.lookups import displayed_texts
from formwright.domain.submissions.lookup_snapshots import index_rows
from formwright.domain.submissions.typed_answers import LOCATION_PARTS


def build_answer_columns(table: Table, batch: Batch, field: AnyField, values: Sequence[Any]) -> Sequence[Column]:
    """Return the columns of the answers to a field of the main sheet, one for each of its suffixes."""
    if not (field.datasource_id or field.answer_kind.is_file or field.answer_kind is AnswerKind.POSITION):
        return build_plain_column(table, batch, field, values)
    contexts = _list_contexts(table, batch) if field.datasource_id else [table.context] * len(batch)
    rows = [_build_cells(table, field, *row) for row in zip(values, batch.records, contexts, strict=True)]
    return [[row[place] for row in rows] for place in range(len(list_suffixes(table, field)))]


def repeat_rows(table: Table, sheet: Sheet, batch: Batch) -> Iterator[list[Cell]]:
    """Yield the rows of a repeat in each submission, as `cells.repeat_rows` does."""
    has_lookups = any(field.datasource_id for field in sheet.fields)
    contexts = _list_contexts(table, batch) if has_lookups else [table.context] * len(batch)
    for record, context in zip(batch.records, contexts, strict=True):
        for numbers, row in record_rows(table, sheet, record):
            cells = [
                cell
                for field in sheet.fields
                for cell in _build_cells(table, field, row.get(field.name), record, context)
            ]
            yield [record.id, *numbers, *cells]


def _list_contexts(table: Table, batch: Batch) -> list[DisplayContext]:
    """Return a context for each submission, with the rows as the person saw them."""
    return [replace(table.context, rows=index_rows(record.lookups)) for record in batch.records]


def _build_cells(
    table: Table, field: AnyField, value: Any, record: Record, context: DisplayContext
) -> tuple[Cell, ...]:
    """Return the cells of an answer, as many as its field has suffixes."""
    if field.datasource_id:
        return _lookup_cells(field, value, context)
    if field.answer_kind is AnswerKind.POSITION:
        return _location_cells(field, value, context)
    cell = answer_cell(field, value, context)
    if field.answer_kind.is_file and isinstance(cell, str) and value and table.layout and table.layout.origin:
        return (Link(cell, f"{table.layout.origin}/submissions/{record.id}"),)
    return (cell,)


def _lookup_cells(field: AnyField, value: Any, context: DisplayContext) -> tuple[Cell, Cell]:
    """Return the texts that the person saw of the chosen rows, and the keys of the rows."""
    keys = [str(key) for key in (value if isinstance(value, list) else [] if value is None else [value])]
    # Without a displayed column, or without the copy of the row, people saw or know only the key.
    texts = (" · ".join(displayed_texts(field, key, context.rows)) or key for key in keys)
    return (", ".join(texts), ", ".join(keys))


def _location_cells(field: AnyField, value: Any, context: DisplayContext) -> tuple[Cell, ...]:
    if not isinstance(value, dict):
        # Drafts may have any value.
        return (answer_cell(field, value, context), None, None)
    return tuple(_number_cell(value.get(name)) for name in LOCATION_PARTS)


def _number_cell(value: Any) -> Cell:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number or value is None else str(value)
