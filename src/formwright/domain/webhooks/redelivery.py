"""Manual actions: send a test event, retry or cancel a delivery, read its body, and replay events from the log.

A replay creates a new delivery for each event, with its own retry schedule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, in_array
from formwright.core.errors import Invalid
from formwright.core.events import AuditNote
from formwright.core.work_kinds import WorkKind
from formwright.domain.webhooks import enqueue, event_log, service, store
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
"""Deliveries that a person requested come before all others."""
_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_BY_ID = "customer_id = $1 AND id = $2"
RETRY_BATCH = 10_000
_FAILED = (
    "SELECT id FROM invocations WHERE customer_id = $1 AND subscriber_id = $2 AND status = 'FAILED'"
    # The event is read by its primary key. `<> 'SUCCEEDED'` is the condition of the partial index.
    " AND status <> 'SUCCEEDED' AND sequence IN (SELECT sequence FROM events WHERE customer_id = $1)"
    f" ORDER BY created, id LIMIT {RETRY_BATCH}"
)
"""The failed deliveries, without test events, which are attempted once."""


async def send_test(tx: WriteTransaction, actor: Actor, test: LoggedEvent, *, subscriber_id: str) -> Invocation:
    """Enqueue a test event, which is attempted once and is not logged as an event; return its delivery.

    Raises `SubscriberNotFound` or `SubscriberIsDisabled`.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
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
    tx.schedule(WorkKind.WEBHOOK, scope.customer_id, DUE_NOW)
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _get_enabled(tx: ReadTransaction, actor: Actor, subscriber_id: str) -> Subscriber:
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    if subscriber.status is SubscriberStatus.DISABLED:
        raise SubscriberIsDisabled()
    return subscriber


