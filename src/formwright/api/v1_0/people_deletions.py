"""Operations that move users, groups and roles to the trash, and restore them."""

from formwright.api.context import WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import trash as schemas
from formwright.api.v1_0.schemas import users as user_wire
from formwright.core.auth.permissions import Permission
from formwright.domain.trash import deleted_people
from formwright.domain.trash.models import OwnDeletion, RoleInUse
from formwright.domain.users.models import (
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

_USER = "/customers/{customerId}/users/{userId}"
_GROUP = "/customers/{customerId}/groups/{groupId}"
_ROLE = "/customers/{customerId}/roles/{roleId}"
OPERATIONS = OperationGroup("Users & Groups", writes=Permission.PEOPLE_MANAGE)


@OPERATIONS.declare("DELETE", ("deleteUser", _USER), raises=(UserNotFound, OwnDeletion, LastOwner))
async def delete_user(call: WriteContext, user_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a user.

    Moves the user to the trash and ends their sessions. Their submissions stay and keep their `userId`, and tasks keep
    them as a recipient. The account must keep an owner who can sign in (409 `user.last_owner`), and you cannot delete
    yourself (409 `user.own_deletion`). To remove a person's data everywhere, erase it instead.

    Records the event `user.deleted`, and `group.updated` for each of their groups.
    """
    entry = await deleted_people.delete_user(call.tx, call.actor, user_id=user_id, permanently=query.permanent)
    return schemas.trash_item(entry)


@OPERATIONS.declare("POST", ("restoreUser", _USER + "/restore"), raises=(UserNotFound, EmailTaken, UserExternalIdTaken))
async def restore_user(call: WriteContext, user_id: str) -> user_wire.User:
    """Restore a user.

    Takes the user out of the trash with their password, second factor, groups and grants. They have to sign in again. A
    user who is not deleted is returned unchanged.

    Records the event `user.restored`, and `group.updated` for each of their groups.
    """
    return user_wire.user(await deleted_people.restore_user(call.tx, call.actor, user_id=user_id))


@OPERATIONS.declare("DELETE", ("deleteGroup", _GROUP), raises=(GroupNotFound, LastOwner))
async def delete_group(call: WriteContext, group_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a group.

    Moves the group to the trash. Its members lose its grants. Tasks that were assigned to the group keep their
    recipients.

    Records the event `group.deleted`, and `user.updated` for each member.
    """
    entry = await deleted_people.delete_group(call.tx, call.actor, group_id=group_id, permanently=query.permanent)
    return schemas.trash_item(entry)


@OPERATIONS.declare(
    "POST",
    ("restoreGroup", _GROUP + "/restore"),
    raises=(GroupNotFound, GroupNameTaken, GroupExternalIdTaken),
)
async def restore_group(call: WriteContext, group_id: str) -> user_wire.Group:
    """Restore a group.

    Takes the group out of the trash with its members and grants. Members that are in the trash themselves join it when
    they are restored. A group that is not deleted is returned unchanged.

    Records the event `group.restored`, and `user.updated` for each member.
    """
    return user_wire.group(await deleted_people.restore_group(call.tx, call.actor, group_id=group_id))


@OPERATIONS.declare("DELETE", ("deleteRole", _ROLE), raises=(RoleNotFound, RoleBuiltIn, RoleInUse))
async def delete_role(call: WriteContext, role_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a role.

    Moves a custom role to the trash. If the role is granted to a user or group, the response is 409 `role.in_use`:
    remove these grants first.

    Records the event `role.deleted`.
    """
    entry = await deleted_people.delete_role(call.tx, call.actor, role_id=role_id, permanently=query.permanent)
    return schemas.trash_item(entry)


@OPERATIONS.declare("POST", ("restoreRole", _ROLE + "/restore"), raises=(RoleNotFound, RoleNameTaken))
async def restore_role(call: WriteContext, role_id: str) -> user_wire.Role:
    """Restore a role.

    Takes the role out of the trash. A role that is not deleted is returned unchanged.

    Records the event `role.restored`.
    """
    return user_wire.role(await deleted_people.restore_role(call.tx, call.actor, role_id=role_id))
