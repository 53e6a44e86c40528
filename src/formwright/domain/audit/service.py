"""The verbs of the audit log: write, and read."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, ActorKind
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.auth.request_context import Caller
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.audit import store
from formwright.domain.audit.models import AuditActor, AuditActorType, AuditEntry, AuditFilter

SYSTEM_NAME = "Formwright"
"""What the platform is called where it did something by itself."""


async def write(tx: WriteTransaction, entries: Sequence[AuditEntry]) -> None:
    """Write lines, in the transaction of what they tell of."""
    if entries:
        await store.insert(tx, entries)


def to_audit_actor(caller: Caller | None) -> AuditActor:
    """Who does something for this caller; the platform itself where nobody called."""
    if caller is None:
        return AuditActor(AuditActorType.SYSTEM, "", SYSTEM_NAME, "", "")
    actor = caller.actor
    by = AuditActorType(actor.kind) if actor else AuditActorType.NOBODY
    known = "" if actor is None or actor.kind is ActorKind.SYSTEM else actor.id
    name = actor.name if actor else ""
    return AuditActor(
        by, known, name or (SYSTEM_NAME if by is AuditActorType.SYSTEM else ""), caller.address, caller.request_id
    )


async def page(tx: ReadTransaction, actor: Actor, audit_filter: AuditFilter, window: Window) -> Page[AuditEntry]:
    """The account's lines that fit, the newest first."""
    return await store.page(tx, allow(actor, Permission.AUDIT_READ), audit_filter, window)
