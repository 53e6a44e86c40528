"""The event log: each event is written in the transaction of its change, and read in sequence order."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, in_array, read_joined
from formwright.core.errors import require
from formwright.core.pagination import Page, Position, RenderedPage, Window, cut_page
from formwright.domain.webhooks.models import EventNotFound, LoggedEvent

_FIELDS = "id, customer_id, sequence, type, form_id, created, body"
_EVENT = f"SELECT {_FIELDS} FROM events"


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events to list, in sequence order or, if `newest_first`, in the opposite order.

    Empty properties do not restrict the list. The period (in milliseconds) is half-open: `since` ≤ created < `until`.
    """

    types: Sequence[str] = ()
    form_ids: Sequence[str] = ()
    since: int | None = None
    until: int | None = None
    newest_first: bool = False


NO_FILTER = EventFilter()


async def page(
    tx: ReadTransaction, actor: Actor, window: Window, filter_: EventFilter = NO_FILTER
) -> Page[LoggedEvent]:
    """Return a page of the account's events."""
    query = _build_query(actor, filter_, await _find_period(tx, actor, filter_))
    rows = await tx.fetch(query.window(window, "sequence", descending=filter_.newest_first), *query.args)
    return cut_page([_to_event(row) for row in rows], window.limit, lambda e: Position(e.sequence, e.id))


async def page_rendered(
    tx: ReadTransaction, actor: Actor, window: Window, filter_: EventFilter = NO_FILTER
) -> RenderedPage:
    """Return the same page as JSON, with the stored bytes of each event as they are delivered."""
    period = await _find_period(tx, actor, filter_)

    def query(columns: str) -> Query:
        return _build_query(actor, filter_, period, columns)

    joined = await read_joined(tx, query, "body", window, "sequence", descending=filter_.newest_first)
    assert joined is not None  # noqa: S101 - every event has a body
    return joined


async def _find_period(tx: ReadTransaction, actor: Actor, filter_: EventFilter) -> tuple[int | None, int | None]:
    """Return the sequence after which the filter's period begins, and that of its last event. None: no bound.

    The log has an index by sequence, but none by time.
    """
    if filter_.since is None and filter_.until is None:
        return None, None
    scope = allow(actor, Permission.WEBHOOKS_READ)
    oldest, newest = await stored_range(tx, scope)

    async def before(time: int | None) -> int | None:
        return None if time is None else await sequence_before(tx, scope, time, oldest, newest)

    return await before(filter_.since), await before(filter_.until)


def _build_query(
    actor: Actor, filter_: EventFilter, period: tuple[int | None, int | None], columns: str = _FIELDS
) -> Query:
    query = Query(f"SELECT {columns} FROM events", allow(actor, Permission.WEBHOOKS_READ).customer_id)
    query.one_of("type", filter_.types).one_of("form_id", filter_.form_ids)
    after, last = period
    if after is not None:
        query.where("sequence > ?", after)
    if last is not None:
        query.where("sequence <= ?", last)
    return query


async def get(tx: ReadTransaction, actor: Actor, *, event_id: str) -> LoggedEvent:
    """Return an event; raises `EventNotFound`."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    row = require(
        await tx.fetch_one(f"{_EVENT} WHERE customer_id = $1 AND id = $2", scope.customer_id, event_id), EventNotFound
    )
    return _to_event(row)


async def oldest_sequence(tx: ReadTransaction, actor: Actor) -> int | None:
    """Return the sequence of the oldest stored event, or None if the log is empty."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    row = await tx.fetch_one(
        "SELECT sequence FROM events WHERE customer_id = $1 ORDER BY sequence LIMIT 1", scope.customer_id
    )
    return int(row[0]) if row else None


async def newest_sequence(tx: ReadTransaction, actor: Actor) -> int | None:
    """Return the sequence of the newest event, or None if the log is empty."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    row = await tx.fetch_one(
        "SELECT sequence FROM events WHERE customer_id = $1 ORDER BY sequence DESC LIMIT 1", scope.customer_id
    )
    return int(row[0]) if row else None


async def sequence_before(tx: ReadTransaction, scope: Scope, since: int, oldest: int, newest: int) -> int:
    """Return the sequence after which all events are from this time or later.

    `oldest` and `newest` are the first and the last stored event. A binary search, because times increase with the
    sequence.
    """
    low, high = oldest, newest
    while low <= high:
        middle = (low + high) // 2
        if await created_time(tx, scope, middle) < since:
            low = middle + 1
        else:
            high = middle - 1
    return low - 1


async def created_time(tx: ReadTransaction, scope: Scope, sequence: int) -> int:
    """Return when a stored event was created, in milliseconds; 0 if there is no such event."""
    row = await tx.fetch_one(
        "SELECT created FROM events WHERE customer_id = $1 AND sequence = $2", scope.customer_id, sequence
    )
    return int(row[0]) if row else 0


async def stored_range(tx: ReadTransaction, scope: Scope) -> tuple[int, int]:
    """Return the oldest and the newest stored sequence, or 1 and 0 if the log is empty."""
    row = await tx.fetch_one(
        "SELECT min(sequence), max(sequence) FROM events WHERE customer_id = $1", scope.customer_id
    )
    return (int(row[0]), int(row[1])) if row and row[0] is not None else (1, 0)


async def replace_bodies(tx: WriteTransaction, scope: Scope, bodies: Sequence[tuple[int, str, str]]) -> None:
    """Replace the bodies of events, given as sequence, id and new body, and delete the responses of their receivers."""
    await tx.execute_many(
        "UPDATE events SET body = $3 WHERE customer_id = $1 AND sequence = $2",
        [(scope.customer_id, sequence, body) for sequence, _, body in bodies],
    )
    # The response of a receiver may repeat data of the event.
    ids = msgspec.json.encode(sorted(event_id for _, event_id, _ in bodies)).decode()
    for table in ("invocations", "deliveries"):
        await tx.execute(
            "UPDATE attempts SET answer = NULL WHERE customer_id = $1 AND answer IS NOT NULL AND invocation_id IN"
            f" (SELECT id FROM {table} WHERE customer_id = $1 AND event_id {in_array('$2')})",
            scope.customer_id,
            ids,
        )


def to_tombstone(body: str) -> str:
    """Return an event without its data, of which only the id remains. Readers see that it was erased."""
    event = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return msgspec.json.encode(event | {"data": {"id": subject_id(body)}, "erased": True}).decode()


def subject_id(body: str) -> str:
    """Return the id of the resource that an event is about."""
    return _read(body).data.id


class _EventData(msgspec.Struct):
    id: str = ""


class _EventBody(msgspec.Struct):
    data: _EventData = msgspec.field(default_factory=_EventData)


_read = msgspec.json.Decoder(_EventBody).decode


def _to_event(row: Row) -> LoggedEvent:
    return LoggedEvent(*row)
