"""What became of a form on its way in or out: one note for each thing that is not as it was.

The report of an import, kept with the form that was made: it can be read again, and read without importing again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query


class NoteKind(StrEnum):
    """What happened to a part of the form. `changed`: converted. `dropped`: the other format cannot express it.
    `refused`: invalid or not supported, and left out. `warned`: kept, with a remark.
    """

    CHANGED = "changed"  # carried, in another shape
    DROPPED = "dropped"  # there is nothing here that could carry it
    REFUSED = "refused"  # faulty or beyond us, and so left out
    WARNED = "warned"  # carried as it is; pyxform remarks on it


@dataclass(frozen=True, slots=True)
class Note:
    """One remark. `row` counts as a spreadsheet does, from 1; None where it is about a whole sheet or column."""

    sheet: str
    row: int | None
    column: str | None
    code: str
    detail: str
    kind: NoteKind


@dataclass(slots=True)
class Report:
    """The notes of one import or export, in the order in which they were found."""

    notes: list[Note] = field(default_factory=list)

    def add_change(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """It was carried, in another shape."""
        self._add(NoteKind.CHANGED, sheet, row, column, code, detail)

    def add_drop(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """Nothing on the other side could carry it."""
        self._add(NoteKind.DROPPED, sheet, row, column, code, detail)

    def add_refusal(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """It is faulty or beyond us, and was left out."""
        self._add(NoteKind.REFUSED, sheet, row, column, code, detail)

    def add_warning(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """It was carried as it is."""
        self._add(NoteKind.WARNED, sheet, row, column, code, detail)

    def _add(self, kind: NoteKind, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        note = Note(sheet, row, column, f"xlsform.{code}", detail, kind)
        if note not in self.notes:
            self.notes.append(note)


_MAX_NOTES = 1000


async def save_report(tx: WriteTransaction, actor: Actor, *, form_id: str, notes: Sequence[Note]) -> None:
    """Keep the first 1000 notes; nothing where there are none."""
    scope = allow(actor, Permission.FORMS_EDIT)
    if notes:
        await tx.execute(
            "INSERT INTO import_reports (customer_id, form_id, notes) VALUES ($1, $2, $3)",
            scope.customer_id,
            form_id,
            msgspec.json.encode(notes[:_MAX_NOTES]).decode(),
        )


async def load_report(tx: ReadTransaction, actor: Actor, *, form_id: str) -> list[Note]:
    """The notes that were kept; none where the form was not imported, or whole."""
    scope = allow(actor, Permission.FORMS_READ)
    query = Query("SELECT notes FROM import_reports", scope.customer_id).where("form_id = ?", form_id).in_scope(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return msgspec.json.decode(row[0], type=list[Note]) if row else []
