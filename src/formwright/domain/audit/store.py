"""The SQL of the audit log. There is no statement here that changes or deletes a line, and the tables refuse both."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Page, Place, Window, cut_page
from formwright.domain.audit.models import AuditHand, By, Entry, Filter, noun

_BUSIEST = "submission"
"""Most lines tell of submissions: the index by type leaves them out, so that each costs less to write."""
_INSERT = (
    "INSERT INTO audit_log (customer_id, at, id, actor_type, actor_id, actor_name, address, request_id, action,"
    " resource_type, resource_id, resource_name, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
    " $13)"
)
_ENTRY = (
    "SELECT id, customer_id, at, actor_type, actor_id, actor_name, address, request_id, action, resource_id,"
    " resource_name, changed FROM audit_log"
)


async def insert(tx: WriteTransaction, entries: Sequence[Entry]) -> None:
    await tx.defer(_INSERT, [_row(entry) for entry in entries])


def _row(entry: Entry) -> tuple[object, ...]:
    hand = entry.hand
    return (
        entry.customer_id,
        entry.at,
        entry.id,
        hand.by,
        hand.id,
        hand.name,
        hand.address,
        hand.request_id,
        entry.action,
        entry.resource_type,
        entry.resource_id,
        entry.resource_name,
        ",".join(entry.changed),
    )


def _entry(row: Row) -> Entry:
    entry_id, customer_id, at, by, actor_id, name, address, request_id, action, of, called, changed = row
    hand = AuditHand(By(by), actor_id, name, address, request_id)
    members = tuple(changed.split(",")) if changed else ()
    return Entry(entry_id, customer_id, at, hand, action, of, called, members)


async def page(tx: ReadTransaction, scope: Scope, wanted: Filter, window: Window) -> Page[Entry]:
    query = _filtered(Query(_ENTRY, scope.customer_id), wanted)
    rows = await tx.fetch(query.window(window, "at", descending=True), *query.args)
    return cut_page([_entry(row) for row in rows], window.limit, lambda entry: Place(entry.at, entry.id))


def _filtered(query: Query, wanted: Filter) -> Query:
    if wanted.actor_id:
        query.where("actor_id = ?", wanted.actor_id)
    if wanted.resource_id:
        query.where("resource_id = ?", wanted.resource_id)
    for type_ in {wanted.resource_type, noun(wanted.action).removesuffix("*")} - {""}:
        query.where("resource_type = ?", type_)
        if type_ != _BUSIEST:
            query.where(f"resource_type <> '{_BUSIEST}'")
    if wanted.action.endswith("*"):
        query.where("substr(action, 1, ?) = ?", len(wanted.action) - 1, wanted.action[:-1])
    elif wanted.action:
        query.where("action = ?", wanted.action)
    if wanted.since is not None:
        query.where("at >= ?", wanted.since)
    return query if wanted.until is None else query.where("at < ?", wanted.until)
