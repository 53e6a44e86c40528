"""Schemas of Users & Groups."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.shared import AnyResource, Permission


@final
class AccessReason(TypedDict):
    """A grant, and the permissions that it gives for a resource."""

    permissions: list[Permission]
    """The permissions that the grant gives."""
    role: NamedReference
    """The role that is granted."""
    resource: AnyResource
    """The resource for which it is granted."""
    group: NamedReference | None
    """The group that has the grant; null if the user has it themselves."""


@final
class Grant(TypedDict):
    """A role that is granted for a resource."""

    roleId: str
    """The id of a role."""
    resource: AnyResource
    """The account, the folder or the form where the role applies."""


@final
class Group(TypedDict):
    """A group of users who share its grants."""

    id: str
    """The id of a group."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the group."""
    members: list[str]
    """The ids of the members."""
    grants: list[Grant]
    """The grants that apply to all members."""
    externalId: str | None
    """Your own id for the group."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class GroupCreate(TypedDict):
    """A new group."""

    name: str
    """The name of the group, which must be unique in the account."""
    members: NotRequired[list[str]]
    """The ids of the members."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: NotRequired[str | None]
    """Your own id. Must be unique among the groups of the account."""


@final
class GroupUpdate(TypedDict):
    """The properties of a group to change."""

    name: NotRequired[str]
    """The name of the group, which must be unique in the account."""
    members: NotRequired[list[str]]
    """The ids of the members."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""


@final
class GroupUpsert(TypedDict):
    """A group by your own id."""

    name: NotRequired[str]
    """The name of the group, which must be unique in the account."""
    members: NotRequired[list[str]]
    """The ids of the members."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: str
    """Your own id for the resource."""


@final
class MemberAdd(TypedDict):
    """The user to add to a group."""

    userId: str
    """The id of a user."""


@final
class NamedReference(TypedDict):
    """The id and the name of a resource."""

    id: str
    """The id of the resource."""
    name: str
    """The name of the resource."""


@final
class Role(TypedDict):
    """A named set of permissions, which can be granted to users and groups."""

    id: str
    """The id of a role."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the role."""
    permissions: list[Permission]
    """The permissions that the role includes."""
    builtIn: bool
    """Whether the role is built in: every account has it, unchangeable."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class RoleCreate(TypedDict):
    """A new role."""

    name: str
    """The name of the role, which must be unique in the account."""
    permissions: list[Permission]
    """The permissions that the role includes."""


@final
class RoleUpdate(TypedDict):
    """The properties of a role to change."""

    name: NotRequired[str]
    """The name of the role, which must be unique in the account."""
    permissions: NotRequired[list[Permission]]
    """The permissions that the role includes."""


@final
class User(TypedDict):
    """A person who can sign in to the account."""

    id: str
    """The id of a user."""
    customerId: str
    """The id of the account."""
    email: str
    """The email address, in lower case."""
    name: str
    """The name of the user."""
    language: str
    """The language of the pages and emails for the user (BCP 47)."""
    status: UserStatus
    """The status of a user. `INVITED`: has not set a password yet. `ACTIVE`: can sign in. `DISABLED`:
    cannot.
    """
    groups: list[str]
    """The ids of the user's groups."""
    grants: list[Grant]
    """The user's own grants. Those of their groups apply in addition."""
    externalId: str | None
    """Your own id for the user."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class UserAccess(TypedDict):
    """What a user may do with a resource, and why."""

    userId: str
    """The id of a user."""
    status: UserStatus
    """The status of a user. `INVITED`: has not set a password yet. `ACTIVE`: can sign in. `DISABLED`:
    cannot.
    """
    allowed: bool
    """Whether the user has access: there is at least one reason, and the user is `ACTIVE`."""
    reasons: list[AccessReason]
    """The grants that give access."""


@final
class UserCreate(TypedDict):
    """A new user."""

    email: str
    """An email address. It is stored in lower case."""
    name: str
    """The name of the user."""
    language: NotRequired[str]
    """A language tag (BCP 47)."""
    status: NotRequired[UserStatus]
    """`INVITED`, or `DISABLED` for a user who is not to be invited yet."""
    groups: NotRequired[list[str]]
    """The ids of the user's groups, at most 100."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: NotRequired[str | None]
    """Your own id. Must be unique among the users of the account."""


UserStatus: TypeAlias = Literal["ACTIVE", "DISABLED", "INVITED"]
"""The status of a user. `INVITED`: has not set a password yet. `ACTIVE`: can sign in. `DISABLED`:
cannot.
"""


@final
class UserUpdate(TypedDict):
    """The properties of a user to change."""

    email: NotRequired[str]
    """An email address. It is stored in lower case."""
    name: NotRequired[str]
    """The name of the user."""
    language: NotRequired[str]
    """A language tag (BCP 47)."""
    status: NotRequired[UserStatus]
    """`DISABLED`: the user can no longer sign in, and their sessions end. `ACTIVE` enables them again, as
    `INVITED` if they never set a password.
    """
    groups: NotRequired[list[str]]
    """The ids of the user's groups, at most 100."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""


@final
class UserUpsert(TypedDict):
    """A user by your own id."""

    email: NotRequired[str]
    """An email address. It is stored in lower case."""
    name: NotRequired[str]
    """The name of the user."""
    language: NotRequired[str]
    """A language tag (BCP 47)."""
    status: NotRequired[UserStatus]
    """`DISABLED`: the user can no longer sign in, and their sessions end. `ACTIVE` enables them again, as
    `INVITED` if they never set a password.
    """
    groups: NotRequired[list[str]]
    """The ids of the user's groups, at most 100."""
    grants: NotRequired[list[Grant]]
    """Roles and the resources for which they are granted, at most 100."""
    externalId: str
    """Your own id for the resource."""
