"""The labels and styles of invite statuses."""

from dataclasses import dataclass

from formwright.domain.invites.models import Invite, InviteStatus


@dataclass(frozen=True, slots=True)
class StatusLabel:
    """The `name` of a status in lists, its title in the history (`happened`), and its CSS class (`look`)."""

    name: str
    happened: str
    look: str


STATUS_LABELS = {
    InviteStatus.PENDING: StatusLabel("Sending", "Invited", "waiting"),
    InviteStatus.SENT: StatusLabel("Sent", "Sent", "sent"),
    InviteStatus.OPENED: StatusLabel("Opened", "Opened", "opened"),
    InviteStatus.STARTED: StatusLabel("Started", "Started", "started"),
    InviteStatus.COMPLETED: StatusLabel("Completed", "Completed", "approved"),
    InviteStatus.DECLINED: StatusLabel("Declined", "Declined", "rejected"),
    InviteStatus.EXPIRED: StatusLabel("Expired", "Expired", "archived"),
    InviteStatus.REVOKED: StatusLabel("Revoked", "Revoked", "archived"),
    InviteStatus.FAILED: StatusLabel("Delivery failed", "Delivery failed", "rejected"),
}
_NOT_SENT = StatusLabel("Not sent", "Invited", "rejected")


def label_status(invite: Invite) -> StatusLabel:
    """Return the label of an invite's status. Without a mail server, its email was not sent."""
    return _NOT_SENT if invite.needs_delivery else STATUS_LABELS[invite.status]
