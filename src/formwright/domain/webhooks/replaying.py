"""Events of the log once more to one subscriber: each a delivery of its own, with its own tries."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.access.scope import Scope
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.note import Note
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.webhooks import beginning, service
from formwright.domain.webhooks.model import Subscriber, fits

AT_ONCE = 10_000
_EVENT = "SELECT sequence, id, type FROM events"


@dataclass(frozen=True, slots=True)
class Wish:
    """From where on: behind a sequence, or since a moment (milliseconds). `types` as of a subscriber; none: all."""

    after: int | None = None
    since: int | None = None
    types: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """How many were put on their way, up to which sequence the log was gone through, and whether that is all."""

    count: int
    through: int
    more: bool


async def replay(tx: Writing, actor: Actor, wish: Wish, *, subscriber_id: str) -> Replay:
    """Send what the subscriber wants of that once more; at most 10,000 events, and then it is asked for the rest.

    `Invalid` where the log does not reach back so far: what is not kept cannot be sent.
    """
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await order.stamp(tx, scope.customer_id)
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    after = await _after(tx, scope, wish)
    query = _of(scope, subscriber).where("sequence > ?", after)
    rows = await tx.fetch(f"{query.sql()} ORDER BY sequence LIMIT {AT_ONCE + 1}", *query.args)
    last = await _bounds(tx, scope)
    chain = await _chain(tx, scope, subscriber, rows[:AT_ONCE], after)
    fitting = [one for one in chain if not wish.types or any(fits(pattern, one[0][2]) for pattern in wish.types)]
    await beginning.insert_replays(tx, scope, subscriber.id, fitting)
    tx.note(Note(scope.customer_id, "subscriber.replayed", subscriber.id, subscriber.name))
    tx.wake()
    more = len(rows) > AT_ONCE
    return Replay(len(fitting), rows[AT_ONCE - 1][0] if more else last[1], more)


async def _after(tx: Reading, scope: Scope, wish: Wish) -> int:
    oldest, newest = await _bounds(tx, scope)
    if wish.after is not None:
        if wish.after + 1 < oldest:
            words = f"The log is kept from sequence {oldest} on. Ask with afterSequence {oldest - 1}."
            raise Invalid.at("/afterSequence", "replay.not_kept", words)
        return wish.after
    since = wish.since or 0
    if oldest > 1 and since < await _time_of(tx, scope, oldest):
        words = f"The log is kept from sequence {oldest} on. Ask with afterSequence {oldest - 1}."
        raise Invalid.at("/since", "replay.not_kept", words)
    return await _before(tx, scope, since, oldest, newest)


async def _before(tx: Reading, scope: Scope, since: int, low: int, high: int) -> int:
    """The sequence behind which all events are of that moment or later: times rise with the sequence."""
    while low <= high:
        middle = (low + high) // 2
        if await _time_of(tx, scope, middle) < since:
            low = middle + 1
        else:
            high = middle - 1
    return low - 1


async def _time_of(tx: Reading, scope: Scope, sequence: int) -> int:
    row = await tx.fetch_one(
        "SELECT created FROM events WHERE customer_id = $1 AND sequence = $2", scope.customer_id, sequence
    )
    return int(row[0]) if row else 0


async def _bounds(tx: Reading, scope: Scope) -> tuple[int, int]:
    """The oldest sequence that is kept and the newest; 1 and 0 where there is none."""
    row = await tx.fetch_one(
        "SELECT min(sequence), max(sequence) FROM events WHERE customer_id = $1", scope.customer_id
    )
    return (int(row[0]), int(row[1])) if row and row[0] is not None else (1, 0)


def _of(scope: Scope, of: Subscriber) -> Query:
    """The events that a subscriber wants."""
    query = Query(_EVENT, scope.customer_id).one_of("form_id", of.form_ids)
    if not of.types:
        return query
    conditions = [f"substr(type, 1, {len(one) - 1}) = ?" if one.endswith("*") else "type = ?" for one in of.types]
    return query.where(f"({' OR '.join(conditions)})", *(one.removesuffix("*") for one in of.types))


async def _chain(tx: Reading, scope: Scope, of: Subscriber, rows: Sequence[Row], after: int) -> list[tuple[Row, int]]:
    """Each event with the sequence of the one before it for this subscriber."""
    query = _of(scope, of).where("sequence <= ?", after)
    row = await tx.fetch_one(f"{query.sql()} ORDER BY sequence DESC LIMIT 1", *query.args)
    before = [int(row[0]) if row else 0, *(one[0] for one in rows)]
    return list(zip(rows, before, strict=False))
