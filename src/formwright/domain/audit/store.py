"""SQL of the audit log. No statement changes or deletes entries, and triggers on the tables prevent both."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.audit.models import AuditActor, AuditActorType, AuditEntry, AuditFilter

_UNINDEXED_TYPE = "submission"
"""Most entries are about submissions. The index by type leaves them out, which makes them cheaper to write."""
_INSERT = (
    "INSERT INTO audit_log (customer_id, at, id, actor_type, actor_id, actor_name, address, request_id, action,"
    " resource_type, resource_id, resource_name, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
    " $13)"
)
_SELECT = (
    "SELECT id, customer_id, at, actor_type, actor_id, actor_name, address, request_id, action, resource_type,"
    " resource_id, resource_name, changed FROM audit_log"
)


async def insert(tx: WriteTransaction, entries: Sequence[AuditEntry]) -> None:
    await tx.defer(_INSERT, [_to_row(entry) for entry in entries])


def _to_row(entry: AuditEntry) -> tuple[object, ...]:
    actor = entry.actor
    return (
        entry.customer_id,
        entry.at,
        entry.id,
        actor.type,
        actor.id,
        actor.name,
        actor.address,
        actor.request_id,
        entry.action,
        entry.resource_type,
        entry.resource_id,
        entry.resource_name,
        ",".join(entry.changed),
    )


def _to_entry(row: Row) -> AuditEntry:
    entry_id, customer_id, at, actor_type, actor_id, name, address, request_id, action, *resource, changed = row
    actor = AuditActor(AuditActorType(actor_type), actor_id, name, address, request_id)
    resource_type, resource_id, resource_name = resource
    properties = tuple(changed.split(",")) if changed else ()
    return AuditEntry(entry_id, customer_id, at, actor, action, resource_type, resource_id, resource_name, properties)


async def page(tx: ReadTransaction, scope: Scope, audit_filter: AuditFilter, window: Window) -> Page[AuditEntry]:
    query = _apply_filter(Query(_SELECT, scope.customer_id), audit_filter)
    rows = await tx.fetch(query.window(window, "at", descending=True), *query.args)
    return cut_page([_to_entry(row) for row in rows], window.limit, lambda entry: Position(entry.at, entry.id))


def _apply_filter(query: Query, audit_filter: AuditFilter) -> Query:
    if audit_filter.actor_id:
        query.where("actor_id = ?", audit_filter.actor_id)
    if audit_filter.resource_id:
        query.where("resource_id = ?", audit_filter.resource_id)
    action_type = audit_filter.action.partition(".")[0].removesuffix("*")
    for type_ in {audit_filter.resource_type, action_type} - {""}:
        query.where("resource_type = ?", type_)
        if type_ != _UNINDEXED_TYPE:
            # Repeats the condition of the partial index, which the planner would not use otherwise.
            query.where(f"resource_type <> '{_UNINDEXED_TYPE}'")
    if audit_filter.action.endswith("*"):
        query.where("substr(action, 1, ?) = ?", len(audit_filter.action) - 1, audit_filter.action[:-1])
    elif audit_filter.action:
        query.where("action = ?", audit_filter.action)
    if audit_filter.since is not None:
        query.where("at >= ?", audit_filter.since)
    return query if audit_filter.until is None else query.where("at < ?", audit_filter.until)
