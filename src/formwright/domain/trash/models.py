"""The records and errors of the trash."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from formwright.core.errors import Conflict, NotFound

RETENTION_MS = 30 * 24 * 3600 * 1000


class TrashKind(StrEnum):
    """The kind of a deleted record."""

    FORM = "form"
    FORM_VERSION = "formVersion"
    FOLDER = "folder"
    TEMPLATE = "template"
    QUESTION_BLOCK = "questionBlock"
    DATASOURCE = "datasource"
    DATASOURCE_ROW = "datasourceRow"
    USER = "user"
    GROUP = "group"
    ROLE = "role"


class Affected(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """How much disappears from view with a record, or loses its effect. Tasks and invites are those still open."""

    folders: int = 0
    forms: int = 0
    submissions: int = 0
    tasks: int = 0
    invites: int = 0
    webhooks: int = 0
    grants: int = 0
    groups: int = 0
    members: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Deleter:
    """Who deleted a record: the kind, id and name of the actor."""

    kind: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """A deleted record with what was deleted with it. Times are in milliseconds.

    `parent_id` is the form of a version or the data source of a row; `folder_id` is the folder that it was in.
    """

    id: str
    customer_id: str
    kind: TrashKind
    name: str
    parent_id: str | None
    folder_id: str | None
    affected: Affected
    deleted_by: Deleter
    deleted: int
    expires: int
    """When it is deleted permanently."""


class FolderGone(Conflict):
    """The folder of a record no longer exists, and the actor may not put it anywhere else."""

    code = "trash.folder_gone"
    detail = "The folder that contained this no longer exists. Ask someone who can edit all forms to restore it."


class FormDeleted(Conflict):
    """The form of a version is in the trash."""

    code = "trash.form_deleted"
    detail = "The form of this version is in the trash, too. Restore the form first."


class DeletedWithFolder(Conflict):
    """The record was deleted together with its folder."""

    code = "trash.part_of_folder"
    detail = "This was deleted together with its folder. Restore the folder instead."


class DatasourceInUse(Conflict):
    """Forms look up rows in the data source."""

    code = "datasource.in_use"
    detail = "Forms look up rows in this data source. Remove the lookups from their published version and draft first."


class RowNotFound(NotFound):
    """The data source has no row with this key, also not in the trash."""

    code = "datasource.row.not_found"
    detail = "This data source has no row with this key."


class OnlyVersion(Conflict):
    """The version is the only one of its form."""

    code = "form.version.only"
    detail = "This is the only version of the form. Delete the form instead."


class RoleInUse(Conflict):
    """The role is granted to users or groups."""

    code = "role.in_use"
    detail = "This role is granted to users or groups. Remove these grants first."


class OwnDeletion(Conflict):
    """The actor is the user to delete."""

    code = "user.own_deletion"
    detail = "You cannot delete yourself. Ask another user who can manage users."
