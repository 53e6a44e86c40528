"""Events for users and groups whose membership changes: it is a property of both, so both get a new revision."""

from collections.abc import Iterable, Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.domain.users import store
from formwright.domain.users.models import Group, User, UserDetails


async def load_details(tx: ReadTransaction, scope: Scope, users: Sequence[User]) -> list[UserDetails]:
    """Return the users with their groups and grants, in the same order."""
    ids = [user.id for user in users]
    groups, grants = await store.list_group_ids(tx, scope, ids), await store.list_grants(tx, scope, ids)
    return [UserDetails(user, groups[user.id], grants[user.id]) for user in users]


async def record_user_updates(tx: WriteTransaction, scope: Scope, user_ids: Iterable[str], now: int) -> None:
    """Increase the revision of users whose groups have changed, and record an event for each."""
    ids = sorted(user_ids)
    await store.touch(tx, scope, "users", ids, now)
    for details in await load_details(tx, scope, await store.find_many(tx, scope, ids)):
        tx.record(Event(EventType.USER_UPDATED, scope.customer_id, details, changed=("groups",)))


async def record_group_updates(tx: WriteTransaction, scope: Scope, group_ids: Iterable[str], now: int) -> None:
    """Increase the revision of groups whose members have changed, and record an event for each."""
    ids = sorted(group_ids)
    await store.touch(tx, scope, "groups", ids, now)
    for group in (await store.find_groups(tx, scope, ids)).values():
        tx.record(Event(EventType.GROUP_UPDATED, scope.customer_id, group, changed=("members",)))


def changed_user_properties(before: UserDetails, after: UserDetails) -> tuple[str, ...]:
    """Return the names of the properties that differ, as in the API."""
    access = {"groups": before.group_ids != after.group_ids, "grants": before.grants != after.grants}
    return (*differing(before.user, after.user), *(name for name, differs in access.items() if differs))


def changed_group_properties(before: Group, after: Group) -> tuple[str, ...]:
    """Return the names of the properties that differ, as in the API."""
    differences = {
        "name": before.name != after.name,
        "members": before.member_ids != after.member_ids,
        "grants": before.grants != after.grants,
        "externalId": before.external_id != after.external_id,
    }
    return tuple(name for name, differs in differences.items() if differs)
