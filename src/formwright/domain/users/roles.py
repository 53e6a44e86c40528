"""Service functions for roles: create, edit and list them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import BUILT_IN_ROLES, Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import OLDEST_FIRST, Page, TimeFilter, Window
from formwright.domain.users import store
from formwright.domain.users.grants import not_held_error
from formwright.domain.users.models import Role, RoleBuiltIn, RoleNameTaken, RoleNotFound


async def create_built_in(tx: WriteTransaction, customer_id: str, now: int) -> dict[str, Role]:
    """Create the roles that every account has. Returns them by name."""
    roles = {
        name: Role(tx.new_id("rol"), customer_id, name, permissions, True, now, now, 1)
        for name, permissions in BUILT_IN_ROLES.items()
    }
    await store.insert_roles(tx, [*roles.values()])
    return roles


async def create(tx: WriteTransaction, actor: Actor, *, name: str, permissions: Sequence[Permission]) -> Role:
    """Create a role with permissions that the actor has for the whole account. Raises `Invalid` or `RoleNameTaken`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    role = Role(tx.new_id("rol"), scope.customer_id, name, frozenset(permissions), False, now, now, 1)
    await _check(tx, scope, role, _permission_errors(actor, permissions, ()))
    await store.insert_roles(tx, [role])
    tx.record(Event(EventType.ROLE_CREATED, scope.customer_id, role))
    return role


async def edit(
    tx: WriteTransaction, actor: Actor, *, role_id: str, name: str | None, permissions: Sequence[Permission] | None
) -> Role:
    """Edit a custom role; None leaves a property as it is. The change applies to everyone who has the role.

    Raises `RoleNotFound`, `RoleBuiltIn`, `Invalid` or `RoleNameTaken`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    current = await get(tx, actor, role_id=role_id)
    if current.built_in:
        raise RoleBuiltIn()
    allowed = current.permissions if permissions is None else frozenset(permissions)
    role = replace(current, name=current.name if name is None else name, permissions=allowed)
    if role == current:
        return current
    await _check(tx, scope, role, _permission_errors(actor, permissions or (), current.permissions))
    role = replace(role, updated=now, revision=current.revision + 1)
    await store.update_role(tx, role)
    tx.record(Event(EventType.ROLE_UPDATED, scope.customer_id, role, changed=differing(current, role)))
    return role


def _permission_errors(actor: Actor, new: Sequence[Permission], current: Iterable[Permission]) -> list[ValidationFault]:
    """Return an error for each permission to add or remove that the actor lacks for the whole account."""
    held = actor.permissions - actor.parts.keys()
    added = [
        not_held_error("permissions", index)
        for index, permission in enumerate(new)
        if permission not in current and permission not in held
    ]
    removed = new and set(current) - set(new) - held
    return [*added, not_held_error("permissions")] if removed else added


async def _check(tx: ReadTransaction, scope: Scope, role: Role, errors: list[ValidationFault]) -> None:
    if errors:
        raise Invalid(errors)
    await check_unique(tx, scope, role.name, role.id)


async def check_unique(tx: ReadTransaction, scope: Scope, name: str, role_id: str) -> None:
    """Raise `RoleNameTaken` if a role other than `role_id` has this name."""
    if await store.has_name(tx, scope, "roles", name, role_id):
        raise RoleNameTaken()


async def get(tx: ReadTransaction, actor: Actor, *, role_id: str) -> Role:
    """Return a role; raises `RoleNotFound`."""
    return require(await find(tx, allow(actor, Permission.PEOPLE_READ), role_id), RoleNotFound)


async def find(tx: ReadTransaction, scope: Scope, role_id: str) -> Role | None:
    """Return a role, or None. For packages that have checked a permission of their own."""
    return (await store.find_roles(tx, scope, [role_id])).get(role_id)


async def page(tx: ReadTransaction, actor: Actor, window: Window, times: TimeFilter = OLDEST_FIRST) -> Page[Role]:
    """Return a page of the account's roles, by default the built-in ones first."""
    return await store.roles_page(tx, allow(actor, Permission.PEOPLE_READ), window, times)
