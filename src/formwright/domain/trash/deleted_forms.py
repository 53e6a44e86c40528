"""Deleting and restoring forms, folders with everything in them, drafts of versions, and templates."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.events import Event, EventType
from formwright.core.work_kinds import WorkKind
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import MAX_DEPTH, Folder, FolderNameTaken, FolderNotFound, FolderTooDeep
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates, versions, xform_ids
from formwright.domain.forms.models import (
    Form,
    FormNotFound,
    Template,
    TemplateGlobal,
    TemplateNotFound,
    Version,
    VersionNotDraft,
    VersionNotFound,
    VersionStatus,
)
from formwright.domain.trash import affected_store, store
from formwright.domain.trash.models import (
    Affected,
    DeletedWithFolder,
    FolderGone,
    FormDeleted,
    OnlyVersion,
    TrashEntry,
    TrashKind,
)
from formwright.domain.trash.removal import Removal, find_entry, move_to_trash, purge, touched


async def delete_form(tx: WriteTransaction, actor: Actor, *, form_id: str, permanently: bool = False) -> TrashEntry:
    """Move a form with its submissions, tasks and invites into the trash. Raises `FormNotFound`.

    With `permanently`, it is deleted for good, also if it is in the trash already.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    form = await forms.find(tx, scope, form_id)
    if form is None:
        entry = await find_entry(tx, scope, TrashKind.FORM, form_id) if permanently else None
        return await purge(tx, scope, require(entry, FormNotFound))
    removal = Removal(
        TrashKind.FORM,
        form.id,
        form.name,
        {("forms", "id"): [form.id]},
        await affected_store.count_for_forms(tx, scope, [form.id]),
        folder_id=form.folder_id,
    )
    tx.record(Event(EventType.FORM_DELETED, scope.customer_id, form))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_form(tx: WriteTransaction, actor: Actor, *, form_id: str) -> Form:
    """Restore a form; one that is not deleted is returned unchanged.

    If its folder no longer exists, the form is restored outside of folders. Raises `FormNotFound`,
    `FormExternalIdTaken`, `FolderGone` or `DeletedWithFolder`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    if form := await forms.find(tx, scope, form_id):
        return form
    entry = await find_entry(tx, scope, TrashKind.FORM, form_id)
    if entry is None:
        if scope.reach is None and await store.find_owner(tx, scope, "forms", form_id) not in (None, form_id):
            raise DeletedWithFolder()
        raise FormNotFound()
    rows = await store.list_rows(tx, scope, entry.id)
    folder_id = await _existing_folder(tx, scope, entry.folder_id)
    return (await _put_back_forms(tx, scope, entry, rows["forms"], now, folder_id))[0]


async def _existing_folder(tx: ReadTransaction, scope: Scope, folder_id: str | None) -> str | None:
    """Return the folder if it still exists, or else None, the root. Raises `FolderGone` if that is out of reach."""
    found = await folders.find(tx, scope, folder_id) if folder_id else None
    if folder_id and found is None and scope.reach is not None:
        raise FolderGone()
    return found.id if found else None


async def _free_xform_id(tx: WriteTransaction, scope: Scope, row: store.Content) -> dict[str, str | None]:
    """Return the id of a form in XLSForm files: its own or, if another form got that, one like it."""
    own = row.get("xform_id")
    return {"xform_id": await xform_ids.find_free(tx, scope, own) if own else None}


async def _put_back_forms(
    tx: WriteTransaction,
    scope: Scope,
    entry: TrashEntry,
    rows: Sequence[store.Content],
    now: int,
    folder_id: str | None = None,
) -> list[Form]:
    """Move the forms of an entry back, into this folder if the entry is a form, and return them."""
    whole = Scope(scope.customer_id)
    for row in rows:
        await forms.check_external_id(tx, whole, row["external_id"], row["id"])
    moved = {"folder_id": folder_id} if entry.kind is TrashKind.FORM else {}
    free = [await _free_xform_id(tx, whole, row) for row in rows]
    restored = [touched(row, now, **moved, **xform_id) for row, xform_id in zip(rows, free, strict=True)]
    await store.put_back(tx, scope, "forms", restored)
    await store.delete(tx, scope, entry.id)
    found = [form for row in rows if (form := await forms.find(tx, whole, row["id"]))]
    for form in found:
        tx.record(Event(EventType.FORM_RESTORED, scope.customer_id, form))
    # Their tasks and invites were not processed while they were in the trash.
    for kind in (WorkKind.TASK, WorkKind.INVITE):
        tx.schedule(kind, scope.customer_id, tx.now())
    return found


async def delete_folder(tx: WriteTransaction, actor: Actor, *, folder_id: str, permanently: bool = False) -> TrashEntry:
    """Move a folder with its subfolders and all their forms into the trash. Raises `FolderNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    folder = await folders.find(tx, scope, folder_id)
    if folder is None:
        entry = await find_entry(tx, scope, TrashKind.FOLDER, folder_id) if permanently else None
        return await purge(tx, scope, require(entry, FolderNotFound))
    folder_ids = await folders.list_descendants(tx, actor, folder_id=folder_id)
    inside = await forms.list_below(tx, actor, folder_id=folder_id)
    form_ids = [form.id for form in inside]
    removal = Removal(
        TrashKind.FOLDER,
        folder.id,
        folder.name,
        {("folders", "id"): folder_ids, ("forms", "id"): form_ids},
        await affected_store.count_for_forms(tx, scope, form_ids, folder_ids),
        folder_id=folder.parent_id,
    )
    for form in inside:
        tx.record(Event(EventType.FORM_DELETED, scope.customer_id, form))
    tx.record(Event(EventType.FOLDER_DELETED, scope.customer_id, folder))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_folder(tx: WriteTransaction, actor: Actor, *, folder_id: str) -> Folder:
    """Restore a folder with everything in it; one that is not deleted is returned unchanged.

    If its parent no longer exists, it is restored at the root. Raises `FolderNotFound`, `FolderNameTaken`,
    `FolderTooDeep`, `FolderGone`, `FormExternalIdTaken` or `DeletedWithFolder`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    if folder := await folders.find(tx, scope, folder_id):
        return folder
    entry = await find_entry(tx, scope, TrashKind.FOLDER, folder_id)
    if entry is None:
        if scope.reach is None and await store.find_owner(tx, scope, "folders", folder_id) not in (None, folder_id):
            raise DeletedWithFolder()
        raise FolderNotFound()
    rows = await store.list_rows(tx, scope, entry.id)
    parent_id = await _existing_folder(tx, Scope(scope.customer_id), entry.folder_id)
    if parent_id is None and entry.folder_id and scope.reach is not None:
        raise FolderGone()
    if await folders.is_name_taken(tx, scope, entry.name, parent_id):
        raise FolderNameTaken()
    moved = [
        touched(row, now, **({"parent_id": parent_id} if row["id"] == entry.id else {})) for row in rows["folders"]
    ]
    await store.put_back(tx, scope, "folders", moved)
    await _check_depth(tx, scope, [row["id"] for row in moved])
    await _put_back_forms(tx, scope, entry, rows.get("forms", []), now)
    restored = require(await folders.find(tx, Scope(scope.customer_id), folder_id), FolderNotFound)
    tx.record(Event(EventType.FOLDER_RESTORED, scope.customer_id, restored))
    return restored


async def _check_depth(tx: ReadTransaction, scope: Scope, folder_ids: Sequence[str]) -> None:
    """Raise `FolderTooDeep` if one of the folders is too deep, because its parent has been moved down since."""
    for folder_id in folder_ids:
        if len(await folders.list_ancestors(tx, scope, folder_id)) > MAX_DEPTH:
            raise FolderTooDeep()


async def delete_version(
    tx: WriteTransaction, actor: Actor, *, form_id: str, version_id: str, permanently: bool = False
) -> TrashEntry:
    """Move a draft into the trash. Raises `VersionNotFound`, `VersionNotDraft` or `OnlyVersion`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    version = await versions.find(tx, scope, form_id=form_id, version_id=version_id)
    form = await forms.find(tx, scope, form_id)
    if version is None or form is None:
        entry = await find_entry(tx, scope, TrashKind.FORM_VERSION, version_id, form_id) if permanently else None
        return await purge(tx, scope, require(entry, VersionNotFound))
    if version.status is not VersionStatus.DRAFT:
        raise VersionNotDraft()
    if await affected_store.count_versions(tx, scope, form_id) == 1:
        raise OnlyVersion()
    removal = Removal(
        TrashKind.FORM_VERSION,
        version.id,
        f"{form.name}, version {version.number}",
        {("versions", "id"): [version.id]},
        parent_id=form_id,
        folder_id=form.folder_id,
    )
    tx.record(Event(EventType.VERSION_DELETED, scope.customer_id, version))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_version(tx: WriteTransaction, actor: Actor, *, form_id: str, version_id: str) -> Version:
    """Restore a draft; a version that is not deleted is returned unchanged.

    If a newer version has its number, it gets the next free one. Raises `VersionNotFound` or `FormDeleted`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    if version := await versions.find(tx, scope, form_id=form_id, version_id=version_id):
        return version
    entry = require(await find_entry(tx, scope, TrashKind.FORM_VERSION, version_id, form_id), VersionNotFound)
    if await forms.find(tx, scope, form_id) is None:
        raise FormDeleted()
    [row] = (await store.list_rows(tx, scope, entry.id))["versions"]
    number = row["number"]
    if await affected_store.has_version_number(tx, scope, form_id, number):
        number = await affected_store.highest_version_number(tx, scope, form_id) + 1
    await store.put_back(tx, scope, "versions", [touched(row, now, number=number)])
    await store.delete(tx, scope, entry.id)
    restored = require(await versions.find(tx, scope, form_id=form_id, version_id=version_id), VersionNotFound)
    tx.record(Event(EventType.VERSION_RESTORED, scope.customer_id, restored))
    return restored


async def delete_template(
    tx: WriteTransaction, actor: Actor, *, template_id: str, permanently: bool = False
) -> TrashEntry:
    """Move a template of the account into the trash. Forms that were created from it do not change.

    Raises `TemplateNotFound` or `TemplateGlobal`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    template = await templates.find(tx, scope, template_id)
    if template is None:
        entry = await find_entry(tx, scope, TrashKind.TEMPLATE, template_id) if permanently else None
        return await purge(tx, scope, require(entry, TemplateNotFound))
    if template.customer_id is None:
        raise TemplateGlobal()
    removal = Removal(TrashKind.TEMPLATE, template.id, template.name, {("templates", "id"): [template.id]}, Affected())
    tx.record(Event(EventType.TEMPLATE_DELETED, scope.customer_id, template))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_template(tx: WriteTransaction, actor: Actor, *, template_id: str) -> Template:
    """Restore a template; one that is not deleted is returned unchanged. Raises `TemplateNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    if template := await templates.find(tx, scope, template_id):
        return template
    entry = require(await find_entry(tx, scope, TrashKind.TEMPLATE, template_id), TemplateNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    await store.put_back(tx, scope, "templates", [touched(row, now) for row in rows["templates"]])
    await store.delete(tx, scope, entry.id)
    restored = require(await templates.find(tx, scope, template_id), TemplateNotFound)
    tx.record(Event(EventType.TEMPLATE_RESTORED, scope.customer_id, restored))
    return restored


async def is_deleted(tx: ReadTransaction, scope: Scope, form_id: str) -> bool:
    """Whether a form is in the trash, alone or with its folder."""
    return await store.find_owner(tx, scope, "forms", form_id) is not None
