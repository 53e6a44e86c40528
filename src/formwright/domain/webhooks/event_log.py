"""The event log: each event is written in the transaction of its change, and read in sequence order."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, Row
from formwright.core.db.query import Query, read_joined
from formwright.core.pagination import Page, Position, RenderedPage, Window, cut_page
from formwright.domain.webhooks.models import EventNotFound, LoggedEvent

_FIELDS = "id, customer_id, sequence, type, form_id, created, body"
_EVENT = f"SELECT {_FIELDS} FROM events"


async def page(
    tx: ReadTransaction, actor: Actor, window: Window, *, types: Sequence[str] = (), form_ids: Sequence[str] = ()
) -> Page[LoggedEvent]:
    """Return a page of the account's events in sequence order."""
    query = _build_query(actor, types, form_ids)
    rows = await tx.fetch(query.window(window, "sequence"), *query.args)
    return cut_page([_to_event(row) for row in rows], window.limit, lambda e: Position(e.sequence, e.id))


async def page_rendered(
    tx: ReadTransaction, actor: Actor, window: Window, *, types: Sequence[str] = (), form_ids: Sequence[str] = ()
) -> RenderedPage:
    """Return the same page as JSON, with the stored bytes of each event as they are delivered."""
    joined = await read_joined(
        tx, lambda columns: _build_query(actor, types, form_ids, columns), "body", window, "sequence"
    )
    assert joined is not None  # noqa: S101 - every event has a body
    return joined


def _build_query(actor: Actor, types: Sequence[str], form_ids: Sequence[str], columns: str = _FIELDS) -> Query:
    query = Query(f"SELECT {columns} FROM events", allow(actor, Permission.WEBHOOKS_READ).customer_id)
    return query.one_of("type", types).one_of("form_id", form_ids)


async def get(tx: ReadTransaction, actor: Actor, *, event_id: str) -> LoggedEvent:
    """Return an event; raises `EventNotFound`."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    row = await tx.fetch_one(f"{_EVENT} WHERE customer_id = $1 AND id = $2", scope.customer_id, event_id)
    if row is None:
        raise EventNotFound()
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


def _to_event(row: Row) -> LoggedEvent:
    return LoggedEvent(*row)
