"""The SQL of subscribers, their health and their deliveries."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, in_array
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.webhooks.health import ALERT_AFTER_MS, DISABLE_AFTER_MS, SLOW_START, DeliveryHealth
from formwright.domain.webhooks.models import (
    Attempt,
    Invocation,
    InvocationStatus,
    Subscriber,
    SubscriberStatus,
    SubscriptionFilter,
)

_HEALTH_COLUMNS = "failures, places, held, hold, failing, failed, told, failure_rate"


async def lock_health(tx: WriteTransaction, scope: Scope, ids: Iterable[str]) -> dict[str, DeliveryHealth]:
    """Lock subscribers until the commit and return their health by id, without those that were deleted."""
    rows = await tx.fetch(
        f"SELECT id, {_HEALTH_COLUMNS} FROM subscribers WHERE customer_id = $1 AND id {in_array('$2')} ORDER BY id"
        "/*postgres  FOR UPDATE */",
        scope.customer_id,
        msgspec.json.encode(sorted(ids)).decode(),
    )
    return {row[0]: _to_health(tuple(row)[1:]) for row in rows}


def _to_health(row: Row) -> DeliveryHealth:
    """Build the health from a row of `_HEALTH_COLUMNS`."""
    return DeliveryHealth(*row)


async def update_health(tx: WriteTransaction, scope: Scope, changes: Iterable[tuple[str, DeliveryHealth]]) -> None:
    rows = [(scope.customer_id, subscriber_id, *astuple(health)) for subscriber_id, health in changes]
    if rows:
        await tx.execute_many(
            "UPDATE subscribers SET failures = $3, places = $4, held = $5, hold = $6, failing = $7, failed = $8,"
            " told = $9, failure_rate = $10 WHERE customer_id = $1 AND id = $2",
            rows,
        )


async def probe_now(tx: WriteTransaction, scope: Scope, subscriber_id: str) -> None:
    """End the pause of a subscriber, so that the next delivery is sent immediately as a probe."""
    await tx.execute(
        "UPDATE subscribers SET held = 0 WHERE customer_id = $1 AND id = $2 AND held IS NOT NULL",
        scope.customer_id,
        subscriber_id,
    )


async def restart_deliveries(tx: WriteTransaction, scope: Scope, subscriber_id: str, now: int) -> None:
    """Reset a subscriber's health and make its pending deliveries due now, after its receiver was changed or fixed."""
    await update_health(tx, scope, [(subscriber_id, SLOW_START)])
    await tx.execute(
        "UPDATE deliveries SET due = $3 WHERE customer_id = $1 AND subscriber_id = $2 AND due > $3 AND lease IS NULL",
        scope.customer_id,
        subscriber_id,
        now,
    )


_IS_FAILING = "status = $1 AND failing IS NOT NULL AND (failed - failing >= $2 AND told = 0 OR failed - failing >= $3)"
_FAILING_ARGS = (SubscriberStatus.ACTIVE, ALERT_AFTER_MS, DISABLE_AFTER_MS)


async def find_failing(tx: ReadTransaction, scope: Scope) -> list[str]:
    """Return the ids of active subscribers failing for a day without an alert, or for five days."""
    rows = await tx.fetch(
        f"SELECT id FROM subscribers WHERE {_IS_FAILING} AND customer_id = $4 ORDER BY id",
        *_FAILING_ARGS,
        scope.customer_id,
    )
    return [str(row[0]) for row in rows]


