"""The report of an import or export: notes about everything that was changed or left out.

The report of an import is stored with the form.
"""

from collections import Counter
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

    CHANGED = "changed"  # converted to another form
    DROPPED = "dropped"  # has no equivalent
    REFUSED = "refused"  # invalid or not supported, and left out
    WARNED = "warned"  # unchanged; pyxform warns about it


class NoteEffect(StrEnum):
    """What a note means for people who fill in the form. `questions` and `rules`: some are missing. `looks`: the form
    looks different. `converted`: the same is expressed in another way. `none`: nothing changes for them.
    """

    QUESTIONS = "questions"
    RULES = "rules"
    LOOKS = "looks"
    CONVERTED = "converted"
    NONE = "none"


_QUESTIONS = frozenset((
    "calculation_missing", "choice_incomplete", "choice_too_long", "choice_twice", "faulty", "group_empty", "left_out",
    "list_unknown", "type_missing", "type_unknown",
))  # fmt: skip
_NONE = frozenset((
    "buttons", "continue_later", "disabled", "edit_after_submitting", "formula", "indexed", "metadata",
    "metadata_unknown", "no_effect", "remark", "sheet_unknown", "thanks", "unit", "welcome",
))  # fmt: skip
_RULES = ("rule_left_out", "repeat_range", "rows_from")
_RULE_COLUMNS = frozenset(("default", "trigger", "repeat_count", "choice_filter", "instance_name", "save_to"))
_LOOKS = ("style", "instance_name")
_MEDIA = ("image", "audio", "video", "big-image")
_IDLE_SETTINGS = frozenset(("allow_choice_duplicates", "public_key", "submission_url", "auto_send", "auto_delete"))


@dataclass(frozen=True, slots=True)
class Note:
    """A note. Rows are numbered as in a spreadsheet, from 1; None for a note about a whole sheet or column."""

    sheet: str
    row: int | None
    column: str | None
    code: str
    detail: str
    kind: NoteKind

    @property
    def effect(self) -> NoteEffect:
        """What the note means for people who fill in the form."""
        code = self.code.removeprefix("xlsform.")
        if code in _RULES or (code == "column_dropped" and self.column in _RULE_COLUMNS):
            return NoteEffect.RULES
        if code in _QUESTIONS:
            return NoteEffect.QUESTIONS
        if code == "kept" and self.column in ("save_to", "type"):
            return NoteEffect.NONE
        if code == "kept":
            return NoteEffect.LOOKS if self.sheet == "survey" or self.column in _LOOKS else NoteEffect.NONE
        if code in _NONE or (code == "setting_dropped" and self.column in _IDLE_SETTINGS):
            return NoteEffect.NONE
        if code == "column_dropped" and self.sheet == "choices" and self.column not in _MEDIA:
            return NoteEffect.NONE
        return (
            NoteEffect.LOOKS
            if code in ("column_dropped", "setting_dropped", "media_missing", "alt", "choice_labels")
            else NoteEffect.CONVERTED
        )


def count_effects(notes: Sequence[Note]) -> dict[NoteEffect, int]:
    """Return how many notes have each effect."""
    counts = Counter(note.effect for note in notes)
    return {effect: counts[effect] for effect in NoteEffect}


@dataclass(slots=True)
class Report:
    """The notes of an import or export, in order."""

    notes: list[Note] = field(default_factory=list)
    _known: set[Note] = field(default_factory=set)

    def add_change(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """Record that a part was converted to another form."""
        self._add(NoteKind.CHANGED, sheet, row, column, code, detail)

    def add_drop(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """Record that a part has no equivalent in the other format."""
        self._add(NoteKind.DROPPED, sheet, row, column, code, detail)

    def add_refusal(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """Record that an invalid or unsupported part was left out."""
        self._add(NoteKind.REFUSED, sheet, row, column, code, detail)

    def add_warning(self, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        """Record a warning about a part that did not change."""
        self._add(NoteKind.WARNED, sheet, row, column, code, detail)

    def _add(self, kind: NoteKind, sheet: str, row: int | None, column: str | None, code: str, detail: str) -> None:
        note = Note(sheet, row, column, f"xlsform.{code}", detail, kind)
        if note not in self._known:
            self._known.add(note)
            self.notes.append(note)


_MAX_NOTES = 1000


async def save_report(tx: WriteTransaction, actor: Actor, *, form_id: str, notes: Sequence[Note]) -> None:
    """Store the first 1,000 notes, if there are any."""
    scope = allow(actor, Permission.FORMS_EDIT)
    if notes:
        await tx.execute(
            "INSERT INTO import_reports (customer_id, form_id, notes) VALUES ($1, $2, $3)",
            scope.customer_id,
            form_id,
            msgspec.json.encode(notes[:_MAX_NOTES]).decode(),
        )


async def load_report(tx: ReadTransaction, actor: Actor, *, form_id: str) -> list[Note]:
    """Return the stored notes. Empty if the form was not imported, or without changes."""
    scope = allow(actor, Permission.FORMS_READ)
    query = Query("SELECT notes FROM import_reports", scope.customer_id).where("form_id = ?", form_id).in_scope(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return msgspec.json.decode(row[0], type=list[Note]) if row else []
