"""Operations on users, groups and roles."""

from formwright.api.context import ReadContext, RequestContext, WriteContext, base_url
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import users as schemas
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms.models import FormNotFound
from formwright.domain.users import groups, management, roles
from formwright.domain.users.auth import emails
from formwright.domain.users.explain_access import list_reasons
from formwright.domain.users.models import (
    EmailProtected,
    EmailTaken,
    GroupExternalIdTaken,
    GroupNameTaken,
    GroupNotFound,
    LastOwner,
    RoleBuiltIn,
    RoleNameTaken,
    RoleNotFound,
    UserExternalIdTaken,
    UserNotFound,
)

_USERS = "/customers/{customerId}/users"
_USER = _USERS + "/{userId}"
OPERATIONS = OperationGroup("Users & Groups", reads=Permission.PEOPLE_READ, writes=Permission.PEOPLE_MANAGE)


@OPERATIONS.declare("GET", ("listUsers", _USERS))
async def list_users(call: ReadContext, query: schemas.UserQuery) -> List[schemas.User]:
    """List users.

    Returns users with their groups and grants, by default in order of creation.
    """
    return call.listing(await management.page(call.tx, call.actor, query.to_filter(), query.window()), schemas.user)


@OPERATIONS.declare(
    "POST",
    ("createUser", _USERS),
    location=_USERS + "/{id}",
    raises=(EmailTaken, UserExternalIdTaken, Invalid),
)
async def create_user(call: WriteContext, body: schemas.UserCreate) -> schemas.User:
    """Create a user.

    Sends the user an email with a link to set a password. Their status is `INVITED` until they do. With `status`
    `DISABLED`, no email is sent until you change it.

    Records the event `user.created`.
    """
    person = await management.invite(call.tx, call.actor, body.to_domain())
    await emails.update_invitation(call.tx, _mailer(call), None, person)
    return schemas.user(person)


def _mailer(call: RequestContext) -> emails.AccountMailer:
    return emails.AccountMailer(call.ctx.secret_box, base_url(call.ctx, call.request))


@OPERATIONS.declare("GET", ("getUser", _USER), raises=(UserNotFound,))
async def get_user(call: ReadContext, user_id: str) -> schemas.User:
    """Get a user.

    Returns the groups of the user and their own grants. Permissions that come through groups are explained by
    `getUserAccess`.
    """
    return schemas.user(await management.get(call.tx, call.actor, user_id=user_id))


@OPERATIONS.declare(
    "PUT",
    ("updateUser", _USER),
    raises=(UserNotFound, EmailProtected, EmailTaken, UserExternalIdTaken, LastOwner, Invalid),
)
async def update_user(call: WriteContext, user_id: str, body: schemas.UserUpdate) -> schemas.User:
    """Update a user.

    Properties you omit stay unchanged; `groups` and `grants` are replaced as a whole. `status` `DISABLED` ends
    their sessions and keeps them from signing in. Another email address ends their sessions and links, and an email to
    the old address says so; an invited user is sent a new link. The address of an owner who has a password can only
    be changed in the pages (403 `user.email_protected`). An account must always have an owner who can sign in,
    otherwise the response is 409 `user.last_owner`.

    Records the event `user.updated`, `user.disabled` or `user.enabled`, and `group.updated` for each group that they
    join or leave.
    """
    before = await management.get(call.tx, call.actor, user_id=user_id)
    person = await management.edit(call.tx, call.actor, body.change(), user_id=user_id, secret_box=call.ctx.secret_box)
    await emails.update_invitation(call.tx, _mailer(call), before, person)
    return schemas.user(person)


@OPERATIONS.declare(
    "PUT",
    ("upsertUser", _USERS + "/by-external-id"),
    raises=(EmailProtected, EmailTaken, LastOwner, Invalid),
)
async def upsert_user(call: WriteContext, body: schemas.UserUpsert) -> schemas.User:
    """Create or update a user by external id.

    Updates the user with this `externalId` as `updateUser` does or, if there is none, creates one as `createUser` does.

    Records the events of that operation.
    """
    before = await management.find_by_external_id(call.tx, call.actor, body.external_id)
    if before is None:
        person = await management.invite(call.tx, call.actor, body.to_domain())
    else:
        person = await management.edit(
            call.tx, call.actor, body.change(), user_id=before.id, secret_box=call.ctx.secret_box
        )
    await emails.update_invitation(call.tx, _mailer(call), before, person)
    return schemas.user(person)


@OPERATIONS.declare(
    "GET",
    ("getUserAccess", _USER + "/access"),
    raises=(UserNotFound, FormNotFound, FolderNotFound, QueryInvalid),
)
async def get_access(call: ReadContext, user_id: str, query: schemas.AccessQuery) -> schemas.UserAccess:
    """Get the access of a user.

    Explains what a user may do with a form, in a folder or in the whole account. Each reason names a role, the resource
    for which it is granted and, if the user has it through a group, that group. With `permission`, only the reasons for
    that permission are returned.
    """
    query.check()
    person, grants = await list_reasons(
        call.tx, call.actor, user_id=user_id, form_id=query.form_id, folder_id=query.folder_id
    )
    return schemas.access(person, grants, query.permission)


