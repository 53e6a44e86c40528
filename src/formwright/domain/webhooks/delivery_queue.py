"""The SQL with which workers claim due deliveries and save the results, many at a time.

Claiming is fair to subscribers: the one that was served longest ago comes first, and each has a limit of deliveries in
flight, so that a receiver that hangs does not delay the others. A claim gives the worker a lease that expires, and the
lease's token is a fence: a result is saved only if the delivery still has that token. The result of a worker that
returns too late is ignored, because another worker may have claimed the delivery.

Nothing here makes network calls, so every transaction can be repeated after a failure.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from formwright.core import crypto
from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import in_array
from formwright.core.work_kinds import WorkKind
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import FIRST_PAUSE_MS
from formwright.domain.webhooks.models import TEST_SEQUENCE, Attempt, Delivery, InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY, RetryPolicy, next_attempt_time

_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_IDS = f"WHERE customer_id = $1 AND id {in_array('$2')}"


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    """An attempt and its result. `retry_at` is the time of the next attempt; None if the delivery has ended."""

    delivery: Delivery
    attempt: Attempt
    succeeded: bool
    retry_at: int | None

    @property
    def key(self) -> tuple[str, str]:
        """The account's id and the delivery's id."""
        return self.delivery.customer_id, self.delivery.id


def retry_time(
    sequence: int, attempts: int, now: int, schedule_s: Sequence[float], retry_after_s: int | None = None
) -> int | None:
    """Return the time of the next attempt after `attempts` attempts of the schedule, or None if there is none.

    A test event is sent only once.
    """
    if sequence == TEST_SEQUENCE:
        return None
    return next_attempt_time(
        attempts, now_ms=now, schedule_s=schedule_s, jitter=random.random, retry_after_s=retry_after_s
    )


async def save_results(
    tx: WriteTransaction, finished: Iterable[FinishedAttempt], now: int, first_pause_ms: int = FIRST_PAUSE_MS
) -> None:
    """Save attempts and the health of their subscribers, in at most nine statements per account."""
    by_account = groupby(sorted(finished, key=lambda f: f.key), lambda f: f.delivery.customer_id)
    for customer_id, group in by_account:
        await _save_account_results(tx, Scope(customer_id), list(group), now, first_pause_ms)


async def _save_account_results(
    tx: WriteTransaction, scope: Scope, finished: Sequence[FinishedAttempt], now: int, first_pause_ms: int
) -> None:
    # Lock subscribers before deliveries, as `claim` does, because opposite orders could deadlock.
    before = await store.lock_health(tx, scope, {f.delivery.subscriber_id for f in finished})
    urls = await _lock_still_leased(tx, scope, finished)
    valid = [f for f in finished if f.delivery.id in urls]
    after = dict(before)
    # In the order in which the attempts ended: only then are failures in a row counted correctly.
    for f in sorted(valid, key=lambda f: f.attempt.started + f.attempt.duration):
        # The result from an old URL says nothing about the health of the new one.
        same_url = f.delivery.url == urls.get(f.delivery.id)
        if same_url and (health := after.get(f.delivery.subscriber_id)) is not None:
            started = f.attempt.started
            after[f.delivery.subscriber_id] = (
                health.after_success(started) if f.succeeded else health.after_failure(started, now, first_pause_ms)
            )
    await store.update_health(tx, scope, [(i, h) for i, h in after.items() if h != before[i]])
    if any(health.needs_alert or health.should_disable for health in after.values()):
        tx.schedule(WorkKind.WEBHOOK_ALERT, scope.customer_id, now)
    await insert_attempts(tx, [(*f.key, f.attempt) for f in valid])
    await reschedule(tx, [(*f.key, f.retry_at) for f in valid if f.retry_at is not None])
    for status, succeeded in ((InvocationStatus.SUCCEEDED, True), (InvocationStatus.FAILED, False)):
        ended = [f.delivery.id for f in valid if f.retry_at is None and f.succeeded is succeeded]
        await close_deliveries(tx, scope, ended, status, now)


async def _lock_still_leased(tx: WriteTransaction, scope: Scope, finished: Sequence[FinishedAttempt]) -> dict[str, str]:
    """Lock the deliveries whose lease is still valid; return the current URL of each one's subscriber, by id."""
    rows = await tx.fetch(
        "SELECT d.id, d.lease, s.url FROM deliveries d"
        " JOIN subscribers s ON s.customer_id = d.customer_id AND s.id = d.subscriber_id"
        f" WHERE d.customer_id = $1 AND d.id {in_array('$2')} ORDER BY d.id/*postgres  FOR UPDATE OF d */",
        scope.customer_id,
        _json([f.delivery.id for f in finished]),
    )
    leases = {(f.delivery.id, f.delivery.lease) for f in finished}
    return {row[0]: row[2] for row in rows if (row[0], row[1]) in leases}


