"""Invites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.crypto import SecretBox
from formwright.core.errors import Conflict, NotFound
from formwright.core.pagination import OLDEST_FIRST, TimeFilter

DAY_MS = 24 * 3600 * 1000
DEFAULT_VALIDITY_MS = 30 * DAY_MS
"""How long a link is valid by default."""
DEFAULT_REMINDER_MS = 2 * DAY_MS
"""How long before expiry the reminder is sent by default, if the invite is valid for at least twice as long."""
MAX_REASON_LENGTH = 1000
NO_MAIL_SERVER = "This server has no mail server, so no email was sent."
"""The reason of invites that wait for somebody to pass on their link."""


class InviteStatus(StrEnum):
    """The status of an invite. `PENDING`: the email is queued, or there is no mail server. `SENT`: the mail server
    accepted it. `OPENED`: the person opened the form. `STARTED`: the first answer was saved. `COMPLETED`: the form was
    submitted. `DECLINED`: the person declined. `EXPIRED`: the link expired. `REVOKED`: the invite was revoked.
    `FAILED`: the email could not be sent.
    """

    PENDING = "PENDING"
    SENT = "SENT"
    OPENED = "OPENED"
    STARTED = "STARTED"
    COMPLETED = "COMPLETED"
    DECLINED = "DECLINED"
    EXPIRED = "EXPIRED"
    REVOKED = "REVOKED"
    FAILED = "FAILED"


PROGRESS_ORDER = (
    InviteStatus.PENDING,
    InviteStatus.SENT,
    InviteStatus.OPENED,
    InviteStatus.STARTED,
    InviteStatus.COMPLETED,
)
"""The statuses on the way to completion. None of them is skipped."""
OPEN_STATUSES = frozenset(PROGRESS_ORDER[:-1])
"""The statuses in which the link opens the form."""
RESENDABLE_STATUSES = OPEN_STATUSES | {InviteStatus.EXPIRED, InviteStatus.FAILED}
"""The statuses in which the invite can be sent again."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A request to a person to fill in a form. Times are in milliseconds.

    `data` is a JSON object of pre-filled answers. `remind` is when to send the reminder, and `reminded` when it was
    sent. `reason` says why the invite was not sent, failed or was declined. Links in its emails start with `base_url`
    and are valid for `validity_ms`.
    """

    id: str
    customer_id: str
    form_id: str
    status: InviteStatus
    email: str
    user_id: str | None
    name: str
    language: str
    message: str
    data: str
    validity_ms: int
    expires: int
    remind: int | None
    reminded: int | None
    external_id: str | None
    base_url: str
    submission_id: str | None
    reason: str | None
    sent: int | None
    opened: int | None
    started: int | None
    completed: int | None
    created: int
    updated: int
    revision: int

    @property
    def needs_delivery(self) -> bool:
        """Whether no email will be sent, so that somebody has to pass on the link."""
        return self.status is InviteStatus.PENDING and self.reason is not None

    @property
    def next_run_at(self) -> int | None:
        """When the scheduler must process the invite next; None if it has ended."""
        if self.status not in OPEN_STATUSES:
            return None
        return self.expires if self.remind is None or not self.needs_reminder else min(self.remind, self.expires)

    @property
    def needs_reminder(self) -> bool:
        """Whether a reminder is still to be sent: not if the email was sent later than that, or answers were saved."""
        if self.remind is None or self.reminded is not None or self.sent is None or self.sent >= self.remind:
            return False
        return self.status in (InviteStatus.SENT, InviteStatus.OPENED)

    def is_open(self, now: int) -> bool:
        """Whether the link opens the form. The scheduler may be late, so the time of expiry decides."""
        return self.status in OPEN_STATUSES and now < self.expires


@dataclass(frozen=True, slots=True)
class NewInvite:
    """Input for creating an invite. Exactly one of `email` and `user_id` must be set."""

    form_id: str
    email: str | None = None
    user_id: str | None = None
    name: str = ""
    message: str = ""
    data: Mapping[str, object] | None = None
    expires: int | None = None
    remind: int | UnsetType | None = UNSET
    """When to send the reminder. None means no reminder, UNSET the default."""
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of an invite's history: a status, when it was reached, by whom (empty for the system) and a detail."""

    status: InviteStatus
    at: int
    by: str
    detail: str


@dataclass(frozen=True, slots=True)
class InviteFilter:
    """Filters for a list of invites."""

    form_ids: Sequence[str] = ()
    statuses: Sequence[InviteStatus] = ()
    email: str | None = None
    user_id: str | None = None
    external_id: str | None = None
    times: TimeFilter = OLDEST_FIRST


@dataclass(frozen=True, slots=True)
class InviteMailer:
    """What sending invites needs: the encryption of queued emails, and the public URL for links.

    Without a mail server, emails are only saved to a folder.
    """

    seal: SecretBox
    base_url: str
    has_mail_server: bool = True

    @property
    def reason(self) -> str | None:
        """Why new invites are not sent; None if they are."""
        return None if self.has_mail_server else NO_MAIL_SERVER


class InviteNotFound(NotFound):
    """No such invite in this account."""

    code = "invite.not_found"
    detail = "There is no such invite in this account."


class InviteEnded(Conflict):
    """The invite has ended and cannot be changed."""

    code = "invite.ended"
    detail = "This invite has ended."

    def __init__(self, status: InviteStatus | None = None) -> None:
        super().__init__(f"This invite is {status} and can no longer be changed." if status else None)


class InviteExternalIdTaken(Conflict):
    """An invite for another form or person has this external id."""

    code = "invite.external_id_taken"
    detail = "An invite for another form or another person already has this externalId."


class InviteLinkEnded(Conflict):
    """The link no longer opens the form. If `invite` is still open, a newer link was sent."""

    code = "invite.link_ended"
    detail = "This link no longer works. Ask the person who sent it for a new one."

    def __init__(self, invite: Invite) -> None:
        super().__init__()
        self.invite = invite
