"""Deletes old events and old delivery logs in batches, each in a short transaction."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import Database
from formwright.core.db.query import in_array
from formwright.core.errors import Unavailable
from formwright.domain.webhooks import delivery_queue
from formwright.domain.webhooks.models import InvocationStatus

_BATCH = 1000


async def delete_expired(
    db: Database, now: int, *, event_retention_ms: int, delivery_retention_ms: int
) -> tuple[int, int]:
    """Delete older events and ended deliveries in all accounts; return how many of each.

    The newest event of an account is never deleted, so that readers always see the log's last sequence. Pending
    deliveries of a deleted event end as EXPIRED. An error in one account does not affect the others: errors are
    collected and raised as an `ExceptionGroup` at the end. Raises `Unavailable` immediately.
    """
    async with db.reading() as tx:
        accounts = await account_lock.list_accounts(tx)
    events = deliveries = 0
    errors: list[Exception] = []
    for customer_id in accounts:
        scope = Scope(customer_id)
        try:
            while deleted := await _delete_event_batch(db, scope, now, now - event_retention_ms):
                events += deleted
            while deleted := await _delete_delivery_batch(db, scope, now - delivery_retention_ms):
                deliveries += deleted
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - an error in one account must not stop the others
            errors.append(error)
    if errors:
        raise ExceptionGroup("The logs of some accounts could not be cleaned up.", errors)
    return events, deliveries


async def _delete_event_batch(db: Database, scope: Scope, now: int, before: int) -> int:
    last = await _last_expired_sequence(db, scope, before)
    if last is None:
        return 0
    while await _expire_deliveries(db, scope, last, now):
        pass
    async with db.writing() as tx:
        # The lock keeps replays from creating deliveries of these events between this check and the commit.
        await account_lock.hold(tx, scope.customer_id)
        pending = await tx.fetch_one(
            "SELECT 1 FROM deliveries WHERE customer_id = $1 AND sequence BETWEEN 1 AND $2 LIMIT 1",
            scope.customer_id,
            last,
        )
        if pending:
            return 0  # Some are being sent right now. The next hourly run deletes these events.
        return await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence <= $2", scope.customer_id, last)


async def _last_expired_sequence(db: Database, scope: Scope, before: int) -> int | None:
    """Return the sequence up to which the next batch may be deleted, or None if nothing is old enough."""
    async with db.reading() as tx:
        row = await tx.fetch_one(
            "SELECT max(e.sequence) FROM (SELECT sequence, created FROM events WHERE customer_id = $1"
            f" ORDER BY sequence LIMIT {_BATCH}) e WHERE e.created < $2"
            " AND e.sequence < (SELECT max(sequence) FROM events WHERE customer_id = $1)",
            scope.customer_id,
            before,
        )
    return None if row is None or row[0] is None else int(row[0])


async def _expire_deliveries(db: Database, scope: Scope, last: int, now: int) -> int:
    """Close a batch of pending deliveries up to this sequence as EXPIRED, and return its size.

    They belong to subscribers that have been disabled since then.
    """
    async with db.writing() as tx:
        rows = await tx.fetch(
            "SELECT id FROM deliveries WHERE customer_id = $1 AND sequence BETWEEN 1 AND $2 AND lease IS NULL"
            # Test events have the sequence 0 and are not in the log, so they do not expire with it.
            f" ORDER BY id LIMIT {_BATCH}/*postgres  FOR UPDATE SKIP LOCKED */",
            scope.customer_id,
            last,
        )
        await delivery_queue.close_deliveries(tx, scope, [row[0] for row in rows], InvocationStatus.EXPIRED, now)
    return len(rows)


async def _delete_delivery_batch(db: Database, scope: Scope, before: int) -> int:
    async with db.writing() as tx:
        rows = await tx.fetch(
            f"SELECT id FROM invocations WHERE customer_id = $1 AND ended < $2 ORDER BY ended LIMIT {_BATCH}",
            scope.customer_id,
            before,
        )
        ids = msgspec.json.encode([row[0] for row in rows]).decode()
        for table, column in (("attempts", "invocation_id"), ("invocations", "id")) if rows else ():
            await tx.execute(
                f"DELETE FROM {table} WHERE customer_id = $1 AND {column} {in_array('$2')}", scope.customer_id, ids
            )
    return len(rows)
