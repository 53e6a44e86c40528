"""What is not kept for ever: old events, and the log of old tries. Done in batches, each a short transaction."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import Database
from formwright.core.db.query import among
from formwright.core.errors import Unavailable
from formwright.domain.webhooks import delivery_queue
from formwright.domain.webhooks.models import InvocationStatus

_BATCH = 1000


async def delete_expired(
    db: Database, now: int, *, event_retention_ms: int, delivery_retention_ms: int
) -> tuple[int, int]:
    """Clear what is older than that; answers how many events and how many deliveries went.

    The newest event of an account stays, however old it is, so that a reader always sees where the log stands. What
    still waited for an event that goes is written down as `EXPIRED`. An account that fails holds up no other: what was
    wrong comes at the end.
    """
    async with db.reading() as tx:
        accounts = await account_lock.list_accounts(tx)
    events = deliveries = 0
    wrong: list[Exception] = []
    for customer_id in accounts:
        scope = Scope(customer_id)
        try:
            while gone := await _delete_event_batch(db, scope, now, now - event_retention_ms):
                events += gone
            while gone := await _delete_delivery_batch(db, scope, now - delivery_retention_ms):
                deliveries += gone
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this account's alone
            wrong.append(error)
    if wrong:
        raise ExceptionGroup("The logs of some accounts cannot be cleared.", wrong)
    return events, deliveries


async def _delete_event_batch(db: Database, scope: Scope, now: int, before: int) -> int:
    last = await _last_expired_sequence(db, scope, before)
    if last is None:
        return 0
    while await _expire_deliveries(db, scope, last, now):
        pass
    async with db.writing() as tx:
        # Nobody sends one of them once more between the look at what waits and the commit.
        await account_lock.hold(tx, scope.customer_id)
        waiting = await tx.fetch_one(
            "SELECT 1 FROM deliveries WHERE customer_id = $1 AND sequence BETWEEN 1 AND $2 LIMIT 1",
            scope.customer_id,
            last,
        )
        if waiting:
            return 0  # It is being sent right now, or there are more of them: the next hour has the rest.
        return await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence <= $2", scope.customer_id, last)


async def _last_expired_sequence(db: Database, scope: Scope, before: int) -> int | None:
    """The sequence up to which the oldest may go; None where none may."""
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
    """End what waits for events that go: of a subscriber that has been disabled all that time."""
    async with db.writing() as tx:
        rows = await tx.fetch(
            "SELECT id FROM deliveries WHERE customer_id = $1 AND sequence BETWEEN 1 AND $2 AND lease IS NULL"
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
                f"DELETE FROM {table} WHERE customer_id = $1 AND {column} {among('$2')}", scope.customer_id, ids
            )
    return len(rows)
