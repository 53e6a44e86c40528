"""The one question that every verb asks first."""

from formwright.core.auth.actor import Actor, Held, ResourceType, Scope
from formwright.core.auth.permissions import Permission, effective
from formwright.core.errors import Denied


def allow(actor: Actor, permission: Permission) -> Scope:
    """What the actor may reach for this purpose; `Denied` when it may not at all."""
    if permission not in actor.permissions:
        raise Denied(f"This needs the permission {permission.value}.")
    return Scope(actor.customer_id, actor.parts.get(permission))


def allow_everywhere(actor: Actor, permission: Permission) -> Scope:
    """The whole account, for what lies in no folder; `Denied` when the actor has it for a part only, or not at all."""
    scope = allow(actor, permission)
    if scope.reach is not None:
        raise Denied(f"This needs the permission {permission.value} for the whole account.")
    return scope


def is_allowed(actor: Actor, permission: Permission, *, form_id: str, folder_id: str | None) -> bool:
    """Whether the actor has it for this form, which lies in this folder: for pages that offer only what can be done."""
    return _has(actor, permission, Held(frozenset(), ResourceType.FORM, form_id), folder_id)


def missing_permissions(actor: Actor, one: Held, folder_id: str | None = None) -> list[Permission]:
    """What of this the actor does not have there herself; `folder_id` is the folder of a form.

    Nobody can give or take what they do not hold: a role, a place in a group, or somebody else's means to sign in.
    """
    whole = one.resource_type is ResourceType.ACCOUNT
    return sorted(p for p in effective(one.permissions, whole=whole) if not _has(actor, p, one, folder_id))


def _has(actor: Actor, permission: Permission, one: Held, folder_id: str | None) -> bool:
    if permission not in actor.permissions:
        return False
    reach = actor.parts.get(permission)
    if reach is None:
        return True
    match one.resource_type:
        case ResourceType.FOLDER:
            return one.resource_id in reach.folder_ids
        case ResourceType.FORM:
            return one.resource_id in reach.form_ids or folder_id in reach.folder_ids
    return False
