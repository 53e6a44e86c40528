"""Invites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.crypto import SecretBox
from formwright.core.errors import Conflict, NotFound

DAY_MS = 24 * 3600 * 1000
DEFAULT_VALIDITY_MS = 30 * DAY_MS
"""How long a link can be used where nothing else is said."""
DEFAULT_REMINDER_MS = 2 * DAY_MS
"""How long before its end a reminder goes out where nothing else is said, if the invite lasts twice as long."""
MAX_REASON_LENGTH = 1000


class InviteStatus(StrEnum):
    """The status of an invite. `PENDING`: the email is queued. `SENT`: the mail server accepted it. `OPENED`: the
    person opened the form. `STARTED`: the first answer was saved. `COMPLETED`: the form was submitted. `DECLINED`: the
    person declined. `EXPIRED`: the link expired. `REVOKED`: the invite was revoked. `FAILED`: the email could not be
    sent.
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
"""What an invite passes until the form is filled, none of it left out."""
OPEN_STATUSES = frozenset(PROGRESS_ORDER[:-1])
"""In these its link opens the form."""
RESENDABLE_STATUSES = OPEN_STATUSES | {InviteStatus.EXPIRED, InviteStatus.FAILED}
"""In these it can be sent once more."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A person who is asked to fill a form. `data` is a JSON object of pre-filled answers; times in milliseconds.

    `reason` says why it failed or was declined. `base_url` is what the links in its mails begin with,
    `lasts` how long each of them can be used.
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
    def next_run_at(self) -> int | None:
        """When the clockwork has to look at it next; None when it has ended."""
        if self.status not in OPEN_STATUSES:
            return None
        return self.expires if self.remind is None or not self.needs_reminder else min(self.remind, self.expires)

    @property
    def needs_reminder(self) -> bool:
        """Whether a reminder is still to come: it was sent before that, and nobody has begun."""
        if self.remind is None or self.reminded is not None or self.sent is None or self.sent >= self.remind:
            return False
        return self.status in (InviteStatus.SENT, InviteStatus.OPENED)

    def is_open(self, now: int) -> bool:
        """Whether its link opens the form; the clockwork may be late, the link is not."""
        return self.status in OPEN_STATUSES and now < self.expires


@dataclass(frozen=True, slots=True)
class NewInvite:
    """What an invite is made from: who is meant stands in `email` or `user_id`, exactly one of them."""

    form_id: str
    email: str | None = None
    user_id: str | None = None
    name: str = ""
    message: str = ""
    data: Mapping[str, object] | None = None
    expires: int | None = None
    remind: int | UnsetType | None = UNSET
    """None: no reminder; not set: as usual."""
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A state that an invite came to: when, by whom (empty: by itself), and what was said."""

    status: InviteStatus
    at: int
    by: str
    detail: str


@dataclass(frozen=True, slots=True)
class InviteFilter:
    """Which invites are meant; the period is half-open and goes by when they were made."""

    form_ids: Sequence[str] = ()
    statuses: Sequence[InviteStatus] = ()
    email: str | None = None
    user_id: str | None = None
    external_id: str | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class InviteMailer:
    """Where invites are written: what seals a mail while it waits, and the public address that links begin with."""

    seal: SecretBox
    base_url: str


class InviteNotFound(NotFound):
    """No such invite in this account."""

    code = "invite.not_found"
    detail = "There is no such invite in this account."


class InviteEnded(Conflict):
    """It has ended, so that this cannot be done any more."""

    code = "invite.ended"
    detail = "This invite has ended."

    def __init__(self, status: InviteStatus | None = None) -> None:
        super().__init__(f"This invite is {status}, and so it can no longer be done." if status else None)


class InviteExternalIdTaken(Conflict):
    """Another invite has this external id."""

    code = "invite.external_id_taken"
    detail = "This account has an invite with this externalId for another form or another person."


class InviteLinkEnded(Conflict):
    """The link opens nothing any more. `why`: what became of the invite; PENDING and on: a newer link was sent."""

    code = "invite.link_ended"
    detail = "This link has ended. Ask the person who sent it for a new one."

    def __init__(self, invite: Invite) -> None:
        super().__init__()
        self.invite = invite
