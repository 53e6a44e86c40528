"""Users, groups, roles and grants: the records and errors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from msgspec import UNSET, UnsetType

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Denied, NotFound
from formwright.core.pagination import OLDEST_FIRST, TimeFilter

MAX_EMAIL_LENGTH = 254
"""A path has at most 256 characters, including its angle brackets (RFC 5321, 4.5.3.1.3)."""
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


def normalise_email(email: str) -> str:
    """Return the email address as it is stored and searched."""
    return email.strip().lower()


def is_email(text: str) -> bool:
    """Whether the text looks like an email address."""
    text = text.strip()
    return len(text) <= MAX_EMAIL_LENGTH and text.isprintable() and _EMAIL.fullmatch(text) is not None


class UserStatus(StrEnum):
    """The status of a user. `INVITED`: has not set a password yet. `ACTIVE`: can sign in. `DISABLED`: cannot."""

    INVITED = "INVITED"
    ACTIVE = "ACTIVE"
    DISABLED = "DISABLED"


@dataclass(frozen=True, slots=True)
class User:
    """A user of an account. Times are in milliseconds since 1970."""

    id: str
    customer_id: str
    email: str
    name: str
    language: str
    status: UserStatus
    created: int
    updated: int
    revision: int
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user who can sign in."""

    customer_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class PasswordCredentials(Credentials):
    """A user who can sign in, with the hash of their password."""

    password_hash: str


class UserNotFound(NotFound):
    """The account has no user with this id."""

    code = "user.not_found"
    detail = "There is no such user in this account."


class EmailTaken(Conflict):
    """Another user of the account has this email address."""

    code = "user.email_taken"
    detail = "This account already has a user with this email address."


class EmailProtected(Denied):
    """Only a user who is signed in may change this address, because whoever controls it can set a password.

    That way, neither an API key nor a provisioning token takes over an owner.
    """

    code = "user.email_protected"
    detail = "The email address of an owner who has a password can only be changed on their page, under Users."


MAX_GRANTS = 100
MAX_GROUPS = 100
MAX_MEMBERS = 1000


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """A role that is granted for the account, for a folder with its subfolders and forms, or for a form."""

    role_id: str
    resource_type: ResourceType
    resource_id: str


@dataclass(frozen=True, slots=True)
class Role:
    """A named set of permissions. Every account has the built-in roles, which cannot be changed."""

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
    """A group of users. Its grants apply to all members."""

    id: str
    customer_id: str
    name: str
    created: int
    updated: int
    revision: int
    external_id: str | None = None
    member_ids: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class UserDetails:
    """A user with their groups and their own grants, without those of the groups."""

    user: User
    group_ids: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()

    @property
    def id(self) -> str:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user's name."""
        return self.user.name


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user to create."""

    email: str
    name: str
    language: str = "en"
    status: UserStatus = UserStatus.INVITED
    group_ids: Sequence[str] = ()
    grants: Sequence[Grant] = ()
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class UserEdit:
    """The properties of a user to change; None leaves a property as it is, and UNSET the external id.

    `grants` replaces all grants; `add_grants` and `remove_grants` change single ones.
    """

    email: str | None = None
    name: str | None = None
    language: str | None = None
    status: UserStatus | None = None
    group_ids: Sequence[str] | None = None
    grants: Sequence[Grant] | None = None
    add_grants: Sequence[Grant] = ()
    remove_grants: Sequence[Grant] = ()
    external_id: str | UnsetType | None = UNSET


@dataclass(frozen=True, slots=True)
class GroupEdit:
    """The properties of a group to create or change; None leaves a property as it is, and UNSET the external id.

    `member_ids` and `grants` replace the lists; properties that start with `add_` and `remove_` change single items.
    """

    name: str | None = None
    member_ids: Sequence[str] | None = None
    grants: Sequence[Grant] | None = None
    add_grants: Sequence[Grant] = ()
    remove_grants: Sequence[Grant] = ()
    add_member_ids: Sequence[str] = ()
    remove_member_ids: Sequence[str] = ()
    external_id: str | UnsetType | None = UNSET


@dataclass(frozen=True, slots=True)
class UserFilter:
    """A filter for users. Empty properties do not restrict the list; `text` is part of the name or email address."""

    statuses: Sequence[UserStatus] = ()
    group_ids: Sequence[str] = ()
    email: str | None = None
    text: str | None = None
    external_id: str | None = None
    times: TimeFilter = OLDEST_FIRST


T = TypeVar("T")


def merge_changes(current: Sequence[T], removed: Sequence[T], added: Sequence[T]) -> Sequence[T] | None:
    """Return the list after removing and adding items; None if there is nothing to remove or add."""
    return [*(item for item in current if item not in removed), *added] if removed or added else None


class UserExternalIdTaken(Conflict):
    """Another user of the account has this external id."""

    code = "user.external_id_taken"
    detail = "Another user of this account already has this externalId."


class GroupExternalIdTaken(Conflict):
    """Another group of the account has this external id."""

    code = "group.external_id_taken"
    detail = "Another group of this account already has this externalId."


class GroupNotFound(NotFound):
    """The account has no group with this id."""

    code = "group.not_found"
    detail = "There is no such group in this account."


class RoleNotFound(NotFound):
    """The account has no role with this id."""

    code = "role.not_found"
    detail = "There is no such role in this account."


class GroupNameTaken(Conflict):
    """Another group of the account has this name."""

    code = "group.name_taken"
    detail = "This account already has a group with this name."


class RoleNameTaken(Conflict):
    """Another role of the account has this name."""

    code = "role.name_taken"
    detail = "This account already has a role with this name."


class RoleBuiltIn(Conflict):
    """The role is built in, so it is the same in every account."""

    code = "role.built_in"
    detail = "Built-in roles cannot be changed. Create a role of your own instead."


class LastOwner(Conflict):
    """The change would leave the account without an owner who can sign in with a password."""

    code = "user.last_owner"
    detail = "The account needs at least one owner who can sign in. Make someone else an owner first."
