"""Schemas of users, groups and roles."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    ExternalId,
    FolderId,
    FormId,
    GroupId,
    Name,
    RequestBody,
    Resource,
    Revision,
    RoleId,
    Updated,
    UserId,
    require,
    value_or_none,
)
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.errors import ValidationFault
from formwright.domain.forms.form_settings import Language
from formwright.domain.users import models
from formwright.domain.users.explain_access import AccessReason as ReasonRecord
from formwright.domain.users.models import MAX_EMAIL_LENGTH, MAX_MEMBERS, GroupEdit, UserStatus

Email = Annotated[
    str,
    Meta(
        max_length=MAX_EMAIL_LENGTH,
        description="An email address. It is stored in lower case.",
        examples=["ann@example.org"],
    ),
]
Groups = Annotated[list[GroupId], Meta(description="The ids of the user's groups, at most 100.")]


class AccountResource(msgspec.Struct, tag="account", tag_field="type", forbid_unknown_fields=True):
    """The whole account."""

    id: CustomerId


class FolderResource(msgspec.Struct, tag="folder", tag_field="type", forbid_unknown_fields=True):
    """A folder, with all folders and forms in it."""

    id: FolderId


class FormResource(msgspec.Struct, tag="form", tag_field="type", forbid_unknown_fields=True):
    """One form."""

    id: FormId


GrantResource = AccountResource | FolderResource | FormResource
RESOURCES: dict[ResourceType, type[Any]] = {
    ResourceType.ACCOUNT: AccountResource,
    ResourceType.FOLDER: FolderResource,
    ResourceType.FORM: FormResource,
}


class Grant(RequestBody):
    """A role that is granted for a resource."""

    role_id: RoleId
    resource: Annotated[GrantResource, Meta(description="The account, the folder or the form where the role applies.")]

    def to_domain(self) -> models.Grant:
        type_ = ResourceType(str(self.resource.__struct_config__.tag))
        return models.Grant(self.role_id, type_, self.resource.id)


Grants = Annotated[list[Grant], Meta(description="Roles and the resources for which they are granted, at most 100.")]


class GrantQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The grant to revoke."""

    role_id: RoleId
    resource_type: Annotated[ResourceType, Meta(description="The type of the resource for which it was granted.")]
    resource_id: Annotated[str, Meta(description="The id of the account, the folder or the form.")]

    def to_domain(self) -> models.Grant:
        return models.Grant(self.role_id, self.resource_type, self.resource_id)


class MemberAdd(RequestBody):
    """The user to add to a group."""

    user_id: UserId


_USER_NAME = Meta(description="The name of the user.")
_GROUP_NAME = Meta(description="The name of the group, which must be unique in the account.")
_ROLE_NAME = Meta(description="The name of the role, which must be unique in the account.")


class UserCreate(RequestBody):
    """A new user."""

    email: Email
    name: Annotated[Name, _USER_NAME]
    language: Language = "en"
    status: Annotated[
        UserStatus, Meta(description="`INVITED`, or `DISABLED` for a user who is not to be invited yet.")
    ] = UserStatus.INVITED
    groups: Groups = []
    grants: Grants = []
    external_id: Annotated[
        ExternalId | None, Meta(description="Your own id. Must be unique among the users of the account.")
    ] = None

    def to_domain(self) -> models.NewUser:
        grants = [grant.to_domain() for grant in self.grants]
        return models.NewUser(self.email, self.name, self.language, self.status, self.groups, grants, self.external_id)


class UserUpdate(RequestBody):
    """The properties of a user to change. Those you omit stay unchanged."""

    email: Email | UnsetType = UNSET
    name: Annotated[Name, _USER_NAME] | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    status: Annotated[
        UserStatus | UnsetType,
        Meta(
            description="`DISABLED`: the user can no longer sign in, and their sessions end. `ACTIVE` enables them"
            " again, as `INVITED` if they never set a password."
        ),
    ] = UNSET
    groups: Groups | UnsetType = UNSET
    grants: Grants | UnsetType = UNSET
    external_id: Annotated[ExternalId | UnsetType | None, Meta(description="Your own id; null removes it.")] = UNSET

    def change(self) -> models.UserEdit:
        return models.UserEdit(
            email=value_or_none(self.email),
            name=value_or_none(self.name),
            language=value_or_none(self.language),
            status=value_or_none(self.status),
            group_ids=value_or_none(self.groups),
            grants=None if self.grants is UNSET else [grant.to_domain() for grant in self.grants],
            external_id=self.external_id,
        )


