"""People, roles and sessions."""

import re
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.kernel.errors import Conflict, NotFound

LONGEST_EMAIL = 254
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


def normal_email(email: str) -> str:
    """The spelling under which an address is kept and found."""
    return email.strip().lower()


def is_email(text: str) -> bool:
    """Whether mail can be sent there, as far as its spelling tells."""
    text = text.strip()
    return len(text) <= LONGEST_EMAIL and text.isprintable() and _EMAIL.fullmatch(text) is not None


class UserStatus(StrEnum):
    """Whether a person can sign in."""

    INVITED = "INVITED"
    ACTIVE = "ACTIVE"
    DISABLED = "DISABLED"


@dataclass(frozen=True, slots=True)
class User:
    """A person in one account; times in milliseconds."""

    id: str
    customer_id: str
    email: str
    name: str
    language: str
    status: UserStatus
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class SignIn:
    """A person whose e-mail address fits, with the hash that her password has to match."""

    customer_id: str
    user_id: str
    password_hash: str


class UserNotFound(NotFound):
    """No such person in this account."""

    code = "user.not_found"
    detail = "There is no such user in this account."


class EmailTaken(Conflict):
    """The account has a person with this address already."""

    code = "user.email_taken"
    detail = "A user with this e-mail address is there already."