async def find_accounts_with_failing(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts that have such subscribers."""
    rows = await tx.fetch(f"SELECT DISTINCT customer_id FROM subscribers WHERE {_IS_FAILING}", *_FAILING_ARGS)
    return [str(row[0]) for row in rows]


_SUBSCRIBER = (
    "SELECT id, customer_id, name, url, types, form_ids, status, reason, secret, retiring, headers, header_names,"
    f" created, updated, revision, {_HEALTH_COLUMNS} FROM subscribers"
)
_SUBSCRIBERS = RecordTable[Subscriber](
    "subscribers",
    "customer_id, id, name, url, types, form_ids, status, reason, secret, claimed, created, updated, revision, headers,"
    " header_names",
    "name, url, types, form_ids, status, reason, updated, revision, headers, header_names",
    claimed=lambda _: 0,
)
update = _SUBSCRIBERS.update
_FILTERS = (
    "SELECT s.id, s.customer_id, s.types, s.form_ids, h.sequence FROM subscribers s"
    " JOIN subscriber_heads h ON h.customer_id = s.customer_id AND h.subscriber_id = s.id WHERE s.customer_id"
)
# Pending and ended deliveries are in two tables, so that the one that workers query all the time stays small.
_PENDING = (
    "SELECT customer_id, id, subscriber_id, event_id, sequence, type, 'PENDING' AS status, tries, due, created"
    " FROM deliveries"
)
_ENDED = (
    "SELECT customer_id, id, subscriber_id, event_id, sequence, type, status, tries, NULL AS due, created"
    " FROM invocations"
)
_INVOCATION = f"SELECT * FROM ({_PENDING} WHERE customer_id = $1 UNION ALL {_ENDED} WHERE customer_id = $1) i"


def _encode_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _decode_strings(text: str) -> tuple[str, ...]:
    return tuple(msgspec.json.decode(text, type=list[str]))


_subscriber_reader = RecordReader(Subscriber, health=_to_health)


def _to_subscriber(row: Row) -> Subscriber:
    return _subscriber_reader((*row[:12], row[15:], *row[12:15]))


async def insert(tx: WriteTransaction, subscriber: Subscriber) -> None:
    await _SUBSCRIBERS.insert(tx, subscriber)
    await tx.execute(
        "INSERT INTO subscriber_heads (customer_id, subscriber_id, sequence) VALUES ($1, $2, 0)",
        subscriber.customer_id,
        subscriber.id,
    )


async def count(tx: ReadTransaction, scope: Scope) -> int:
    row = await tx.fetch_one("SELECT count(*) FROM subscribers WHERE customer_id = $1", scope.customer_id)
    return int(row[0]) if row else 0


async def list_filters(tx: ReadTransaction, customer_ids: Collection[str]) -> list[SubscriptionFilter]:
    """Return the filters of all subscribers of these accounts, including disabled ones.

    They are not paged: there are at most `MAX_SUBSCRIBERS` per account.
    """
    if len(customer_ids) == 1:
        rows = await tx.fetch(f"{_FILTERS} = $1", *customer_ids)
    else:
        rows = await tx.fetch(f"{_FILTERS} {in_array('$1')}", msgspec.json.encode(list(customer_ids)).decode())
    return [
        SubscriptionFilter(subscriber_id, customer_id, _decode_strings(types), _decode_strings(form_ids), sequence)
        for subscriber_id, customer_id, types, form_ids, sequence in rows
    ]


async def find(tx: ReadTransaction, scope: Scope, subscriber_id: str) -> Subscriber | None:
    row = await tx.fetch_one(f"{_SUBSCRIBER} WHERE customer_id = $1 AND id = $2", scope.customer_id, subscriber_id)
    return _to_subscriber(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window) -> Page[Subscriber]:
    query = Query(_SUBSCRIBER, scope.customer_id)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut_page([_to_subscriber(row) for row in rows], window.limit, lambda s: Position(s.created, s.id))


async def count_waiting(tx: ReadTransaction, scope: Scope, subscriber_id: str, limit: int) -> int:
    row = await tx.fetch_one(
        "SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE customer_id = $1 AND subscriber_id = $2"
        f" LIMIT {limit}) AS waiting",
        scope.customer_id,
        subscriber_id,
    )
    return int(row[0]) if row else 0


async def delete(tx: WriteTransaction, scope: Scope, subscriber_id: str) -> None:
    """Delete a subscriber and its pending deliveries. The log of ended deliveries remains."""
    # Lock the subscriber before its deliveries, as a claim does, because opposite orders could deadlock.
    for table, column in (
        ("subscribers", "id"),
        ("deliveries", "subscriber_id"),
        ("subscriber_heads", "subscriber_id"),
    ):
        await tx.execute(
            f"DELETE FROM {table} WHERE customer_id = $1 AND {column} = $2",
            scope.customer_id,
            subscriber_id,
        )


async def update_secrets(tx: WriteTransaction, subscriber: Subscriber) -> None:
    await tx.execute(
        "UPDATE subscribers SET secret = $3, retiring = $4, updated = $5, revision = $6"
        " WHERE customer_id = $1 AND id = $2",
        subscriber.customer_id,
        subscriber.id,
        subscriber.secret,
        _encode_json(subscriber.retiring),
        subscriber.updated,
        subscriber.revision,
    )


async def disable(tx: WriteTransaction, scope: Scope, subscriber_id: str, reason: str, now: int) -> None:
    await tx.execute(
        "UPDATE subscribers SET status = $3, reason = $4, updated = $5, revision = revision + 1"
        " WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        subscriber_id,
        SubscriberStatus.DISABLED,
        reason,
        now,
    )


async def page_invocations(
    tx: ReadTransaction, scope: Scope, subscriber_id: str, window: Window, status: InvocationStatus | None = None
) -> Page[Invocation]:
    """Return a page of a subscriber's deliveries with their attempts, the newest first."""
    query = _invocation_query(scope, status).where("subscriber_id = ?", subscriber_id)
    rows = await tx.fetch(query.window(window, "created", descending=True), *query.args)
    attempts = await _fetch_attempts(tx, scope, [row[1] for row in rows])
    return cut_page([_to_invocation(row, attempts) for row in rows], window.limit, lambda i: Position(i.created, i.id))


def _invocation_query(scope: Scope, status: InvocationStatus | None) -> Query:
    if status is None:
        return Query(_INVOCATION, scope.customer_id)
    if status is InvocationStatus.PENDING:
        return Query(_PENDING, scope.customer_id)
    query = Query(_ENDED, scope.customer_id).where("status = ?", status)
    # Repeats the condition of the partial index on unsuccessful deliveries, so that the planner can use it.
    return query if status is InvocationStatus.SUCCEEDED else query.where("status <> 'SUCCEEDED'")


async def find_invocation(
    tx: ReadTransaction, scope: Scope, subscriber_id: str, invocation_id: str
) -> Invocation | None:
    row = await tx.fetch_one(
        f"{_INVOCATION} WHERE customer_id = $1 AND subscriber_id = $2 AND id = $3",
        scope.customer_id,
        subscriber_id,
        invocation_id,
    )
    return _to_invocation(row, await _fetch_attempts(tx, scope, [row[1]])) if row else None


async def _fetch_attempts(tx: ReadTransaction, scope: Scope, ids: Sequence[str]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {invocation_id: [] for invocation_id in ids}
    placeholders = ", ".join(f"${i + 2}" for i in range(len(ids)))
    sql = (
        "SELECT invocation_id, number, started, duration, outcome, status_code, error, answer FROM attempts"
        f" WHERE customer_id = $1 AND invocation_id IN ({placeholders}) ORDER BY invocation_id, number"
    )
    for invocation_id, *attempt in await tx.fetch(sql, scope.customer_id, *ids) if ids else ():
        found[invocation_id].append(Attempt(*attempt))
    return found


def _to_invocation(row: Row, attempts: dict[str, list[Attempt]]) -> Invocation:
    customer_id, invocation_id, subscriber_id, event_id, sequence, type_, status, attempt_count, due, created = row
    return Invocation(
        invocation_id,
        customer_id,
        subscriber_id,
        event_id,
        sequence,
        type_,
        InvocationStatus(status),
        attempt_count,
        due,
        created,
        tuple(attempts[invocation_id]),
    )
