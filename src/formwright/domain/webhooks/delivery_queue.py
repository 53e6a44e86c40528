"""The SQL with which workers write down what came of deliveries, many at a time.

Nothing here posts, so all of it may be done again after it failed. What is not held by its lease any more is left
alone: somebody else has it.

Who delivers what next: the SQL with which workers take deliveries.

Fair to subscribers: whoever was served longest ago comes first, and none has more than its places in flight, so that
one that hangs holds up nobody else. A delivery is taken by a lease that ends, and is fenced by the lease's token: a
worker that comes back too late changes nothing.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from formwright.core import crypto
from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import among
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import FIRST_PAUSE_MS
from formwright.domain.webhooks.models import TEST_SEQUENCE, Attempt, Delivery, InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY, RetryPolicy, next_attempt_time

_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_IDS = f"WHERE customer_id = $1 AND id {among('$2')}"


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    """A try that is over. `due`: when the delivery is tried again, None when it has ended; `well`: it arrived."""

    delivery: Delivery
    attempt: Attempt
    succeeded: bool
    retry_at: int | None

    @property
    def key(self) -> tuple[str, str]:
        return self.delivery.customer_id, self.delivery.id


def retry_time(
    sequence: int, attempts: int, now: int, schedule_s: Sequence[float], retry_after_s: int | None = None
) -> int | None:
    """When it is tried again after so many tries of its schedule; None where it is over. A test is tried once."""
    if sequence == TEST_SEQUENCE:
        return None
    return next_attempt_time(
        attempts, now_ms=now, schedule_s=schedule_s, jitter=random.random, retry_after_s=retry_after_s
    )


async def save_results(
    tx: WriteTransaction, finished: Iterable[FinishedAttempt], now: int, first_pause_ms: int = FIRST_PAUSE_MS
) -> None:
    """Write down what came of these, and how their subscribers do. At most nine calls an account."""
    for customer_id, group in groupby(sorted(finished, key=lambda one: one.key), lambda one: one.delivery.customer_id):
        await _save_account_results(tx, Scope(customer_id), list(group), now, first_pause_ms)


async def _save_account_results(
    tx: WriteTransaction, scope: Scope, finished: Sequence[FinishedAttempt], now: int, first_pause_ms: int
) -> None:
    # The subscribers first, as a claim does: the other way round the two could wait for each other.
    before = await store.lock_health(tx, scope, {one.delivery.subscriber_id for one in finished})
    held = await _lock_still_leased(tx, scope, finished)
    ours = [one for one in finished if one.delivery.id in held]
    after = dict(before)
    for one in sorted(ours, key=lambda one: one.attempt.started + one.attempt.duration):
        # What came of another address says nothing of the one that it has by now.
        here = one.delivery.url == held.get(one.delivery.id)
        if here and (health := after.get(one.delivery.subscriber_id)) is not None:
            began = one.attempt.started
            changed = health.after_success(began) if one.succeeded else health.after_failure(began, now, first_pause_ms)
            after[one.delivery.subscriber_id] = changed
    await store.update_health(tx, scope, [(i, h) for i, h in after.items() if h != before[i]])
    await insert_attempts(tx, [(*one.key, one.attempt) for one in ours])
    await reschedule(tx, [(*one.key, one.retry_at) for one in ours if one.retry_at is not None])
    for status, well in ((InvocationStatus.SUCCEEDED, True), (InvocationStatus.FAILED, False)):
        await close_deliveries(
            tx, scope, [o.delivery.id for o in ours if o.retry_at is None and o.succeeded is well], status, now
        )


async def _lock_still_leased(tx: WriteTransaction, scope: Scope, finished: Sequence[FinishedAttempt]) -> dict[str, str]:
    """Those that are still ours, each with the address that its subscriber has now."""
    rows = await tx.fetch(
        "SELECT d.id, d.lease, s.url FROM deliveries d"
        " JOIN subscribers s ON s.customer_id = d.customer_id AND s.id = d.subscriber_id"
        f" WHERE d.customer_id = $1 AND d.id {among('$2')} ORDER BY d.id/*postgres  FOR UPDATE OF d */",
        scope.customer_id,
        _json([one.delivery.id for one in finished]),
    )
    found = {row[0]: (row[1], row[2]) for row in rows}
    ours = [one.delivery for one in finished if found.get(one.delivery.id, ("", ""))[0] == one.delivery.lease]
    return {delivery.id: found[delivery.id][1] for delivery in ours}


async def reschedule(tx: WriteTransaction, rows: Sequence[tuple[str, str, int]]) -> None:
    """Give these back; they are due again then."""
    if rows:
        await tx.execute_many(
            "UPDATE deliveries SET lease = NULL, leased = NULL, due = $3 WHERE customer_id = $1 AND id = $2", rows
        )


async def close_deliveries(
    tx: WriteTransaction, scope: Scope, ids: Sequence[str], status: InvocationStatus, now: int
) -> None:
    """Move these from what waits to what has ended."""
    if not ids:
        return
    await tx.execute(
        f"INSERT INTO invocations ({_COLUMNS}, status, ended) SELECT {_COLUMNS}, $3, $4 FROM deliveries {_IDS}",
        scope.customer_id,
        _json(ids),
        status,
        now,
    )
    await tx.execute(f"DELETE FROM deliveries {_IDS}", scope.customer_id, _json(ids))


async def insert_attempts(tx: WriteTransaction, rows: Sequence[tuple[str, str, Attempt]]) -> None:
    """Write down tries, each of the account's delivery that is named before it."""
    if rows:
        await tx.execute_many(
            "INSERT INTO attempts (customer_id, invocation_id, number, started, duration, outcome, status_code, error,"
            " answer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            [
                (c, i, a.number, a.started, a.duration, a.outcome, a.status_code, a.error, a.response_body)
                for c, i, a in rows
            ],
        )