async def reschedule(tx: WriteTransaction, rows: Sequence[tuple[str, str, int]]) -> None:
    """Release deliveries. Each row is the account's id, the delivery's id and the time when it is due again."""
    if rows:
        await tx.execute_many(
            "UPDATE deliveries SET lease = NULL, leased = NULL, due = $3 WHERE customer_id = $1 AND id = $2", rows
        )


async def close_deliveries(
    tx: WriteTransaction, scope: Scope, ids: Sequence[str], status: InvocationStatus, now: int
) -> None:
    """Move deliveries from the queue to the log of ended ones."""
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
    """Store attempts. Each row is the account's id, the delivery's id and the attempt."""
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
# Receivers without a free slot are skipped; otherwise a hundred receivers that hang would hide the rest. A paused
# receiver has one slot, for the probe.
_LEASED = "FROM deliveries l WHERE l.customer_id = $1 AND l.subscriber_id = {} AND l.lease IS NOT NULL AND l.due > $2"
_LEASED_COUNT = f"SELECT count(*) {_LEASED}"
_FIRST_DUE = "SELECT min(d.due) FROM deliveries d WHERE d.customer_id = $1 AND d.subscriber_id = s.id"
# Counted again under the lock, because another worker may have claimed some in between.
_FREE_SLOTS = f"$5 - ({_LEASED_COUNT.format('$3')})"
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


async def claim(
    tx: WriteTransaction, customer_id: str, now: int, limit: int, policy: RetryPolicy = DEFAULT_POLICY
) -> list[Delivery]:
    """Claim and return up to `limit` due deliveries of an account. A claim counts as an attempt."""
    claimed: list[Delivery] = []
    served: list[tuple[object, ...]] = []
    for receiver in await _lock_due_receivers(tx, customer_id, now) if limit else ():
        if len(claimed) >= limit:
            break
        remaining = limit - len(claimed)
        rows = await tx.fetch(_DUE_DELIVERIES, customer_id, now, receiver.id, remaining, receiver.max_in_flight)
        rows = await _reschedule_interrupted(tx, customer_id, rows, now, policy.schedule_s)
        rows = await _close_expired(tx, customer_id, rows, now)
        claimed += [_to_delivery(row, receiver) for row in rows]
        served.append((customer_id, receiver.id, now))
    await _save_leases(tx, claimed, now, now + policy.lease_ms)
    if served:
        await tx.execute_many("UPDATE subscribers SET claimed = $3 WHERE customer_id = $1 AND id = $2", served)
    return claimed


