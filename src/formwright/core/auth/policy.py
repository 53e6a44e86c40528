"""The authorization check that every service function makes first."""

from formwright.core.auth.actor import Actor, ResourceType, Scope, ScopedPermissions
from formwright.core.auth.permissions import Permission, effective_permissions
from formwright.core.errors import Denied


def allow(actor: Actor, permission: Permission) -> Scope:
    """Return the scope in which the actor has a permission; raises `Denied` if it has none."""
    if permission not in actor.permissions:
        raise Denied(f"This needs the permission {permission.value}.")
    return Scope(actor.customer_id, actor.parts.get(permission))


def allow_everywhere(actor: Actor, permission: Permission) -> Scope:
    """Return the scope of the whole account; raises `Denied` if the actor holds it for a part or not at all."""
    scope = allow(actor, permission)
    if scope.reach is not None:
        raise Denied(f"This needs the permission {permission.value} for the whole account.")
    return scope


def is_allowed(actor: Actor, permission: Permission, *, form_id: str, folder_id: str | None) -> bool:
    """Whether the actor holds a permission for a form in this folder. Pages use it to hide unavailable actions."""
    return has_permission(actor, permission, ScopedPermissions(frozenset(), ResourceType.FORM, form_id), folder_id)


def missing_permissions(actor: Actor, scoped: ScopedPermissions, folder_id: str | None = None) -> list[Permission]:
    """Return the permissions in `one` that the actor lacks, sorted; `folder_id` is the folder of a form.

    You can only grant or revoke permissions you hold yourself, whether by role, group or another user's credentials.
    """
    is_whole_account = scoped.resource_type is ResourceType.ACCOUNT
    return sorted(
        p
        for p in effective_permissions(scoped.permissions, is_whole_account=is_whole_account)
        if not has_permission(actor, p, scoped, folder_id)
    )


def has_permission(actor: Actor, permission: Permission, scoped: ScopedPermissions, folder_id: str | None) -> bool:
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
