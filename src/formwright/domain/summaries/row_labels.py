"""The labels of data source rows, as people saw them when they chose a row.

They come from the submissions, so a summary shows no cell that its reader could not see there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import RowTexts
from formwright.domain.forms.fields.lookups import displayed_texts
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.lookup_snapshots import read_rows
from formwright.domain.submissions.models import SubmissionNotFound
from formwright.domain.summaries.fields import SummaryFields
from formwright.domain.summaries.models import FieldSummary, FormSummary, RowCount, Rows


async def label_rows(tx: ReadTransaction, actor: Actor, summary: FormSummary, fields: SummaryFields) -> FormSummary:
    """Return the summary with the labels of its rows."""
    cells: dict[str, RowTexts] = {}
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


async def _read_cells(tx: ReadTransaction, actor: Actor, submission_id: str) -> RowTexts:
    """Return the rows that a submission refers to; none, if it has been deleted since it was counted."""
    try:
        return read_rows((await submissions.get(tx, actor, submission_id=submission_id)).lookups)
    except SubmissionNotFound:
        return {}


def _label(field: FieldSummary, rows: Rows, definition: AnyField, by_id: Mapping[str, RowTexts]) -> FieldSummary:
    items = [replace(row, label=_text(row, definition, by_id[row.submission_id])) for row in rows.items]
    return replace(field, rows=replace(rows, items=items))


def _text(row: RowCount, definition: AnyField, cells: RowTexts) -> str:
    return " · ".join(displayed_texts(definition, row.key, cells)) or row.key
