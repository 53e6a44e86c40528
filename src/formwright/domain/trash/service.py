"""Listing the trash, and restoring or permanently deleting its entries of all kinds."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, NotFound
from formwright.core.pagination import Page, Window
from formwright.domain.trash import deleted_blocks, deleted_datasources, deleted_forms, deleted_people, store
from formwright.domain.trash.models import TrashEntry, TrashKind
from formwright.domain.trash.removal import is_included

PERMISSIONS: Mapping[TrashKind, Permission] = {
    TrashKind.FORM: Permission.FORMS_EDIT,
    TrashKind.FORM_VERSION: Permission.FORMS_EDIT,
    TrashKind.FOLDER: Permission.FORMS_EDIT,
    TrashKind.TEMPLATE: Permission.FORMS_EDIT,
    TrashKind.QUESTION_BLOCK: Permission.FORMS_EDIT,
    TrashKind.DATASOURCE: Permission.DATASOURCES_EDIT,
    TrashKind.DATASOURCE_ROW: Permission.DATASOURCES_EDIT,
    TrashKind.USER: Permission.PEOPLE_MANAGE,
    TrashKind.GROUP: Permission.PEOPLE_MANAGE,
    TrashKind.ROLE: Permission.PEOPLE_MANAGE,
}
"""The permission to delete records of a kind, to see them in the trash, and to restore them."""

_ACCOUNT_WIDE = (TrashKind.TEMPLATE, TrashKind.QUESTION_BLOCK)
"""Kinds that are in no folder, so that deleting and restoring needs the permission for the whole account."""

Delete = Callable[..., Awaitable[TrashEntry]]
Restore = Callable[..., Awaitable[Any]]

_OPERATIONS: Mapping[TrashKind, tuple[Delete, Restore, str]] = {
    TrashKind.FORM: (deleted_forms.delete_form, deleted_forms.restore_form, "form_id"),
    TrashKind.FORM_VERSION: (deleted_forms.delete_version, deleted_forms.restore_version, "version_id"),
    TrashKind.FOLDER: (deleted_forms.delete_folder, deleted_forms.restore_folder, "folder_id"),
    TrashKind.TEMPLATE: (deleted_forms.delete_template, deleted_forms.restore_template, "template_id"),
    TrashKind.QUESTION_BLOCK: (deleted_blocks.delete_block, deleted_blocks.restore_block, "block_id"),
    TrashKind.DATASOURCE: (
        deleted_datasources.delete_datasource,
        deleted_datasources.restore_datasource,
        "datasource_id",
    ),
    TrashKind.DATASOURCE_ROW: (deleted_datasources.delete_row, deleted_datasources.restore_row, "key"),
    TrashKind.USER: (deleted_people.delete_user, deleted_people.restore_user, "user_id"),
    TrashKind.GROUP: (deleted_people.delete_group, deleted_people.restore_group, "group_id"),
    TrashKind.ROLE: (deleted_people.delete_role, deleted_people.restore_role, "role_id"),
}
_PARENTS = {TrashKind.FORM_VERSION: "form_id", TrashKind.DATASOURCE_ROW: "datasource_id"}


class NotInTrash(NotFound):
    """The trash has no such entry, or the actor may not restore it."""

    code = "trash.not_found"
    detail = "This is not in the trash. It may have been restored or deleted permanently."


async def page(tx: ReadTransaction, actor: Actor, window: Window, kind: TrashKind | None = None) -> Page[TrashEntry]:
    """Return a page of the entries that the actor may restore, of one kind or of all, the last deleted first."""
    scope = allow(actor, Permission.CUSTOMER_READ)
    reaches = {one: within for one in TrashKind if (kind in (None, one)) and (within := _scope_of(actor, one))}
    return await store.page(tx, scope, reaches, window)


def _scope_of(actor: Actor, kind: TrashKind) -> Scope | None:
    """Return the scope in which the actor may restore records of a kind, or None."""
    try:
        scope = allow(actor, PERMISSIONS[kind])
    except Denied:
        return None
    return None if kind in _ACCOUNT_WIDE and scope.reach else scope


async def get(tx: ReadTransaction, actor: Actor, *, entry_id: str) -> TrashEntry:
    """Return an entry that the actor may restore. Raises `NotInTrash`, or `Denied` without the permission."""
    entry = await store.find(tx, allow(actor, Permission.CUSTOMER_READ), entry_id)
    if entry is None or not is_included(allow(actor, PERMISSIONS[entry.kind]), entry):
        raise NotInTrash()
    return entry


async def delete(
    tx: WriteTransaction, actor: Actor, kind: TrashKind, record_id: str, parent_id: str | None = None
) -> TrashEntry:
    """Move a record of any kind into the trash; `record_id` is the key of a row. Raises the errors of its kind."""
    run, _, name = _OPERATIONS[kind]
    return await run(tx, actor, **_arguments(kind, name, record_id, parent_id))


def _arguments(kind: TrashKind, name: str, record_id: str, parent_id: str | None) -> dict[str, str]:
    return {name: record_id} | ({_PARENTS[kind]: parent_id or ""} if kind in _PARENTS else {})


async def restore(tx: WriteTransaction, actor: Actor, *, entry_id: str) -> TrashEntry:
    """Restore an entry and return it. Raises `NotInTrash` and the errors of its kind."""
    entry = await get(tx, actor, entry_id=entry_id)
    _, run, name = _OPERATIONS[entry.kind]
    await run(tx, actor, **_arguments(entry.kind, name, _record_id(entry), entry.parent_id))
    return entry


async def delete_permanently(tx: WriteTransaction, actor: Actor, *, entry_id: str) -> TrashEntry:
    """Have a worker delete an entry permanently, and return it. Raises `NotInTrash`."""
    entry = await get(tx, actor, entry_id=entry_id)
    run, _, name = _OPERATIONS[entry.kind]
    arguments = _arguments(entry.kind, name, _record_id(entry), entry.parent_id)
    return await run(tx, actor, **arguments, permanently=True)


def _record_id(entry: TrashEntry) -> str:
    return entry.name if entry.kind is TrashKind.DATASOURCE_ROW else entry.id
