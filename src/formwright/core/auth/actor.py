"""Actors, the scope of what they can access, and the authorization check that every service function makes first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from formwright.core.auth.permissions import (
    ACCOUNT_WIDE_PERMISSIONS,
    ALL_PERMISSIONS,
    FORM_PERMISSIONS,
    READ_PERMISSIONS,
    Permission,
    effective_permissions,
)
from formwright.core.errors import Denied


@dataclass(frozen=True, slots=True)
class Reach:
    """Parts of an account: single forms, and folders with their forms. Subfolders are listed explicitly."""

    form_ids: frozenset[str] = frozenset()
    folder_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows of one account that a query may return. Every query takes a scope.

    `reach` restricts it to some forms and what belongs to them; None means the whole account.
    """

    customer_id: str
    reach: Reach | None = None
    with_deleted: bool = False
    """Whether it includes what belongs to forms in the trash."""

    def has_folder(self, folder_id: str | None) -> bool:
        """Whether the contents of this folder are in the scope. None, the root, is in the full scope only."""
        return self.reach is None or folder_id in self.reach.folder_ids


class ActorKind(StrEnum):
    """The kinds of actors."""

    USER = "user"
    KEY = "key"
    LINK = "link"
    SYSTEM = "system"


class ResourceType(StrEnum):
    """What a role can be granted for."""

    ACCOUNT = "account"
    FOLDER = "folder"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class ScopedPermissions:
    """Permissions held for the account, for one folder (without its subfolders), or for one form."""

    permissions: frozenset[Permission]
    resource_type: ResourceType
    resource_id: str


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody or something that acts in one account, with its permissions.

    `permissions` are all permissions it holds; `parts` restricts those that do not apply to the whole account.
    """

    kind: ActorKind
    id: str
    customer_id: str
    permissions: frozenset[Permission]
    parts: Mapping[Permission, Reach] = field(default_factory=dict, hash=False)
    name: str = ""
    """Display name at this time."""
    sees_deleted: bool = False
    """Whether it also sees what belongs to forms in the trash, as the search for personal data must."""

    @property
    def user_id(self) -> str | None:
        """The id of the user; None if the actor is not a user."""
        return self.id if self.kind is ActorKind.USER else None

    @property
    def author_id(self) -> str | None:
        """The id of the user or API key; None for the operator and for public links."""
        return self.id if self.kind in (ActorKind.USER, ActorKind.KEY) else None


def key(key_id: str, customer_id: str, name: str = "", *, read_only: bool = False) -> Actor:
    """Return the actor of an API key, which may do everything in its account or, if `read_only`, read everything."""
    return Actor(ActorKind.KEY, key_id, customer_id, READ_PERMISSIONS if read_only else ALL_PERMISSIONS, name=name)


def limited_key(key_id: str, customer_id: str, granted: Iterable[ScopedPermissions], name: str = "") -> Actor:
    """Return the actor of an API key with these permissions. It may always read its account."""
    return _with_grants(ActorKind.KEY, key_id, customer_id, granted, name)


def system(customer_id: str, name: str = "") -> Actor:
    """Return the actor of the operator: the command line and the worker."""
    return Actor(ActorKind.SYSTEM, "system", customer_id, ALL_PERMISSIONS, name=name)


def link(form_id: str, customer_id: str) -> Actor:
    """Return the actor of a public link, identified by its form: it may submit this form and nothing else."""
    permissions = frozenset({Permission.SUBMISSIONS_CREATE, Permission.CUSTOMER_READ})
    parts = {Permission.SUBMISSIONS_CREATE: Reach(frozenset({form_id}))}
    return Actor(ActorKind.LINK, form_id, customer_id, permissions, parts)


def sender(form_id: str, customer_id: str) -> Actor:
    """Return the actor of a person who changes what they submitted. The caller restricts it to their submission."""
    permissions = {Permission.SUBMISSIONS_CREATE, Permission.SUBMISSIONS_EDIT, Permission.FORMS_READ}
    parts = dict.fromkeys(permissions, Reach(frozenset({form_id})))
    return Actor(ActorKind.LINK, form_id, customer_id, frozenset({*permissions, Permission.CUSTOMER_READ}), parts)


def recipient(user_id: str, form_id: str, customer_id: str, name: str = "") -> Actor:
    """Return the actor of a user who was asked to fill in a form: they may do that, regardless of their roles."""
    one = link(form_id, customer_id)
    return Actor(ActorKind.USER, user_id, customer_id, one.permissions, one.parts, name)


def person(user_id: str, customer_id: str, granted: Iterable[ScopedPermissions], name: str = "") -> Actor:
    """Return the actor of a user with their permissions. They may always read their account."""
    return _with_grants(ActorKind.USER, user_id, customer_id, granted, name)


def _with_grants(
    kind: ActorKind, actor_id: str, customer_id: str, granted: Iterable[ScopedPermissions], name: str
) -> Actor:
    whole = {Permission.CUSTOMER_READ}
    parts: dict[Permission, list[ScopedPermissions]] = {}
    for one in granted:
        if one.resource_type is ResourceType.ACCOUNT:
            whole |= one.permissions
            continue
        whole |= one.permissions & ACCOUNT_WIDE_PERMISSIONS
        for permission in one.permissions & FORM_PERMISSIONS:
            parts.setdefault(permission, []).append(one)
    # `parts` restricts a permission, so one that is also held for the whole account must not be in it.
    reaches = {permission: _to_reach(found) for permission, found in parts.items() if permission not in whole}
    return Actor(kind, actor_id, customer_id, frozenset({*whole, *reaches}), reaches, name)


def _to_reach(granted: Iterable[ScopedPermissions]) -> Reach:
    forms, folders = (
        frozenset(one.resource_id for one in granted if one.resource_type is type_)
        for type_ in (ResourceType.FORM, ResourceType.FOLDER)
    )
    return Reach(forms, folders)


def allow(actor: Actor, permission: Permission) -> Scope:
    """Return the scope in which the actor has a permission; raises `Denied` if it has none."""
    if permission not in actor.permissions:
        raise Denied(f"This needs the permission {permission.value}.")
    return Scope(actor.customer_id, actor.parts.get(permission), actor.sees_deleted)


def allow_everywhere(actor: Actor, permission: Permission) -> Scope:
    """Return the scope of the whole account; raises `Denied` if the actor holds it for a part or not at all."""
    scope = allow(actor, permission)
    if scope.reach is not None:
        raise Denied(f"This needs the permission {permission.value} for the whole account.")
    return scope


def is_allowed(actor: Actor, permission: Permission, *, form_id: str, folder_id: str | None) -> bool:
    """Whether the actor holds a permission for a form in this folder. Pages use it to hide unavailable actions."""
    return _has_permission(actor, permission, ScopedPermissions(frozenset(), ResourceType.FORM, form_id), folder_id)


def missing_permissions(actor: Actor, scoped: ScopedPermissions, folder_id: str | None = None) -> list[Permission]:
    """Return those of the scoped permissions that the actor lacks, sorted; `folder_id` is the folder of a form.

    You can only grant or revoke permissions you hold yourself, whether by role, group or another user's credentials.
    """
    is_whole_account = scoped.resource_type is ResourceType.ACCOUNT
    return sorted(
        p
        for p in effective_permissions(scoped.permissions, is_whole_account=is_whole_account)
        if not _has_permission(actor, p, scoped, folder_id)
    )


def _has_permission(actor: Actor, permission: Permission, scoped: ScopedPermissions, folder_id: str | None) -> bool:
    if permission not in actor.permissions:
        return False
    reach = actor.parts.get(permission)
    if reach is None:
        return True
    match scoped.resource_type:
        case ResourceType.FOLDER:
            return scoped.resource_id in reach.folder_ids
        case ResourceType.FORM:
            return scoped.resource_id in reach.form_ids or folder_id in reach.folder_ids
    return False
