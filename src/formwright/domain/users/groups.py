"""Service functions for groups: create, edit and list them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from msgspec import UNSET

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import Event, EventType
from formwright.core.pagination import OLDEST_FIRST, Page, TimeFilter, Window
from formwright.domain.users import store
from formwright.domain.users.change_events import changed_group_properties, record_user_updates
from formwright.domain.users.grants import GrantEditor, not_held_error
from formwright.domain.users.models import (
    MAX_GROUPS,
    MAX_MEMBERS,
    Grant,
    Group,
    GroupEdit,
    GroupExternalIdTaken,
    GroupNameTaken,
    GroupNotFound,
    UserNotFound,
    merge_changes,
)


async def create(tx: WriteTransaction, actor: Actor, new: GroupEdit) -> Group:
    """Create a group; its members get its grants. Raises `Invalid` or `GroupNameTaken`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    empty = Group(tx.new_id("grp"), scope.customer_id, "", now, now, 1)
    group = _apply(empty, new)
    await _check(tx, actor, scope, empty, group, new)
    await store.insert_group(tx, group)
    await _save_access(tx, scope, empty, group, now)
    tx.record(Event(EventType.GROUP_CREATED, scope.customer_id, group))
    return group


async def edit(tx: WriteTransaction, actor: Actor, changes: GroupEdit, *, group_id: str) -> Group:
    """Edit a group. Users who join or leave it gain or lose its grants.

    Raises `GroupNotFound`, `Invalid`, `GroupNameTaken`, or `LastOwner`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    current = await get(tx, actor, group_id=group_id)
    changes = _resolve_lists(current, changes)
    group = _apply(current, changes)
    await _check(tx, actor, scope, current, group, changes)
    if group == current:
        return current
    group = replace(group, updated=now, revision=current.revision + 1)
    await store.update_group(tx, group)
    await _save_access(tx, scope, current, group, now)
    tx.record(
        Event(EventType.GROUP_UPDATED, scope.customer_id, group, changed=changed_group_properties(current, group))
    )
    await GrantEditor(tx, actor, scope).check_has_owner()
    return group


async def add(
    tx: WriteTransaction, actor: Actor, *, group_id: str, member_id: str | None = None, grant: Grant | None = None
) -> Group:
    """Add one member or grant; one that the group has already changes nothing. Raises the errors of `edit`."""
    await account_lock.hold(tx, allow(actor, Permission.PEOPLE_MANAGE).customer_id)
    current = await get(tx, actor, group_id=group_id)
    members = [member_id] if member_id and member_id not in current.member_ids else []
    grants = [grant] if grant and grant not in current.grants else []
    if not members and not grants:
        return current
    return await edit(tx, actor, GroupEdit(add_member_ids=members, add_grants=grants), group_id=group_id)


async def remove(
    tx: WriteTransaction, actor: Actor, *, group_id: str, member_id: str | None = None, grant: Grant | None = None
) -> Group:
    """Remove one member or grant; one that the group does not have changes nothing. Raises the errors of `edit`."""
    members, grants = [member_id] if member_id else [], [grant] if grant else []
    return await edit(tx, actor, GroupEdit(remove_member_ids=members, remove_grants=grants), group_id=group_id)


def _resolve_lists(current: Group, changes: GroupEdit) -> GroupEdit:
    """Return the changes with complete lists of grants and members, if some are added or removed."""
    grants = merge_changes(current.grants, changes.remove_grants, changes.add_grants)
    members = merge_changes(current.member_ids, changes.remove_member_ids, changes.add_member_ids)
    return replace(
        changes,
        grants=changes.grants if grants is None else grants,
        member_ids=changes.member_ids if members is None else members,
    )


def _apply(group: Group, changes: GroupEdit) -> Group:
    return replace(
        group,
        name=group.name if changes.name is None else changes.name,
        external_id=group.external_id if changes.external_id is UNSET else changes.external_id,
        member_ids=group.member_ids if changes.member_ids is None else tuple(sorted(changes.member_ids)),
        grants=group.grants if changes.grants is None else tuple(sorted(changes.grants)),
    )


async def _check(
    tx: ReadTransaction, actor: Actor, scope: Scope, current: Group, group: Group, changes: GroupEdit
) -> None:
    editor = GrantEditor(tx, actor, scope)
    errors = await _member_errors(tx, scope, changes.member_ids or (), current)
    errors += await editor.validate(changes.grants or (), current.grants) if changes.grants is not None else []
    members_change = set(current.member_ids) != set(group.member_ids)
    if not errors and members_change and await editor.exceeds_actor(current.grants):
        errors.append(not_held_error("members"))
    # Single sign-on puts those people into a group whose claim has its external id or, without one, its name.
    is_renamed = (current.external_id or current.name) != (group.external_id or group.name)
    if not errors and is_renamed and await editor.exceeds_actor(current.grants):
        errors.append(not_held_error("name" if current.external_id == group.external_id else "externalId"))
    if errors:
        raise Invalid(errors)
    await check_unique(tx, scope, group.name, group.external_id, group.id)


async def check_unique(tx: ReadTransaction, scope: Scope, name: str, external_id: str | None, group_id: str) -> None:
    """Raise `GroupNameTaken` or `GroupExternalIdTaken` if a group other than `group_id` has one of these."""
    if await store.has_name(tx, scope, "groups", name, group_id):
        raise GroupNameTaken()
    if external_id and await store.has_external_id(tx, scope, "groups", external_id, group_id):
        raise GroupExternalIdTaken()


async def _member_errors(
    tx: ReadTransaction, scope: Scope, user_ids: Sequence[str], current: Group
) -> list[ValidationFault]:
    if len(user_ids) > MAX_MEMBERS:
        return [ValidationFault("/members", "value.too_many", f"A group can have at most {MAX_MEMBERS} members.")]
    known = {user.id for user in await store.find_many(tx, scope, user_ids)}
    groups = await store.list_group_ids(tx, scope, sorted(known - set(current.member_ids)))
    errors: list[ValidationFault] = []
    seen: set[str] = set()
    for index, user_id in enumerate(user_ids):
        path = pointer("members", index)
        if user_id not in known:
            errors.append(ValidationFault(path, UserNotFound.code, UserNotFound.detail))
        elif user_id in seen:
            errors.append(ValidationFault(path, "value.repeated", "This user is listed twice."))
        elif len(groups.get(user_id, ())) >= MAX_GROUPS:
            errors.append(ValidationFault(path, "value.too_many", f"This user is already in {MAX_GROUPS} groups."))
        seen.add(user_id)
    return errors


async def _save_access(tx: WriteTransaction, scope: Scope, current: Group, group: Group, now: int) -> None:
    joined, left = (set(a.member_ids) - set(b.member_ids) for a, b in ((group, current), (current, group)))
    await store.insert_members(tx, scope, [(group.id, user_id) for user_id in sorted(joined)])
    await store.delete_members(tx, scope, [(group.id, user_id) for user_id in sorted(left)])
    await store.insert_grants(tx, scope, group.id, set(group.grants) - set(current.grants))
    await store.delete_grants(tx, scope, group.id, set(current.grants) - set(group.grants))
    await record_user_updates(tx, scope, joined | left, now)


async def get(tx: ReadTransaction, actor: Actor, *, group_id: str) -> Group:
    """Return a group; raises `GroupNotFound`."""
    return require(await find(tx, allow(actor, Permission.PEOPLE_READ), group_id), GroupNotFound)


async def find(tx: ReadTransaction, scope: Scope, group_id: str) -> Group | None:
    """Return a group, or None. For packages that have checked a permission of their own."""
    return (await store.find_groups(tx, scope, [group_id])).get(group_id)


async def find_by_external_id(tx: WriteTransaction, actor: Actor, external_id: str) -> Group | None:
    """Return the group with this external id, or None. Locks the account, so nobody else creates one."""
    scope = allow(actor, Permission.PEOPLE_READ)
    await account_lock.hold(tx, scope.customer_id)
    found = await page(tx, actor, Window(1), external_id=external_id)
    return found.items[0] if found.items else None


async def find_many(tx: ReadTransaction, actor: Actor, group_ids: Iterable[str]) -> dict[str, Group]:
    """Return the groups with these ids by id, without those that do not exist."""
    return await store.find_groups(tx, allow(actor, Permission.PEOPLE_READ), sorted(set(group_ids)))


async def find_named(tx: ReadTransaction, actor: Actor, names: Collection[str]) -> list[Group]:
    """Return the groups with these external ids or, if a group has none, names."""
    return await store.find_named_groups(tx, allow(actor, Permission.PEOPLE_READ), names)


async def page(
    tx: ReadTransaction,
    actor: Actor,
    window: Window,
    *,
    user_id: str | None = None,
    external_id: str | None = None,
    times: TimeFilter = OLDEST_FIRST,
) -> Page[Group]:
    """Return a page of the account's groups, or of those of a user, by default the oldest first."""
    return await store.groups_page(tx, allow(actor, Permission.PEOPLE_READ), window, user_id, external_id, times)
