"""Forms and versions.

What became of a form on its way from or to an Excel file.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.errors import ValidationError
from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    CustomerId,
    DatasourceId,
    FolderId,
    FormId,
    Name,
    Request,
    Resource,
    TemplateId,
    Timestamp,
    VersionId,
    value_or_none,
)
from formwright.core.clock import rfc3339
from formwright.domain.folders.models import Folder as FolderRecord
from formwright.domain.forms import models
from formwright.domain.forms.definition import AnyField, Definition, FormSettings, Language
from formwright.domain.forms.diff import ChangeKind, FieldDiff
from formwright.domain.forms.models import FormStatus, VersionStatus
from formwright.domain.forms.templates import NewTemplate
from formwright.domain.forms.xlsform import report as domain
from formwright.domain.forms.xlsform.report import NoteKind

Fields = Annotated[list[AnyField], Meta(description="What is asked, in this order; 500 fields at most.")]
Description = Annotated[str, Meta(max_length=2000)]
Tags = Annotated[list[Annotated[str, Meta(min_length=1, max_length=50)]], Meta(max_length=50)]


class FormCreate(Request):
    """A new form with its first version, from `fields` or from a template."""

    name: Name | None = None
    fields: Fields | None = None
    template_id: TemplateId | None = None
    description: Description | None = None
    folder_id: FolderId | None = None
    tags: Tags = []
    settings: FormSettings | None = None
    publish: Annotated[bool, Meta(description="Make the version final and open the form to be filled.")] = False

    def draft(self, template: models.Template | None) -> models.NewForm:
        """What the domain makes a form from."""
        given = template.definition if template else None
        return models.NewForm(
            name=self.name or (template.name if template else ""),
            description=(template.description if template else "") if self.description is None else self.description,
            tags=self.tags or (template.tags if template else ()),
            fields=self.fields or (given.fields if given else []),
            settings=self.settings or (given.settings if given else FormSettings()),
            publish=self.publish,
            folder_id=self.folder_id,
        )


class FormUpdate(Request):
    """What changes of a form; what is left out stays as it is. `folderId: null` takes it out of its folder."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    folder_id: FolderId | UnsetType | None = UNSET
    tags: Tags | UnsetType = UNSET
    status: FormStatus | UnsetType = UNSET
    fields: Annotated[
        Fields | UnsetType,
        Meta(description="Goes into the newest version if that is a draft, else into a new one; `settings` stay."),
    ] = UNSET
    settings: Annotated[
        FormSettings | UnsetType, Meta(description="The same for the settings, as a whole; `fields` stay.")
    ] = UNSET
    publish: Annotated[
        bool,
        Meta(description="Publish the newest version, which must be a draft: what `fields` became, or stood there."),
    ] = False

    def change(self) -> models.FormChange:
        """What the domain changes."""
        return models.FormChange(
            name=value_or_none(self.name),
            description=value_or_none(self.description),
            tags=value_or_none(self.tags),
            status=value_or_none(self.status),
            folder_id=value_or_none(self.folder_id),
            to_root=self.folder_id is None,
            fields=value_or_none(self.fields),
            settings=value_or_none(self.settings),
            publish=self.publish,
        )


class FormVersionWrite(Request):
    """What a version asks. Settings left out are those of the version before; a draft keeps its remarks too."""

    fields: Fields
    settings: FormSettings | UnsetType = UNSET
    remarks: Annotated[str, Meta(max_length=2000)] | UnsetType = UNSET


class ValidationResult(Resource):
    """Whether a definition works, and what keeps it from it."""

    valid: bool
    errors: list[ValidationError]


class FieldChange(Resource):
    """What happened to one field between two versions."""

    kind: ChangeKind
    before: Annotated[str | None, Meta(description="Its name in the older version.")]
    after: Annotated[str | None, Meta(description="Its name in the newer version.")]
    members: Annotated[list[str], Meta(description="What of it differs.")]
    breaking: Annotated[bool, Meta(description="Whether readers of the answers must be changed.")]
    submissions: Annotated[int, Meta(description="How many stored submissions hold an answer to the older field.")]


class FormVersionChanges(Resource):
    """All that changed between two versions."""

    since: VersionId
    version_id: VersionId
    breaking: bool
    changes: list[FieldChange]


class TemplateWrite(Request):
    """A definition to start forms from."""

    name: Name
    fields: Fields
    description: Description = ""
    language: Language = "en"
    tags: Tags = []
    settings: FormSettings | None = None

    def to_domain(self) -> NewTemplate:
        """What the domain makes a template from."""
        definition = Definition(self.fields, self.settings or FormSettings(language=self.language))
        return NewTemplate(self.name, self.description, self.language, self.tags, definition)


class Template(Resource):
    """A definition to start forms from: the account's own or, where `global` is true, one for everybody."""

    id: TemplateId
    is_global: bool = msgspec.field(name="global")
    name: str
    description: str
    language: str
    tags: list[str]
    fields: Fields
    settings: FormSettings
    created: Timestamp
    updated: Timestamp
    revision: int


