"""Operations that move resources to the trash, and restore them."""

from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.v1_0.schemas import datasources as datasource_wire
from formwright.api.v1_0.schemas import forms as form_wire
from formwright.api.v1_0.schemas import trash as wire
from formwright.api.v1_0.schemas import users as user_wire
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.datasources.models import DatasourceBusy, DatasourceNameTaken, DatasourceNotFound
from formwright.domain.folders.models import FolderNameTaken, FolderNotFound, FolderTooDeep
from formwright.domain.forms.models import (
    FormExternalIdTaken,
    FormNotFound,
    TemplateGlobal,
    TemplateNotFound,
    VersionNotDraft,
    VersionNotFound,
)
from formwright.domain.trash import deleted_datasources, deleted_forms, deleted_people
from formwright.domain.trash.models import (
    DatasourceInUse,
    DeletedWithFolder,
    FolderGone,
    FormDeleted,
    OnlyVersion,
    OwnDeletion,
    RoleInUse,
    RowNotFound,
)
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

_FORM = "/forms/customer/{customerId}/forms/{formId}"
_VERSION = _FORM + "/versions/{versionId}"
_TEMPLATE = "/forms/customer/{customerId}/templates/{templateId}"
_FOLDER = "/forms/customer/{customerId}/folders/{folderId}"
_DATASOURCE = "/customers/{customerId}/datasources/{datasourceId}"
_USER = "/customers/{customerId}/users/{userId}"
_GROUP = "/customers/{customerId}/groups/{groupId}"
_ROLE = "/customers/{customerId}/roles/{roleId}"
_PEOPLE = "Users & Groups"


@operation(
    "DELETE",
    ("deleteFormVersion", _VERSION),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, VersionNotFound, VersionNotDraft, OnlyVersion),
)
async def delete_form_version(
    call: RequestContext, form_id: str, version_id: str, query: wire.DeletionQuery
) -> wire.TrashItem:
    """Delete a form version.

    Moves a draft to the trash. Final versions cannot be deleted (409 `form.version.not_draft`), because submissions
    refer to them, and neither can the only version of a form (409 `form.version.only`).

    Records the event `version.deleted`.
    """
    async with call.writing() as tx:
        entry = await deleted_forms.delete_version(
            tx, call.actor, form_id=form_id, version_id=version_id, permanently=query.permanent
        )
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreFormVersion", _VERSION + "/restore"),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, VersionNotFound, FormDeleted),
)
async def restore_form_version(call: RequestContext, form_id: str, version_id: str) -> form_wire.FormVersion:
    """Restore a form version.

    Takes a draft out of the trash. If a newer version has its number, it gets the next free one. If its form is in the
    trash, too, restore that first (409 `trash.form_deleted`). A version that is not deleted is returned unchanged.

    Records the event `version.restored`.
    """
    async with call.writing() as tx:
        return form_wire.version(
            await deleted_forms.restore_version(tx, call.actor, form_id=form_id, version_id=version_id)
        )


@operation(
    "DELETE",
    ("deleteForm", _FORM),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FormNotFound),
)
async def delete_form(call: RequestContext, form_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a form.

    Moves the form to the trash, with its versions, submissions, files, tasks and invites: they disappear from all lists
    and counts, and ids of them return 404. Its links show that the form is closed. Its tasks and invites pause. You can
    restore all of it for 30 days; then it is deleted permanently, and the event log only keeps the ids.

    Records the event `form.deleted`, but no events for what belongs to the form.
    """
    async with call.writing() as tx:
        entry = await deleted_forms.delete_form(tx, call.actor, form_id=form_id, permanently=query.permanent)
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreForm", _FORM + "/restore"),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FormNotFound, FormExternalIdTaken, FolderGone, DeletedWithFolder),
)
async def restore_form(call: RequestContext, form_id: str) -> form_wire.Form:
    """Restore a form.

    Takes the form out of the trash with everything that belongs to it. Its links work again, and its tasks and invites
    continue; those that became due meanwhile expire or are overdue now. If its folder no longer exists, the form is
    outside of folders. A form that was deleted with its folder is restored with the folder (409
    `trash.part_of_folder`). A form that is not deleted is returned unchanged.

    Records the event `form.restored`. The submissions have not changed, so read them again if you had deleted your
    copies.
    """
    async with call.writing() as tx:
        return form_wire.form(await deleted_forms.restore_form(tx, call.actor, form_id=form_id))


@operation(
    "DELETE",
    ("deleteTemplate", _TEMPLATE),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, TemplateNotFound, TemplateGlobal),
)
async def delete_template(call: RequestContext, template_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a form template.

    Moves a template of the account to the trash. Forms that were created from it do not change.

    Records the event `template.deleted`.
    """
    async with call.writing() as tx:
        entry = await deleted_forms.delete_template(
            tx, call.actor, template_id=template_id, permanently=query.permanent
        )
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreTemplate", _TEMPLATE + "/restore"),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, TemplateNotFound),
)
async def restore_template(call: RequestContext, template_id: str) -> form_wire.Template:
    """Restore a form template.

    Takes the template out of the trash. A template that is not deleted is returned unchanged.

    Records the event `template.restored`.
    """
    async with call.writing() as tx:
        return form_wire.template(await deleted_forms.restore_template(tx, call.actor, template_id=template_id))


