"""Validation of new and changed tasks. All errors are reported together, each with its JSON pointer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from formwright.core import crypto
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault, pointer
from formwright.domain.tasks.models import Fulfilment
from formwright.domain.users import groups as groups_of_people
from formwright.domain.users import service as people
from formwright.domain.users.models import Group, GroupNotFound, User, UserNotFound, UserStatus

MAX_RECIPIENTS = 1000
LINK_PREFIX = "t"
DUE_BEFORE_PUBLISH = "The task would be due before it is published."
PointerPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class RecipientDirectory:
    """The users and groups that some tasks refer to, by id, loaded once for all of these tasks."""

    users: dict[str, User]
    groups: dict[str, Group]


async def load_directory(
    tx: ReadTransaction, actor: Actor, user_ids: Iterable[str], group_ids: Iterable[str]
) -> RecipientDirectory:
    """Load these users and groups and the groups' members. Unknown ids are left out."""
    groups = await groups_of_people.find_many(tx, actor, group_ids)
    members = {member for group in groups.values() for member in group.member_ids}
    return RecipientDirectory(await people.find_many(tx, actor, {*user_ids, *members}), groups)


def resolve_recipients(
    directory: RecipientDirectory, user_ids: Sequence[str], group_ids: Sequence[str], path: PointerPath
) -> tuple[tuple[Fulfilment, ...], list[ValidationFault]]:
    """Return the recipients of a task, or validation errors: first the users, then the groups' active members."""
    errors = [
        error
        for i, user_id in enumerate(user_ids)
        for error in _validate_user(directory, user_id, user_ids[:i], (*path, "users", i))
    ]
    errors += [
        error
        for i, group_id in enumerate(group_ids)
        for error in _validate_group(directory, group_id, group_ids[:i], (*path, "groups", i))
    ]
    if not user_ids and not group_ids:
        errors.append(ValidationFault(pointer(*path), "value.too_few", "Add at least one user or group."))
    if errors:
        return (), errors
    members = (member for group_id in group_ids for member in _active_members(directory, directory.groups[group_id]))
    others = dict.fromkeys(member for member in members if member not in user_ids)
    recipients = (
        *(_new_fulfilment(user_id) for user_id in user_ids),
        *(_new_fulfilment(user_id, assigned_directly=False) for user_id in others),
    )
    if len(recipients) > MAX_RECIPIENTS:
        detail = f"A task can have at most {MAX_RECIPIENTS} recipients."
        return (), [ValidationFault(pointer(*path), "value.too_many", detail)]
    return recipients, []


def _new_fulfilment(user_id: str, *, assigned_directly: bool = True) -> Fulfilment:
    return Fulfilment(user_id, assigned_directly, link=crypto.new_secret(LINK_PREFIX))


def _validate_user(
    directory: RecipientDirectory, user_id: str, before: Sequence[str], path: PointerPath
) -> list[ValidationFault]:
    where, user = pointer(*path), directory.users.get(user_id)
    if user is None:
        return [ValidationFault(where, UserNotFound.code, UserNotFound.detail)]
    errors = []
    if user.status is UserStatus.DISABLED:
        errors.append(ValidationFault(where, "user.disabled", "This user is disabled and receives no tasks."))
    if user_id in before:
        errors.append(ValidationFault(where, "value.repeated", "This user is listed twice."))
    return errors


def _validate_group(
    directory: RecipientDirectory, group_id: str, before: Sequence[str], path: PointerPath
) -> list[ValidationFault]:
    where, group = pointer(*path), directory.groups.get(group_id)
    if group is None:
        return [ValidationFault(where, GroupNotFound.code, GroupNotFound.detail)]
    if group_id in before:
        return [ValidationFault(where, "value.repeated", "This group is listed twice.")]
    if not _active_members(directory, group):
        return [ValidationFault(where, "group.empty", "This group has no active members.")]
    return []


def _active_members(directory: RecipientDirectory, group: Group) -> list[str]:
    members = (directory.users.get(user_id) for user_id in group.member_ids)
    return [user.id for user in members if user and user.status is not UserStatus.DISABLED]


def validate_times(
    publish_at: int | None, due_at: int | None, now: int, path: PointerPath = ()
) -> list[ValidationFault]:
    """Check that a task is due in the future and after its publication."""
    if due_at is None:
        return []
    if due_at <= now:
        return [ValidationFault(pointer(*path, "dueAt"), "value.past", "This time is in the past.")]
    if publish_at is not None and due_at <= publish_at:
        return [ValidationFault(pointer(*path, "dueAt"), "task.due_before_publish", DUE_BEFORE_PUBLISH)]
    return []
