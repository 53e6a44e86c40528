"""Permanent deletion of what has been in the trash for 30 days, in many short transactions.

Each step can be repeated: if a worker is killed, another one continues with what is left. The event log comes first,
because its events could not be found any more once the rest has been deleted, and the entry in the trash last.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.domain.submissions import attachments
from formwright.domain.trash import purge_store, removal, store
from formwright.domain.trash.models import TrashEntry, TrashKind
from formwright.domain.webhooks import event_log

_BATCH = 200
_EVENTS = 1000
_PAUSE_S = 0.02

Batch = Callable[[WriteTransaction, Scope, str, int], Awaitable[int]]


async def find_next_due(tx: ReadTransaction, customer_id: str, _: int) -> int | None:
    """Return when an entry of an account is next due for permanent deletion in milliseconds, or None."""
    return await store.find_next_expiry(tx, Scope(customer_id))


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with entries that are due for permanent deletion."""
    return await store.find_due_accounts(tx, now)


async def purge_next(db: Database, customer_id: str, now: int) -> TrashEntry | None:
    """Delete the entry of an account that has been due for the longest time, and return it; None if none is due."""
    scope = Scope(customer_id, with_deleted=True)
    async with db.writing() as tx:
        await account_lock.next_timestamp(tx, customer_id)
        entry = await store.find_expired(tx, scope, now)
        if entry is None:
            return None
        if entry.expires:
            # From now on nobody can restore it. If this was requested, that is already so.
            await removal.purge(tx, scope, entry)
        rows = await store.list_rows(tx, scope, entry.id)
    form_ids = [row["id"] for row in rows.get("forms", ())]
    await _redact_events(db, scope, entry, form_ids)
    for form_id in form_ids:
        await _repeat(db, scope, form_id, _delete_submissions)
        await _repeat(db, scope, form_id, purge_store.delete_tasks)
        await _repeat(db, scope, form_id, purge_store.delete_invites)
    if entry.kind is TrashKind.DATASOURCE:
        await _repeat(db, scope, entry.id, purge_store.delete_rows)
        await _repeat(db, scope, entry.id, purge_store.delete_segments)
    folder_ids = [row["id"] for row in rows.get("folders", ())]
    await _finish(db, scope, entry, form_ids, folder_ids)
    return entry


async def _repeat(db: Database, scope: Scope, record_id: str, delete_batch: Batch) -> None:
    """Delete batch after batch, each in its own transaction, until none is left."""
    count = _BATCH
    while count:
        async with db.writing() as tx:
            await account_lock.next_timestamp(tx, scope.customer_id)
            count = await delete_batch(tx, scope, record_id, _BATCH)
        # Other writers of the account get a chance between batches.
        await asyncio.sleep(_PAUSE_S)


async def _delete_submissions(tx: WriteTransaction, scope: Scope, form_id: str, limit: int) -> int:
    ids = await purge_store.list_submission_ids(tx, scope, form_id, limit)
    if ids:
        await attachments.detach_all(tx, scope, ids)
        await purge_store.delete_submissions(tx, scope, ids)
    return len(ids)


async def _redact_events(db: Database, scope: Scope, entry: TrashEntry, form_ids: Sequence[str]) -> None:
    """Replace the events about the record, and about what hung on it, by tombstones, which keep the id."""
    sequence = 0
    while True:
        async with db.writing() as tx:
            await account_lock.next_timestamp(tx, scope.customer_id)
            found = await purge_store.list_events(tx, scope, form_ids, removal.noun(entry.kind), sequence, _EVENTS)
            bodies = [
                (number, event_id, event_log.to_tombstone(body))
                for number, event_id, form_id, body in found
                if form_id in form_ids or event_log.subject_id(body) == entry.id
            ]
            if bodies:
                await event_log.replace_bodies(tx, scope, bodies)
        if not found:
            return
        sequence = found[-1][0]


async def _finish(
    db: Database, scope: Scope, entry: TrashEntry, form_ids: Sequence[str], folder_ids: Sequence[str]
) -> None:
    async with db.writing() as tx:
        await account_lock.next_timestamp(tx, scope.customer_id)
        if form_ids:
            await purge_store.delete_rest_of_forms(tx, scope, form_ids)
        if folder_ids:
            await purge_store.delete_rest_of_folders(tx, scope, folder_ids)
        if entry.kind is TrashKind.DATASOURCE:
            await purge_store.delete_rest_of_datasource(tx, scope, entry.id)
        if entry.kind is TrashKind.QUESTION_BLOCK:
            await purge_store.delete_versions_of_block(tx, scope, entry.id)
        if entry.kind is TrashKind.USER:
            await purge_store.delete_rest_of_user(tx, scope, entry.id)
        await store.delete(tx, scope, entry.id)