@operation(
    "DELETE",
    ("deleteFolder", _FOLDER),
    tag="Folders",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FolderNotFound),
)
async def delete_folder(call: RequestContext, folder_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a folder.

    Moves the folder to the trash with its subfolders and all forms in them, as `deleteForm` does. `affected` says how
    many; use `dryRun=true` to see it before. They are restored together.

    Records the event `folder.deleted`, and `form.deleted` for each form.
    """
    async with call.writing() as tx:
        entry = await deleted_forms.delete_folder(tx, call.actor, folder_id=folder_id, permanently=query.permanent)
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreFolder", _FOLDER + "/restore"),
    tag="Folders",
    permission=Permission.FORMS_EDIT,
    raises=(
        CustomerNotFound,
        FolderNotFound,
        FolderNameTaken,
        FolderTooDeep,
        FormExternalIdTaken,
        FolderGone,
        DeletedWithFolder,
    ),
)
async def restore_folder(call: RequestContext, folder_id: str) -> form_wire.Folder:
    """Restore a folder.

    Takes the folder out of the trash with everything that was deleted with it. If its parent no longer exists, the
    folder is at the top level. A folder that is not deleted is returned unchanged.

    Records the event `folder.restored`, and `form.restored` for each form.
    """
    async with call.writing() as tx:
        return form_wire.folder(await deleted_forms.restore_folder(tx, call.actor, folder_id=folder_id))


@operation(
    "DELETE",
    ("deleteDatasourceRow", _DATASOURCE + "/rows"),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, RowNotFound, DatasourceBusy),
)
async def delete_datasource_row(
    call: RequestContext, datasource_id: str, query: wire.RowDeletionQuery
) -> wire.TrashItem:
    """Delete a row of a data source.

    Moves the row with this `key` to the trash. Submissions that refer to it keep the row as it was. An import or a pull
    that contains the key adds the row again.

    Records the event `datasource.row_deleted`.
    """
    async with call.writing() as tx:
        entry = await deleted_datasources.delete_row(
            tx, call.actor, datasource_id=datasource_id, key=query.key, permanently=query.permanent
        )
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreDatasourceRow", _DATASOURCE + "/rows/restore"),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, RowNotFound, DatasourceBusy, Invalid),
)
async def restore_datasource_row(
    call: RequestContext, datasource_id: str, body: wire.RowRestoration
) -> datasource_wire.Datasource:
    """Restore a row of a data source.

    Takes the row with this `key` that was deleted last out of the trash. Cells of columns that no longer exist are
    lost. If the data source has a row with this key, nothing changes.

    Records the event `datasource.row_restored`.
    """
    async with call.writing() as tx:
        return datasource_wire.datasource(
            await deleted_datasources.restore_row(tx, call.actor, datasource_id=datasource_id, key=body.key)
        )


@operation(
    "DELETE",
    ("deleteDatasource", _DATASOURCE),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, DatasourceInUse, DatasourceBusy),
)
async def delete_datasource(call: RequestContext, datasource_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a data source.

    Moves the data source to the trash with its rows and its pull. If the published version or the draft of a form looks
    up its rows, the response is 409 `datasource.in_use`: `listForms` with `datasourceId` returns these forms.

    Records the event `datasource.deleted`.
    """
    async with call.writing() as tx:
        entry = await deleted_datasources.delete_datasource(
            tx, call.actor, datasource_id=datasource_id, permanently=query.permanent
        )
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreDatasource", _DATASOURCE + "/restore"),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, DatasourceNameTaken),
)
async def restore_datasource(call: RequestContext, datasource_id: str) -> datasource_wire.Datasource:
    """Restore a data source.

    Takes the data source out of the trash with its rows and its pull. A data source that is not deleted is returned
    unchanged.

    Records the event `datasource.restored`.
    """
    async with call.writing() as tx:
        return datasource_wire.datasource(
            await deleted_datasources.restore_datasource(tx, call.actor, datasource_id=datasource_id)
        )


