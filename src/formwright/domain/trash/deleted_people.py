"""Deleting and restoring users, groups and roles."""

from collections.abc import Sequence
from dataclasses import fields

from formwright.core.auth.actor import Actor, ResourceType, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, require
from formwright.core.events import Event, EventType
from formwright.domain.trash import affected_store, purge_store, store
from formwright.domain.trash.models import Affected, OwnDeletion, RoleInUse, TrashEntry, TrashKind
from formwright.domain.trash.removal import Removal, find_entry, move_to_trash, purge, touched
from formwright.domain.trash.store import Content
from formwright.domain.users import change_events, groups, management, roles
from formwright.domain.users.grants import GrantEditor
from formwright.domain.users.models import (
    Grant,
    Group,
    GroupNotFound,
    Role,
    RoleBuiltIn,
    RoleNotFound,
    User,
    UserDetails,
    UserNotFound,
    UserStatus,
)

_NOT_HELD = "You can only delete and restore what gives no more permissions than you have yourself."


async def delete_user(tx: WriteTransaction, actor: Actor, *, user_id: str, permanently: bool = False) -> TrashEntry:
    """Move a user into the trash and end their sessions. What they did and submitted stays.

    Raises `UserNotFound`, `OwnDeletion`, `LastOwner`, or `Denied` for a user with more permissions than the actor.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    if user_id == actor.user_id:
        raise OwnDeletion()
    found = await management.find(tx, scope, user_id)
    if found is None:
        entry = await find_entry(tx, scope, TrashKind.USER, user_id) if permanently else None
        return await purge(tx, scope, require(entry, UserNotFound))
    editor = GrantEditor(tx, actor, scope)
    await editor.check_may_manage(found.user)
    affected = Affected(
        tasks=await affected_store.count_open_tasks(tx, scope, user_id),
        grants=len(found.grants),
        groups=len(found.group_ids),
    )
    sources = {
        ("users", "id"): [user_id],
        ("sign_ins", "user_id"): [user_id],
        ("group_members", "user_id"): [user_id],
        ("grants", "subject_id"): [user_id],
    }
    await management.end_sign_ins(tx, scope, user_id)
    tx.record(Event(EventType.USER_DELETED, scope.customer_id, found))
    entry = await move_to_trash(
        tx,
        actor,
        scope,
        Removal(TrashKind.USER, user_id, found.user.name, sources, affected),
        now,
        permanently=permanently,
    )
    await change_events.record_group_updates(tx, scope, found.group_ids, now)
    # After the change, because the user may be an owner through a group. The error rolls the transaction back.
    await editor.check_has_owner()
    return entry


async def restore_user(tx: WriteTransaction, actor: Actor, *, user_id: str) -> UserDetails:
    """Restore a user with their groups and grants; one that is not deleted is returned unchanged.

    Raises `UserNotFound`, `EmailTaken`, `UserExternalIdTaken`, or `Denied` for a user with more permissions than the
    actor.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    if found := await management.find(tx, scope, user_id):
        return found
    entry = require(await find_entry(tx, scope, TrashKind.USER, user_id), UserNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    [row] = rows["users"]
    await management.check_unique(tx, scope, row["email"], row["external_id"], user_id)
    await store.delete(tx, scope, entry.id)
    await store.put_back(tx, scope, "users", [touched(row, now)])
    await store.put_back(tx, scope, "sign_ins", rows.get("sign_ins", []))
    group_ids = await _put_back_members(tx, scope, rows.get("group_members", []), "groups", "group_id")
    await _put_back_grants(tx, scope, rows.get("grants", []))
    restored = require(await management.find(tx, scope, user_id), UserNotFound)
    await GrantEditor(tx, actor, scope).check_may_manage(restored.user)
    tx.record(Event(EventType.USER_RESTORED, scope.customer_id, restored))
    await change_events.record_group_updates(tx, scope, group_ids, now)
    return restored


async def _put_back_members(
    tx: WriteTransaction, scope: Scope, rows: Sequence[Content], table: str, column: str
) -> list[str]:
    """Restore the memberships whose other side, in `table` and named by `column`, exists, and return its ids.

    Those whose other side is in the trash, too, will be restored with it.
    """
    known = await affected_store.list_known(tx, scope, table, {row[column] for row in rows})
    await store.put_back(tx, scope, "group_members", [row for row in rows if row[column] in known])
    for row in rows:
        if row[column] not in known and (owner := await store.find_owner(tx, scope, table, row[column])):
            await store.insert_rows(tx, scope, owner, "group_members", [row])
    return sorted(known)


async def _put_back_grants(tx: WriteTransaction, scope: Scope, rows: Sequence[Content]) -> None:
    """Restore grants, without those of a role that is gone. Those of a role in the trash will be restored with it.

    A grant for a form or folder in the trash is restored: it has an effect again when that is restored, too.
    """
    known = await affected_store.list_known(tx, scope, "roles", {row["role_id"] for row in rows})
    kept = [row for row in rows if row["role_id"] in known and await _has_resource(tx, scope, row)]
    await store.put_back(tx, scope, "grants", kept)
    for row in rows:
        if row["role_id"] not in known and (owner := await store.find_owner(tx, scope, "roles", row["role_id"])):
            await store.insert_rows(tx, scope, owner, "grants", [row])


async def _has_resource(tx: ReadTransaction, scope: Scope, row: Content) -> bool:
    """Whether the form or folder of a grant exists or can still be restored."""
    table = {"form": "forms", "folder": "folders"}.get(row["resource_type"])
    if table is None:
        return True
    resource_id = row["resource_id"]
    exists = bool(await affected_store.list_known(tx, scope, table, [resource_id]))
    return exists or await store.find_owner(tx, scope, table, resource_id) is not None


async def delete_group(tx: WriteTransaction, actor: Actor, *, group_id: str, permanently: bool = False) -> TrashEntry:
    """Move a group into the trash: its members lose its grants.

    Raises `GroupNotFound`, `LastOwner`, or `Denied` for a group with more permissions than the actor.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    group = await groups.find(tx, scope, group_id)
    if group is None:
        entry = await find_entry(tx, scope, TrashKind.GROUP, group_id) if permanently else None
        return await purge(tx, scope, require(entry, GroupNotFound))
    editor = GrantEditor(tx, actor, scope)
    if await editor.exceeds_actor(group.grants):
        raise Denied(_NOT_HELD)
    sources = {
        ("groups", "id"): [group_id],
        ("group_members", "group_id"): [group_id],
        ("grants", "subject_id"): [group_id],
    }
    affected = Affected(members=len(group.member_ids), grants=len(group.grants))
    tx.record(Event(EventType.GROUP_DELETED, scope.customer_id, group))
    removal = Removal(TrashKind.GROUP, group_id, group.name, sources, affected)
    entry = await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)
    await change_events.record_user_updates(tx, scope, group.member_ids, now)
    await editor.check_has_owner()
    return entry


async def restore_group(tx: WriteTransaction, actor: Actor, *, group_id: str) -> Group:
    """Restore a group with its members and grants; one that is not deleted is returned unchanged.

    Raises `GroupNotFound`, `GroupNameTaken`, `GroupExternalIdTaken`, or `Denied` for a group with more permissions than
    the actor.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    if group := await groups.find(tx, scope, group_id):
        return group
    entry = require(await find_entry(tx, scope, TrashKind.GROUP, group_id), GroupNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    [row] = rows["groups"]
    await groups.check_unique(tx, scope, row["name"], row["external_id"], group_id)
    await store.delete(tx, scope, entry.id)
    await store.put_back(tx, scope, "groups", [touched(row, now)])
    member_ids = await _put_back_members(tx, scope, rows.get("group_members", []), "users", "user_id")
    await _put_back_grants(tx, scope, rows.get("grants", []))
    restored = require(await groups.find(tx, scope, group_id), GroupNotFound)
    if await GrantEditor(tx, actor, scope).exceeds_actor(restored.grants):
        raise Denied(_NOT_HELD)
    tx.record(Event(EventType.GROUP_RESTORED, scope.customer_id, restored))
    await change_events.record_user_updates(tx, scope, member_ids, now)
    return restored


async def delete_role(tx: WriteTransaction, actor: Actor, *, role_id: str, permanently: bool = False) -> TrashEntry:
    """Move a role into the trash. Raises `RoleNotFound`, `RoleBuiltIn`, or `RoleInUse` if it is granted to anyone."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    role = await roles.find(tx, scope, role_id)
    if role is None:
        entry = await find_entry(tx, scope, TrashKind.ROLE, role_id) if permanently else None
        return await purge(tx, scope, require(entry, RoleNotFound))
    if role.built_in:
        raise RoleBuiltIn()
    if await affected_store.has_grants(tx, scope, role_id):
        raise RoleInUse()
    tx.record(Event(EventType.ROLE_DELETED, scope.customer_id, role))
    removal = Removal(TrashKind.ROLE, role_id, role.name, {("roles", "id"): [role_id]})
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_role(tx: WriteTransaction, actor: Actor, *, role_id: str) -> Role:
    """Restore a role; one that is not deleted is returned unchanged.

    Raises `RoleNotFound`, `RoleNameTaken`, or `Denied` for a role with more permissions than the actor.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    if role := await roles.find(tx, scope, role_id):
        return role
    entry = require(await find_entry(tx, scope, TrashKind.ROLE, role_id), RoleNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    await roles.check_unique(tx, scope, rows["roles"][0]["name"], role_id)
    await store.delete(tx, scope, entry.id)
    await store.put_back(tx, scope, "roles", [touched(rows["roles"][0], now)])
    # Grants of users and groups that were restored before their role.
    await _put_back_held_grants(tx, scope, rows.get("grants", []))
    restored = require(await roles.find(tx, scope, role_id), RoleNotFound)
    if restored.permissions - (actor.permissions - actor.parts.keys()):
        raise Denied(_NOT_HELD)
    tx.record(Event(EventType.ROLE_RESTORED, scope.customer_id, restored))
    return restored


async def _put_back_held_grants(tx: WriteTransaction, scope: Scope, rows: Sequence[Content]) -> None:
    """Restore the grants of those users and groups that exist."""
    ids = {row["subject_id"] for row in rows}
    known = await affected_store.list_known(tx, scope, "users", ids)
    known |= await affected_store.list_known(tx, scope, "groups", ids)
    await _put_back_grants(tx, scope, [row for row in rows if row["subject_id"] in known])


async def is_deleted_user(tx: ReadTransaction, actor: Actor, *, user_id: str) -> bool:
    """Whether a user is in the trash."""
    return await store.find_content(tx, allow(actor, Permission.PEOPLE_READ), "users", user_id) is not None


async def find_deleted_user(tx: ReadTransaction, scope: Scope, user_id: str) -> UserDetails | None:
    """Return a user who is in the trash, with the groups and grants that restoring them would bring back, or None."""
    row = await store.find_content(tx, scope, "users", user_id)
    if row is None:
        return None
    rows = await store.list_rows(tx, scope, user_id)
    names = [field.name for field in fields(User) if field.name != "customer_id"]
    user = User(
        **{name: row[name] for name in names} | {"status": UserStatus(row["status"])}, customer_id=scope.customer_id
    )
    grants = [
        Grant(grant["role_id"], ResourceType(grant["resource_type"]), grant["resource_id"])
        for grant in rows.get("grants", ())
    ]
    return UserDetails(user, tuple(member["group_id"] for member in rows.get("group_members", ())), tuple(grants))


async def erase_user(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """Delete a user who is in the trash at once, and the names of the user in the rest of the trash.

    Does nothing else if they are not in the trash. The caller holds the account's lock.
    """
    if await store.find_content(tx, scope, "users", user_id):
        await purge_store.delete_rest_of_user(tx, scope, user_id)
        await store.delete(tx, scope, user_id)
    await store.clear_actor(tx, scope, user_id)
