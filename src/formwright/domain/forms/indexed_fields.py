"""By which answers lists can be filtered, and which of them are kept in an index.

What counts is the published version: its fields are filtered as it has them. Fields that only earlier ones had stay as
these had them, for the answers are still there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.lru_cache import LRUCache
from formwright.domain.forms import indexed_field_store, store
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    FileField,
    IntegerField,
    LocationField,
    NoteField,
    PhotoField,
    RatingField,
    RepeatField,
    SectionField,
    SignatureField,
    SliderField,
    TimeField,
)
from formwright.domain.forms.models import Version


class Holds(StrEnum):
    """What an answer holds, as far as comparing goes. `WORD` is one of a set: an option, the id of a file."""

    TEXT = "text"
    WORD = "word"
    NUMBER = "number"
    FLAG = "flag"
    DAY = "day"
    TIME = "time"
    MOMENT = "moment"


class Index(StrEnum):
    """How far the index of a field is: it holds all answers once it is READY; of one that is LEAVING rows go."""

    NONE = "NONE"
    FILLING = "FILLING"
    READY = "READY"
    LEAVING = "LEAVING"


@dataclass(frozen=True, slots=True)
class Filterable:
    """An answer that can be compared. `name` is that of the field, or of a part of a place: `site.latitude`.

    `repeat` is the one in whose rows it stands, if any; `many` says that the answer is a list.
    """

    name: str
    holds: Holds
    many: bool = False
    repeat: str = ""
    indexed: bool = False


@dataclass(frozen=True, slots=True)
class FieldOfForm:
    """An answer of one form that can be compared."""

    form_id: str
    field: Filterable
    index: Index


def filterables(fields: Sequence[AnyField], repeat: str = "") -> Iterator[Filterable]:
    """All of a definition, in reading order. Notes, sections and repeats have no answer of their own to compare."""
    for field in fields:
        match field:
            case SectionField():
                yield from filterables(field.fields, repeat)
            case RepeatField():
                yield from filterables(field.fields, field.name)
            case LocationField():
                for part in ("latitude", "longitude", "accuracy"):
                    yield Filterable(f"{field.name}.{part}", Holds.NUMBER, False, repeat, field.indexed)
            case NoteField():
                pass
            case _:
                many = isinstance(field, ChoicesField | PhotoField | FileField)
                yield Filterable(field.name, _holds(field), many, repeat, field.indexed)


def _holds(field: AnyField) -> Holds:
    match field:
        case IntegerField() | DecimalField() | RatingField() | SliderField():
            return Holds.NUMBER
        case BooleanField():
            return Holds.FLAG
        case DateField():
            return Holds.DAY
        case TimeField():
            return Holds.TIME
        case DatetimeField():
            return Holds.MOMENT
        case ChoiceField() | ChoicesField() | PhotoField() | FileField() | SignatureField():
            return Holds.WORD
    return Holds.TEXT


async def named(
    tx: ReadTransaction, actor: Actor, names: Sequence[str], *, form_ids: Sequence[str]
) -> list[FieldOfForm]:
    """The answers of these names in these forms; no forms at all means any form of the account."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    wanted = set(form_ids)
    rows = await indexed_field_store.named(tx, scope, names) if names else []
    return [_of_form(row) for row in rows if not wanted or row.form_id in wanted]


def _of_form(row: indexed_field_store.FieldRow) -> FieldOfForm:
    index = Index(row.state)
    indexed = index in (Index.FILLING, Index.READY)
    return FieldOfForm(row.form_id, Filterable(row.name, Holds(row.holds), bool(row.many), row.repeat, indexed), index)


async def published(tx: WriteTransaction, version: Version, *, first: bool) -> None:
    """From here on the form is filtered by the fields of this version. `first`: nobody can have filled it before."""
    scope = Scope(version.customer_id)
    known = {row.name: row for row in await indexed_field_store.of_form(tx, scope, version.form_id)}
    asked = {field.name: field for field in filterables(version.definition.fields)}
    gone = [row for name, row in known.items() if name not in asked and row.state in (Index.FILLING, Index.READY)]
    for row in gone:
        await indexed_field_store.put(tx, scope, row._replace(state=Index.LEAVING, filled_to=""))
    for field in asked.values():
        was = known.get(field.name)
        now = _row(version.form_id, field, Index.READY if first else Index.FILLING)
        if was is None or was[:5] != now[:5] or _of_form(was).field.indexed != field.indexed:
            left = was is not None and was.state != Index.NONE
            resting = Index.LEAVING if left else Index.NONE
            await indexed_field_store.put(tx, scope, now if field.indexed else now._replace(state=resting))


def _row(form_id: str, field: Filterable, index: Index) -> indexed_field_store.FieldRow:
    return indexed_field_store.FieldRow(form_id, field.name, field.holds, int(field.many), field.repeat, index, "")


_kept = LRUCache[str, tuple[Filterable, ...]](512)
"""The indexed fields of final versions, which never change."""


async def to_index(
    tx: ReadTransaction, scope: Scope, *, form_id: str, version_id: str | None
) -> tuple[Filterable, ...]:
    """The answers that are kept in an index while this version is the published one."""
    if not version_id:
        return ()
    fields = _kept.get(version_id)
    if fields is None:
        version = await store.find_version(tx, scope, form_id, version_id)
        all_of_it = filterables(version.definition.fields) if version else ()
        fields = _kept.keep(version_id, tuple(field for field in all_of_it if field.indexed))
    return fields


async def unfinished(tx: ReadTransaction) -> list[tuple[str, str]]:
    """The accounts and forms whose indexes a worker has to fill or to clear."""
    return await indexed_field_store.unfinished(tx)


async def leaving(tx: ReadTransaction, scope: Scope, *, form_id: str) -> list[str]:
    """The names of the answers whose index is to be cleared."""
    return [row.name for row in await indexed_field_store.of_form(tx, scope, form_id) if row.state == Index.LEAVING]


async def left(tx: WriteTransaction, scope: Scope, *, form_id: str, name: str) -> None:
    """Nothing is left of the index of this answer."""
    await _put(tx, scope, form_id, [name], state=Index.NONE, filled_to="")


async def filling(tx: ReadTransaction, scope: Scope, *, form_id: str) -> tuple[str, list[Filterable]]:
    """Behind which place the index is to be filled next, and with which answers."""
    rows = [row for row in await indexed_field_store.of_form(tx, scope, form_id) if row.state == Index.FILLING]
    after = min((row.filled_to for row in rows), key=_place, default="")
    return after, [_of_form(row).field for row in rows if row.filled_to == after]


def _place(filled_to: str) -> tuple[int, str]:
    at, _, submission_id = filled_to.partition(".")
    return (int(at), submission_id) if at else (-(2**63), "")


async def filled(tx: WriteTransaction, scope: Scope, *, form_id: str, names: Sequence[str], to: str | None) -> None:
    """The indexes are filled up to a place; None: they are ready."""
    await _put(tx, scope, form_id, names, state=Index.READY if to is None else Index.FILLING, filled_to=to or "")


async def _put(
    tx: WriteTransaction, scope: Scope, form_id: str, names: Sequence[str], *, state: Index, filled_to: str
) -> None:
    for row in await indexed_field_store.of_form(tx, scope, form_id):
        if row.name in names:
            await indexed_field_store.put(tx, scope, row._replace(state=state, filled_to=filled_to))
