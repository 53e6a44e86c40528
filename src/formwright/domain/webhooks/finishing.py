"""The SQL with which workers write down what came of deliveries, many at a time.

Nothing here posts, so all of it may be done again after it failed. What is not held by its lease any more is left
alone: somebody else has it.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from formwright.core.access.scope import Scope
from formwright.core.storage.database import Writing
from formwright.core.storage.query import among
from formwright.domain.webhooks import healthstore
from formwright.domain.webhooks.health import FIRST_HOLD_MS
from formwright.domain.webhooks.model import TEST, Attempt, Delivery, InvocationStatus
from formwright.domain.webhooks.schedule import next_due

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


async def write(tx: Writing, finished: Iterable[Finished], now: int, first_hold: int = FIRST_HOLD_MS) -> None:
    """Write down what came of these, and how their subscribers do. At most nine calls an account."""
    for customer_id, group in groupby(sorted(finished, key=lambda one: one.key), lambda one: one.delivery.customer_id):
        await _write(tx, Scope(customer_id), list(group), now, first_hold)


async def _write(tx: Writing, scope: Scope, finished: Sequence[Finished], now: int, first_hold: int) -> None:
    # The subscribers first, as a claim does: the other way round the two could wait for each other.
    before = await healthstore.locked(tx, scope, {one.delivery.subscriber_id for one in finished})
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
    await healthstore.write(tx, scope, [(i, h) for i, h in after.items() if h != before[i]])
    await insert_attempts(tx, [(*one.key, one.attempt) for one in ours])
    await postpone(tx, [(*one.key, one.due) for one in ours if one.due is not None])
    for status, well in ((InvocationStatus.SUCCEEDED, True), (InvocationStatus.FAILED, False)):
        await close(tx, scope, [o.delivery.id for o in ours if o.due is None and o.well is well], status, now)


async def _held(tx: Writing, scope: Scope, finished: Sequence[Finished]) -> dict[str, str]:
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


async def postpone(tx: Writing, rows: Sequence[tuple[str, str, int]]) -> None:
    """Give these back; they are due again then."""
    if rows:
        await tx.execute_many(
            "UPDATE deliveries SET lease = NULL, leased = NULL, due = $3 WHERE customer_id = $1 AND id = $2", rows
        )


async def close(tx: Writing, scope: Scope, ids: Sequence[str], status: InvocationStatus, now: int) -> None:
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


async def insert_attempts(tx: Writing, rows: Sequence[tuple[str, str, Attempt]]) -> None:
    """Write down tries, each of the account's delivery that is named before it."""
    if rows:
        await tx.execute_many(
            "INSERT INTO attempts (customer_id, invocation_id, number, started, duration, outcome, status_code, error,"
            " answer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            [(c, i, a.number, a.started, a.duration, a.outcome, a.status_code, a.error, a.answer) for c, i, a in rows],
        )


def _json(ids: Sequence[str]) -> str:
    return msgspec.json.encode(sorted(ids)).decode()
