"""Explains a user's permissions: which grants they result from, and through which group."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, ResourceType, Scope, allow
from formwright.core.auth.permissions import ACCOUNT_WIDE_PERMISSIONS, FORM_PERMISSIONS, Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import require
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.users import management, store
from formwright.domain.users.models import Grant, Group, Role, UserDetails


@dataclass(frozen=True, slots=True)
class AccessReason:
    """A grant of a user, or of one of their groups, and the permissions that it gives for a resource."""

    grant: Grant
    role: Role
    group: Group | None
    permissions: frozenset[Permission]


@dataclass(frozen=True, slots=True)
class _Target:
    """A resource: the account, a folder with its parent folders, or a form with the folders that contain it."""

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
        """Return the permissions that the grant gives for this resource."""
        if grant.resource_type is ResourceType.ACCOUNT:
            return role.permissions
        return role.permissions & (
            ACCOUNT_WIDE_PERMISSIONS | FORM_PERMISSIONS if self.contains(grant) else ACCOUNT_WIDE_PERMISSIONS
        )


async def list_reasons(
    tx: ReadTransaction, actor: Actor, *, user_id: str, form_id: str | None = None, folder_id: str | None = None
) -> tuple[UserDetails, list[AccessReason]]:
    """Return a user, and the reasons for their permissions for a form, a folder or, with neither, the whole account.

    Raises `UserNotFound`, `FormNotFound` or `FolderNotFound`.
    """
    scope = allow(actor, Permission.PEOPLE_READ)
    details = await management.get(tx, actor, user_id=user_id)
    target = await _load_target(tx, scope, form_id, folder_id)
    groups = await store.find_groups(tx, scope, details.group_ids)
    grants: list[tuple[Grant, Group | None]] = [(grant, None) for grant in details.grants]
    grants += [(grant, group) for group in groups.values() for grant in group.grants]
    roles = await store.find_roles(tx, scope, {grant.role_id for grant, _ in grants})
    reasons = []
    for grant, group in grants:
        role = roles[grant.role_id]
        if permissions := target.effective_permissions(grant, role):
            reasons.append(AccessReason(grant, role, group, permissions))
    return details, reasons


async def _load_target(tx: ReadTransaction, scope: Scope, form_id: str | None, folder_id: str | None) -> _Target:
    if form_id is not None:
        form = require(await forms.find(tx, scope, form_id), FormNotFound)
        return _Target(form_id, await folders.list_ancestors(tx, scope, form.folder_id) if form.folder_id else ())
    folder_ids = [] if folder_id is None else await folders.list_ancestors(tx, scope, folder_id)
    if folder_id is not None and not folder_ids:
        raise FolderNotFound()
    return _Target(None, folder_ids)
