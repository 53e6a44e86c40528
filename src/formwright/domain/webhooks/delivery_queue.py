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
from formwright.domain.webhooks.health import FIRST_HOLD_MS
from formwright.domain.webhooks.models import TEST, Attempt, Delivery, InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.retry_policy import USUAL, RetryPolicy, next_due

_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_IDS = f"WHERE customer_id = $1 AND id {among('$2')}"


@dataclass(frozen=True, slots=True)
class Finished:
    """A try that is over. `due`: when the delivery is tried again, None when it has ended; `well`: it arrived."""

    delivery: Delivery
    attempt: Attempt
    well: bool
    due: int | None

    @property
    def key(self) -> tuple[str, str]:
        return self.delivery.customer_id, self.delivery.id


def due_again(
    sequence: int, tries: int, now: int, schedule_s: Sequence[float], retry_after_s: int | None = None
) -> int | None:
    """When it is tried again after so many tries of its schedule; None where it is over. A test is tried once."""
    if sequence == TEST:
        return None
    return next_due(tries, now_ms=now, schedule_s=schedule_s, jitter=random.random, retry_after_s=retry_after_s)


async def write(tx: WriteTransaction, finished: Iterable[Finished], now: int, first_hold: int = FIRST_HOLD_MS) -> None:
    """Write down what came of these, and how their subscribers do. At most nine calls an account."""
    for customer_id, group in groupby(sorted(finished, key=lambda one: one.key), lambda one: one.delivery.customer_id):
        await _write(tx, Scope(customer_id), list(group), now, first_hold)


async def _write(tx: WriteTransaction, scope: Scope, finished: Sequence[Finished], now: int, first_hold: int) -> None:
    # The subscribers first, as a claim does: the other way round the two could wait for each other.
    before = await store.locked(tx, scope, {one.delivery.subscriber_id for one in finished})
    held = await _held(tx, scope, finished)
    ours = [one for one in finished if one.delivery.id in held]
    after = dict(before)
    for one in sorted(ours, key=lambda one: one.attempt.started + one.attempt.duration):
        # What came of another address says nothing of the one that it has by now.
        here = one.delivery.url == held.get(one.delivery.id)
        if here and (health := after.get(one.delivery.subscriber_id)) is not None:
            began = one.attempt.started
            changed = health.succeeded(began) if one.well else health.failed_at(began, now, first_hold)
            after[one.delivery.subscriber_id] = changed
    await store.write(tx, scope, [(i, h) for i, h in after.items() if h != before[i]])
    await insert_attempts(tx, [(*one.key, one.attempt) for one in ours])
    await postpone(tx, [(*one.key, one.due) for one in ours if one.due is not None])
    for status, well in ((InvocationStatus.SUCCEEDED, True), (InvocationStatus.FAILED, False)):
        await close(tx, scope, [o.delivery.id for o in ours if o.due is None and o.well is well], status, now)


async def _held(tx: WriteTransaction, scope: Scope, finished: Sequence[Finished]) -> dict[str, str]:
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


async def postpone(tx: WriteTransaction, rows: Sequence[tuple[str, str, int]]) -> None:
    """Give these back; they are due again then."""
    if rows:
        await tx.execute_many(
            "UPDATE deliveries SET lease = NULL, leased = NULL, due = $3 WHERE customer_id = $1 AND id = $2", rows
        )


async def close(tx: WriteTransaction, scope: Scope, ids: Sequence[str], status: InvocationStatus, now: int) -> None:
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
            [(c, i, a.number, a.started, a.duration, a.outcome, a.status_code, a.error, a.answer) for c, i, a in rows],
        )


def _json(ids: Sequence[str]) -> str:
    return msgspec.json.encode(sorted(ids)).decode()


_SUBSCRIBERS = 100
# The places of those that are held are one. Who has none free is left out, or a hundred that hang would hide the rest.
_LEASED = (
    "SELECT count(*) FROM deliveries l WHERE l.customer_id = {customer} AND l.subscriber_id = {subscriber}"
    " AND l.lease IS NOT NULL AND l.due > $2"
)
_WAITING = (
    "subscribers s WHERE s.status = $1 AND (s.held IS NULL OR s.held <= $2) AND EXISTS (SELECT 1 FROM deliveries d"
    " WHERE d.customer_id = s.customer_id AND d.subscriber_id = s.id AND d.due <= $2)"
    f" AND ({_LEASED.format(customer='s.customer_id', subscriber='s.id')}) < s.places"
)
# Counted once more behind the lock: another worker may have taken some between the two.
_FREE = f"$5 - ({_LEASED.format(customer='$1', subscriber='$3')})"
_DUE = (
    "SELECT d.id, d.event_id, d.sequence, d.previous, d.tries, d.lease, d.leased, COALESCE(d.body, e.body), d.base,"
    " e.trace"
    " FROM deliveries d LEFT JOIN events e ON e.customer_id = d.customer_id AND e.sequence = d.sequence"
    " WHERE d.customer_id = $1 AND d.subscriber_id = $3 AND d.due <= $2 ORDER BY d.due, d.sequence"
    f" LIMIT /*postgres LEAST($4, GREATEST(0, {_FREE}))*//*sqlite min($4, max(0, {_FREE}))*/"
    " /*postgres FOR UPDATE OF d SKIP LOCKED */"
)


