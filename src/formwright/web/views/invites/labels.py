"""The labels and styles of invite statuses."""

from dataclasses import dataclass

from formwright.domain.invites.models import InviteStatus


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
