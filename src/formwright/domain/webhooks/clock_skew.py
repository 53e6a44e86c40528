"""Corrects due times that were computed while the clock was ahead, once the clock is right again.

Without the correction, these deliveries would wait for as long as the clock was ahead. A lease from that time, left by
a worker that died, would also occupy one of the receiver's slots; with ten of them, the receiver would get nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, ReadTransaction, Row
from formwright.core.work_kinds import WorkKind
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import MAX_PAUSE_MS
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY, RetryPolicy

_BATCH = 1000
_LATE = "(due > $3 OR (lease IS NOT NULL AND due > $4))"


@dataclass(frozen=True, slots=True)
class _Limits:
    """The latest plausible times: `due` of a delivery, `due` of a leased delivery, and the end of a pause."""

    due: int
    leased: int
    paused: int


async def correct_due_times(db: Database, now: int, policy: RetryPolicy = DEFAULT_POLICY) -> int:
    """Make deliveries due immediately that wait longer than any policy allows; return how many.

    If an attempt is still running at that time, the delivery may be sent twice.
    """
    latest = _Limits(now + policy.max_wait_ms, now + 2 * policy.lease_ms, now + MAX_PAUSE_MS)
    count = 0
    async with db.reading() as tx:
        affected = await _find_affected(tx, latest)
    for customer_id, subscriber_id in affected:
        while corrected := await _correct_batch(db, Scope(customer_id), subscriber_id, now, latest):
            count += corrected
    return count


async def _find_affected(tx: ReadTransaction, latest: _Limits) -> Sequence[Row]:
    join = "d.customer_id = s.customer_id AND d.subscriber_id = s.id"
    return await tx.fetch(
        "SELECT s.customer_id, s.id FROM subscribers s WHERE s.held > $3"
        f" OR EXISTS (SELECT 1 FROM deliveries d WHERE {join} AND d.due > $1)"
        f" OR EXISTS (SELECT 1 FROM deliveries d WHERE {join} AND d.lease IS NOT NULL AND d.due > $2)",
        latest.due,
        latest.leased,
        latest.paused,
    )


async def _correct_batch(db: Database, scope: Scope, subscriber_id: str, now: int, latest: _Limits) -> int:
    async with db.writing() as tx:
        tx.schedule(WorkKind.WEBHOOK, scope.customer_id, now)
        # Lock the subscriber before its deliveries, as workers do, because opposite orders could deadlock.
        health = (await store.lock_health(tx, scope, [subscriber_id])).get(subscriber_id)
        if health and health.paused_until and health.paused_until > latest.paused:
            await store.update_health(tx, scope, [(subscriber_id, replace(health, paused_until=now))])
        return await tx.execute(
            "UPDATE deliveries SET due = $5 WHERE customer_id = $1 AND id IN (SELECT id FROM deliveries"
            f" WHERE customer_id = $1 AND subscriber_id = $2 AND {_LATE} LIMIT {_BATCH})",
            scope.customer_id,
            subscriber_id,
            latest.due,
            latest.leased,
            now,
        )
