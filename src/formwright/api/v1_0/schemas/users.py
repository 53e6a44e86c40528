"""Customers.

Users, and what they are given.

Groups and roles.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    CustomerId,
    FolderId,
    FormId,
    GroupId,
    Name,
    Request,
    Resource,
    RoleId,
    Timestamp,
    UserId,
    value_or_none,
)
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.clock import rfc3339
from formwright.core.errors import ValidationFault
from formwright.domain.customers import models as customer_models
from formwright.domain.forms.definition import Language
from formwright.domain.users import models
from formwright.domain.users.explain_access import AccessReason as ReasonRecord
from formwright.domain.users.models import MAX_EMAIL_LENGTH, MAX_MEMBERS, GroupEdit, UserStatus


class Customer(Resource):
    """An account: what owns all the data."""

    id: CustomerId
    name: str
    locale: str
    time_zone: str
    created: Timestamp
    updated: Timestamp
    revision: int


def customer(record: customer_models.Customer) -> Customer:
    """The record as the API shows it."""
    return Customer(
        id=record.id,
        name=record.name,
        locale=record.locale,
        time_zone=record.time_zone,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


Email = Annotated[
    str, Meta(max_length=MAX_EMAIL_LENGTH, description="Kept in lower case.", examples=["ann@example.org"])
]
Groups = Annotated[list[GroupId], Meta(description="The groups that the person is in, 100 at most.")]


class AccountResource(msgspec.Struct, tag="account", tag_field="type", forbid_unknown_fields=True):
    """The whole account."""

    id: CustomerId


class FolderResource(msgspec.Struct, tag="folder", tag_field="type", forbid_unknown_fields=True):
    """A folder, with all folders and forms below it."""

    id: FolderId


class FormResource(msgspec.Struct, tag="form", tag_field="type", forbid_unknown_fields=True):
    """One form."""

    id: FormId


GrantResource = AccountResource | FolderResource | FormResource
_PLACES: dict[ResourceType, type[Any]] = {
    ResourceType.ACCOUNT: AccountResource,
    ResourceType.FOLDER: FolderResource,
    ResourceType.FORM: FormResource,
}


class Grant(Request):
    """A role, and what it is given for."""

    role_id: RoleId
    resource: GrantResource

    def to_domain(self) -> models.Grant:
        """What the domain gives."""
        type_ = ResourceType(str(self.resource.__struct_config__.tag))
        return models.Grant(self.role_id, type_, self.resource.id)


Grants = Annotated[list[Grant], Meta(description="100 at most.")]


class UserCreate(Request):
    """A new person, who is invited."""

    email: Email
    name: Name
    language: Language = "en"
    status: Annotated[UserStatus, Meta(description="`INVITED`, or `DISABLED` for somebody who is not to come yet.")] = (
        UserStatus.INVITED
    )
    groups: Groups = []
    grants: Grants = []

    def to_domain(self) -> models.NewUser:
        """What the domain makes a person from."""
        grants = [grant.to_domain() for grant in self.grants]
        return models.NewUser(self.email, self.name, self.language, self.status, self.groups, grants)


class UserUpdate(Request):
    """What changes of a person; what is left out stays as it is."""

    email: Email | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    status: Annotated[
        UserStatus | UnsetType,
        Meta(
            description="`DISABLED` signs the person out at once; `ACTIVE` ends that, as `INVITED` where no password"
            " was ever set."
        ),
    ] = UNSET
    groups: Groups | UnsetType = UNSET
    grants: Grants | UnsetType = UNSET

    def change(self) -> models.UserEdit:
        """What the domain changes."""
        return models.UserEdit(
            email=value_or_none(self.email),
            name=value_or_none(self.name),
            language=value_or_none(self.language),
            status=value_or_none(self.status),
            group_ids=value_or_none(self.groups),
            grants=None if self.grants is UNSET else [grant.to_domain() for grant in self.grants],
        )


class UserQuery(PageQuery):
    """Which people are meant."""

    status: Annotated[list[UserStatus], Meta(description="May be repeated.")] = []
    group_id: Annotated[list[GroupId], Meta(description="May be repeated.")] = []
    email: Email | None = None

    def to_filter(self) -> models.UserFilter:
        """What the domain looks for."""
        return models.UserFilter(self.status, self.group_id, self.email)


class User(Resource):
    """A person of the account. `grants` are the person's own; what the groups are given comes on top."""

    id: UserId
    customer_id: CustomerId
    email: str
    name: str
    language: str
    status: UserStatus
    groups: list[GroupId]
    grants: list[Grant]
    created: Timestamp
    updated: Timestamp
    revision: int


