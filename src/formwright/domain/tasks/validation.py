"""Whether tasks can be made or changed: every fault at once, each with its pointer."""

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
PointerPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class RecipientDirectory:
    """The people and the groups of the account that tasks name, looked up once for all of them."""

    users: dict[str, User]
    groups: dict[str, Group]


async def load_directory(
    tx: ReadTransaction, actor: Actor, user_ids: Iterable[str], group_ids: Iterable[str]
) -> RecipientDirectory:
    """Who there is of those that are named, and of the members of those groups."""
    groups = await groups_of_people.find_many(tx, actor, group_ids)
    members = {member for group in groups.values() for member in group.member_ids}
    return RecipientDirectory(await people.find_many(tx, actor, {*user_ids, *members}), groups)


def resolve_recipients(
    directory: RecipientDirectory, user_ids: Sequence[str], group_ids: Sequence[str], path: PointerPath
) -> tuple[tuple[Fulfilment, ...], list[ValidationFault]]:
    """Everybody who gets the task: those who are named, then the members of the groups who are not disabled."""
    found = [
        fault
        for i, one in enumerate(user_ids)
        for fault in _validate_user(directory, one, user_ids[:i], (*path, "users", i))
    ]
    found += [
        fault
        for i, one in enumerate(group_ids)
        for fault in _validate_group(directory, one, group_ids[:i], (*path, "groups", i))
    ]
    if not user_ids and not group_ids:
        found.append(ValidationFault(pointer(*path), "value.too_few", "Name at least one user or one group."))
    if found:
        return (), found
    members = (member for one in group_ids for member in _active_members(directory, directory.groups[one]))
    others = dict.fromkeys(one for one in members if one not in user_ids)
    everybody = (
        *(_new_fulfilment(one) for one in user_ids),
        *(_new_fulfilment(one, assigned_directly=False) for one in others),
    )
    if len(everybody) > MAX_RECIPIENTS:
        return (), [
            ValidationFault(pointer(*path), "value.too_many", f"A task has at most {MAX_RECIPIENTS} recipients.")
        ]
    return everybody, []


def _new_fulfilment(user_id: str, *, assigned_directly: bool = True) -> Fulfilment:
    return Fulfilment(user_id, assigned_directly, link=crypto.new_secret(LINK_PREFIX))


def _validate_user(
    directory: RecipientDirectory, user_id: str, before: Sequence[str], path: PointerPath
) -> list[ValidationFault]:
    where, user = pointer(*path), directory.users.get(user_id)
    if user is None:
        return [ValidationFault(where, UserNotFound.code, UserNotFound.detail)]
    found = []
    if user.status is UserStatus.DISABLED:
        found.append(ValidationFault(where, "user.disabled", "This user is disabled and receives no tasks."))
    if user_id in before:
        found.append(ValidationFault(where, "value.repeated", "This user is named twice."))
    return found


def _validate_group(
    directory: RecipientDirectory, group_id: str, before: Sequence[str], path: PointerPath
) -> list[ValidationFault]:
    where, group = pointer(*path), directory.groups.get(group_id)
    if group is None:
        return [ValidationFault(where, GroupNotFound.code, GroupNotFound.detail)]
    if group_id in before:
        return [ValidationFault(where, "value.repeated", "This group is named twice.")]
    if not _active_members(directory, group):
        return [ValidationFault(where, "group.empty", "Nobody is in this group who could receive a task.")]
    return []


def _active_members(directory: RecipientDirectory, group: Group) -> list[str]:
    members = (directory.users.get(one) for one in group.member_ids)
    return [user.id for user in members if user and user.status is not UserStatus.DISABLED]


def validate_times(
    publish_at: int | None, due_at: int | None, now: int, path: PointerPath = ()
) -> list[ValidationFault]:
    """A task is due at a time to come, and after it was published."""
    if due_at is None:
        return []
    if due_at <= now:
        return [ValidationFault(pointer(*path, "dueAt"), "value.past", "This is in the past. Name a time to come.")]
    if publish_at is not None and due_at <= publish_at:
        return [
            ValidationFault(
                pointer(*path, "dueAt"), "task.due_before_publish", "It would be due before it is published."
            )
        ]
    return []
