"""What can happen to invites."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.invites.models import Invite, InviteStatus


@dataclass(frozen=True, slots=True)
class InviteEvent(Event):
    """What all of them carry: the invite as it is from then on."""

    invite: Invite


@dataclass(frozen=True, slots=True)
class InviteCreated(InviteEvent):
    """It was made, and its mail is to be sent."""

    type = "invite.created"


@dataclass(frozen=True, slots=True)
class InviteResent(InviteEvent):
    """A mail with a new link is to be sent; the old link has ended."""

    type = "invite.resent"


@dataclass(frozen=True, slots=True)
class InviteSent(InviteEvent):
    """The mail server has taken the mail."""

    type = "invite.sent"


@dataclass(frozen=True, slots=True)
class InviteOpened(InviteEvent):
    """The person has the form before her."""

    type = "invite.opened"


@dataclass(frozen=True, slots=True)
class InviteStarted(InviteEvent):
    """The first answer was saved."""

    type = "invite.started"


@dataclass(frozen=True, slots=True)
class InviteCompleted(InviteEvent):
    """The filled form came in."""

    type = "invite.completed"


@dataclass(frozen=True, slots=True)
class InviteDeclined(InviteEvent):
    """The person will not fill the form."""

    type = "invite.declined"


@dataclass(frozen=True, slots=True)
class InviteExpired(InviteEvent):
    """Its time is over."""

    type = "invite.expired"


@dataclass(frozen=True, slots=True)
class InviteRevoked(InviteEvent):
    """It was taken back."""

    type = "invite.revoked"


@dataclass(frozen=True, slots=True)
class InviteFailed(InviteEvent):
    """The mail could not be sent."""

    type = "invite.failed"


EVENT_BY_STATUS: dict[InviteStatus, type[InviteEvent]] = {
    InviteStatus.SENT: InviteSent,
    InviteStatus.OPENED: InviteOpened,
    InviteStatus.STARTED: InviteStarted,
    InviteStatus.COMPLETED: InviteCompleted,
    InviteStatus.DECLINED: InviteDeclined,
    InviteStatus.EXPIRED: InviteExpired,
    InviteStatus.REVOKED: InviteRevoked,
    InviteStatus.FAILED: InviteFailed,
}
"""What tells of a transition, by the state that it leads to."""
