"""Operations that move forms, versions, templates and folders to the trash, and restore them."""

from formwright.api.context import WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import forms as form_wire
from formwright.api.v1_0.schemas import templates as template_wire
from formwright.api.v1_0.schemas import trash as schemas
from formwright.core.auth.permissions import Permission
from formwright.domain.folders.models import FolderNameTaken, FolderNotFound, FolderTooDeep
from formwright.domain.forms.models import (
    FormExternalIdTaken,
    FormNotFound,
    TemplateGlobal,
    TemplateNotFound,
    VersionNotDraft,
    VersionNotFound,
)
from formwright.domain.trash import deleted_forms
from formwright.domain.trash.models import (
    DeletedWithFolder,
    FolderGone,
    FormDeleted,
    OnlyVersion,
)

_FORM = "/forms/customer/{customerId}/forms/{formId}"
_VERSION = _FORM + "/versions/{versionId}"
_TEMPLATE = "/forms/customer/{customerId}/templates/{templateId}"
_FOLDER = "/forms/customer/{customerId}/folders/{folderId}"
OPERATIONS = OperationGroup("Forms", writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("DELETE", ("deleteFormVersion", _VERSION), raises=(VersionNotFound, VersionNotDraft, OnlyVersion))
async def delete_form_version(
    call: WriteContext, form_id: str, version_id: str, query: schemas.DeletionQuery
) -> schemas.TrashItem:
    """Delete a form version.

    Moves a draft to the trash. Final versions cannot be deleted (409 `form.version.not_draft`), because submissions
    refer to them, and neither can the only version of a form (409 `form.version.only`).

    Records the event `version.deleted`.
    """
    entry = await deleted_forms.delete_version(
        call.tx, call.actor, form_id=form_id, version_id=version_id, permanently=query.permanent
    )
    return schemas.trash_item(entry)


@OPERATIONS.declare("POST", ("restoreFormVersion", _VERSION + "/restore"), raises=(VersionNotFound, FormDeleted))
async def restore_form_version(call: WriteContext, form_id: str, version_id: str) -> form_wire.FormVersion:
    """Restore a form version.

    Takes a draft out of the trash. If a newer version has its number, it gets the next free one. If its form is in the
    trash, too, restore that first (409 `trash.form_deleted`). A version that is not deleted is returned unchanged.

    Records the event `version.restored`.
    """
    return form_wire.version(
        await deleted_forms.restore_version(call.tx, call.actor, form_id=form_id, version_id=version_id)
    )


@OPERATIONS.declare("DELETE", ("deleteForm", _FORM), raises=(FormNotFound,))
async def delete_form(call: WriteContext, form_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a form.

    Moves the form to the trash, with its versions, submissions, files, tasks and invites: they disappear from all lists
    and counts, and ids of them return 404. Its links show that the form is closed. Its tasks and invites pause. You can
    restore all of it for 30 days; then it is deleted permanently, and the event log only keeps the ids.

    Records the event `form.deleted`, but no events for what belongs to the form.
    """
    entry = await deleted_forms.delete_form(call.tx, call.actor, form_id=form_id, permanently=query.permanent)
    return schemas.trash_item(entry)


@OPERATIONS.declare(
    "POST",
    ("restoreForm", _FORM + "/restore"),
    raises=(FormNotFound, FormExternalIdTaken, FolderGone, DeletedWithFolder),
)
async def restore_form(call: WriteContext, form_id: str) -> form_wire.Form:
    """Restore a form.

    Takes the form out of the trash with everything that belongs to it. Its links work again, and its tasks and invites
    continue; those that became due in the trash expire or are overdue now. If its folder no longer exists, the form is
    outside of folders. A form that was deleted with its folder is restored with the folder (409
    `trash.part_of_folder`). A form that is not deleted is returned unchanged.

    Records the event `form.restored`. The submissions have not changed, so read them again if you had deleted your
    copies.
    """
    return form_wire.form(await deleted_forms.restore_form(call.tx, call.actor, form_id=form_id))


@OPERATIONS.declare("DELETE", ("deleteTemplate", _TEMPLATE), raises=(TemplateNotFound, TemplateGlobal))
async def delete_template(call: WriteContext, template_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a form template.

    Moves a template of the account to the trash. Forms that were created from it do not change.

    Records the event `template.deleted`.
    """
    entry = await deleted_forms.delete_template(
        call.tx, call.actor, template_id=template_id, permanently=query.permanent
    )
    return schemas.trash_item(entry)


@OPERATIONS.declare("POST", ("restoreTemplate", _TEMPLATE + "/restore"), raises=(TemplateNotFound,))
async def restore_template(call: WriteContext, template_id: str) -> template_wire.Template:
    """Restore a form template.

    Takes the template out of the trash. A template that is not deleted is returned unchanged.

    Records the event `template.restored`.
    """
    return template_wire.template(await deleted_forms.restore_template(call.tx, call.actor, template_id=template_id))


FOLDER_OPERATIONS = OperationGroup("Folders", writes=Permission.FORMS_EDIT)


@FOLDER_OPERATIONS.declare("DELETE", ("deleteFolder", _FOLDER), raises=(FolderNotFound,))
async def delete_folder(call: WriteContext, folder_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a folder.

    Moves the folder to the trash with its subfolders and all forms in them, as `deleteForm` does. `affected` says how
    many; use `dryRun=true` to see it before. They are restored together.

    Records the event `folder.deleted`, and `form.deleted` for each form.
    """
    entry = await deleted_forms.delete_folder(call.tx, call.actor, folder_id=folder_id, permanently=query.permanent)
    return schemas.trash_item(entry)


@FOLDER_OPERATIONS.declare(
    "POST",
    ("restoreFolder", _FOLDER + "/restore"),
    raises=(FolderNotFound, FolderNameTaken, FolderTooDeep, FormExternalIdTaken, FolderGone, DeletedWithFolder),
)
async def restore_folder(call: WriteContext, folder_id: str) -> template_wire.Folder:
    """Restore a folder.

    Takes the folder out of the trash with everything that was deleted with it. If its parent no longer exists, the
    folder is at the top level. A folder that is not deleted is returned unchanged.

    Records the event `folder.restored`, and `form.restored` for each form.
    """
    return template_wire.Folder.of(await deleted_forms.restore_folder(call.tx, call.actor, folder_id=folder_id))
