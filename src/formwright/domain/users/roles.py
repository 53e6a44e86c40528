"""The verbs of roles."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import BUILT_IN_ROLES, Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import changed as differing
from formwright.core.pagination import Page, Window
from formwright.domain.users import events, store
from formwright.domain.users.grants import not_held_error
from formwright.domain.users.models import Role, RoleBuiltIn, RoleNameTaken, RoleNotFound


async def create_built_in(tx: WriteTransaction, customer_id: str, now: int) -> dict[str, Role]:
    """The roles that every account has, by name."""
    made = {
        name: Role(tx.new_id("rol"), customer_id, name, allowed, True, now, now, 1)
        for name, allowed in BUILT_IN_ROLES.items()
    }
    for role in made.values():
        await store.insert_role(tx, role)
    return made


async def create(tx: WriteTransaction, actor: Actor, *, name: str, permissions: Sequence[Permission]) -> Role:
    """A role of the account's own, out of what the maker may do herself."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    role = Role(tx.new_id("rol"), scope.customer_id, name, frozenset(permissions), False, now, now, 1)
    await _check(tx, scope, role, _permission_errors(actor, permissions, ()))
    await store.insert_role(tx, role)
    tx.record(events.RoleCreated(scope.customer_id, role))
    return role


async def edit(
    tx: WriteTransaction, actor: Actor, *, role_id: str, name: str | None, permissions: Sequence[Permission] | None
) -> Role:
    """Change an own role, None leaving a thing as it is. All who have it may do so much from then on."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await get(tx, actor, role_id=role_id)
    if was.built_in:
        raise RoleBuiltIn()
    allowed = was.permissions if permissions is None else frozenset(permissions)
    wanted = replace(was, name=was.name if name is None else name, permissions=allowed)
    if wanted == was:
        return was
    await _check(tx, scope, wanted, _permission_errors(actor, permissions or (), was.permissions))
    role = replace(wanted, updated=now, revision=was.revision + 1)
    await store.update_role(tx, role)
    tx.record(events.RoleUpdated(scope.customer_id, role, changed=differing(was, role)))
    return role


def _permission_errors(actor: Actor, wanted: Sequence[Permission], had: Iterable[Permission]) -> list[ValidationFault]:
    """What is put in or taken out that the actor does not have for the whole account."""
    whole = actor.permissions - actor.parts.keys()
    put_in = [not_held_error("permissions", i) for i, one in enumerate(wanted) if one not in had and one not in whole]
    taken_out = wanted and set(had) - set(wanted) - whole
    return [*put_in, not_held_error("permissions")] if taken_out else put_in


async def _check(tx: ReadTransaction, scope: Scope, role: Role, errors: list[ValidationFault]) -> None:
    if errors:
        raise Invalid(errors)
    if await store.has_name(tx, scope, "roles", role.name, role.id):
        raise RoleNameTaken()


async def get(tx: ReadTransaction, actor: Actor, *, role_id: str) -> Role:
    """One role of the account."""
    found = await store.find_roles(tx, allow(actor, Permission.PEOPLE_READ), [role_id])
    if role_id not in found:
        raise RoleNotFound()
    return found[role_id]


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Role]:
    """The account's roles, the built-in ones first."""
    return await store.roles_page(tx, allow(actor, Permission.PEOPLE_READ), window)
