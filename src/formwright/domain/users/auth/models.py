"""Sessions, links to set a password, and two-factor authentication: the records and errors."""

from dataclasses import dataclass, field
from enum import StrEnum

from formwright.core.errors import Conflict, DomainError, NotFound
from formwright.domain.users.models import User


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Where a user signs in: their network address, the browser's User-Agent, and the origin of the site they used."""

    address: str = ""
    agent: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session. Times are in milliseconds since 1970; `seen`, the last use, is accurate to five minutes."""

    id: str
    customer_id: str
    user_id: str
    address: str
    agent: str
    created: int
    seen: int
    provider_id: str | None = None
    """The identity provider with which the user signed in."""
    id_token: str = field(default="", repr=False)
    """The ID token of this sign-in, encrypted; only known of a session that has been signed out."""


@dataclass(frozen=True, slots=True)
class ProviderSession:
    """A session at an identity provider; `session_id` is its `sid`, "" if the provider has said none."""

    provider_id: str
    session_id: str = ""
    id_token: str = field(default="", repr=False)
    """The ID token, encrypted; "" if nobody needs it later."""


class SessionNotFound(NotFound):
    """The session has ended or belongs to another user."""

    code = "session.not_found"
    detail = "This session has already ended."


class LinkKind(StrEnum):
    """The purpose of a link to set a password."""

    INVITATION = "INVITATION"
    RESET = "RESET"


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """A link to set a password that has not been used and has not expired."""

    kind: LinkKind
    user: User


class LinkExpired(NotFound):
    """The link was used, has expired, was replaced by a newer one, or never existed."""

    code = "user.link.ended"
    detail = "This link has expired or was already used."


class NotInvited(Conflict):
    """The user is not invited: they have already set a password, or are disabled."""

    code = "user.not_invited"
    detail = "Only users who have not accepted their invitation yet can be invited again."


@dataclass(frozen=True, slots=True)
class TwoFactorStatus:
    """Since when a user has two-factor authentication (milliseconds, None: off), and the recovery codes left."""

    enabled_at: int | None = None
    recovery_codes: int = 0


class TwoFactorEnabled(Conflict):
    """The user already has two-factor authentication."""

    code = "user.second_factor.on"
    detail = "Two-factor authentication is already on. Turn it off first."


class TwoFactorNotEnabled(Conflict):
    """The user has no two-factor authentication to confirm or change."""

    code = "user.second_factor.off"
    detail = "Two-factor authentication is off. Start the setup again."


class TooManyAttempts(DomainError):
    """There were too many failed attempts. The next one is allowed after `wait_s` seconds."""

    code = "sign_in.too_many"
    detail = "Too many attempts. Wait a moment, then try again."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s
