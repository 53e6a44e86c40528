"""The states of invites in plain words, with the look of each."""

from dataclasses import dataclass

from formwright.domain.invites.models import InviteStatus


@dataclass(frozen=True, slots=True)
class StatusLabel:
    """`name` in a list; `happened` in the history; `look`: colour and sign of the status."""

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
