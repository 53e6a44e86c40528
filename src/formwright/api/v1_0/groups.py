"""Groups and roles."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import groups as wire
from formwright.api.v1_0.wire.basics import given
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.people import groups, roles
from formwright.domain.people.rights import (
    GroupNameTaken,
    GroupNotFound,
    LastOwner,
    RoleBuiltIn,
    RoleNameTaken,
    RoleNotFound,
)

_GROUPS = "/customers/{customerId}/groups"
_GROUP = _GROUPS + "/{groupId}"
_ROLES = "/customers/{customerId}/roles"
_ROLE = _ROLES + "/{roleId}"
_TAG = "Users & Groups"


@operation("GET", ("listGroups", _GROUPS), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound,))
async def list_groups(call: Call, query: wire.GroupQuery) -> List[wire.Group]:
    """List the account's groups in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await groups.page(tx, call.actor, query.window(), user_id=query.user_id), wire.group)


@operation(
    "POST",
    ("createGroup", _GROUPS),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    status=201,
    location=_GROUPS + "/{id}",
    raises=(CustomerNotFound, GroupNameTaken, Invalid),
)
async def create_group(call: Call, body: wire.GroupCreate) -> wire.Group:
    """Make a group. Its members may do what it is given, beside what they are given themselves."""
    async with call.writing() as tx:
        return wire.group(await groups.create(tx, call.actor, body.new()))


@operation(
    "GET", ("getGroup", _GROUP), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound, GroupNotFound)
)
async def get_group(call: Call, group_id: str) -> wire.Group:
    """Read one group."""
    async with call.reading() as tx:
        return wire.group(await groups.get(tx, call.actor, group_id=group_id))


@operation(
    "PUT",
    ("changeGroup", _GROUP),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, GroupNotFound, GroupNameTaken, LastOwner, Invalid),
)
async def change_group(call: Call, group_id: str, body: wire.GroupUpdate) -> wire.Group:
    """Change a group: its name, who is in it, and what it is given.

    What is left out stays as it is; `members` and `grants` are replaced as a whole. A group cannot be deleted: one
    without members does nothing.
    """
    async with call.writing() as tx:
        return wire.group(await groups.change(tx, call.actor, body.change(), group_id=group_id))


@operation("GET", ("listRoles", _ROLES), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound,))
async def list_roles(call: Call, query: PageQuery) -> List[wire.Role]:
    """List the account's roles: those that are built in, and its own."""
    async with call.reading() as tx:
        return call.listing(await roles.page(tx, call.actor, query.window()), wire.role)


@operation(
    "POST",
    ("createRole", _ROLES),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    status=201,
    location=_ROLES + "/{id}",
    raises=(CustomerNotFound, RoleNameTaken, Invalid),
)
async def create_role(call: Call, body: wire.RoleCreate) -> wire.Role:
    """Make a role of named permissions. It does nothing until it is given to somebody."""
    async with call.writing() as tx:
        return wire.role(await roles.create(tx, call.actor, name=body.name, permissions=body.permissions))


@operation(
    "GET", ("getRole", _ROLE), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound, RoleNotFound)
)
async def get_role(call: Call, role_id: str) -> wire.Role:
    """Read one role."""
    async with call.reading() as tx:
        return wire.role(await roles.get(tx, call.actor, role_id=role_id))


@operation(
    "PUT",
    ("changeRole", _ROLE),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, RoleNotFound, RoleNameTaken, RoleBuiltIn, Invalid),
)
async def change_role(call: Call, role_id: str, body: wire.RoleUpdate) -> wire.Role:
    """Change a role of the account's own. Everybody who has it may do so much from then on."""
    async with call.writing() as tx:
        record = await roles.change(
            tx, call.actor, role_id=role_id, name=given(body.name), permissions=given(body.permissions)
        )
    return wire.role(record)


OPERATIONS = [
    *list_groups,
    *create_group,
    *get_group,
    *change_group,
    *list_roles,
    *create_role,
    *get_role,
    *change_role,
]