async def find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
    """Return when `claim` would next find deliveries of an account in milliseconds, or None if none are waiting."""
    rows = await tx.fetch(
        f"SELECT s.held, s.places, ({_FIRST_DUE}), ({_LEASED_COUNT.format('s.id')}),"
        f" (SELECT min(l.due) {_LEASED.format('s.id')}) FROM subscribers s WHERE s.customer_id = $1 AND s.status = $3",
        customer_id,
        now,
        SubscriberStatus.ACTIVE,
    )
    times = (
        max(paused_until or 0, lease_end if leased >= max_in_flight else first_due)
        for paused_until, max_in_flight, first_due, leased, lease_end in rows
        if first_due is not None
    )
    return min(times, default=None)


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with deliveries that are due, even if their receiver has no free slot."""
    rows = await tx.fetch(
        "SELECT DISTINCT s.customer_id FROM subscribers s WHERE s.status = $1 AND (s.held IS NULL OR s.held <= $2)"
        " AND EXISTS (SELECT 1 FROM deliveries d WHERE d.customer_id = s.customer_id AND d.subscriber_id = s.id"
        " AND d.due <= $2)",
        SubscriberStatus.ACTIVE,
        now,
    )
    return [str(row[0]) for row in rows]


async def _lock_due_receivers(tx: WriteTransaction, customer_id: str, now: int) -> list[_Receiver]:
    """Lock up to `_MAX_RECEIVERS` receivers with due deliveries that no other worker has locked.

    Returns them, the longest unserved first.
    """
    rows = await tx.fetch(
        "SELECT s.id, s.url, s.secret, s.retiring, s.headers, s.places FROM subscribers s"
        " WHERE s.customer_id = $1 AND s.status = $3 AND (s.held IS NULL OR s.held <= $2)"
        f" AND ({_FIRST_DUE}) <= $2 AND ({_LEASED_COUNT.format('s.id')}) < s.places"
        f" ORDER BY s.claimed LIMIT {_MAX_RECEIVERS} /*postgres FOR UPDATE OF s SKIP LOCKED */",
        customer_id,
        now,
        SubscriberStatus.ACTIVE,
    )
    return [_to_receiver(customer_id, row, now) for row in rows]


def _to_receiver(customer_id: str, row: Row, now: int) -> _Receiver:
    subscriber_id, url, secret, retiring, headers, places = row
    previous = msgspec.json.decode(retiring, type=list[tuple[str, int]])
    secrets = secret, *(old for old, expires in previous if expires > now)
    return _Receiver(customer_id, subscriber_id, url, secrets, headers, places)


async def _reschedule_interrupted(
    tx: WriteTransaction, customer_id: str, rows: Sequence[Row], now: int, schedule_s: Sequence[float]
) -> list[Row]:
    """Return the rows that can be claimed now, and log an attempt for each whose previous lease expired.

    Its worker died between claiming the delivery and saving the result. The request may have arrived, and it counts as
    an attempt like any other, so that a delivery that kills workers ends with its schedule.
    """
    claimable, ended = [row for row in rows if row[5] is None], []
    for row in rows:
        delivery_id, _, sequence, _, tries, old_lease, leased, _, base, _ = row
        if old_lease is None:
            continue
        # If the clock was ahead at the time, `leased` is in the future.
        started = min(leased, now)
        attempt = Attempt(tries, started, now - started, "interrupted", error="The worker stopped during this attempt.")
        await insert_attempts(tx, [(customer_id, delivery_id, attempt)])
        due = retry_time(sequence, tries - base, started, schedule_s)
        if due is None:
            ended.append(delivery_id)
        elif due <= now:
            claimable.append(row)
        else:
            await reschedule(tx, [(customer_id, delivery_id, due)])
    await close_deliveries(tx, Scope(customer_id), ended, InvocationStatus.FAILED, now)
    return claimable


async def _close_expired(tx: WriteTransaction, customer_id: str, rows: Sequence[Row], now: int) -> list[Row]:
    """Return the rows whose event is still stored, and close the others as EXPIRED."""
    expired = [row[0] for row in rows if row[7] is None]
    await close_deliveries(tx, Scope(customer_id), expired, InvocationStatus.EXPIRED, now)
    return [row for row in rows if row[7] is not None]


def _to_delivery(row: Row, receiver: _Receiver) -> Delivery:
    delivery_id, event_id, sequence, previous, tries, _, _, body, base, trace = row
    lease = crypto.new_secret("")
    return Delivery(
        id=delivery_id,
        customer_id=receiver.customer_id,
        subscriber_id=receiver.id,
        event_id=event_id,
        sequence=sequence,
        previous=previous,
        attempts=tries + 1,
        lease=lease,
        url=receiver.url,
        secrets=receiver.secrets,
        headers=receiver.headers,
        body=body,
        earlier_attempts=base,
        trace=trace,
    )


async def _save_leases(tx: WriteTransaction, claimed: Sequence[Delivery], now: int, expires: int) -> None:
    if claimed:
        await tx.execute_many(
            "UPDATE deliveries SET lease = $3, leased = $4, due = $5, tries = $6 WHERE customer_id = $1 AND id = $2",
            [(d.customer_id, d.id, d.lease, now, expires, d.attempts) for d in claimed],
        )
