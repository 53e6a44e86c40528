"""Fields by which submissions can be filtered, and the state of their indexes.

The published version determines how its fields are filtered. Fields that only earlier versions had keep their type,
because their answers still exist.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.lru_cache import LRUCache
from formwright.domain.forms import store
from formwright.domain.forms.fields import AnswerKind, AnyField, walk_in_repeats
from formwright.domain.forms.indexing import indexed_field_store
from formwright.domain.forms.models import Version


class ValueType(StrEnum):
    """How the answers of a field are compared. `WORD`: one of a set, such as an option or the id of a file."""

    TEXT = "text"
    WORD = "word"
    NUMBER = "number"
    FLAG = "flag"
    DAY = "day"
    TIME = "time"
    MOMENT = "moment"


class IndexState(StrEnum):
    """The state of a field's index. READY: it contains all answers. LEAVING: its rows are being deleted."""

    NONE = "NONE"
    FILLING = "FILLING"
    READY = "READY"
    LEAVING = "LEAVING"


@dataclass(frozen=True, slots=True)
class FilterableField:
    """A field that submissions can be filtered by. `name` is its name, or a part of a location such as `site.latitude`.

    `repeat` is the name of the repeat that contains it, or empty. `is_list`: an answer is a list of values.
    """

    name: str
    value_type: ValueType
    is_list: bool = False
    repeat: str = ""
    indexed: bool = False

    @property
    def repeats(self) -> list[str]:
        """The names of the repeats around the field, from the outside in."""
        return self.repeat.split("/") if self.repeat else []


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of one form that submissions can be filtered by."""

    form_id: str
    field: FilterableField
    index: IndexState


def filterable_fields(fields: Sequence[AnyField]) -> Iterator[FilterableField]:
    """Yield the fields of a definition that can be compared, in reading order. Notes, sections, repeats, lines
    and areas cannot."""
    for repeat, field in walk_in_repeats(fields):
        if field.answer_kind is AnswerKind.POSITION:
            for part in ("latitude", "longitude", "accuracy"):
                yield FilterableField(f"{field.name}.{part}", ValueType.NUMBER, False, repeat, field.indexed)
        elif field.is_filterable:
            many = field.answer_kind in (AnswerKind.CHOICES, AnswerKind.FILES)
            yield FilterableField(field.name, _VALUE_TYPES[field.answer_kind], many, repeat, field.indexed)


_VALUE_TYPES: Mapping[AnswerKind, ValueType] = {
    AnswerKind.INTEGER: ValueType.NUMBER,
    AnswerKind.DECIMAL: ValueType.NUMBER,
    AnswerKind.BOOLEAN: ValueType.FLAG,
    AnswerKind.DATE: ValueType.DAY,
    AnswerKind.TIME: ValueType.TIME,
    AnswerKind.DATETIME: ValueType.MOMENT,
    AnswerKind.TEXT: ValueType.TEXT,
    AnswerKind.CHOICE: ValueType.WORD,
    AnswerKind.CHOICES: ValueType.WORD,
    AnswerKind.FILE: ValueType.WORD,
    AnswerKind.FILES: ValueType.WORD,
}


async def find_by_names(
    tx: ReadTransaction, actor: Actor, names: Sequence[str], *, form_ids: Sequence[str]
) -> list[FormField]:
    """Return the fields with these names in these forms; an empty `form_ids` means all forms of the account."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    wanted = set(form_ids)
    rows = await indexed_field_store.find_by_names(tx, scope, names) if names else []
    return [_to_form_field(row) for row in rows if not wanted or row.form_id in wanted]


def _to_form_field(row: indexed_field_store.FieldRow) -> FormField:
    index = IndexState(row.state)
    indexed = index in (IndexState.FILLING, IndexState.READY)
    return FormField(
        row.form_id, FilterableField(row.name, ValueType(row.holds), bool(row.many), row.repeat, indexed), index
    )


