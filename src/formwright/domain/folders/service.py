"""The verbs of folders."""

from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid
from formwright.core.events import AuditNote
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.domain.folders import store
from formwright.domain.folders.models import (
    MAX_DEPTH,
    Folder,
    FolderCycle,
    FolderNameTaken,
    FolderNotFound,
    FolderTooDeep,
)


async def create(tx: WriteTransaction, actor: Actor, *, name: str, parent_id: str | None) -> Folder:
    """A new folder, at the root or in another."""
    scope = allow(actor, Permission.FORMS_EDIT)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    folder = Folder(tx.new_id("fol"), scope.customer_id, name, parent_id, now, now, 1)
    await _check_location(tx, scope, folder)
    await store.insert(tx, folder)
    tx.audit(AuditNote(scope.customer_id, "folder.created", folder.id, folder.name))
    return folder


async def update(tx: WriteTransaction, actor: Actor, *, folder_id: str, name: str, parent_id: str | None) -> Folder:
    """Rename a folder, or move it with all that is in it. Nothing new is no change."""
    scope = allow(actor, Permission.FORMS_EDIT)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    folder = await store.find(tx, scope, folder_id)
    if folder is None:
        raise FolderNotFound()
    if parent_id in await store.list_descendants(tx, scope, folder_id):
        raise FolderCycle()
    if (name, parent_id) == (folder.name, folder.parent_id):
        return folder
    changed = replace(folder, name=name, parent_id=parent_id, updated=now, revision=folder.revision + 1)
    await _check_location(tx, scope, changed, before=folder)
    await store.update(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "folder.updated", folder.id, changed.name, differing(folder, changed)))
    return changed


async def _check_location(tx: ReadTransaction, scope: Scope, folder: Folder, before: Folder | None = None) -> None:
    if before is None or before.parent_id != folder.parent_id:
        await _check_parent(tx, scope, folder)
    sibling = await store.find_by_name(tx, scope, folder.name, folder.parent_id)
    if sibling is not None and sibling.id != folder.id:
        raise FolderNameTaken()


async def _check_parent(tx: ReadTransaction, scope: Scope, folder: Folder) -> None:
    if not scope.has_folder(folder.parent_id):
        if folder.parent_id is None:
            raise Invalid.at("/parentId", "folder.required", "Choose a folder: outside of them you may make none.")
        raise Invalid.at("/parentId", FolderNotFound.code, FolderNotFound.detail)
    if folder.parent_id is not None:
        ancestors = await store.list_ancestors(tx, scope, folder.parent_id)
        if not ancestors:
            raise Invalid.at("/parentId", FolderNotFound.code, FolderNotFound.detail)
        if len(ancestors) + await store.subtree_height(tx, scope, folder.id) > MAX_DEPTH:
            raise FolderTooDeep()


async def find(tx: ReadTransaction, scope: Scope, folder_id: str) -> Folder | None:
    """The folder, where there is one in the scope; for rooms that ask the policy about something of their own."""
    return await store.find(tx, scope, folder_id)


async def list_ancestors(tx: ReadTransaction, scope: Scope, folder_id: str) -> list[str]:
    """The ids of a folder and of all above it; none where there is no such folder."""
    return await store.list_ancestors(tx, scope, folder_id)


async def get(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> Folder:
    """One folder of the account."""
    folder = await store.find(tx, allow(actor, Permission.FORMS_READ), folder_id)
    if folder is None:
        raise FolderNotFound()
    return folder


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Folder]:
    """The account's folders in the order in which they were made; `parent_id` makes a tree of them."""
    return await store.page(tx, allow(actor, Permission.FORMS_READ), window)


async def list_descendants(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> list[str]:
    """The ids of a folder and of all below it; none where there is no such folder."""
    return await store.list_descendants(tx, allow(actor, Permission.FORMS_READ), folder_id)