async def retry(tx: WriteTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Make a pending delivery due immediately, or restart the schedule of one that has ended; return the delivery.

    Raises `InvocationNotFound`, `SubscriberGone`, `SubscriberIsDisabled`, `EventExpired` if the event was deleted from
    the log, or `InvocationInProgress` if a worker is sending it.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    invocation = await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if await store.find(tx, scope, subscriber_id) is None:
        raise SubscriberGone()
    await _get_enabled(tx, actor, subscriber_id)
    if await get_body(tx, actor, invocation) is None:
        raise EventExpired()
    await store.probe_now(tx, scope, subscriber_id)
    if invocation.status is InvocationStatus.PENDING:
        await _lock_pending(tx, scope, invocation)
        await tx.execute(f"UPDATE deliveries SET due = $3 WHERE {_BY_ID}", scope.customer_id, invocation.id, DUE_NOW)
    else:
        await tx.execute(
            f"INSERT INTO deliveries ({_COLUMNS}, due, base) SELECT {_COLUMNS}, $3, tries FROM invocations"
            f" WHERE {_BY_ID}",
            scope.customer_id,
            invocation.id,
            DUE_NOW,
        )
        await tx.execute(f"DELETE FROM invocations WHERE {_BY_ID}", scope.customer_id, invocation.id)
    tx.audit(AuditNote(scope.customer_id, "invocation.retried", invocation.id, invocation.type))
    tx.schedule(WorkKind.WEBHOOK, scope.customer_id, DUE_NOW)
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def has_failed(tx: ReadTransaction, actor: Actor, *, subscriber_id: str) -> bool:
    """Whether a delivery has failed, or the last attempt of a pending one."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    row = await tx.fetch_one(
        "SELECT 1 FROM invocations WHERE customer_id = $1 AND subscriber_id = $2 AND status = 'FAILED'"
        " AND status <> 'SUCCEEDED' UNION ALL SELECT 1 FROM deliveries WHERE customer_id = $1 AND subscriber_id = $2"
        " AND tries > 0 AND due > $3 LIMIT 1",
        scope.customer_id,
        subscriber_id,
        DUE_NOW,
    )
    return row is not None


@dataclass(frozen=True, slots=True)
class FailedRetry:
    """The number of deliveries that are sent again, and whether there may be more than one call restarts."""

    count: int
    more: bool


async def retry_failed(tx: WriteTransaction, actor: Actor, *, subscriber_id: str) -> FailedRetry:
    """Restart the schedule of the failed deliveries whose events are still stored.

    Pending deliveries whose last attempt failed become due immediately, too, and count as well. At most `RETRY_BATCH`
    failed deliveries are restarted, the oldest first. Raises `SubscriberNotFound` or `SubscriberIsDisabled`.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await _get_enabled(tx, actor, subscriber_id)
    rows = await tx.fetch(_FAILED, scope.customer_id, subscriber.id)
    ids = msgspec.json.encode([row[0] for row in rows]).decode()
    await tx.execute(
        f"INSERT INTO deliveries ({_COLUMNS}, due, base) SELECT {_COLUMNS}, $3, tries FROM invocations"
        f" WHERE customer_id = $1 AND id {in_array('$2')}",
        scope.customer_id,
        ids,
        DUE_NOW,
        long=True,
    )
    await tx.execute(
        f"DELETE FROM invocations WHERE customer_id = $1 AND id {in_array('$2')}", scope.customer_id, ids, long=True
    )
    postponed = await tx.execute(
        "UPDATE deliveries SET due = $3 WHERE customer_id = $1 AND subscriber_id = $2 AND due > $3 AND tries > 0"
        " AND lease IS NULL",
        scope.customer_id,
        subscriber.id,
        DUE_NOW,
        long=True,
    )
    await store.probe_now(tx, scope, subscriber.id)
    tx.audit(AuditNote(scope.customer_id, "subscriber.retried", subscriber.id, subscriber.name))
    tx.schedule(WorkKind.WEBHOOK, scope.customer_id, DUE_NOW)
    return FailedRetry(len(rows) + postponed, more=len(rows) == RETRY_BATCH)


async def cancel(tx: WriteTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Cancel a pending delivery and return it.

    Raises `InvocationNotFound`, `InvocationEnded` if it is not pending, or `InvocationInProgress` if a worker is
    sending it.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    invocation = await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if invocation.status is not InvocationStatus.PENDING:
        raise InvocationEnded()
    await _lock_pending(tx, scope, invocation)
    await tx.execute(
        f"INSERT INTO invocations ({_COLUMNS}, status, ended) SELECT {_COLUMNS}, $3, $4 FROM deliveries WHERE {_BY_ID}",
        scope.customer_id,
        invocation.id,
        InvocationStatus.CANCELLED,
        tx.now(),
    )
    await tx.execute(f"DELETE FROM deliveries WHERE {_BY_ID}", scope.customer_id, invocation.id)
    tx.audit(AuditNote(scope.customer_id, "invocation.cancelled", invocation.id, invocation.type))
    return await service.get_invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _lock_pending(tx: WriteTransaction, scope: Scope, invocation: Invocation) -> None:
    """Lock a pending delivery against workers; raises `InvocationInProgress` if a worker has claimed it.

    The worker must still be able to save the result of its attempt.
    """
    row = await tx.fetch_one(
        f"SELECT due FROM deliveries WHERE {_BY_ID} AND lease IS NULL /*postgres FOR UPDATE */",
        scope.customer_id,
        invocation.id,
    )
    if row is None:
        raise InvocationInProgress()


async def get_body(tx: ReadTransaction, actor: Actor, invocation: Invocation) -> str | None:
    """Return the request body of a delivery, byte for byte, or None if its event is no longer stored."""
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
    """Which events to replay: those after a sequence or since a time (milliseconds), optionally only these types.

    `types` are patterns as in `Subscriber`.
    """

    after: int | None = None
    since: int | None = None
    types: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """Number of created deliveries, the last sequence that was checked, and whether there are events after it."""

    count: int
    through: int
    more: bool


async def replay(tx: WriteTransaction, actor: Actor, request: ReplayRequest, *, subscriber_id: str) -> Replay:
    """Enqueue the events from the log again that match the subscriber's filter and the request.

    Reads at most `REPLAY_BATCH` events that match the filter; if `more` is true, continue after `through`. Raises
    `Invalid` if the requested events are no longer stored.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    after = await _start_sequence(tx, scope, request)
    query = _matching_events(scope, subscriber).where("sequence > ?", after)
    rows = await tx.fetch(f"{query.sql()} ORDER BY sequence LIMIT {REPLAY_BATCH + 1}", *query.args)
    _, newest = await event_log.stored_range(tx, scope)
    pairs = await _pair_with_previous(tx, scope, subscriber, rows[:REPLAY_BATCH], after)
    matching = [
        (event, previous)
        for event, previous in pairs
        if not request.types or any(matches_pattern(pattern, event[2]) for pattern in request.types)
    ]
    await enqueue.insert_replays(tx, scope, subscriber.id, matching)
    tx.audit(AuditNote(scope.customer_id, "subscriber.replayed", subscriber.id, subscriber.name))
    more = len(rows) > REPLAY_BATCH
    return Replay(len(matching), rows[REPLAY_BATCH - 1][0] if more else newest, more)


async def _start_sequence(tx: ReadTransaction, scope: Scope, request: ReplayRequest) -> int:
    oldest, newest = await event_log.stored_range(tx, scope)
    if request.after is not None:
        if request.after + 1 < oldest:
            raise Invalid.at("/afterSequence", "replay.not_kept", _not_stored(oldest))
        return request.after
    since = request.since or 0
    # If the oldest event has the sequence 1, none have been deleted yet.
    if oldest > 1 and since < await event_log.created_time(tx, scope, oldest):
        raise Invalid.at("/since", "replay.not_kept", _not_stored(oldest))
    return await event_log.sequence_before(tx, scope, since, oldest, newest)


def _not_stored(oldest: int) -> str:
    return f"The oldest stored event has sequence {oldest}. Use afterSequence {oldest - 1} or greater."


def _matching_events(scope: Scope, subscriber: Subscriber) -> Query:
    """Return a query for the events that match the subscriber's filter."""
    query = Query(_EVENT, scope.customer_id).one_of("form_id", subscriber.form_ids)
    if not subscriber.types:
        return query
    conditions = [
        # Not LIKE, which ignores case in SQLite, and for which `_` is a wildcard.
        f"substr(type, 1, {len(pattern) - 1}) = ?" if pattern.endswith("*") else "type = ?"
        for pattern in subscriber.types
    ]
    values = (pattern.removesuffix("*") for pattern in subscriber.types)
    return query.where(f"({' OR '.join(conditions)})", *values)


async def _pair_with_previous(
    tx: ReadTransaction, scope: Scope, subscriber: Subscriber, rows: Sequence[Row], after: int
) -> list[tuple[Row, int]]:
    """Return each event row with the sequence of the previous event for this subscriber, 0 for the first."""
    query = _matching_events(scope, subscriber).where("sequence <= ?", after)
    row = await tx.fetch_one(f"{query.sql()} ORDER BY sequence DESC LIMIT 1", *query.args)
    previous = [int(row[0]) if row else 0, *(event[0] for event in rows)]
    return list(zip(rows, previous, strict=False))
