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
At = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class RecipientDirectory:
    """The people and the groups of the account that tasks name, looked up once for all of them."""

    users: dict[str, User]
    groups: dict[str, Group]


async def crowd(
    tx: ReadTransaction, actor: Actor, user_ids: Iterable[str], group_ids: Iterable[str]
) -> RecipientDirectory:
    """Who there is of those that are named, and of the members of those groups."""
    groups = await groups_of_people.find_many(tx, actor, group_ids)
    members = {member for group in groups.values() for member in group.member_ids}
    return RecipientDirectory(await people.find_many(tx, actor, {*user_ids, *members}), groups)


def recipients(
    known: RecipientDirectory, user_ids: Sequence[str], group_ids: Sequence[str], at: At
) -> tuple[tuple[Fulfilment, ...], list[ValidationFault]]:
    """Everybody who gets the task: those who are named, then the members of the groups who are not disabled."""
    found = [fault for i, one in enumerate(user_ids) for fault in _of_user(known, one, user_ids[:i], (*at, "users", i))]
    found += [
        fault for i, one in enumerate(group_ids) for fault in _of_group(known, one, group_ids[:i], (*at, "groups", i))
    ]
    if not user_ids and not group_ids:
        found.append(ValidationFault(pointer(*at), "value.too_few", "Name at least one user or one group."))
    if found:
        return (), found
    members = (member for one in group_ids for member in _active(known, known.groups[one]))
    others = dict.fromkeys(one for one in members if one not in user_ids)
    everybody = *(_new(one) for one in user_ids), *(_new(one, named=False) for one in others)
    if len(everybody) > MAX_RECIPIENTS:
        return (), [ValidationFault(pointer(*at), "value.too_many", f"A task has at most {MAX_RECIPIENTS} recipients.")]
    return everybody, []


def _new(user_id: str, *, named: bool = True) -> Fulfilment:
    return Fulfilment(user_id, named, link=crypto.new_secret(LINK_PREFIX))


def _of_user(known: RecipientDirectory, user_id: str, before: Sequence[str], at: At) -> list[ValidationFault]:
    where, user = pointer(*at), known.users.get(user_id)
    if user is None:
        return [ValidationFault(where, UserNotFound.code, UserNotFound.detail)]
    found = []
    if user.status is UserStatus.DISABLED:
        found.append(ValidationFault(where, "user.disabled", "This user is disabled and receives no tasks."))
    if user_id in before:
        found.append(ValidationFault(where, "value.repeated", "This user is named twice."))
    return found


def _of_group(known: RecipientDirectory, group_id: str, before: Sequence[str], at: At) -> list[ValidationFault]:
    where, group = pointer(*at), known.groups.get(group_id)
    if group is None:
        return [ValidationFault(where, GroupNotFound.code, GroupNotFound.detail)]
    if group_id in before:
        return [ValidationFault(where, "value.repeated", "This group is named twice.")]
    if not _active(known, group):
        return [ValidationFault(where, "group.empty", "Nobody is in this group who could receive a task.")]
    return []


def _active(known: RecipientDirectory, group: Group) -> list[str]:
    members = (known.users.get(one) for one in group.member_ids)
    return [user.id for user in members if user and user.status is not UserStatus.DISABLED]


def times(publish_at: int | None, due_at: int | None, now: int, at: At = ()) -> list[ValidationFault]:
    """A task is due at a time to come, and after it was published."""
    if due_at is None:
        return []
    if due_at <= now:
        return [ValidationFault(pointer(*at, "dueAt"), "value.past", "This is in the past. Name a time to come.")]
    if publish_at is not None and due_at <= publish_at:
        return [
            ValidationFault(pointer(*at, "dueAt"), "task.due_before_publish", "It would be due before it is published.")
        ]
    return []