def _json(ids: Sequence[str]) -> str:
    return msgspec.json.encode(sorted(ids)).decode()


_MAX_RECEIVERS = 100
# The places of those that are held are one. Who has none free is left out, or a hundred that hang would hide the rest.
_LEASED_COUNT = (
    "SELECT count(*) FROM deliveries l WHERE l.customer_id = {customer} AND l.subscriber_id = {subscriber}"
    " AND l.lease IS NOT NULL AND l.due > $2"
)
_DUE_RECEIVERS = (
    "subscribers s WHERE s.status = $1 AND (s.held IS NULL OR s.held <= $2) AND EXISTS (SELECT 1 FROM deliveries d"
    " WHERE d.customer_id = s.customer_id AND d.subscriber_id = s.id AND d.due <= $2)"
    f" AND ({_LEASED_COUNT.format(customer='s.customer_id', subscriber='s.id')}) < s.places"
)
# Counted once more behind the lock: another worker may have taken some between the two.
_FREE_SLOTS = f"$5 - ({_LEASED_COUNT.format(customer='$1', subscriber='$3')})"
_DUE_DELIVERIES = (
    "SELECT d.id, d.event_id, d.sequence, d.previous, d.tries, d.lease, d.leased, COALESCE(d.body, e.body), d.base,"
    " e.trace"
    " FROM deliveries d LEFT JOIN events e ON e.customer_id = d.customer_id AND e.sequence = d.sequence"
    " WHERE d.customer_id = $1 AND d.subscriber_id = $3 AND d.due <= $2 ORDER BY d.due, d.sequence"
    f" LIMIT /*postgres LEAST($4, GREATEST(0, {_FREE_SLOTS}))*//*sqlite min($4, max(0, {_FREE_SLOTS}))*/"
    " /*postgres FOR UPDATE OF d SKIP LOCKED */"
)


@dataclass(frozen=True, slots=True)
class _Receiver:
    customer_id: str
    id: str
    url: str
    secrets: tuple[str, ...]
    headers: str
    max_in_flight: int


async def claim(tx: WriteTransaction, now: int, limit: int, policy: RetryPolicy = DEFAULT_POLICY) -> list[Delivery]:
    """Take up to `at_most` due deliveries, each for a lease. Taking counts as a try."""
    taken: list[Delivery] = []
    served: list[tuple[object, ...]] = []
    for to in await _lock_due_receivers(tx, now):
        if len(taken) >= limit:
            break
        rows = await tx.fetch(_DUE_DELIVERIES, to.customer_id, now, to.id, limit - len(taken), to.max_in_flight)
        free = await _reschedule_interrupted(tx, to.customer_id, rows, now, policy.schedule_s)
        taken += [_to_delivery(row, to) for row in await _close_expired(tx, to.customer_id, free, now)]
        served.append((to.customer_id, to.id, now))
    await _save_leases(tx, taken, now, now + policy.lease_ms)
    if served:
        await tx.execute_many("UPDATE subscribers SET claimed = $3 WHERE customer_id = $1 AND id = $2", served)
    return taken


async def has_due_deliveries(tx: ReadTransaction, now: int) -> bool:
    """Whether a worker would find something: asked before each claim, so that an idle one writes nothing."""
    row = await tx.fetch_one(f"SELECT 1 FROM {_DUE_RECEIVERS} LIMIT 1", SubscriberStatus.ACTIVE, now)
    return row is not None


