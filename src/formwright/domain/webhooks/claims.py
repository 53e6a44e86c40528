"""Who delivers what: the SQL with which workers take deliveries and give them back.

Fair to subscribers: whoever was served longest ago comes first, and none has more than its places in flight, so that
one that hangs holds up nobody else. A delivery is taken by a lease that ends, and is fenced by the lease's token: a
worker that comes back too late changes nothing.
"""

from collections.abc import Sequence

from formwright.core.access.scope import Scope
from formwright.core.kernel import secrets
from formwright.core.storage.database import Reading, Row, Writing
from formwright.domain.webhooks import store
from formwright.domain.webhooks.model import Attempt, Delivery, InvocationStatus, SubscriberStatus

IN_FLIGHT = 10
LEASE_MS = 30_000
"""Twice what a try may take."""
_SUBSCRIBERS = 100
_WAITING = (
    "subscribers s WHERE status = $1 AND EXISTS (SELECT 1 FROM deliveries d"
    " WHERE d.customer_id = s.customer_id AND d.subscriber_id = s.id AND d.due <= $2)"
)


async def claim(tx: Writing, now: int, at_most: int) -> list[Delivery]:
    """Take up to `at_most` due deliveries, each for a lease of 30 s. Taking counts as a try."""
    taken: list[Delivery] = []
    for customer_id, subscriber_id, url, secret in await _waiting(tx, now):
        free = min(IN_FLIGHT - await _leased(tx, customer_id, subscriber_id, now), at_most - len(taken))
        if free > 0:
            to = subscriber_id, url, secret
            rows = await _due(tx, customer_id, subscriber_id, now, free)
            # None where somebody cancelled it at this moment.
            taken += [one for row in rows if (one := await _take(tx, Scope(customer_id), row, now, to))]
            await tx.execute(
                "UPDATE subscribers SET claimed = $3 WHERE customer_id = $1 AND id = $2",
                customer_id,
                subscriber_id,
                now,
            )
    return taken


async def anything_due(tx: Reading, now: int) -> bool:
    """Whether a worker would find something: asked before each claim, so that an idle one writes nothing."""
    row = await tx.fetch_one(f"SELECT 1 FROM {_WAITING} LIMIT 1", SubscriberStatus.ACTIVE, now)
    return row is not None


async def _waiting(tx: Writing, now: int) -> Sequence[Row]:
    return await tx.fetch(
        f"SELECT customer_id, id, url, secret FROM {_WAITING} ORDER BY claimed LIMIT {_SUBSCRIBERS}"
        " /*postgres FOR UPDATE SKIP LOCKED */",
        SubscriberStatus.ACTIVE,
        now,
    )


async def _leased(tx: Writing, customer_id: str, subscriber_id: str, now: int) -> int:
    row = await tx.fetch_one(
        "SELECT count(*) FROM deliveries"
        " WHERE customer_id = $1 AND subscriber_id = $2 AND lease IS NOT NULL AND due > $3",
        customer_id,
        subscriber_id,
        now,
    )
    return int(row[0]) if row else 0


async def _due(tx: Writing, customer_id: str, subscriber_id: str, now: int, limit: int) -> Sequence[Row]:
    return await tx.fetch(
        "SELECT d.id, d.event_id, d.sequence, d.tries, d.lease, d.leased, COALESCE(d.body, e.body), d.base"
        " FROM deliveries d LEFT JOIN events e ON e.customer_id = d.customer_id AND e.sequence = d.sequence"
        f" WHERE d.customer_id = $1 AND d.subscriber_id = $2 AND d.due <= $3 ORDER BY d.due, d.sequence LIMIT {limit}",
        customer_id,
        subscriber_id,
        now,
    )


async def _take(tx: Writing, scope: Scope, row: Row, now: int, to: tuple[str, str, str]) -> Delivery | None:
    delivery_id, event_id, sequence, tries, old_lease, leased, body, base = row
    lease = secrets.new_secret("")
    held = await tx.execute(
        "UPDATE deliveries SET lease = $3, leased = $4, due = $5, tries = tries + 1 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        delivery_id,
        lease,
        now,
        now + LEASE_MS,
    )
    if not held:
        return None
    if old_lease is not None:
        # Its worker died between taking it and saying what came of it: the try may have arrived, and it counts.
        interrupted = Attempt(tries, leased, now - leased, "interrupted", error="The worker stopped during this try.")
        await _insert_attempt(tx, scope, delivery_id, interrupted)
    subscriber_id, url, secret = to
    return Delivery(
        delivery_id, scope.customer_id, subscriber_id, event_id, sequence, tries + 1, lease, url, secret, body, base
    )


async def put_back(tx: Writing, delivery: Delivery, attempt: Attempt, due: int) -> None:
    """It did not arrive and is due again then. Does nothing when the lease is no longer ours."""
    held = await tx.execute(
        "UPDATE deliveries SET lease = NULL, leased = NULL, due = $4 WHERE customer_id = $1 AND id = $2 AND lease = $3",
        delivery.customer_id,
        delivery.id,
        delivery.lease,
        due,
    )
    if held:
        await _insert_attempt(tx, Scope(delivery.customer_id), delivery.id, attempt)


async def end(tx: Writing, delivery: Delivery, attempt: Attempt, status: InvocationStatus, now: int) -> None:
    """It arrived, or its last try is over. Does nothing when the lease is no longer ours."""
    held = await tx.execute(
        "INSERT INTO invocations (customer_id, id, subscriber_id, sequence, event_id, type, created, tries, status,"
        " ended, body) SELECT customer_id, id, subscriber_id, sequence, event_id, type, created, tries, $4, $5, body"
        " FROM deliveries WHERE customer_id = $1 AND id = $2 AND lease = $3",
        delivery.customer_id,
        delivery.id,
        delivery.lease,
        status,
        now,
    )
    if held:
        await tx.execute("DELETE FROM deliveries WHERE customer_id = $1 AND id = $2", delivery.customer_id, delivery.id)
        await _insert_attempt(tx, Scope(delivery.customer_id), delivery.id, attempt)


async def disable(tx: Writing, delivery: Delivery, reason: str, now: int) -> None:
    """Stop delivering to the subscriber of this delivery."""
    await store.disable(tx, Scope(delivery.customer_id), delivery.subscriber_id, reason, now)


async def _insert_attempt(tx: Writing, scope: Scope, invocation_id: str, attempt: Attempt) -> None:
    await tx.execute(
        "INSERT INTO attempts (customer_id, invocation_id, number, started, duration, outcome, status_code, error,"
        " answer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        scope.customer_id,
        invocation_id,
        attempt.number,
        attempt.started,
        attempt.duration,
        attempt.outcome,
        attempt.status_code,
        attempt.error,
        attempt.answer,
    )
