"""Who delivers what next: the SQL with which workers take deliveries.

Fair to subscribers: whoever was served longest ago comes first, and none has more than its places in flight, so that
one that hangs holds up nobody else. A delivery is taken by a lease that ends, and is fenced by the lease's token: a
worker that comes back too late changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.access.scope import Scope
from formwright.core.kernel import secrets
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import among
from formwright.domain.webhooks import finishing
from formwright.domain.webhooks.model import Attempt, Delivery, InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.patience import USUAL, Patience

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


async def claim(tx: Writing, now: int, at_most: int, patience: Patience = USUAL) -> list[Delivery]:
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


async def anything_due(tx: Reading, now: int) -> bool:
    """Whether a worker would find something: asked before each claim, so that an idle one writes nothing."""
    row = await tx.fetch_one(f"SELECT 1 FROM {_WAITING} LIMIT 1", SubscriberStatus.ACTIVE, now)
    return row is not None


async def _waiting(tx: Writing, now: int) -> list[_Receiver]:
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


async def _hold(tx: Writing, now: int, customer_id: str, ids: Sequence[str]) -> Sequence[Row]:
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
    tx: Writing, customer_id: str, rows: Sequence[Row], now: int, schedule_s: Sequence[float]
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
        await finishing.insert_attempts(tx, [(customer_id, delivery_id, lost)])
        due = finishing.due_again(sequence, tries - base, begun, schedule_s)
        if due is None:
            ended.append(delivery_id)
        elif due <= now:
            free.append(row)
        else:
            await finishing.postpone(tx, [(customer_id, delivery_id, due)])
    await finishing.close(tx, Scope(customer_id), ended, InvocationStatus.FAILED, now)
    return free


async def _with_body(tx: Writing, customer_id: str, rows: Sequence[Row], now: int) -> list[Row]:
    """Those of which there is still what is to be sent; the others have expired, and nobody is to blame."""
    gone = [row[0] for row in rows if row[7] is None]
    await finishing.close(tx, Scope(customer_id), gone, InvocationStatus.EXPIRED, now)
    return [row for row in rows if row[7] is not None]


def _delivery(row: Row, to: _Receiver) -> Delivery:
    delivery_id, event_id, sequence, previous, tries, _, _, body, base, trace = row
    lease = secrets.new_secret("")
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


async def _lease(tx: Writing, taken: Sequence[Delivery], now: int, end: int) -> None:
    if taken:
        await tx.execute_many(
            "UPDATE deliveries SET lease = $3, leased = $4, due = $5, tries = $6 WHERE customer_id = $1 AND id = $2",
            [(one.customer_id, one.id, one.lease, now, end, one.tries) for one in taken],
        )