async def apply_version(tx: WriteTransaction, version: Version, *, first: bool) -> None:
    """Filter the form by the fields of this version from now on. `first`: no submissions exist yet."""
    scope = Scope(version.customer_id)
    known = {row.name: row for row in await indexed_field_store.list_by_form(tx, scope, version.form_id)}
    asked = {field.name: field for field in filterable_fields(version.definition.fields)}
    gone = [
        row for name, row in known.items() if name not in asked and row.state in (IndexState.FILLING, IndexState.READY)
    ]
    for row in gone:
        await indexed_field_store.upsert(tx, scope, row._replace(state=IndexState.LEAVING, filled_to=""))
    for field in asked.values():
        was = known.get(field.name)
        now = _to_row(version.form_id, field, IndexState.READY if first else IndexState.FILLING)
        # The first five columns are all but the state of the index and how far it is filled.
        if was is None or was[:5] != now[:5] or _to_form_field(was).field.indexed != field.indexed:
            left = was is not None and was.state != IndexState.NONE
            resting = IndexState.LEAVING if left else IndexState.NONE
            await indexed_field_store.upsert(tx, scope, now if field.indexed else now._replace(state=resting))


def _to_row(form_id: str, field: FilterableField, index: IndexState) -> indexed_field_store.FieldRow:
    return indexed_field_store.FieldRow(
        form_id, field.name, field.value_type, int(field.is_list), field.repeat, index, ""
    )


_cache = LRUCache[str, tuple[FilterableField, ...]](512)
"""The indexed fields of final versions, which never change, by version id."""


async def list_indexed(
    tx: ReadTransaction, scope: Scope, *, form_id: str, version_id: str | None
) -> tuple[FilterableField, ...]:
    """Return the fields whose answers are indexed while this version is published."""
    if not version_id:
        return ()
    fields = _cache.get(version_id)
    if fields is None:
        version = await store.find_version(tx, scope, form_id, version_id)
        all_of_it = filterable_fields(version.definition.fields) if version else ()
        fields = _cache.put(version_id, tuple(field for field in all_of_it if field.indexed))
    return fields


async def list_unfinished(tx: ReadTransaction, scope: Scope) -> list[str]:
    """Return the ids of the account's forms with indexes that the worker has to fill or clear."""
    return await indexed_field_store.list_unfinished(tx, scope)


async def find_unfinished_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts with indexes that the worker has to fill or clear."""
    return await indexed_field_store.find_unfinished_accounts(tx)


async def list_leaving(tx: ReadTransaction, scope: Scope, *, form_id: str) -> list[str]:
    """Return the names of the fields whose index has to be cleared."""
    return [
        row.name
        for row in await indexed_field_store.list_by_form(tx, scope, form_id)
        if row.state == IndexState.LEAVING
    ]


async def mark_cleared(tx: WriteTransaction, scope: Scope, *, form_id: str, name: str) -> None:
    """Record that the index of a field is empty."""
    await _set_state(tx, scope, form_id, [name], state=IndexState.NONE, filled_to="")


async def next_backfill(tx: ReadTransaction, scope: Scope, *, form_id: str) -> tuple[str, list[FilterableField]]:
    """Return the position after which to continue filling indexes, and the fields to index from there."""
    rows = [
        row for row in await indexed_field_store.list_by_form(tx, scope, form_id) if row.state == IndexState.FILLING
    ]
    after = min((row.filled_to for row in rows), key=_position_key, default="")
    return after, [_to_form_field(row).field for row in rows if row.filled_to == after]


def _position_key(filled_to: str) -> tuple[int, str]:
    at, _, submission_id = filled_to.partition(".")
    return (int(at), submission_id) if at else (-(2**63), "")


async def mark_filled(
    tx: WriteTransaction, scope: Scope, *, form_id: str, names: Sequence[str], position: str | None
) -> None:
    """Record up to which position the indexes are filled. None: completely."""
    await _set_state(
        tx,
        scope,
        form_id,
        names,
        state=IndexState.READY if position is None else IndexState.FILLING,
        filled_to=position or "",
    )


async def _set_state(
    tx: WriteTransaction, scope: Scope, form_id: str, names: Sequence[str], *, state: IndexState, filled_to: str
) -> None:
    for row in await indexed_field_store.list_by_form(tx, scope, form_id):
        if row.name in names:
            await indexed_field_store.upsert(tx, scope, row._replace(state=state, filled_to=filled_to))
