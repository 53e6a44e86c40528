"""What people do to single deliveries: send a test, try one again, cancel one, and see what was sent.

Events of the log once more to one subscriber: each a delivery of its own, with its own tries.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.errors import Invalid
from formwright.core.events import AuditNote
from formwright.domain.webhooks import enqueue, service, store
from formwright.domain.webhooks.models import (
    TEST_SEQUENCE,
    EventExpired,
    Invocation,
    InvocationEnded,
    InvocationInProgress,
    InvocationStatus,
    LoggedEvent,
    Subscriber,
    SubscriberGone,
    SubscriberIsDisabled,
    SubscriberStatus,
    matches_pattern,
)

DUE_NOW = 0
"""Before all that waits: somebody looks on."""
_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_BY_ID = "customer_id = $1 AND id = $2"


async def send_test(tx: WriteTransaction, actor: Actor, test: LoggedEvent, *, subscriber_id: str) -> Invocation:
    """Send one subscriber what stands in no log, once; `SubscriberDisabled` where nothing is sent."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    subscriber = await _get_enabled(tx, actor, subscriber_id)
    invocation_id = tx.new_id("inv")
    await store.probe_now(tx, scope, subscriber_id)
    await tx.execute(
        "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, event_id, type, created, due, tries, body)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)",
        scope.customer_id,
        invocation_id,
        subscriber_id,
        TEST_SEQUENCE,
        test.id,
        test.type,
        test.created,
        DUE_NOW,
        test.body,
    )
    tx.audit(AuditNote(scope.customer_id, "subscriber.tested", subscriber.id, subscriber.name))
    tx.wake()
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _get_enabled(tx: ReadTransaction, actor: Actor, subscriber_id: str) -> Subscriber:
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    if subscriber.status is SubscriberStatus.DISABLED:
        raise SubscriberIsDisabled()
    return subscriber


