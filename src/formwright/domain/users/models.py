"""People, roles and sessions.

Who may do what: roles, what they are given for, and groups of people who share what they are given.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, NotFound

MAX_EMAIL_LENGTH = 254
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


def normalise_email(email: str) -> str:
    """The spelling under which an address is kept and found."""
    return email.strip().lower()


def is_email(text: str) -> bool:
    """Whether mail can be sent there, as far as its spelling tells."""
    text = text.strip()
    return len(text) <= MAX_EMAIL_LENGTH and text.isprintable() and _EMAIL.fullmatch(text) is not None


class UserStatus(StrEnum):
    """The status of a user. `INVITED`: has not set a password yet. `ACTIVE`: can sign in. `DISABLED`: cannot."""

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
class Credentials:
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


MAX_GRANTS = 100
MAX_GROUPS = 100
MAX_MEMBERS = 1000


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """A role, given for the account, for a folder with all below it, or for one form."""

    role_id: str
    resource_type: ResourceType
    resource_id: str


@dataclass(frozen=True, slots=True)
class Role:
    """A named set of permissions. Those that every account has are built in and stay as they are."""

    id: str
    customer_id: str
    name: str
    permissions: frozenset[Permission]
    built_in: bool
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class Group:
    """People who share what the group is given."""

    id: str
    customer_id: str
    name: str
    created: int
    updated: int
    revision: int
    member_ids: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class UserDetails:
    """A user with the groups that she is in, and with what she was given herself."""

    user: User
    group_ids: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()

    @property
    def id(self) -> str:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """What she is called."""
        return self.user.name


@dataclass(frozen=True, slots=True)
class NewUser:
    """Whom to add."""

    email: str
    name: str
    language: str = "en"
    status: UserStatus = UserStatus.INVITED
    group_ids: Sequence[str] = ()
    grants: Sequence[Grant] = ()


@dataclass(frozen=True, slots=True)
class UserEdit:
    """What changes of a person; None leaves a thing as it is. `give` and `take` are beside what she has."""

    email: str | None = None
    name: str | None = None
    language: str | None = None
    status: UserStatus | None = None
    group_ids: Sequence[str] | None = None
    grants: Sequence[Grant] | None = None
    add_grants: Sequence[Grant] = ()
    remove_grants: Sequence[Grant] = ()


@dataclass(frozen=True, slots=True)
class GroupEdit:
    """What a group is made from, or what changes of it; None leaves a thing as it is.

    `give` and `take`, `join` and `leave` are beside what and whom it has.
    """

    name: str | None = None
    member_ids: Sequence[str] | None = None
    grants: Sequence[Grant] | None = None
    add_grants: Sequence[Grant] = ()
    remove_grants: Sequence[Grant] = ()
    add_member_ids: Sequence[str] = ()
    remove_member_ids: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class UserFilter:
    """Which people a list is to name; what is empty or None does not matter. `text` is in the name or the address."""

    statuses: Sequence[UserStatus] = ()
    group_ids: Sequence[str] = ()
    email: str | None = None
    text: str | None = None


T = TypeVar("T")


def merge_changes(current: Sequence[T], removed: Sequence[T], added: Sequence[T]) -> Sequence[T] | None:
    """What there is after something was taken and something given; None where neither was."""
    return [*(one for one in current if one not in removed), *added] if removed or added else None


class GroupNotFound(NotFound):
    """No such group in this account."""

    code = "group.not_found"
    detail = "There is no such group in this account."


class RoleNotFound(NotFound):
    """No such role in this account."""

    code = "role.not_found"
    detail = "There is no such role in this account."


class GroupNameTaken(Conflict):
    """The account has a group of this name."""

    code = "group.name_taken"
    detail = "There is a group with this name already."


class RoleNameTaken(Conflict):
    """The account has a role of this name."""

    code = "role.name_taken"
    detail = "There is a role with this name already."


class RoleBuiltIn(Conflict):
    """It is the same in every account."""

    code = "role.built_in"
    detail = "A built-in role cannot be changed. Make one of your own."


class LastOwner(Conflict):
    """Nobody would be left who may do everything."""

    code = "user.last_owner"
    detail = "The account would be left without an owner who can sign in. Make somebody else an owner first."
