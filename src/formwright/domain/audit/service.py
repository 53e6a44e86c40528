"""The verbs of the audit log: write, and read."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, ActorKind
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.auth.request_context import Caller
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.audit import store
from formwright.domain.audit.models import AuditHand, By, Entry, Filter

ITSELF = "Formwright"
"""What the platform is called where it did something by itself."""


async def write(tx: WriteTransaction, entries: Sequence[Entry]) -> None:
    """Write lines, in the transaction of what they tell of."""
    if entries:
        await store.insert(tx, entries)


def hand_of(caller: Caller | None) -> AuditHand:
    """Who does something for this caller; the platform itself where nobody called."""
    if caller is None:
        return AuditHand(By.SYSTEM, "", ITSELF, "", "")
    actor = caller.actor
    by = By(actor.kind) if actor else By.NOBODY
    known = "" if actor is None or actor.kind is ActorKind.SYSTEM else actor.id
    name = actor.name if actor else ""
    return AuditHand(by, known, name or (ITSELF if by is By.SYSTEM else ""), caller.address, caller.request_id)


async def page(tx: ReadTransaction, actor: Actor, wanted: Filter, window: Window) -> Page[Entry]:
    """The account's lines that fit, the newest first."""
    return await store.page(tx, allow(actor, Permission.AUDIT_READ), wanted, window)
