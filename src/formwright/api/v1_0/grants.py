"""Operations that change a single member of a group, or a single grant of a user or group."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from formwright.api.context import WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import users as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.users import groups, management
from formwright.domain.users.models import GroupNotFound, LastOwner, UserNotFound

_USER_GRANTS = "/customers/{customerId}/users/{userId}/grants"
_GROUP = "/customers/{customerId}/groups/{groupId}"
_GRANT = re.compile(r"/grants(/\d+)?")
_MEMBER = re.compile(r"/members(/\d+)?")
OPERATIONS = OperationGroup("Users & Groups", writes=Permission.PEOPLE_MANAGE)


@contextmanager
def _errors_of_body() -> Iterator[None]:
    """Let validation errors point into the body, and not into the list to which its grant or member is added."""
    try:
        yield
    except Invalid as error:
        faults = [replace(one, pointer=_MEMBER.sub("/userId", _GRANT.sub("", one.pointer))) for one in error.faults]
        raise Invalid(faults, more=error.more) from None


@OPERATIONS.declare("POST", ("addUserGrant", _USER_GRANTS), raises=(UserNotFound, Invalid))
async def add_user_grant(call: WriteContext, user_id: str, body: schemas.Grant) -> schemas.User:
    """Grant a role to a user.

    Adds one grant and leaves the others alone. If the user has the grant, nothing changes.

    Records the event `user.updated`.
    """
    with _errors_of_body():
        return schemas.user(await management.add_grant(call.tx, call.actor, body.to_domain(), user_id=user_id))


@OPERATIONS.declare("DELETE", ("removeUserGrant", _USER_GRANTS), raises=(UserNotFound, LastOwner, Invalid))
async def remove_user_grant(call: WriteContext, user_id: str, query: schemas.GrantQuery) -> schemas.User:
    """Revoke a grant of a user.

    Removes one grant and leaves the others alone. If the user does not have the grant, nothing changes. The account
    must keep an owner who can sign in (409 `user.last_owner`).

    Records the event `user.updated`.
    """
    with _errors_of_body():
        return schemas.user(await management.remove_grant(call.tx, call.actor, query.to_domain(), user_id=user_id))


@OPERATIONS.declare("POST", ("addGroupGrant", _GROUP + "/grants"), raises=(GroupNotFound, Invalid))
async def add_group_grant(call: WriteContext, group_id: str, body: schemas.Grant) -> schemas.Group:
    """Grant a role to a group.

    Adds one grant, which applies to all members, and leaves the others alone. If the group has it, nothing changes.

    Records the event `group.updated`.
    """
    with _errors_of_body():
        return schemas.group(await groups.add(call.tx, call.actor, group_id=group_id, grant=body.to_domain()))


@OPERATIONS.declare("DELETE", ("removeGroupGrant", _GROUP + "/grants"), raises=(GroupNotFound, LastOwner, Invalid))
async def remove_group_grant(call: WriteContext, group_id: str, query: schemas.GrantQuery) -> schemas.Group:
    """Revoke a grant of a group.

    Removes one grant from all members, and leaves the others alone. If the group does not have it, nothing changes.

    Records the event `group.updated`.
    """
    with _errors_of_body():
        return schemas.group(await groups.remove(call.tx, call.actor, group_id=group_id, grant=query.to_domain()))


@OPERATIONS.declare("POST", ("addGroupMember", _GROUP + "/members"), raises=(GroupNotFound, Invalid))
async def add_group_member(call: WriteContext, group_id: str, body: schemas.MemberAdd) -> schemas.Group:
    """Add a member to a group.

    Adds one user and leaves the other members alone. If the user is a member, nothing changes.

    Records the events `group.updated` and `user.updated`.
    """
    with _errors_of_body():
        return schemas.group(await groups.add(call.tx, call.actor, group_id=group_id, member_id=body.user_id))


@OPERATIONS.declare(
    "DELETE",
    ("removeGroupMember", _GROUP + "/members/{userId}"),
    raises=(GroupNotFound, UserNotFound, LastOwner, Invalid),
)
async def remove_group_member(call: WriteContext, group_id: str, user_id: str) -> schemas.Group:
    """Remove a member from a group.

    Removes one user and leaves the other members alone. If the user is not a member, nothing changes.

    Records the events `group.updated` and `user.updated`.
    """
    await management.get(call.tx, call.actor, user_id=user_id)
    return schemas.group(await groups.remove(call.tx, call.actor, group_id=group_id, member_id=user_id))
