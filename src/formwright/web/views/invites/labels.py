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
    InviteStatus.PENDING: Words("On its way", "Asked", "waiting"),
    InviteStatus.SENT: Words("Sent", "Sent", "sent"),
    InviteStatus.OPENED: Words("Opened", "Opened", "opened"),
    InviteStatus.STARTED: Words("Begun", "Began to fill it in", "started"),
    InviteStatus.COMPLETED: Words("Filled in", "Filled in", "approved"),
    InviteStatus.DECLINED: Words("Declined", "Declined", "rejected"),
    InviteStatus.EXPIRED: Words("Expired", "Expired", "archived"),
    InviteStatus.REVOKED: Words("Revoked", "Revoked", "archived"),
    InviteStatus.FAILED: Words("Not delivered", "Could not be delivered", "rejected"),
}
