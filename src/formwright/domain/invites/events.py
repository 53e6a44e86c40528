"""Events about invites."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.invites.models import Invite, InviteStatus


@dataclass(frozen=True, slots=True)
class InviteEvent(Event):
    """Base class; `invite` is the state after the event."""

    invite: Invite


@dataclass(frozen=True, slots=True)
class InviteCreated(InviteEvent):
    """The invite was created and its email queued."""

    type = "invite.created"


@dataclass(frozen=True, slots=True)
class InviteResent(InviteEvent):
    """An email with a new link was queued. The old link no longer works."""

    type = "invite.resent"


@dataclass(frozen=True, slots=True)
class InviteSent(InviteEvent):
    """The mail server accepted the email."""

    type = "invite.sent"


@dataclass(frozen=True, slots=True)
class InviteOpened(InviteEvent):
    """The person opened the form."""

    type = "invite.opened"


@dataclass(frozen=True, slots=True)
class InviteStarted(InviteEvent):
    """The person saved the first answer."""

    type = "invite.started"


@dataclass(frozen=True, slots=True)
class InviteCompleted(InviteEvent):
    """The person submitted the form."""

    type = "invite.completed"


@dataclass(frozen=True, slots=True)
class InviteDeclined(InviteEvent):
    """The person declined."""

    type = "invite.declined"


@dataclass(frozen=True, slots=True)
class InviteExpired(InviteEvent):
    """The invite expired."""

    type = "invite.expired"


@dataclass(frozen=True, slots=True)
class InviteRevoked(InviteEvent):
    """The invite was revoked."""

    type = "invite.revoked"


@dataclass(frozen=True, slots=True)
class InviteFailed(InviteEvent):
    """The email could not be sent."""

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
"""The event of a status change, by the new status."""
