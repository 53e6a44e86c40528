"""Service functions that list groups as SCIM does. `users.groups` creates and edits them."""

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.provisioning import store
from formwright.domain.provisioning.models import ProvisionedGroupFilter
from formwright.domain.users import groups
from formwright.domain.users.models import Group


async def page(
    tx: ReadTransaction, actor: Actor, criteria: ProvisionedGroupFilter, *, offset: int, limit: int
) -> list[Group]:
    """Return some of the groups that match the filter, the oldest first."""
    scope = allow(actor, Permission.PEOPLE_READ)
    ids = await store.list_group_ids(tx, scope, criteria, offset, limit)
    found = await groups.find_many(tx, actor, ids)
    return [found[group_id] for group_id in ids]


async def count(tx: ReadTransaction, actor: Actor, criteria: ProvisionedGroupFilter) -> int:
    """Return how many groups match the filter."""
    return await store.count_groups(tx, allow(actor, Permission.PEOPLE_READ), criteria)