@dataclass(frozen=True, slots=True)
class _Receiver:
    customer_id: str
    id: str
    url: str
    secrets: tuple[str, ...]
    headers: str
    places: int


async def claim(tx: WriteTransaction, now: int, at_most: int, patience: RetryPolicy = USUAL) -> list[Delivery]:
    """Take up to `at_most` due deliveries, each for a lease. Taking counts as a try."""
    taken: list[Delivery] = []
    served: list[tuple[object, ...]] = []
    for to in await _waiting(tx, now):
        if len(taken) >= at_most:
            break
        rows = await tx.fetch(_DUE, to.customer_id, now, to.id, at_most - len(taken), to.places)
        free = await _without_interrupted(tx, to.customer_id, rows, now, patience.schedule_s)
        taken += [_delivery(row, to) for row in await _with_body(tx, to.customer_id, free, now)]
        served.append((to.customer_id, to.id, now))
    await _lease(tx, taken, now, now + patience.lease_ms)
    if served:
        await tx.execute_many("UPDATE subscribers SET claimed = $3 WHERE customer_id = $1 AND id = $2", served)
    return taken


async def anything_due(tx: ReadTransaction, now: int) -> bool:
    """Whether a worker would find something: asked before each claim, so that an idle one writes nothing."""
    row = await tx.fetch_one(f"SELECT 1 FROM {_WAITING} LIMIT 1", SubscriberStatus.ACTIVE, now)
    return row is not None


async def _waiting(tx: WriteTransaction, now: int) -> list[_Receiver]:
    """Those that wait, held for this transaction: each account's by a statement of its own, which names it."""
    found = await tx.fetch(
        f"SELECT s.customer_id, s.id FROM {_WAITING} ORDER BY s.claimed LIMIT {_SUBSCRIBERS}",
        SubscriberStatus.ACTIVE,
        now,
    )
    of_account: dict[str, list[str]] = {}
    for customer_id, subscriber_id in found:
        of_account.setdefault(customer_id, []).append(subscriber_id)
    held = [row for customer_id, ids in of_account.items() for row in await _hold(tx, now, customer_id, ids)]
    by_id = {receiver.id: receiver for receiver in (_receiver(row, now) for row in held)}
    return [by_id[subscriber_id] for _, subscriber_id in found if subscriber_id in by_id]


async def _hold(tx: WriteTransaction, now: int, customer_id: str, ids: Sequence[str]) -> Sequence[Row]:
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


def _receiver(row: Row, now: int) -> _Receiver:
    customer_id, subscriber_id, url, secret, retiring, headers, places = row
    old = msgspec.json.decode(retiring, type=list[tuple[str, int]])
    return _Receiver(
        customer_id, subscriber_id, url, (secret, *(s for s, until in old if until > now)), headers, places
    )


async def _without_interrupted(
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
        due = due_again(sequence, tries - base, begun, schedule_s)
        if due is None:
            ended.append(delivery_id)
        elif due <= now:
            free.append(row)
        else:
            await postpone(tx, [(customer_id, delivery_id, due)])
    await close(tx, Scope(customer_id), ended, InvocationStatus.FAILED, now)
    return free


async def _with_body(tx: WriteTransaction, customer_id: str, rows: Sequence[Row], now: int) -> list[Row]:
    """Those of which there is still what is to be sent; the others have expired, and nobody is to blame."""
    gone = [row[0] for row in rows if row[7] is None]
    await close(tx, Scope(customer_id), gone, InvocationStatus.EXPIRED, now)
    return [row for row in rows if row[7] is not None]


def _delivery(row: Row, to: _Receiver) -> Delivery:
    delivery_id, event_id, sequence, previous, tries, _, _, body, base, trace = row
    lease = crypto.new_secret("")
    return Delivery(
        id=delivery_id,
        customer_id=to.customer_id,
        subscriber_id=to.id,
        event_id=event_id,
        sequence=sequence,
        previous=previous,
        tries=tries + 1,
        lease=lease,
        url=to.url,
        secrets=to.secrets,
        headers=to.headers,
        body=body,
        base=base,
        trace=trace,
    )


async def _lease(tx: WriteTransaction, taken: Sequence[Delivery], now: int, end: int) -> None:
    if taken:
        await tx.execute_many(
            "UPDATE deliveries SET lease = $3, leased = $4, due = $5, tries = $6 WHERE customer_id = $1 AND id = $2",
            [(one.customer_id, one.id, one.lease, now, end, one.tries) for one in taken],
        )