async def _lock_due_receivers(tx: WriteTransaction, now: int) -> list[_Receiver]:
    """Those that wait, held for this transaction: each account's by a statement of its own, which names it."""
    found = await tx.fetch(
        f"SELECT s.customer_id, s.id FROM {_DUE_RECEIVERS} ORDER BY s.claimed LIMIT {_MAX_RECEIVERS}",
        SubscriberStatus.ACTIVE,
        now,
    )
    of_account: dict[str, list[str]] = {}
    for customer_id, subscriber_id in found:
        of_account.setdefault(customer_id, []).append(subscriber_id)
    held = [row for customer_id, ids in of_account.items() for row in await _lock_receivers(tx, now, customer_id, ids)]
    by_id = {receiver.id: receiver for receiver in (_to_receiver(row, now) for row in held)}
    return [by_id[subscriber_id] for _, subscriber_id in found if subscriber_id in by_id]


async def _lock_receivers(tx: WriteTransaction, now: int, customer_id: str, ids: Sequence[str]) -> Sequence[Row]:
    """Of these, those that no other worker is at."""
    return await tx.fetch(
        "SELECT s.customer_id, s.id, s.url, s.secret, s.retiring, s.headers, s.places FROM subscribers s"
        " WHERE s.customer_id = $3 AND s.status = $1 AND (s.held IS NULL OR s.held <= $2)"
        f" AND s.id {among('$4')} /*postgres FOR UPDATE OF s SKIP LOCKED */",
        SubscriberStatus.ACTIVE,
        now,
        customer_id,
        msgspec.json.encode(ids).decode(),
    )


def _to_receiver(row: Row, now: int) -> _Receiver:
    customer_id, subscriber_id, url, secret, retiring, headers, places = row
    old = msgspec.json.decode(retiring, type=list[tuple[str, int]])
    return _Receiver(
        customer_id, subscriber_id, url, (secret, *(s for s, until in old if until > now)), headers, places
    )


async def _reschedule_interrupted(
    tx: WriteTransaction, customer_id: str, rows: Sequence[Row], now: int, schedule_s: Sequence[float]
) -> list[Row]:
    """Those that can be taken. Where a worker died between taking one and saying what came of it, the try may have
    arrived, and it counts: it is due again as after any other, so that one that kills workers comes to its end."""
    free, ended = [row for row in rows if row[5] is None], []
    for row in rows:
        delivery_id, _, sequence, _, tries, old_lease, leased, _, base, _ = row
        if old_lease is None:
            continue
        # Where the clock was ahead then, it began no later than now.
        begun = min(leased, now)
        lost = Attempt(tries, begun, now - begun, "interrupted", error="The worker stopped during this try.")
        await insert_attempts(tx, [(customer_id, delivery_id, lost)])
        due = retry_time(sequence, tries - base, begun, schedule_s)
        if due is None:
            ended.append(delivery_id)
        elif due <= now:
            free.append(row)
        else:
            await reschedule(tx, [(customer_id, delivery_id, due)])
    await close_deliveries(tx, Scope(customer_id), ended, InvocationStatus.FAILED, now)
    return free


async def _close_expired(tx: WriteTransaction, customer_id: str, rows: Sequence[Row], now: int) -> list[Row]:
    """Those of which there is still what is to be sent; the others have expired, and nobody is to blame."""
    gone = [row[0] for row in rows if row[7] is None]
    await close_deliveries(tx, Scope(customer_id), gone, InvocationStatus.EXPIRED, now)
    return [row for row in rows if row[7] is not None]


def _to_delivery(row: Row, to: _Receiver) -> Delivery:
    delivery_id, event_id, sequence, previous, tries, _, _, body, base, trace = row
    lease = crypto.new_secret("")
    return Delivery(
        id=delivery_id,
        customer_id=to.customer_id,
        subscriber_id=to.id,
        event_id=event_id,
        sequence=sequence,
        previous=previous,
        attempts=tries + 1,
        lease=lease,
        url=to.url,
        secrets=to.secrets,
        headers=to.headers,
        body=body,
        earlier_attempts=base,
        trace=trace,
    )


async def _save_leases(tx: WriteTransaction, taken: Sequence[Delivery], now: int, end: int) -> None:
    if taken:
        await tx.execute_many(
            "UPDATE deliveries SET lease = $3, leased = $4, due = $5, tries = $6 WHERE customer_id = $1 AND id = $2",
            [(one.customer_id, one.id, one.lease, now, end, one.attempts) for one in taken],
        )
