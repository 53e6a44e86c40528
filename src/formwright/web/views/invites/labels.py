"""The states of invites in plain words, with the look of each."""

from dataclasses import dataclass

from formwright.domain.invites.models import InviteStatus


@dataclass(frozen=True, slots=True)
class Words:
    """`name` in a list; `happened` in the history; `look`: colour and sign of the status."""

    name: str
    happened: str
    look: str


WORDS = {
    InviteStatus.PENDING: Words("Sending", "Invited", "waiting"),
    InviteStatus.SENT: Words("Sent", "Sent", "sent"),
    InviteStatus.OPENED: Words("Opened", "Opened", "opened"),
    InviteStatus.STARTED: Words("Started", "Started", "started"),
    InviteStatus.COMPLETED: Words("Completed", "Completed", "approved"),
    InviteStatus.DECLINED: Words("Declined", "Declined", "rejected"),
    InviteStatus.EXPIRED: Words("Expired", "Expired", "archived"),
    InviteStatus.REVOKED: Words("Revoked", "Revoked", "archived"),
    InviteStatus.FAILED: Words("Delivery failed", "Delivery failed", "rejected"),
}
