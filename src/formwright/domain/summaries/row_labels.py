"""The labels of data source rows, as people saw them when they chose a row.

They come from the submissions, so a summary shows no cell that its reader could not see there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources.cell_types import to_text
from formwright.domain.forms.fields import AnyField
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionNotFound
from formwright.domain.summaries.fields import SummaryFields
from formwright.domain.summaries.models import FieldSummary, FormSummary, RowCount, Rows

_Cells = Mapping[tuple[str, str], Mapping[str, Any]]
"""The cells of rows by column, by data source and key."""


async def label_rows(tx: ReadTransaction, actor: Actor, summary: FormSummary, fields: SummaryFields) -> FormSummary:
    """Return the summary with the labels of its rows."""
    cells: dict[str, _Cells] = {}
    definitions = [one.definition for one in fields.fields.values()]

    async def label_all(summaries: Sequence[FieldSummary]) -> list[FieldSummary]:
        labelled = []
        for field, definition in zip(summaries, definitions, strict=True):
            if field.rows:
                for row in field.rows.items:
                    if row.submission_id not in cells:
                        cells[row.submission_id] = await _read_cells(tx, actor, row.submission_id)
                field = _label(field, field.rows, definition, cells)
            labelled.append(field)
        return labelled

    if summary.split:
        groups = [replace(group, fields=await label_all(group.fields)) for group in summary.split.groups]
        summary = replace(summary, split=replace(summary.split, groups=groups))
    return replace(summary, fields=await label_all(summary.fields))


async def _read_cells(tx: ReadTransaction, actor: Actor, submission_id: str) -> _Cells:
    """Return the rows that a submission refers to; none, if it has been deleted since it was counted."""
    try:
        found = await submissions.get(tx, actor, submission_id=submission_id)
    except SubmissionNotFound:
        return {}
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for one in msgspec.json.decode(found.lookups) if found.lookups else ():
        # Two lookups may show different columns of the same row.
        cells.setdefault((one["datasourceId"], one["key"]), {}).update(one["data"] or {})
    return cells


def _label(field: FieldSummary, rows: Rows, definition: AnyField, by_id: Mapping[str, _Cells]) -> FieldSummary:
    items = [replace(row, label=_text(row, definition, by_id[row.submission_id])) for row in rows.items]
    return replace(field, rows=replace(rows, items=items))


def _text(row: RowCount, definition: AnyField, cells: _Cells) -> str:
    found = cells.get((definition.datasource_id, row.key), {})
    return " · ".join(text for column in definition.display if (text := to_text(found.get(column)))) or row.key
