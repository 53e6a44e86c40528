"""Groups and roles."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from formwright.api.paging import PageQuery
from formwright.api.v1_0.wire.basics import Name, Request, Resource, Timestamp, given
from formwright.api.v1_0.wire.ids import CustomerId, GroupId, RoleId, UserId
from formwright.api.v1_0.wire.users import Grant, Grants, grant
from formwright.core.access.permissions import Permission
from formwright.core.kernel.clock import rfc3339
from formwright.domain.people import rights
from formwright.domain.people.rights import MAX_MEMBERS, GroupChange

Members = Annotated[list[UserId], Meta(max_length=MAX_MEMBERS)]
Permissions = Annotated[
    list[Permission], Meta(min_length=1, max_length=len(Permission), description="What the role allows.")
]


class GroupCreate(Request):
    """A new group."""

    name: Name
    members: Members = []
    grants: Grants = []

    def new(self) -> GroupChange:
        """What the domain makes a group from."""
        return GroupChange(self.name, self.members, [one.record() for one in self.grants])


class GroupUpdate(Request):
    """What changes of a group; what is left out stays as it is."""

    name: Name | UnsetType = UNSET
    members: Members | UnsetType = UNSET
    grants: Grants | UnsetType = UNSET

    def change(self) -> GroupChange:
        """What the domain changes."""
        grants = None if self.grants is UNSET else [one.record() for one in self.grants]
        return GroupChange(given(self.name), given(self.members), grants)


class GroupQuery(PageQuery):
    """Which groups are meant."""

    user_id: Annotated[UserId | None, Meta(description="Those that this person is in.")] = None


class Group(Resource):
    """People who share what the group is given."""

    id: GroupId
    customer_id: CustomerId
    name: str
    members: list[UserId]
    grants: list[Grant]
    created: Timestamp
    updated: Timestamp
    revision: int


def group(record: rights.Group) -> Group:
    """The record as the API shows it."""
    return Group(
        id=record.id,
        customer_id=record.customer_id,
        name=record.name,
        members=list(record.member_ids),
        grants=[grant(one) for one in record.grants],
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


class RoleCreate(Request):
    """A new role."""

    name: Name
    permissions: Permissions


class RoleUpdate(Request):
    """What changes of a role; what is left out stays as it is."""

    name: Name | UnsetType = UNSET
    permissions: Permissions | UnsetType = UNSET


class Role(Resource):
    """A named set of permissions."""

    id: RoleId
    customer_id: CustomerId
    name: str
    permissions: list[Permission]
    built_in: Annotated[bool, Meta(description="Every account has it, and it cannot be changed.")]
    created: Timestamp
    updated: Timestamp
    revision: int


def role(record: rights.Role) -> Role:
    """The record as the API shows it."""
    return Role(
        id=record.id,
        customer_id=record.customer_id,
        name=record.name,
        permissions=sorted(record.permissions),
        built_in=record.built_in,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