_GROUPS = "/customers/{customerId}/groups"
_GROUP = _GROUPS + "/{groupId}"
_ROLES = "/customers/{customerId}/roles"
_ROLE = _ROLES + "/{roleId}"
GROUP_OPERATIONS = OperationGroup("Users & Groups", reads=Permission.PEOPLE_READ, writes=Permission.PEOPLE_MANAGE)


@GROUP_OPERATIONS.declare("GET", ("listGroups", _GROUPS))
async def list_groups(call: ReadContext, query: schemas.GroupQuery) -> List[schemas.Group]:
    """List groups.

    Returns groups with their members and grants, by default in order of creation.
    """
    page = await groups.page(
        call.tx, call.actor, query.window(), user_id=query.user_id, external_id=query.external_id, times=query.times()
    )
    return call.listing(page, schemas.group)


@GROUP_OPERATIONS.declare(
    "POST",
    ("createGroup", _GROUPS),
    location=_GROUPS + "/{id}",
    raises=(GroupNameTaken, GroupExternalIdTaken, Invalid),
)
async def create_group(call: WriteContext, body: schemas.GroupCreate) -> schemas.Group:
    """Create a group.

    Members of the group have its grants in addition to their own.

    Records the event `group.created`, and `user.updated` for each member.
    """
    return schemas.group(await groups.create(call.tx, call.actor, body.to_domain()))


@GROUP_OPERATIONS.declare("GET", ("getGroup", _GROUP), raises=(GroupNotFound,))
async def get_group(call: ReadContext, group_id: str) -> schemas.Group:
    """Get a group.

    Returns the members and grants of the group.
    """
    return schemas.group(await groups.get(call.tx, call.actor, group_id=group_id))


@GROUP_OPERATIONS.declare(
    "PUT",
    ("updateGroup", _GROUP),
    raises=(GroupNotFound, GroupNameTaken, GroupExternalIdTaken, LastOwner, Invalid),
)
async def update_group(call: WriteContext, group_id: str, body: schemas.GroupUpdate) -> schemas.Group:
    """Update a group.

    Properties you omit stay unchanged; `members` and `grants` are replaced as a whole. Groups cannot be deleted; a
    group without members has no effect. An account must always have an owner who can sign in, otherwise the response is
    409 `user.last_owner`.

    Records the event `group.updated`, and `user.updated` for each user who joins or leaves.
    """
    return schemas.group(await groups.edit(call.tx, call.actor, body.change(), group_id=group_id))


@GROUP_OPERATIONS.declare(
    "PUT",
    ("upsertGroup", _GROUPS + "/by-external-id"),
    raises=(GroupNameTaken, LastOwner, Invalid),
)
async def upsert_group(call: WriteContext, body: schemas.GroupUpsert) -> schemas.Group:
    """Create or update a group by external id.

    Updates the group with this `externalId` as `updateGroup` does or, if there is none, creates one as `createGroup`
    does.

    Records the events of that operation.
    """
    before = await groups.find_by_external_id(call.tx, call.actor, body.external_id)
    if before is None:
        return schemas.group(await groups.create(call.tx, call.actor, body.to_domain()))
    return schemas.group(await groups.edit(call.tx, call.actor, body.change(), group_id=before.id))


@GROUP_OPERATIONS.declare("GET", ("listRoles", _ROLES))
async def list_roles(call: ReadContext, query: ChangesQuery) -> List[schemas.Role]:
    """List roles.

    Returns by default the built-in roles first, then those of the account.
    """
    return call.listing(await roles.page(call.tx, call.actor, query.window(), query.times()), schemas.role)


@GROUP_OPERATIONS.declare("POST", ("createRole", _ROLES), location=_ROLES + "/{id}", raises=(RoleNameTaken, Invalid))
async def create_role(call: WriteContext, body: schemas.RoleCreate) -> schemas.Role:
    """Create a role.

    The role has no effect until it is granted to a user or a group.

    Records the event `role.created`.
    """
    return schemas.role(await roles.create(call.tx, call.actor, name=body.name, permissions=body.permissions))


@GROUP_OPERATIONS.declare("GET", ("getRole", _ROLE), raises=(RoleNotFound,))
async def get_role(call: ReadContext, role_id: str) -> schemas.Role:
    """Get a role.

    Returns the permissions of the role.
    """
    return schemas.role(await roles.get(call.tx, call.actor, role_id=role_id))


@GROUP_OPERATIONS.declare("PUT", ("updateRole", _ROLE), raises=(RoleNotFound, RoleNameTaken, RoleBuiltIn, Invalid))
async def update_role(call: WriteContext, role_id: str, body: schemas.RoleUpdate) -> schemas.Role:
    """Update a role.

    Properties you omit stay unchanged. The change applies at once to everybody who has the role. A built-in role cannot
    be updated: the response is 409 `role.built_in`.

    Records the event `role.updated`.
    """
    record = await roles.edit(
        call.tx, call.actor, role_id=role_id, name=value_or_none(body.name), permissions=value_or_none(body.permissions)
    )
    return schemas.role(record)
