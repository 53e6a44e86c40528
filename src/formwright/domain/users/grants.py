"""Rules for granting and revoking roles: an actor can only grant or revoke permissions that they hold themselves.

The caller holds the account lock, so that two owners cannot revoke each other's role at the same time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, ResourceType, Scope, ScopedPermissions, missing_permissions
from formwright.core.auth.permissions import effective_permissions
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Denied, ValidationFault, pointer
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.users import store
from formwright.domain.users.models import MAX_GRANTS, Grant, LastOwner, Role, RoleNotFound, User

Steps = tuple[str | int, ...]
_NOT_EFFECTIVE = "This role has no effect on a folder or form. Grant it for the whole account."
_NOT_ABOVE = (
    "You cannot change the email address, external ID or status of a user who has permissions that you do not have."
)


def not_held_error(*steps: str | int) -> ValidationFault:
    """Return the error for granting or revoking more than the actor holds, at the JSON Pointer of `steps`."""
    detail = "You can only grant or revoke permissions that you have yourself."
    return ValidationFault(pointer(*steps), "grant.not_held", detail)


@dataclass(frozen=True, slots=True)
class GrantEditor:
    """Checks for an actor who changes the grants of users and groups in an account."""

    tx: ReadTransaction
    actor: Actor
    scope: Scope

    async def validate(self, new: Sequence[Grant], current: Sequence[Grant] = ()) -> list[ValidationFault]:
        """Return the validation errors of replacing the grants `current` by `new`."""
        if len(new) > MAX_GRANTS:
            return [ValidationFault("/grants", "value.too_many", f"At most {MAX_GRANTS} grants are allowed.")]
        roles = await self._find_roles([*new, *current])
        errors: list[ValidationFault] = []
        for index, grant in enumerate(new):
            if grant in new[:index]:
                errors.append(
                    ValidationFault(pointer("grants", index), "value.repeated", "This grant is listed twice.")
                )
            elif grant not in current:
                errors += await self._validate_grant(grant, roles.get(grant.role_id), ("grants", index))
        if await self.exceeds_actor([grant for grant in current if grant not in new]):
            errors.append(not_held_error("grants"))
        return errors

    async def _validate_grant(self, grant: Grant, role: Role | None, path: Steps) -> list[ValidationFault]:
        errors: list[ValidationFault] = []
        if role is None:
            errors.append(ValidationFault(pointer(*path, "roleId"), RoleNotFound.code, RoleNotFound.detail))
        if missing := await self._missing_resource(grant):
            errors.append(ValidationFault(pointer(*path, "resource", "id"), missing.code, missing.detail))
        if errors or role is None:
            return errors
        if not effective_permissions(role.permissions, is_whole_account=grant.resource_type is ResourceType.ACCOUNT):
            return [ValidationFault(pointer(*path), "grant.without_effect", _NOT_EFFECTIVE)]
        return [not_held_error(*path)] if await self.lacks_any([_to_held(grant, role)]) else []

    async def _missing_resource(self, grant: Grant) -> type[CustomerNotFound | FolderNotFound | FormNotFound] | None:
        """Return the error class of the grant's resource if the account does not have it."""
        match grant.resource_type:
            case ResourceType.ACCOUNT:
                return None if grant.resource_id == self.scope.customer_id else CustomerNotFound
            case ResourceType.FOLDER:
                return None if await folders.find(self.tx, self.scope, grant.resource_id) else FolderNotFound
        return None if await forms.find(self.tx, self.scope, grant.resource_id) else FormNotFound

    async def exceeds_actor(self, grants: Sequence[Grant]) -> bool:
        """Whether any of the grants includes permissions that the actor lacks."""
        roles = await self._find_roles(grants)
        return await self.lacks_any([_to_held(grant, roles[grant.role_id]) for grant in grants])

    async def lacks_any(self, permissions: Sequence[ScopedPermissions]) -> bool:
        """Whether the actor lacks any of the permissions."""
        for held in permissions:
            # Usually nothing is missing. Only otherwise look up the folder of a form, which may grant the rest.
            if missing_permissions(self.actor, held) and missing_permissions(
                self.actor, held, await self._folder_id(held)
            ):
                return True
        return False

    async def _folder_id(self, permissions: ScopedPermissions) -> str | None:
        form = await forms.find(self.tx, self.scope, permissions.resource_id)
        return form.folder_id if form else None

    async def _find_roles(self, grants: Sequence[Grant]) -> dict[str, Role]:
        return await store.find_roles(self.tx, self.scope, {grant.role_id for grant in grants})

    async def check_may_manage(self, user: User) -> None:
        """Raise `Denied` if the user has permissions that the actor lacks.

        Whoever can change a user's email address, or the external ID by which single sign-on knows them, can sign in as
        that user.
        """
        permissions = await store.list_held_permissions(self.tx, self.scope.customer_id, user.id)
        if user.id != self.actor.user_id and await self.lacks_any(permissions):
            raise Denied(_NOT_ABOVE)

    async def check_has_owner(self) -> None:
        """Raise `LastOwner` if no owner of the account can sign in with a password. Call it after the change.

        An owner who signs in with an identity provider is not enough: it can fail, or be removed.
        """
        if not await store.list_owner_ids(self.tx, self.scope, 1, with_password=True):
            raise LastOwner()


def _to_held(grant: Grant, role: Role) -> ScopedPermissions:
    return ScopedPermissions(role.permissions, grant.resource_type, grant.resource_id)
