"""What deleting and restoring have in common for records of all kinds.

The callers hold the account's lock, so nothing else is deleted, restored or created in the account at the same time.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.trash import store
from formwright.domain.trash.models import RETENTION_MS, Affected, Deleter, TrashEntry, TrashKind
from formwright.domain.trash.store import Content

Source = tuple[str, str]
"""A table and the column by which its rows are chosen."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A record to delete. `rows` are the rows to move: the values of the column, by table and column."""

    kind: TrashKind
    id: str
    name: str
    rows: Mapping[Source, Collection[str]]
    affected: Affected = field(default=Affected())
    parent_id: str | None = None
    folder_id: str | None = None


async def move_to_trash(
    tx: WriteTransaction, actor: Actor, scope: Scope, removal: Removal, now: int, *, permanently: bool
) -> TrashEntry:
    """Move a record into the trash and return its entry. `permanently` also has a worker delete it at once."""
    entry = TrashEntry(
        removal.id,
        scope.customer_id,
        removal.kind,
        removal.name,
        removal.parent_id,
        removal.folder_id,
        removal.affected,
        Deleter(actor.kind, actor.id, actor.name),
        now,
        now + RETENTION_MS,
    )
    await store.insert(tx, entry)
    for source, ids in removal.rows.items():
        await store.move_rows(tx, scope, entry.id, source, ids)
    return await purge(tx, scope, entry) if permanently else entry


async def purge(tx: WriteTransaction, scope: Scope, entry: TrashEntry) -> TrashEntry:
    """Have a worker delete an entry permanently now, and return it. From now on it cannot be restored."""
    await store.begin_purge(tx, scope, entry.id)
    tx.audit(AuditNote(scope.customer_id, f"{noun(entry.kind)}.purged", entry.id, entry.name))
    return replace(entry, expires=0)


def noun(kind: TrashKind) -> str:
    """Return the noun of a kind in events and in the audit log."""
    nouns = {
        TrashKind.FORM_VERSION: "version",
        TrashKind.DATASOURCE_ROW: "row",
        TrashKind.QUESTION_BLOCK: "question_block",
    }
    return nouns.get(kind, kind.value)


async def find_entry(
    tx: ReadTransaction, scope: Scope, kind: TrashKind, record_id: str, parent_id: str | None = None
) -> TrashEntry | None:
    """Return the entry of a record that the scope includes and that can be restored, or None."""
    entry = await store.find(tx, scope, record_id)
    if entry is None or entry.kind is not kind or not is_included(scope, entry):
        return None
    return entry if parent_id in (None, entry.parent_id) else None


def is_included(scope: Scope, entry: TrashEntry) -> bool:
    """Whether the scope includes the record of an entry, or the form or folder that it was in."""
    if scope.reach is None:
        return True
    ids = scope.reach.form_ids | scope.reach.folder_ids
    return bool(ids & {entry.id, entry.parent_id, entry.folder_id})


def touched(content: Content, now: int, **changes: object) -> Content:
    """Return the row of a restored record with these changes: restoring is a change, which lists by update return."""
    return content | {"updated": now, "revision": content["revision"] + 1} | changes
