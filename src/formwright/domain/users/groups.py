"""The verbs of groups."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.pagination import Page, Window
from formwright.domain.users import events, store
from formwright.domain.users.change_events import changed_group_properties, record_user_updates
from formwright.domain.users.grants import GrantEditor, not_held_error
from formwright.domain.users.models import (
    MAX_GROUPS,
    MAX_MEMBERS,
    Group,
    GroupEdit,
    GroupNameTaken,
    GroupNotFound,
    UserNotFound,
    merge_changes,
)


async def create(tx: WriteTransaction, actor: Actor, new: GroupEdit) -> Group:
    """A new group; its members have what it is given from here on."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    empty = Group(tx.new_id("grp"), scope.customer_id, "", now, now, 1)
    group = _apply(empty, new)
    await _check(tx, actor, scope, empty, group, new)
    await store.insert_group(tx, group)
    await _save_access(tx, scope, empty, group, now)
    tx.record(events.GroupCreated(scope.customer_id, group))
    return group


async def edit(tx: WriteTransaction, actor: Actor, changes: GroupEdit, *, group_id: str) -> Group:
    """Change a group; whoever joins or leaves it gains or loses what it was given."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await get(tx, actor, group_id=group_id)
    changes = _resolve_lists(was, changes)
    wanted = _apply(was, changes)
    await _check(tx, actor, scope, was, wanted, changes)
    if wanted == was:
        return was
    group = replace(wanted, updated=now, revision=was.revision + 1)
    await store.update_group(tx, group)
    await _save_access(tx, scope, was, group, now)
    tx.record(events.GroupUpdated(scope.customer_id, group, changed=changed_group_properties(was, group)))
    await GrantEditor(tx, actor, scope).check_has_owner()
    return group


def _resolve_lists(was: Group, changes: GroupEdit) -> GroupEdit:
    grants = merge_changes(was.grants, changes.remove_grants, changes.add_grants)
    members = merge_changes(was.member_ids, changes.remove_member_ids, changes.add_member_ids)
    return replace(
        changes,
        grants=changes.grants if grants is None else grants,
        member_ids=changes.member_ids if members is None else members,
    )


def _apply(group: Group, changes: GroupEdit) -> Group:
    return replace(
        group,
        name=group.name if changes.name is None else changes.name,
        member_ids=group.member_ids if changes.member_ids is None else tuple(sorted(changes.member_ids)),
        grants=group.grants if changes.grants is None else tuple(sorted(changes.grants)),
    )


async def _check(
    tx: ReadTransaction, actor: Actor, scope: Scope, was: Group, wanted: Group, changes: GroupEdit
) -> None:
    giver = GrantEditor(tx, actor, scope)
    found = await _member_errors(tx, scope, changes.member_ids or (), was)
    found += await giver.validate(changes.grants or (), was.grants) if changes.grants is not None else []
    if not found and set(was.member_ids) != set(wanted.member_ids) and await giver.exceeds_actor(was.grants):
        found.append(not_held_error("members"))
    if found:
        raise Invalid(found)
    if await store.has_name(tx, scope, "groups", wanted.name, wanted.id):
        raise GroupNameTaken()


async def _member_errors(tx: ReadTransaction, scope: Scope, wanted: Sequence[str], was: Group) -> list[ValidationFault]:
    if len(wanted) > MAX_MEMBERS:
        return [ValidationFault("/members", "value.too_many", f"A group has {MAX_MEMBERS} members at most.")]
    known = {user.id for user in await store.find_many(tx, scope, wanted)}
    groups = await store.list_group_ids(tx, scope, sorted(known - set(was.member_ids)))
    found: list[ValidationFault] = []
    for index, user_id in enumerate(wanted):
        at = pointer("members", index)
        if user_id not in known:
            found.append(ValidationFault(at, UserNotFound.code, UserNotFound.detail))
        elif user_id in wanted[:index]:
            found.append(ValidationFault(at, "value.repeated", "This user is named twice."))
        elif len(groups.get(user_id, ())) >= MAX_GROUPS:
            found.append(ValidationFault(at, "value.too_many", f"This user is in {MAX_GROUPS} groups already."))
    return found


async def _save_access(tx: WriteTransaction, scope: Scope, was: Group, group: Group, now: int) -> None:
    joined, left = (set(a.member_ids) - set(b.member_ids) for a, b in ((group, was), (was, group)))
    await store.insert_members(tx, scope, [(group.id, user_id) for user_id in sorted(joined)])
    await store.delete_members(tx, scope, [(group.id, user_id) for user_id in sorted(left)])
    await store.insert_grants(tx, scope, group.id, set(group.grants) - set(was.grants))
    await store.delete_grants(tx, scope, group.id, set(was.grants) - set(group.grants))
    await record_user_updates(tx, scope, joined | left, now)


async def get(tx: ReadTransaction, actor: Actor, *, group_id: str) -> Group:
    """One group of the account."""
    found = await store.find_groups(tx, allow(actor, Permission.PEOPLE_READ), [group_id])
    if group_id not in found:
        raise GroupNotFound()
    return found[group_id]


async def find_many(tx: ReadTransaction, actor: Actor, group_ids: Iterable[str]) -> dict[str, Group]:
    """Those of these groups that there are, by id."""
    return await store.find_groups(tx, allow(actor, Permission.PEOPLE_READ), sorted(set(group_ids)))


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, user_id: str | None = None) -> Page[Group]:
    """The account's groups in the order in which they were made, or those in which a person is."""
    return await store.groups_page(tx, allow(actor, Permission.PEOPLE_READ), window, user_id)
