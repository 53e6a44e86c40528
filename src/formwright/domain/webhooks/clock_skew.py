"""A clock that was ahead has put deliveries off for as long: once it is right, they are due at once.

What a worker took meanwhile and left behind keeps a place of its receiver until then, so that with ten such nothing
would arrive there any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, ReadTransaction, Row
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import MAX_PAUSE_MS
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY, RetryPolicy

_BATCH = 1000
_LATE = "(due > $3 OR (lease IS NOT NULL AND due > $4))"


@dataclass(frozen=True, slots=True)
class _Limits:
    """To when something can wait, seen from now: a delivery, one that a worker has, a receiver that is held."""

    due: int
    leased: int
    paused: int


async def correct_due_times(db: Database, now: int, policy: RetryPolicy = DEFAULT_POLICY) -> int:
    """Have what waits for longer than anything does be due at once; answers how many deliveries.

    A try that is still under way then may be made twice: a second one does not know of it.
    """
    latest = _Limits(now + policy.max_wait_ms, now + 2 * policy.lease_ms, now + MAX_PAUSE_MS)
    count = 0
    async with db.reading() as tx:
        found = await _find_affected(tx, latest)
    for customer_id, subscriber_id in found:
        while due := await _correct_batch(db, Scope(customer_id), subscriber_id, now, latest):
            count += due
    return count


async def _find_affected(tx: ReadTransaction, latest: _Limits) -> Sequence[Row]:
    of = "d.customer_id = s.customer_id AND d.subscriber_id = s.id"
    return await tx.fetch(
        "SELECT s.customer_id, s.id FROM subscribers s WHERE s.held > $3"
        f" OR EXISTS (SELECT 1 FROM deliveries d WHERE {of} AND d.due > $1)"
        f" OR EXISTS (SELECT 1 FROM deliveries d WHERE {of} AND d.lease IS NOT NULL AND d.due > $2)",
        latest.due,
        latest.leased,
        latest.paused,
    )


async def _correct_batch(db: Database, scope: Scope, subscriber_id: str, now: int, latest: _Limits) -> int:
    async with db.writing() as tx:
        # The subscriber first, as workers do.
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
