"""Creating, changing, loading and listing folders."""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, require
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
    """Create a folder in a parent folder, or at the root if `parent_id` is None.

    Raises `Invalid` if the actor cannot use the parent, `FolderNameTaken` or `FolderTooDeep`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    folder = Folder(tx.new_id("fol"), scope.customer_id, name, parent_id, now, now, 1)
    await _check_location(tx, scope, folder)
    await store.insert(tx, folder)
    tx.audit(AuditNote(scope.customer_id, "folder.created", folder.id, folder.name))
    return folder


async def update(tx: WriteTransaction, actor: Actor, *, folder_id: str, name: str, parent_id: str | None) -> Folder:
    """Rename a folder, or move it with everything in it. Does nothing if name and parent stay the same.

    Raises the same errors as `create`, and `FolderNotFound` or `FolderCycle`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    folder = require(await store.find(tx, scope, folder_id), FolderNotFound)
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
            raise Invalid.at("/parentId", "folder.required", "Choose a folder. You cannot create folders at the root.")
        raise Invalid.at("/parentId", FolderNotFound.code, FolderNotFound.detail)
    if folder.parent_id is not None:
        ancestors = await store.list_ancestors(tx, scope, folder.parent_id)
        if not ancestors:
            raise Invalid.at("/parentId", FolderNotFound.code, FolderNotFound.detail)
        if len(ancestors) + await store.subtree_height(tx, scope, folder.id) > MAX_DEPTH:
            raise FolderTooDeep()


async def find(tx: ReadTransaction, scope: Scope, folder_id: str) -> Folder | None:
    """Return the folder if it is in the scope. For packages that have checked a permission of their own."""
    return await store.find(tx, scope, folder_id)


async def list_subtrees(tx: ReadTransaction, scope: Scope, folder_ids: Sequence[str]) -> list[str]:
    """Return the ids of these folders and all their descendants, without those that do not exist."""
    return await store.list_subtrees(tx, scope, folder_ids)


async def is_name_taken(tx: ReadTransaction, scope: Scope, name: str, parent_id: str | None) -> bool:
    """Whether a folder with this name exists in a parent folder, or at the root if it is None."""
    return await store.find_by_name(tx, scope, name, parent_id) is not None


async def list_ancestors(tx: ReadTransaction, scope: Scope, folder_id: str) -> list[str]:
    """Return the ids of a folder and all its ancestors; empty if the folder does not exist."""
    return await store.list_ancestors(tx, scope, folder_id)


async def get(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> Folder:
    """Return a folder of the account. Raises `FolderNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.FORMS_READ), folder_id), FolderNotFound)


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Folder]:
    """Return a page of the account's folders, oldest first. Their `parent_id` defines the tree."""
    return await store.page(tx, allow(actor, Permission.FORMS_READ), window)


async def list_descendants(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> list[str]:
    """Return the ids of a folder and all its descendants; empty if the folder does not exist."""
    return await store.list_descendants(tx, allow(actor, Permission.FORMS_READ), folder_id)
