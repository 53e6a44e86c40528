"""People and groups, whole, as they are told: a change of the one is a change of the other, where somebody joins."""

from collections.abc import Iterable, Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import changed as differing
from formwright.domain.users import events, store
from formwright.domain.users.models import Group, User, UserDetails


async def load_details(tx: ReadTransaction, scope: Scope, users: Sequence[User]) -> list[UserDetails]:
    """These users with their groups and with what they were given."""
    ids = [user.id for user in users]
    groups, grants = await store.list_group_ids(tx, scope, ids), await store.list_grants(tx, scope, ids)
    return [UserDetails(user, groups[user.id], grants[user.id]) for user in users]


async def record_user_updates(tx: WriteTransaction, scope: Scope, user_ids: Iterable[str], now: int) -> None:
    """The groups of these people have changed: each is another revision, and its event says so."""
    ids = sorted(user_ids)
    await store.touch(tx, scope, "users", ids, now)
    for person in await load_details(tx, scope, await store.find_many(tx, scope, ids)):
        tx.record(events.UserUpdated(scope.customer_id, person, changed=("groups",)))


async def record_group_updates(tx: WriteTransaction, scope: Scope, group_ids: Iterable[str], now: int) -> None:
    """The members of these groups have changed: each is another revision, and its event says so."""
    ids = sorted(group_ids)
    await store.touch(tx, scope, "groups", ids, now)
    for group in (await store.find_groups(tx, scope, ids)).values():
        tx.record(events.GroupUpdated(scope.customer_id, group, changed=("members",)))


def changed_user_properties(was: UserDetails, person: UserDetails) -> tuple[str, ...]:
    """The members in which the two differ, as the API spells them."""
    rights = {"groups": was.group_ids != person.group_ids, "grants": was.grants != person.grants}
    return (*differing(was.user, person.user), *(name for name, differs in rights.items() if differs))


def changed_group_properties(was: Group, group: Group) -> tuple[str, ...]:
    """The members in which the two differ, as the API spells them."""
    found = {
        "name": was.name != group.name,
        "members": was.member_ids != group.member_ids,
        "grants": was.grants != group.grants,
    }
    return tuple(name for name, differs in found.items() if differs)
