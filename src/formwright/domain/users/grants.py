"""What may be given and taken: nobody gives or takes what they do not hold themselves.

Whoever changes rights holds the account's order first. So two who each take the other's role of owner do not both
succeed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Held, ResourceType, Scope
from formwright.core.auth.permissions import effective
from formwright.core.auth.policy import missing_permissions
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
_NOT_EFFECTIVE = "This role allows nothing in a folder or a form. Give it for the account."
_NOT_ABOVE = "This person may do more than you. Only somebody who may do as much can change the address or the status."


def not_held_error(*steps: str | int) -> ValidationFault:
    """Something is given or taken there of which the actor has less."""
    words = "This allows more than you may do there yourself, so you can neither give nor take it."
    return ValidationFault(pointer(*steps), "grant.not_held", words)


@dataclass(frozen=True, slots=True)
class GrantEditor:
    """Somebody who changes the rights of others in an account."""

    tx: ReadTransaction
    actor: Actor
    scope: Scope

    async def validate(self, wanted: Sequence[Grant], had: Sequence[Grant] = ()) -> list[ValidationFault]:
        """All that is wrong with giving this in place of what there was."""
        if len(wanted) > MAX_GRANTS:
            return [ValidationFault("/grants", "value.too_many", f"At most {MAX_GRANTS} can be given.")]
        roles = await self._find_roles([*wanted, *had])
        found: list[ValidationFault] = []
        for index, grant in enumerate(wanted):
            if grant in wanted[:index]:
                found.append(ValidationFault(pointer("grants", index), "value.repeated", "This is given twice."))
            elif grant not in had:
                found += await self._validate_grant(grant, roles.get(grant.role_id), ("grants", index))
        if await self.exceeds_actor([grant for grant in had if grant not in wanted]):
            found.append(not_held_error("grants"))
        return found

    async def _validate_grant(self, grant: Grant, role: Role | None, at: Steps) -> list[ValidationFault]:
        found: list[ValidationFault] = []
        if role is None:
            found.append(ValidationFault(pointer(*at, "roleId"), RoleNotFound.code, RoleNotFound.detail))
        if gone := await self._missing_resource(grant):
            found.append(ValidationFault(pointer(*at, "resource", "id"), gone.code, gone.detail))
        if found or role is None:
            return found
        if not effective(role.permissions, whole=grant.resource_type is ResourceType.ACCOUNT):
            return [ValidationFault(pointer(*at), "grant.without_effect", _NOT_EFFECTIVE)]
        return [not_held_error(*at)] if await self._exceeds_actor([_to_held(grant, role)]) else []

    async def _missing_resource(self, grant: Grant) -> type[CustomerNotFound | FolderNotFound | FormNotFound] | None:
        """What kind of thing it is that the account does not have."""
        match grant.resource_type:
            case ResourceType.ACCOUNT:
                return None if grant.resource_id == self.scope.customer_id else CustomerNotFound
            case ResourceType.FOLDER:
                return None if await folders.find(self.tx, self.scope, grant.resource_id) else FolderNotFound
        return None if await forms.find(self.tx, self.scope, grant.resource_id) else FormNotFound

    async def exceeds_actor(self, grants: Sequence[Grant]) -> bool:
        """Whether any of what was given is more than the actor has."""
        roles = await self._find_roles(grants)
        return await self._exceeds_actor([_to_held(grant, roles[grant.role_id]) for grant in grants])

    async def _exceeds_actor(self, held: Sequence[Held]) -> bool:
        for one in held:
            # Who lacks nothing of it is the rule; only then it matters in which folder a form lies.
            if missing_permissions(self.actor, one) and missing_permissions(
                self.actor, one, await self._folder_id(one)
            ):
                return True
        return False

    async def _folder_id(self, one: Held) -> str | None:
        form = await forms.find(self.tx, self.scope, one.resource_id)
        return form.folder_id if form else None

    async def _find_roles(self, grants: Sequence[Grant]) -> dict[str, Role]:
        return await store.find_roles(self.tx, self.scope, {grant.role_id for grant in grants})

    async def check_may_manage(self, user: User) -> None:
        """`Denied` where the person may do more than the actor: to change her address is to sign in as her."""
        held = await store.list_held_permissions(self.tx, self.scope.customer_id, user.id)
        if user.id != self.actor.user_id and await self._exceeds_actor(held):
            raise Denied(_NOT_ABOVE)

    async def check_has_owner(self) -> None:
        """`LastOwner` where, after the change, nobody who can sign in is an owner."""
        if not await store.list_owner_ids(self.tx, self.scope, 1):
            raise LastOwner()


def _to_held(grant: Grant, role: Role) -> Held:
    return Held(role.permissions, grant.resource_type, grant.resource_id)
