"""From one state to the next: the change, its line in the history and its event, in one transaction."""

from dataclasses import replace
from typing import Any

from formwright.core.db.interface import WriteTransaction
from formwright.core.events import changed_properties as differing
from formwright.domain.invites import events, link_store, store
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
    **members: Any,
) -> Invite:
    """Lead an invite to a state, from whichever: whoever calls has asked for that. At its end nothing more goes out.

    The caller holds the account's row, and read the invite behind that.
    """
    if status in _TIMESTAMP_FIELDS:
        members[_TIMESTAMP_FIELDS[status]] = now
    after = replace(invite, status=status, updated=now, revision=invite.revision + 1, **members)
    await store.update(tx, after)
    await link_store.insert_step(tx, after, Step(status, now, by, detail))
    tx.record(events.EVENT_BY_STATUS[status](after.customer_id, after, changed=differing(invite, after)))
    if status not in OPEN_STATUSES:
        await withdraw_emails(tx, after)
    return after


async def advance(tx: WriteTransaction, invite: Invite, target: InviteStatus, now: int, **members: Any) -> Invite:
    """Bring an open invite on its way to a state; what it has not passed yet it passes now. Never goes back."""
    for status in PROGRESS_ORDER[PROGRESS_ORDER.index(invite.status) + 1 : PROGRESS_ORDER.index(target) + 1]:
        invite = await change_status(tx, invite, status, now, **(members if status is target else {}))
    return invite


async def withdraw_emails(tx: WriteTransaction, invite: Invite) -> None:
    """Send no more of what still waits."""
    for purpose in (PURPOSE, REMINDER):
        await mail.withdraw(tx, invite.customer_id, purpose=purpose, subject_id=invite.id)
