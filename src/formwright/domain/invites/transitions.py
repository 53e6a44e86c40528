"""Status changes of invites: each stores the invite, adds an entry to its history and records its event."""

from dataclasses import replace
from typing import Any

from formwright.core.db.interface import WriteTransaction
from formwright.core.events import Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.domain.invites import link_store, store
from formwright.domain.invites.models import OPEN_STATUSES, PROGRESS_ORDER, Invite, InviteStatus, Step
from formwright.domain.mail import service as mail

PURPOSE = "invite"
REMINDER = "invite.reminder"
_TIMESTAMP_FIELDS = {
    InviteStatus.SENT: "sent",
    InviteStatus.OPENED: "opened",
    InviteStatus.STARTED: "started",
    InviteStatus.COMPLETED: "completed",
}


async def change_status(
    tx: WriteTransaction,
    invite: Invite,
    status: InviteStatus,
    now: int,
    *,
    by: str = "",
    detail: str = "",
    **changes: Any,
) -> Invite:
    """Set the status and `changes`, and return the invite. If that ends the invite, its queued emails are withdrawn.

    The caller checks that the change is allowed, holds the account's lock, and read the invite under that lock.
    """
    if status in _TIMESTAMP_FIELDS:
        changes[_TIMESTAMP_FIELDS[status]] = now
    after = replace(invite, status=status, updated=now, revision=invite.revision + 1, **changes)
    await store.update(tx, after)
    await link_store.insert_steps(tx, [after], Step(status, now, by, detail))
    # Each status that an invite can change to has an event of the same name.
    event_type = EventType(f"invite.{status.lower()}")
    tx.record(Event(event_type, after.customer_id, after, changed=differing(invite, after)))
    if status not in OPEN_STATUSES:
        await withdraw_emails(tx, after)
    return after


async def advance(tx: WriteTransaction, invite: Invite, target: InviteStatus, now: int, **changes: Any) -> Invite:
    """Advance an open invite to a status through all statuses in between; never goes back."""
    for status in PROGRESS_ORDER[PROGRESS_ORDER.index(invite.status) + 1 : PROGRESS_ORDER.index(target) + 1]:
        # No status is skipped, so the history says why this one is there although no email was sent.
        detail = "Somebody passed on the link." if invite.needs_delivery else ""
        more = (changes if status is target else {}) | ({"reason": None} if invite.needs_delivery else {})
        invite = await change_status(tx, invite, status, now, detail=detail, **more)
    return invite


async def withdraw_emails(tx: WriteTransaction, invite: Invite) -> None:
    """Withdraw the invite's queued emails."""
    for purpose in (PURPOSE, REMINDER):
        await mail.withdraw(tx, invite.customer_id, purpose=purpose, subject_id=invite.id)