class FolderWrite(Request):
    """A folder; without a parent it is at the root."""

    name: Name
    parent_id: FolderId | None = None


class FolderMove(Request):
    """The forms to put into a folder."""

    form_ids: Annotated[list[FormId], Meta(min_length=1, max_length=1000)]


class Folder(Resource):
    """A folder. `parentId` makes a tree of them."""

    id: FolderId
    customer_id: CustomerId
    name: str
    parent_id: FolderId | None
    created: Timestamp
    updated: Timestamp
    revision: int


class Form(Resource):
    """A form. What it asks is in its versions; `publishedVersionId` names the one that is filled."""

    id: FormId
    customer_id: CustomerId
    name: str
    description: str
    folder_id: FolderId | None
    status: FormStatus
    tags: list[str]
    published_version_id: VersionId | None
    fill_path: Annotated[str, Meta(description="The path of the page in which the form is filled.")]
    created: Timestamp
    updated: Timestamp
    revision: int


AuthorId = Annotated[
    str | None, Meta(description="The user (`usr_…`) or the API key (`key_…`); null where it was the operator.")
]


class FormVersion(Resource):
    """A version of a form. A final one never changes again."""

    id: VersionId
    form_id: FormId
    number: int
    status: VersionStatus
    remarks: str
    fields: Fields
    settings: FormSettings
    created: Timestamp
    created_by: AuthorId
    updated: Timestamp
    updated_by: AuthorId
    revision: int


def form(record: models.Form) -> Form:
    """The record as the API shows it."""
    return Form(
        id=record.id,
        customer_id=record.customer_id,
        name=record.name,
        description=record.description,
        folder_id=record.folder_id,
        status=record.status,
        tags=list(record.tags),
        published_version_id=record.published_version_id,
        fill_path=f"/fill/{record.link}",
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


def version(record: models.Version) -> FormVersion:
    """The record as the API shows it."""
    return FormVersion(
        id=record.id,
        form_id=record.form_id,
        number=record.number,
        status=record.status,
        remarks=record.remarks,
        fields=record.definition.fields,
        settings=record.definition.settings,
        created=rfc3339(record.created),
        created_by=record.created_by,
        updated=rfc3339(record.updated),
        updated_by=record.updated_by,
        revision=record.revision,
    )


def field_change(record: FieldDiff, submissions: int) -> FieldChange:
    """The change as the API shows it."""
    return FieldChange(
        kind=record.kind,
        before=record.before,
        after=record.after,
        members=list(record.properties),
        breaking=record.is_breaking,
        submissions=submissions,
    )


def template(record: models.Template) -> Template:
    """The record as the API shows it."""
    return Template(
        id=record.id,
        is_global=record.customer_id is None,
        name=record.name,
        description=record.description,
        language=record.language,
        tags=list(record.tags),
        fields=record.definition.fields,
        settings=record.definition.settings,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


def folder(record: FolderRecord) -> Folder:
    """The record as the API shows it."""
    return Folder(
        id=record.id,
        customer_id=record.customer_id,
        name=record.name,
        parent_id=record.parent_id,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


class FormQuery(PageQuery):
    """Which forms are meant."""

    folder_id: Annotated[FolderId | None, Meta(description="Those in this folder and below it.")] = None
    datasource_id: Annotated[
        DatasourceId | None,
        Meta(description="Those whose published version or newest draft looks rows up in this datasource."),
    ] = None


class VersionChangesQuery(msgspec.Struct, rename="camel"):
    """Between which versions."""

    since: Annotated[VersionId | None, Meta(description="The older version; the one before, where it is left out.")] = (
        None
    )


class FormImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """What becomes of the file."""

    name: Annotated[Name | None, Meta(description="The form's name; the file's title, where it is left out.")] = None
    folder_id: FolderId | None = None
    publish: Annotated[bool, Meta(description="Open the form to be filled at once.")] = False


class XlsformNote(Resource):
    """One thing that is not as it was."""

    kind: NoteKind
    sheet: str
    row: Annotated[int | None, Meta(description="As the spreadsheet counts, from 1.")]
    column: str | None
    code: str
    detail: str


class ImportedForm(Form):
    """The new form, and what was changed or could not be carried."""

    report: list[XlsformNote]


class XlsformExportReport(Resource):
    """What the file does not carry."""

    report: list[XlsformNote]


def note(record: domain.Note) -> XlsformNote:
    """The note as the API shows it."""
    return XlsformNote(
        kind=record.kind,
        sheet=record.sheet,
        row=record.row,
        column=record.column,
        code=record.code,
        detail=record.detail,
    )


def imported_form(form: Form, notes: Sequence[domain.Note]) -> ImportedForm:
    """The form with its report."""
    return ImportedForm(**msgspec.structs.asdict(form), report=[note(one) for one in notes])