@operation(
    "DELETE",
    ("deleteUser", _USER),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, UserNotFound, OwnDeletion, LastOwner),
)
async def delete_user(call: RequestContext, user_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a user.

    Moves the user to the trash and ends their sessions. Their submissions stay and keep their `userId`, and tasks keep
    them as a recipient. The account must keep an owner who can sign in (409 `user.last_owner`), and you cannot delete
    yourself (409 `user.own_deletion`). To remove a person's data everywhere, erase it instead.

    Records the event `user.deleted`, and `group.updated` for each of their groups.
    """
    async with call.writing() as tx:
        entry = await deleted_people.delete_user(tx, call.actor, user_id=user_id, permanently=query.permanent)
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreUser", _USER + "/restore"),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, UserNotFound, EmailTaken, UserExternalIdTaken),
)
async def restore_user(call: RequestContext, user_id: str) -> user_wire.User:
    """Restore a user.

    Takes the user out of the trash with their password, second factor, groups and grants. They have to sign in again. A
    user who is not deleted is returned unchanged.

    Records the event `user.restored`, and `group.updated` for each of their groups.
    """
    async with call.writing() as tx:
        return user_wire.user(await deleted_people.restore_user(tx, call.actor, user_id=user_id))


@operation(
    "DELETE",
    ("deleteGroup", _GROUP),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, GroupNotFound, LastOwner),
)
async def delete_group(call: RequestContext, group_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a group.

    Moves the group to the trash. Its members lose its grants. Tasks that were assigned to the group keep their
    recipients.

    Records the event `group.deleted`, and `user.updated` for each member.
    """
    async with call.writing() as tx:
        entry = await deleted_people.delete_group(tx, call.actor, group_id=group_id, permanently=query.permanent)
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreGroup", _GROUP + "/restore"),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, GroupNotFound, GroupNameTaken, GroupExternalIdTaken),
)
async def restore_group(call: RequestContext, group_id: str) -> user_wire.Group:
    """Restore a group.

    Takes the group out of the trash with its members and grants. Members that are in the trash themselves join it when
    they are restored. A group that is not deleted is returned unchanged.

    Records the event `group.restored`, and `user.updated` for each member.
    """
    async with call.writing() as tx:
        return user_wire.group(await deleted_people.restore_group(tx, call.actor, group_id=group_id))


@operation(
    "DELETE",
    ("deleteRole", _ROLE),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, RoleNotFound, RoleBuiltIn, RoleInUse),
)
async def delete_role(call: RequestContext, role_id: str, query: wire.DeletionQuery) -> wire.TrashItem:
    """Delete a role.

    Moves a custom role to the trash. If the role is granted to a user or group, the response is 409 `role.in_use`:
    remove these grants first.

    Records the event `role.deleted`.
    """
    async with call.writing() as tx:
        entry = await deleted_people.delete_role(tx, call.actor, role_id=role_id, permanently=query.permanent)
        return wire.trash_item(entry)


@operation(
    "POST",
    ("restoreRole", _ROLE + "/restore"),
    tag=_PEOPLE,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, RoleNotFound, RoleNameTaken),
)
async def restore_role(call: RequestContext, role_id: str) -> user_wire.Role:
    """Restore a role.

    Takes the role out of the trash. A role that is not deleted is returned unchanged.

    Records the event `role.restored`.
    """
    async with call.writing() as tx:
        return user_wire.role(await deleted_people.restore_role(tx, call.actor, role_id=role_id))


FORM_OPERATIONS = [
    *delete_form_version,
    *restore_form_version,
    *delete_form,
    *restore_form,
    *delete_template,
    *restore_template,
    *delete_folder,
    *restore_folder,
]
DATASOURCE_OPERATIONS = [
    *delete_datasource_row,
    *restore_datasource_row,
    *delete_datasource,
    *restore_datasource,
]
PEOPLE_OPERATIONS = [
    *delete_user,
    *restore_user,
    *delete_group,
    *restore_group,
    *delete_role,
    *restore_role,
]
