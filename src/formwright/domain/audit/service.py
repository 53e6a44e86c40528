"""Writing and reading the audit log."""

from collections.abc import Iterator, Sequence

from formwright.core.auth.actor import Actor, ActorKind, allow
from formwright.core.auth.permissions import Permission
from formwright.core.auth.request_context import Caller
from formwright.core.db.interface import ReadTransaction, TransactionEvents, WriteTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.audit import store
from formwright.domain.audit.models import AuditActor, AuditActorType, AuditEntry, AuditFilter

SYSTEM_NAME = "Formwright"
"""The actor's name in entries of background work."""


async def write(tx: WriteTransaction, transactions: Sequence[tuple[TransactionEvents, int]]) -> None:
    """Write an entry for each audit note of these transactions, with their time in milliseconds."""
    entries = [entry for transaction, at in transactions for entry in _to_entries(tx, transaction, at)]
    if entries:
        await store.insert(tx, entries)


def _to_entries(tx: WriteTransaction, transaction: TransactionEvents, at: int) -> Iterator[AuditEntry]:
    actor = _to_audit_actor(transaction.caller)
    for note in transaction.notes:
        resource = note.action.partition(".")[0], note.id, note.name
        yield AuditEntry(tx.new_id("aud"), note.customer_id, at, actor, note.action, *resource, note.changed)


def _to_audit_actor(caller: Caller | None) -> AuditActor:
    """Return the actor to record for a caller; None, in background work, is the server itself."""
    if caller is None:
        return AuditActor(AuditActorType.SYSTEM, "", SYSTEM_NAME, "", "")
    actor = caller.actor
    type_ = AuditActorType(actor.kind) if actor else AuditActorType.NOBODY
    actor_id = "" if actor is None or actor.kind is ActorKind.SYSTEM else actor.id
    name = (actor.name if actor else "") or (SYSTEM_NAME if type_ is AuditActorType.SYSTEM else "")
    return AuditActor(type_, actor_id, name, caller.address, caller.request_id)


async def page(tx: ReadTransaction, actor: Actor, audit_filter: AuditFilter, window: Window) -> Page[AuditEntry]:
    """Return a page of the account's matching entries, newest first."""
    return await store.page(tx, allow(actor, Permission.AUDIT_READ), audit_filter, window)