class UserUpsert(UserUpdate, kw_only=True):
    """A user by your own id. A new one requires `email` and `name`; what you omit of another stays unchanged."""

    external_id: ExternalId

    def to_domain(self) -> models.NewUser:
        """Return the user to create. Raises `Invalid` if a required property is missing."""
        require(self, "email", "name")
        return msgspec.convert(msgspec.to_builtins(self), UserCreate).to_domain()


class UserQuery(ChangesQuery):
    """Filters of the list of users."""

    status: Annotated[list[UserStatus], Meta(description="Only users with this status. May be repeated.")] = []
    group_id: Annotated[list[GroupId], Meta(description="Only members of this group. May be repeated.")] = []
    email: Annotated[Email | None, Meta(description="Only the user with this email address.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Only the user with this external id.")] = None

    def to_filter(self) -> models.UserFilter:
        return models.UserFilter(
            self.status, self.group_id, self.email, external_id=self.external_id, times=self.times()
        )


class User(Resource):
    """A person who can sign in to the account."""

    id: UserId
    customer_id: CustomerId
    email: Annotated[str, Meta(description="The email address, in lower case.", examples=["ann@example.org"])]
    name: Annotated[str, _USER_NAME]
    language: Annotated[str, Meta(description="The language of the pages and emails for the user (BCP 47).")]
    status: UserStatus
    groups: Annotated[list[GroupId], Meta(description="The ids of the user's groups.")]
    grants: Annotated[list[Grant], Meta(description="The user's own grants. Those of their groups apply in addition.")]
    external_id: Annotated[str | None, Meta(description="Your own id for the user.")]
    created: Created
    updated: Updated
    revision: Revision


def user(record: models.UserDetails) -> User:
    account_user = record.user
    return User.of(account_user, groups=list(record.group_ids), grants=[grant(own) for own in record.grants])


def grant(record: models.Grant) -> Grant:
    return Grant(role_id=record.role_id, resource=RESOURCES[record.resource_type](record.resource_id))


class AccessQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The resource of an access query: a form, a folder, or the account."""

    permission: Annotated[Permission | None, Meta(description="Only reasons for this permission.")] = None
    form_id: Annotated[FormId | None, Meta(description="The access to this form. Default: to the account.")] = None
    folder_id: Annotated[FolderId | None, Meta(description="The access to this folder, instead of a form.")] = None

    def check(self) -> None:
        """Raise `QueryInvalid` if the query has both a form and a folder."""
        if self.form_id and self.folder_id:
            detail = "Use either formId or folderId, not both."
            raise QueryInvalid([ValidationFault("?folderId", "query.value", detail)])


class NamedReference(Resource):
    """The id and the name of a resource."""

    id: Annotated[str, Meta(description="The id of the resource.")]
    name: Annotated[str, Meta(description="The name of the resource.")]


class AccessReason(Resource):
    """A grant, and the permissions that it gives for a resource."""

    permissions: Annotated[list[Permission], Meta(description="The permissions that the grant gives.")]
    role: Annotated[NamedReference, Meta(description="The role that is granted.")]
    resource: Annotated[GrantResource, Meta(description="The resource for which it is granted.")]
    group: Annotated[
        NamedReference | None, Meta(description="The group that has the grant; null if the user has it themselves.")
    ]


class UserAccess(Resource):
    """What a user may do with a resource, and why."""

    user_id: UserId
    status: UserStatus
    allowed: Annotated[
        bool, Meta(description="Whether the user has access: there is at least one reason, and the user is `ACTIVE`.")
    ]
    reasons: Annotated[list[AccessReason], Meta(description="The grants that give access.")]


def access(person: models.UserDetails, reasons: list[ReasonRecord], permission: Permission | None) -> UserAccess:
    """Return the access of a user. With `permission`, only the reasons for that permission."""
    matching = [reason for reason in reasons if permission is None or permission in reason.permissions]
    return UserAccess(
        user_id=person.user.id,
        status=person.user.status,
        allowed=bool(matching) and person.user.status is UserStatus.ACTIVE,
        reasons=[_reason(reason, permission) for reason in matching],
    )


def _reason(reason: ReasonRecord, permission: Permission | None) -> AccessReason:
    return AccessReason(
        permissions=[permission] if permission else sorted(reason.permissions),
        role=NamedReference.of(reason.role),
        resource=grant(reason.grant).resource,
        group=NamedReference.of(reason.group) if reason.group else None,
    )


Members = Annotated[list[UserId], Meta(max_length=MAX_MEMBERS, description="The ids of the members.")]
Permissions = Annotated[
    list[Permission],
    Meta(min_length=1, max_length=len(Permission), description="The permissions that the role includes."),
]


class GroupCreate(RequestBody):
    """A new group."""

    name: Annotated[Name, _GROUP_NAME]
    members: Members = []
    grants: Grants = []
    external_id: Annotated[
        ExternalId | None, Meta(description="Your own id. Must be unique among the groups of the account.")
    ] = None

    def to_domain(self) -> GroupEdit:
        grants = [grant.to_domain() for grant in self.grants]
        return GroupEdit(self.name, self.members, grants, external_id=self.external_id)


class GroupUpdate(RequestBody):
    """The properties of a group to change. Those you omit stay unchanged."""

    name: Annotated[Name, _GROUP_NAME] | UnsetType = UNSET
    members: Members | UnsetType = UNSET
    grants: Grants | UnsetType = UNSET
    external_id: Annotated[ExternalId | UnsetType | None, Meta(description="Your own id; null removes it.")] = UNSET

    def change(self) -> GroupEdit:
        grants = None if self.grants is UNSET else [grant.to_domain() for grant in self.grants]
        return GroupEdit(value_or_none(self.name), value_or_none(self.members), grants, external_id=self.external_id)


class GroupUpsert(GroupUpdate, kw_only=True):
    """A group by your own id. A new one requires `name`; what you omit of another stays unchanged."""

    external_id: ExternalId

    def to_domain(self) -> GroupEdit:
        """Return the group to create. Raises `Invalid` if a required property is missing."""
        require(self, "name")
        return msgspec.convert(msgspec.to_builtins(self), GroupCreate).to_domain()


class GroupQuery(ChangesQuery):
    """Filters of the list of groups."""

    user_id: Annotated[UserId | None, Meta(description="Only groups of this user.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Only the group with this external id.")] = None


class Group(Resource):
    """A group of users who share its grants."""

    id: GroupId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the group.")]
    members: Annotated[list[UserId], Meta(description="The ids of the members.")]
    grants: Annotated[list[Grant], Meta(description="The grants that apply to all members.")]
    external_id: Annotated[str | None, Meta(description="Your own id for the group.")]
    created: Created
    updated: Updated
    revision: Revision


def group(record: models.Group) -> Group:
    return Group.of(record, members=list(record.member_ids), grants=[grant(own) for own in record.grants])


class RoleCreate(RequestBody):
    """A new role."""

    name: Annotated[Name, _ROLE_NAME]
    permissions: Permissions


class RoleUpdate(RequestBody):
    """The properties of a role to change. Those you omit stay unchanged."""

    name: Annotated[Name, _ROLE_NAME] | UnsetType = UNSET
    permissions: Permissions | UnsetType = UNSET


class Role(Resource):
    """A named set of permissions, which can be granted to users and groups."""

    id: RoleId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the role.")]
    permissions: Annotated[list[Permission], Meta(description="The permissions that the role includes.")]
    built_in: Annotated[bool, Meta(description="Whether the role is built in: every account has it, unchangeable.")]
    created: Created
    updated: Updated
    revision: Revision


def role(record: models.Role) -> Role:
    return Role.of(record, permissions=sorted(record.permissions))
