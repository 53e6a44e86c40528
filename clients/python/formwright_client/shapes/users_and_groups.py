"""Shapes of Users & Groups.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class AccessReason(TypedDict):
    """A grant, and the permissions that it gives for a resource."""

    permissions: list[Permission]
    role: NamedReference
    resource: AnyResource
    group: NamedReference | None


class AccountResource(TypedDict):
    """The whole account."""

    type: Literal["account"]
    id: str


class FolderResource(TypedDict):
    """A folder, with all folders and forms in it."""

    type: Literal["folder"]
    id: str


class FormResource(TypedDict):
    """One form."""

    type: Literal["form"]
    id: str


class Grant(TypedDict):
    """A role that is granted for a resource."""

    roleId: str
    resource: AnyResource


class Group(TypedDict):
    """A group of users who share its grants."""

    id: str
    customerId: str
    name: str
    members: list[str]
    grants: list[Grant]
    created: str
    updated: str
    revision: int


class GroupCreate(TypedDict):
    """A new group."""

    name: str
    members: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


class GroupUpdate(TypedDict):
    """The properties of a group to change."""

    name: NotRequired[str]
    members: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


class NamedReference(TypedDict):
    """The id and the name of a resource."""

    id: str
    name: str


Permission: TypeAlias = Literal[
    "audit:read",
    "customer:edit",
    "customer:read",
    "datasources:edit",
    "datasources:read",
    "forms:edit",
    "forms:publish",
    "forms:read",
    "invites:manage",
    "invites:read",
    "keys:manage",
    "keys:read",
    "people:manage",
    "people:read",
    "submissions:create",
    "submissions:edit",
    "submissions:read",
    "tasks:manage",
    "tasks:read",
    "webhooks:manage",
    "webhooks:read",
]
"""A permission, as `noun:verb`."""


class Role(TypedDict):
    """A named set of permissions, which can be granted to users and groups."""

    id: str
    customerId: str
    name: str
    permissions: list[Permission]
    builtIn: bool
    created: str
    updated: str
    revision: int


class RoleCreate(TypedDict):
    """A new role."""

    name: str
    permissions: list[Permission]


class RoleUpdate(TypedDict):
    """The properties of a role to change."""

    name: NotRequired[str]
    permissions: NotRequired[list[Permission]]


class User(TypedDict):
    """A person who can sign in to the account."""

    id: str
    customerId: str
    email: str
    name: str
    language: str
    status: UserStatus
    groups: list[str]
    grants: list[Grant]
    created: str
    updated: str
    revision: int


class UserAccess(TypedDict):
    """What a user may do with a resource, and why."""

    userId: str
    status: UserStatus
    allowed: bool
    reasons: list[AccessReason]


class UserCreate(TypedDict):
    """A new user."""

    email: str
    name: str
    language: NotRequired[str]
    status: NotRequired[UserStatus]
    groups: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


UserStatus: TypeAlias = Literal["ACTIVE", "DISABLED", "INVITED"]
"""The status of a user."""


class UserUpdate(TypedDict):
    """The properties of a user to change."""

    email: NotRequired[str]
    name: NotRequired[str]
    language: NotRequired[str]
    status: NotRequired[UserStatus]
    groups: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


AnyResource: TypeAlias = AccountResource | FolderResource | FormResource
