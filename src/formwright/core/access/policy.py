"""The one question that every verb asks first."""

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.scope import Scope
from formwright.core.kernel.errors import Denied


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