def user(record: models.UserDetails) -> User:
    """The record as the API shows it."""
    her = record.user
    return User(
        id=her.id,
        customer_id=her.customer_id,
        email=her.email,
        name=her.name,
        language=her.language,
        status=her.status,
        groups=list(record.group_ids),
        grants=[grant(one) for one in record.grants],
        created=rfc3339(her.created),
        updated=rfc3339(her.updated),
        revision=her.revision,
    )


def grant(record: models.Grant) -> Grant:
    """The record as the API shows it."""
    return Grant(role_id=record.role_id, resource=_PLACES[record.resource_type](record.resource_id))


class AccessQuery(msgspec.Struct, rename="camel", kw_only=True):
    """What is asked: about a form, a folder, or, with neither, the account as a whole."""

    permission: Annotated[Permission | None, Meta(description="Only this one.")] = None
    form_id: FormId | None = None
    folder_id: FolderId | None = None

    def check(self) -> None:
        """`QueryInvalid` where two places are named."""
        if self.form_id and self.folder_id:
            words = "Name a form or a folder, not both."
            raise QueryInvalid([ValidationFault("?folderId", "query.value", words)])


class NamedReference(Resource):
    """What something is called."""

    id: str
    name: str


class AccessReason(Resource):
    """Something that was given, and what it allows there."""

    permissions: list[Permission]
    role: NamedReference
    resource: GrantResource
    group: Annotated[NamedReference | None, Meta(description="The group that was given it; null where the person was.")]


class UserAccess(Resource):
    """What a person may do there, and why."""

    user_id: UserId
    status: UserStatus
    allowed: Annotated[
        bool, Meta(description="Whether the person may do it now: for a reason, and as one who can sign in.")
    ]
    reasons: list[AccessReason]


def access(person: models.UserDetails, found: list[ReasonRecord], permission: Permission | None) -> UserAccess:
    """The answer; of one permission, the reasons that allow it."""
    shown = [reason for reason in found if permission is None or permission in reason.permissions]
    return UserAccess(
        user_id=person.user.id,
        status=person.user.status,
        allowed=bool(shown) and person.user.status is UserStatus.ACTIVE,
        reasons=[_reason(reason, permission) for reason in shown],
    )


def _reason(reason: ReasonRecord, permission: Permission | None) -> AccessReason:
    return AccessReason(
        permissions=[permission] if permission else sorted(reason.permissions),
        role=NamedReference(id=reason.role.id, name=reason.role.name),
        resource=grant(reason.grant).resource,
        group=NamedReference(id=reason.group.id, name=reason.group.name) if reason.group else None,
    )


Members = Annotated[list[UserId], Meta(max_length=MAX_MEMBERS)]
Permissions = Annotated[
    list[Permission], Meta(min_length=1, max_length=len(Permission), description="What the role allows.")
]


class GroupCreate(Request):
    """A new group."""

    name: Name
    members: Members = []
    grants: Grants = []

    def to_domain(self) -> GroupEdit:
        """What the domain makes a group from."""
        return GroupEdit(self.name, self.members, [one.to_domain() for one in self.grants])


class GroupUpdate(Request):
    """What changes of a group; what is left out stays as it is."""

    name: Name | UnsetType = UNSET
    members: Members | UnsetType = UNSET
    grants: Grants | UnsetType = UNSET

    def change(self) -> GroupEdit:
        """What the domain changes."""
        grants = None if self.grants is UNSET else [one.to_domain() for one in self.grants]
        return GroupEdit(value_or_none(self.name), value_or_none(self.members), grants)


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


def group(record: models.Group) -> Group:
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


def role(record: models.Role) -> Role:
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
