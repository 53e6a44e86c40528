"""SQL that creates deliveries, for new events and for replays of old ones."""

from collections import defaultdict
from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Row, WriteTransaction
from formwright.core.work_kinds import WorkKind
from formwright.domain.webhooks import store
from formwright.domain.webhooks.models import LoggedEvent, SubscriptionFilter


async def append_events(tx: WriteTransaction, events: Sequence[LoggedEvent]) -> None:
    """Store events, and a delivery for each subscriber whose filter matches. Deliveries to disabled subscribers wait.

    The caller holds the locks of these accounts, so subscribers can't change between reading them and the commit.
    """
    if not events:
        return
    subscribers: defaultdict[str, list[SubscriptionFilter]] = defaultdict(list)
    audible = [e for e in events if not e.is_silent]
    for s in await store.list_filters(tx, {e.customer_id for e in events}):
        subscribers[s.customer_id].append(s)
    pairs = [(s, e) for e in audible for s in subscribers[e.customer_id] if s.matches(e.type, e.form_id)]
    await tx.defer(
        "INSERT INTO events (customer_id, sequence, id, type, form_id, created, body, trace)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [(e.customer_id, e.sequence, e.id, e.type, e.form_id, e.created, e.body, e.trace) for e in events],
    )
    if pairs:
        await _insert_deliveries(tx, pairs)


async def _insert_deliveries(tx: WriteTransaction, pairs: Sequence[tuple[SubscriptionFilter, LoggedEvent]]) -> None:
    """Create a delivery for each pair, due immediately.

    Each delivery stores the sequence of the previous event for the same subscriber, so that receivers notice gaps.
    """
    heads, rows = {s.id: s.last_sequence for s, _ in pairs}, []
    for s, e in pairs:
        # `created` can be ahead of the clock, because timestamps of an account always increase.
        due = min(e.created, tx.now())
        tx.schedule(WorkKind.WEBHOOK, e.customer_id, due)
        rows.append((e.customer_id, tx.new_id("inv"), s.id, e.sequence, heads[s.id], e.id, e.type, e.created, due))
        heads[s.id] = e.sequence
    await tx.defer(
        "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, previous, event_id, type, created, due,"
        " tries) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)",
        rows,
    )
    await tx.defer(
        # In a table of its own, because workers lock the rows of subscribers, and every change would wait for them.
        "UPDATE subscriber_heads SET sequence = $3 WHERE customer_id = $1 AND subscriber_id = $2",
        [(*key, heads[key[1]]) for key in {(s.customer_id, s.id) for s, _ in pairs}],
    )


async def insert_replays(
    tx: WriteTransaction, scope: Scope, subscriber_id: str, events: Sequence[tuple[Row, int]]
) -> None:
    """Create a delivery, due immediately, for each event: its row (sequence, id, type) and the previous sequence."""
    now = tx.now()
    if events:
        tx.schedule(WorkKind.WEBHOOK, scope.customer_id, now)
        await tx.execute_many(
            "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, previous, event_id, type, created, due,"
            " tries) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, 0)",
            [
                (scope.customer_id, tx.new_id("inv"), subscriber_id, e[0], previous, e[1], e[2], now)
                for e, previous in events
            ],
        )