async def retry(tx: WriteTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Send it now: one that waits is due at once, one that has ended begins its schedule anew."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    found = await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if await store.find(tx, scope, subscriber_id) is None:
        raise SubscriberGone()
    await _get_enabled(tx, actor, subscriber_id)
    if await get_body(tx, actor, found) is None:
        raise EventExpired()
    await store.probe_now(tx, scope, subscriber_id)
    if found.status is InvocationStatus.PENDING:
        await _lock_pending(tx, scope, found)
        await tx.execute(f"UPDATE deliveries SET due = $3 WHERE {_BY_ID}", scope.customer_id, found.id, DUE_NOW)
    else:
        await tx.execute(
            f"INSERT INTO deliveries ({_COLUMNS}, due, base) SELECT {_COLUMNS}, $3, tries FROM invocations"
            f" WHERE {_BY_ID}",
            scope.customer_id,
            found.id,
            DUE_NOW,
        )
        await tx.execute(f"DELETE FROM invocations WHERE {_BY_ID}", scope.customer_id, found.id)
    tx.audit(AuditNote(scope.customer_id, "invocation.retried", found.id, found.type))
    tx.wake()
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def cancel(tx: WriteTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Let one that waits go. `InvocationEnded` where it waits no more, `InvocationUnderWay` where it is being sent."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    found = await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if found.status is not InvocationStatus.PENDING:
        raise InvocationEnded()
    await _lock_pending(tx, scope, found)
    await tx.execute(
        f"INSERT INTO invocations ({_COLUMNS}, status, ended) SELECT {_COLUMNS}, $3, $4 FROM deliveries WHERE {_BY_ID}",
        scope.customer_id,
        found.id,
        InvocationStatus.CANCELLED,
        tx.now(),
    )
    await tx.execute(f"DELETE FROM deliveries WHERE {_BY_ID}", scope.customer_id, found.id)
    tx.audit(AuditNote(scope.customer_id, "invocation.cancelled", found.id, found.type))
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _lock_pending(tx: WriteTransaction, scope: Scope, invocation: Invocation) -> None:
    """Hold it back from the workers, unless one of them has it: what it did must still be written down."""
    row = await tx.fetch_one(
        f"SELECT due FROM deliveries WHERE {_BY_ID} AND lease IS NULL /*postgres FOR UPDATE */",
        scope.customer_id,
        invocation.id,
    )
    if row is None:
        raise InvocationInProgress()


async def get_body(tx: ReadTransaction, actor: Actor, invocation: Invocation) -> str | None:
    """What was or will be sent, byte for byte."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    if invocation.sequence == TEST_SEQUENCE:
        sql = f"SELECT body FROM deliveries WHERE {_BY_ID} UNION ALL SELECT body FROM invocations WHERE {_BY_ID}"
        row = await tx.fetch_one(sql, scope.customer_id, invocation.id)
    else:
        sql = "SELECT body FROM events WHERE customer_id = $1 AND sequence = $2"
        row = await tx.fetch_one(sql, scope.customer_id, invocation.sequence)
    return str(row[0]) if row else None


REPLAY_BATCH = 10_000
_EVENT = "SELECT sequence, id, type FROM events"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
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


async def replay(tx: WriteTransaction, actor: Actor, request: ReplayRequest, *, subscriber_id: str) -> Replay:
    """Send what the subscriber wants of that once more; at most 10,000 events, and then it is asked for the rest.

    `Invalid` where the log does not reach back so far: what is not kept cannot be sent.
    """
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    after = await _start_sequence(tx, scope, request)
    query = _matching_events(scope, subscriber).where("sequence > ?", after)
    rows = await tx.fetch(f"{query.sql()} ORDER BY sequence LIMIT {REPLAY_BATCH + 1}", *query.args)
    last = await _log_bounds(tx, scope)
    chain = await _pair_with_previous(tx, scope, subscriber, rows[:REPLAY_BATCH], after)
    fitting = [
        one
        for one in chain
        if not request.types or any(matches_pattern(pattern, one[0][2]) for pattern in request.types)
    ]
    await enqueue.insert_replays(tx, scope, subscriber.id, fitting)
    tx.audit(AuditNote(scope.customer_id, "subscriber.replayed", subscriber.id, subscriber.name))
    tx.wake()
    more = len(rows) > REPLAY_BATCH
    return Replay(len(fitting), rows[REPLAY_BATCH - 1][0] if more else last[1], more)


async def _start_sequence(tx: ReadTransaction, scope: Scope, request: ReplayRequest) -> int:
    oldest, newest = await _log_bounds(tx, scope)
    if request.after is not None:
        if request.after + 1 < oldest:
            words = f"The log is kept from sequence {oldest} on. Ask with afterSequence {oldest - 1}."
            raise Invalid.at("/afterSequence", "replay.not_kept", words)
        return request.after
    since = request.since or 0
    if oldest > 1 and since < await _created_time(tx, scope, oldest):
        words = f"The log is kept from sequence {oldest} on. Ask with afterSequence {oldest - 1}."
        raise Invalid.at("/since", "replay.not_kept", words)
    return await _sequence_before(tx, scope, since, oldest, newest)


async def _sequence_before(tx: ReadTransaction, scope: Scope, since: int, low: int, high: int) -> int:
    """The sequence behind which all events are of that moment or later: times rise with the sequence."""
    while low <= high:
        middle = (low + high) // 2
        if await _created_time(tx, scope, middle) < since:
            low = middle + 1
        else:
            high = middle - 1
    return low - 1


async def _created_time(tx: ReadTransaction, scope: Scope, sequence: int) -> int:
    row = await tx.fetch_one(
        "SELECT created FROM events WHERE customer_id = $1 AND sequence = $2", scope.customer_id, sequence
    )
    return int(row[0]) if row else 0


async def _log_bounds(tx: ReadTransaction, scope: Scope) -> tuple[int, int]:
    """The oldest sequence that is kept and the newest; 1 and 0 where there is none."""
    row = await tx.fetch_one(
        "SELECT min(sequence), max(sequence) FROM events WHERE customer_id = $1", scope.customer_id
    )
    return (int(row[0]), int(row[1])) if row and row[0] is not None else (1, 0)


def _matching_events(scope: Scope, subscriber: Subscriber) -> Query:
    """The events that a subscriber wants."""
    query = Query(_EVENT, scope.customer_id).one_of("form_id", subscriber.form_ids)
    if not subscriber.types:
        return query
    conditions = [
        f"substr(type, 1, {len(one) - 1}) = ?" if one.endswith("*") else "type = ?" for one in subscriber.types
    ]
    return query.where(f"({' OR '.join(conditions)})", *(one.removesuffix("*") for one in subscriber.types))


async def _pair_with_previous(
    tx: ReadTransaction, scope: Scope, subscriber: Subscriber, rows: Sequence[Row], after: int
) -> list[tuple[Row, int]]:
    """Each event with the sequence of the one before it for this subscriber."""
    query = _matching_events(scope, subscriber).where("sequence <= ?", after)
    row = await tx.fetch_one(f"{query.sql()} ORDER BY sequence DESC LIMIT 1", *query.args)
    before = [int(row[0]) if row else 0, *(one[0] for one in rows)]
    return list(zip(rows, before, strict=False))
