"""Records of sessions, links and second factors, and what can be wrong with them."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import Conflict, DomainError, NotFound
from formwright.domain.users.models import User


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Where somebody signs in from: network address, what the browser calls itself, the public address it asked."""

    address: str = ""
    agent: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session; times in milliseconds, `seen` to within five minutes."""

    id: str
    customer_id: str
    user_id: str
    address: str
    agent: str
    created: int
    seen: int


class SessionNotFound(NotFound):
    """It has ended, or is another person's."""

    code = "session.not_found"
    detail = "This session has ended already."


class LinkKind(StrEnum):
    """What a link to set a password is for."""

    INVITATION = "INVITATION"
    RESET = "RESET"


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """A link to set a password that has not been used and has not ended."""

    kind: LinkKind
    user: User


class LinkExpired(NotFound):
    """It was used, has ended, was replaced by a newer one, or never was."""

    code = "user.link.ended"
    detail = "This link does not work any more: it works once, and not for ever."


class NotInvited(Conflict):
    """There is nothing to invite her to: she has come in, or was shut out."""

    code = "user.not_invited"
    detail = "This person is not waiting for an invitation."


@dataclass(frozen=True, slots=True)
class TwoFactorStatus:
    """A person's second factor: since when it is on (milliseconds; None: off), and how many recovery codes are left."""

    enabled_at: int | None = None
    recovery_codes: int = 0


class TwoFactorEnabled(Conflict):
    """There is a second factor already."""

    code = "user.second_factor.on"
    detail = "The second factor is on already. Switch it off first."


class TwoFactorNotEnabled(Conflict):
    """There is no second factor that could be confirmed or changed."""

    code = "user.second_factor.off"
    detail = "The second factor is not on. Begin anew."


class TooManyAttempts(DomainError):
    """Guessing is slowed: the next try counts only after a while."""

    code = "sign_in.too_many"
    detail = "Too many tries. Wait a little, then try again."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s
