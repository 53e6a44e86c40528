"""Why somebody may do something: which of what she was given allows it, and through which group."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, ResourceType, Scope
from formwright.core.auth.permissions import BESIDE_FORMS, OF_FORMS, Permission
from formwright.core.auth.policy import allow
from formwright.core.db.interface import ReadTransaction
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.users import management, store
from formwright.domain.users.models import Grant, Group, Role, UserDetails


@dataclass(frozen=True, slots=True)
class AccessReason:
    """Something that was given to a person, or to a group that she is in, and what it allows there."""

    grant: Grant
    role: Role
    group: Group | None
    permissions: frozenset[Permission]


@dataclass(frozen=True, slots=True)
class _Target:
    """What is asked about: the account, a folder with those above it, or a form with the folders in which it lies."""

    form_id: str | None
    folder_ids: Sequence[str]

    def contains(self, grant: Grant) -> bool:
        match grant.resource_type:
            case ResourceType.ACCOUNT:
                return True
            case ResourceType.FOLDER:
                return grant.resource_id in self.folder_ids
        return grant.resource_id == self.form_id

    def effective_permissions(self, grant: Grant, role: Role) -> frozenset[Permission]:
        """What the grant allows at this place."""
        if grant.resource_type is ResourceType.ACCOUNT:
            return role.permissions
        return role.permissions & (BESIDE_FORMS | OF_FORMS if self.contains(grant) else BESIDE_FORMS)


async def list_reasons(
    tx: ReadTransaction, actor: Actor, *, user_id: str, form_id: str | None = None, folder_id: str | None = None
) -> tuple[UserDetails, list[AccessReason]]:
    """All that allows a person something with a form, in a folder, or, with neither, for the whole account."""
    scope = allow(actor, Permission.PEOPLE_READ)
    person = await management.get(tx, actor, user_id=user_id)
    place = await _load_target(tx, scope, form_id, folder_id)
    groups = await store.find_groups(tx, scope, person.group_ids)
    given: list[tuple[Grant, Group | None]] = [(grant, None) for grant in person.grants]
    given += [(grant, group) for group in groups.values() for grant in group.grants]
    roles = await store.find_roles(tx, scope, {grant.role_id for grant, _ in given})
    found = [
        AccessReason(g, roles[g.role_id], group, place.effective_permissions(g, roles[g.role_id])) for g, group in given
    ]
    return person, [reason for reason in found if reason.permissions]


async def _load_target(tx: ReadTransaction, scope: Scope, form_id: str | None, folder_id: str | None) -> _Target:
    if form_id is not None:
        form = await forms.find(tx, scope, form_id)
        if form is None:
            raise FormNotFound()
        return _Target(form_id, await folders.line(tx, scope, form.folder_id) if form.folder_id else ())
    line = [] if folder_id is None else await folders.line(tx, scope, folder_id)
    if folder_id is not None and not line:
        raise FolderNotFound()
    return _Target(None, line)
