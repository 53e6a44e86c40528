"""Lists of a form's submissions in the order of the answers to an indexed field.

The database reads them from the index of answers, so the order is that of the index: texts by their code points, of
which the first 200 characters count, choices by their values, and equal answers by the time of the submissions.
Submissions without an answer come last, in both directions.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.pagination import Position
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.indexing.indexed_fields import FilterableField, FormField, IndexState, ValueType
from formwright.domain.submissions.answer_index import build_entries

PREFIX = "answers."
PATTERN = r"^-?answers\.[A-Za-z]\w{0,63}(\.(latitude|longitude|accuracy))?$"
_NUMBERS = (ValueType.NUMBER, ValueType.MOMENT)
_NO_ANSWER = "null"


class ListedSubmission(Protocol):
    """A submission with its answers as JSON, and the time by which lists order it."""

    @property
    def id(self) -> str: ...
    @property
    def data(self) -> str: ...
    @property
    def at(self) -> int: ...


@dataclass(frozen=True, slots=True)
class AnswerOrder:
    """The order by the answers to a field of a form. `missing_first` is only set if a list is read backwards."""

    form_id: str
    field: FilterableField
    is_descending: bool = False
    missing_first: bool = False

    @property
    def column(self) -> str:
        """The column of the index that has the answers."""
        return "number" if self.field.value_type in _NUMBERS else "text"

    @property
    def reversed(self) -> "AnswerOrder":
        """The exactly opposite order."""
        return replace(self, is_descending=not self.is_descending, missing_first=not self.missing_first)

    def position(self, record: ListedSubmission) -> Position:
        """Return the position of a submission in a list of this order."""
        entries = build_entries(record.id, record.data, record.at, [self.field])
        values = [entry.number if entry.text is None else entry.text for entry in entries]
        key = msgspec.json.encode(values[0]).decode() if values else _NO_ANSWER
        return Position(record.at, record.id, key)

    def read_key(self, position: Position) -> str | float | None:
        """Return the answer at a position; None without one. Raises `Invalid` if it is not one of this list."""
        try:
            value: object = msgspec.json.decode(position.key)
        except msgspec.DecodeError:
            value = True
        match self.column, value:
            case _, None:
                return None
            case "text", str():
                return value
            case "number", int() | float() if not isinstance(value, bool):
                return float(value)
        raise Invalid.at("?cursor", "cursor.invalid", "This position is not one of a list in this order.")


async def parse_sort(
    tx: ReadTransaction, actor: Actor, text: str, *, form_ids: Sequence[str]
) -> tuple[AnswerOrder | None, ValidationFault | None]:
    """Return the order that `answers.NAME` asks for, descending with a leading `-`, or why there is no such order."""
    name = text.removeprefix("-").removeprefix(PREFIX)
    if len(form_ids) != 1:
        return None, ValidationFault(
            "?sort", "query.sort.form", "Only the submissions of one form can be sorted by an answer."
        )
    found = await indexed_fields.find_by_names(tx, actor, [name], form_ids=form_ids)
    known = [one for one in found if _has_one_answer(one)]
    if not known:
        return None, ValidationFault(
            "?sort", "query.sort.unknown", "The form has no such field with one answer per submission."
        )
    if known[0].index is IndexState.FILLING:
        return None, ValidationFault(
            "?sort", "query.sort.not_ready", "The index of this field is still being built. Try again in a few minutes."
        )
    if known[0].index is not IndexState.READY:
        return None, ValidationFault(
            "?sort", "query.sort.not_indexed", "Submissions can only be sorted by fields that are indexed."
        )
    return AnswerOrder(form_ids[0], known[0].field, text.startswith("-")), None


async def list_sortable(tx: ReadTransaction, actor: Actor, names: Collection[str], *, form_id: str) -> set[str]:
    """Return those of the fields of a form by which its submissions can be sorted."""
    found = await indexed_fields.find_by_names(tx, actor, list(names), form_ids=[form_id])
    return {one.field.name for one in found if _has_one_answer(one) and one.index is IndexState.READY}


def _has_one_answer(one: FormField) -> bool:
    return not one.field.is_list and not one.field.repeat
