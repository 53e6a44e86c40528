"""Schemas of forms and their versions."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.errors import ValidationError
from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    DatasourceId,
    ExternalId,
    FolderId,
    FormId,
    Name,
    RequestBody,
    Resource,
    Revision,
    TemplateId,
    Updated,
    VersionId,
    require,
    value_or_none,
)
from formwright.api.v1_0.schemas.form_links import PublicLink, PublicLinkWrite
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.domain.forms import models
from formwright.domain.forms import public_link as link_limits
from formwright.domain.forms.diff import ChangeKind, FieldDiff
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import FormStatus, VersionStatus
from formwright.domain.forms.public_link import NO_LIMITS
from formwright.domain.forms.xform_ids import XformId

Fields = Annotated[
    list[AnyField], Meta(description="The fields of the form, in the order in which they are asked; at most 1,500.")
]
Description = Annotated[str, Meta(max_length=2000, description="A description for the people who manage forms.")]
Tags = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=50)]], Meta(max_length=50, description="Tags to group forms by.")
]
Remarks = Annotated[
    str, Meta(max_length=2000, description="What is new in this version, for the people who manage it.")
]
_PUBLIC_LINK = Meta(
    description="The limits of the public link and, except `onePer`, of invites. They do not apply to API keys and"
    " tasks."
)
_FOLDER = Meta(description="The folder that contains the form, or null at the top level.")


class FormCreate(RequestBody):
    """A new form and its first version, created from `fields` or from a template."""

    name: Annotated[Name | None, Meta(description="The name. Required with `fields`; default: the template's.")] = None
    fields: Fields | None = None
    template_id: Annotated[
        TemplateId | None, Meta(description="The template to create the form from, instead of `fields`.")
    ] = None
    description: Description | None = None
    folder_id: Annotated[FolderId | None, _FOLDER] = None
    tags: Tags = []
    external_id: Annotated[
        ExternalId | None, Meta(description="Your own id. Must be unique among the forms of the account.")
    ] = None
    xform_id: Annotated[
        XformId | None,
        Meta(
            description="The `form_id` by which the form is known in XLSForm files. Must be unique within the account."
            " Default: made from the name."
        ),
    ] = None
    settings: FormSettings | None = None
    public_link: Annotated[PublicLinkWrite | None, _PUBLIC_LINK] = None
    publish: Annotated[
        bool, Meta(description="Publish the version, so that people can fill in the form; otherwise it is a draft.")
    ] = False

    def draft(self, template: models.Template | None) -> models.NewForm:
        """Return the draft of the form. What the body omits comes from the template."""
        definition = template.definition if template else None
        return models.NewForm(
            name=self.name or (template.name if template else ""),
            description=(template.description if template else "") if self.description is None else self.description,
            tags=self.tags or (template.tags if template else ()),
            fields=self.fields or (definition.fields if definition else []),
            settings=self.settings or (definition.settings if definition else FormSettings()),
            publish=self.publish,
            folder_id=self.folder_id,
            external_id=self.external_id,
            xform_id=self.xform_id,
            public_link=self.public_link.to_domain() if self.public_link else NO_LIMITS,
        )


class FormUpdate(RequestBody):
    """The properties of a form to change. Those you omit stay unchanged."""

    name: Annotated[Name, Meta(description="The name of the form.")] | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    folder_id: Annotated[
        FolderId | UnsetType | None, Meta(description="The folder to move the form to; null: the top level.")
    ] = UNSET
    tags: Tags | UnsetType = UNSET
    external_id: Annotated[ExternalId | UnsetType | None, Meta(description="Your own id; null removes it.")] = UNSET
    xform_id: XformId | UnsetType = UNSET
    status: Annotated[
        FormStatus | UnsetType,
        Meta(description="`ARCHIVED`: the form accepts no more submissions. `ACTIVE` restores it."),
    ] = UNSET
    public_link: Annotated[
        PublicLinkWrite | UnsetType | None,
        Meta(description="The new limits of the public link, as a whole; null removes all of them."),
    ] = UNSET
    fields: Annotated[
        Fields | UnsetType,
        Meta(
            description="The new fields. They go into the newest version if that is a draft, otherwise into a new one."
        ),
    ] = UNSET
    settings: Annotated[
        FormSettings | UnsetType,
        Meta(description="The new settings, as a whole. They go into the same version as `fields`."),
    ] = UNSET
    publish: Annotated[
        bool,
        Meta(description="Publish the newest version, which must be a draft, with the changes of this request."),
    ] = False

    def change(self) -> models.FormChange:
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
            external_id=self.external_id,
            xform_id=value_or_none(self.xform_id),
            public_link=self._new_public_link(),
        )

    def _new_public_link(self) -> link_limits.PublicLink | None:
        if isinstance(self.public_link, UnsetType):
            return None
        return self.public_link.to_domain() if self.public_link else NO_LIMITS


class FormUpsert(FormUpdate, kw_only=True):
    """A form by your own id. A new one requires `name` and `fields`; what you omit of another stays unchanged."""

    external_id: ExternalId

    def to_domain(self) -> models.NewForm:
        """Return the form to create. Raises `Invalid` if a required property is missing."""
        require(self, "name", "fields")
        properties = {name: value for name, value in msgspec.to_builtins(self).items() if name != "status"}
        return msgspec.convert(properties, FormCreate).draft(None)


class FormVersionWrite(RequestBody):
    """The content of a form version. Settings and remarks that you omit stay those of the draft.

    A new version gets the settings of the newest one, and no remarks.
    """

    fields: Fields
    settings: FormSettings | UnsetType = UNSET
    remarks: Remarks | UnsetType = UNSET


class ValidationResult(Resource):
    """The result of checking a form definition."""

    valid: Annotated[bool, Meta(description="Whether the definition has no errors.")]
    errors: Annotated[list[ValidationError], Meta(description="All errors of the definition.")]


class FieldChange(Resource):
    """The change of one field between two versions."""

    kind: ChangeKind
    before: Annotated[str | None, Meta(description="The name of the field in the older version; null if it was added.")]
    after: Annotated[
        str | None, Meta(description="The name of the field in the newer version; null if it was removed.")
    ]
    members: Annotated[list[str], Meta(description="The names of the properties that changed.")]
    breaking: Annotated[bool, Meta(description="Whether programs that read the answers have to be adapted.")]
    submissions: Annotated[int, Meta(description="The number of stored submissions with an answer to the older field.")]


class FormVersionChanges(Resource):
    """The differences between two versions of a form."""

    since: Annotated[VersionId, Meta(description="The older version.")]
    version_id: Annotated[VersionId, Meta(description="The newer version.")]
    breaking: Annotated[bool, Meta(description="Whether any of the changes is breaking.")]
    changes: Annotated[list[FieldChange], Meta(description="The changes of fields.")]


class Form(Resource):
    """A form. Its fields and settings are in its versions."""

    id: FormId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the form.")]
    description: Description
    folder_id: Annotated[FolderId | None, _FOLDER]
    status: FormStatus
    tags: Tags
    external_id: Annotated[str | None, Meta(description="Your own id for the form.")]
    xform_id: Annotated[
        str | None,
        Meta(
            description="The `form_id` by which the form is known in XLSForm files; null for a form that was created"
            " before forms had one, and never renamed since. An export makes it from the name then."
        ),
    ]
    published_version_id: Annotated[
        VersionId | None, Meta(description="The version that people fill in, or null before the first is published.")
    ]
    fill_path: Annotated[
        str, Meta(description="The path of the page on which people fill in the form, relative to the server.")
    ]
    public_link: Annotated[PublicLink, _PUBLIC_LINK]
    created: Created
    updated: Updated
    revision: Revision


AuthorId = Annotated[
    str | None, Meta(description="The id of the user or the API key; null for Formwright itself and its command line.")
]


class FormVersion(Resource):
    """A version of a form. Final versions never change."""

    id: VersionId
    form_id: FormId
    number: Annotated[int, Meta(description="Counts the versions of the form, from 1.")]
    status: VersionStatus
    remarks: Annotated[str, Meta(description="What is new in this version.")]
    fields: Fields
    settings: FormSettings
    created: Created
    created_by: AuthorId
    updated: Updated
    updated_by: AuthorId
    revision: Revision


def form(record: models.Form) -> Form:
    return Form.of(record, fill_path=f"/fill/{record.link}", public_link=PublicLink.of(record.public_link))


def version(record: models.Version) -> FormVersion:
    return FormVersion.of(record, fields=record.definition.fields, settings=record.definition.settings)


def field_change(record: FieldDiff, submissions: int) -> FieldChange:
    return FieldChange.of(record, members=list(record.properties), breaking=record.is_breaking, submissions=submissions)


class FormQuery(ChangesQuery):
    """Filters of the list of forms. Periods are half-open: from <= t < to."""

    name: Annotated[Name | None, Meta(description="Only forms with exactly this name.")] = None
    q: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(description="Only forms whose name contains this text, ignoring case."),
    ] = None
    status: Annotated[FormStatus | None, Meta(description="Only forms with this status.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Only the form with this external id.")] = None

    folder_id: Annotated[
        FolderId | None, Meta(description="Only forms in this folder and in the folders below it.")
    ] = None
    datasource_id: Annotated[
        DatasourceId | None,
        Meta(description="Only forms that use this data source in their published version or newest draft."),
    ] = None

    def to_filter(self) -> models.FormFilter:
        return models.FormFilter(
            status=self.status,
            text=self.q or "",
            datasource_id=self.datasource_id,
            name=self.name,
            external_id=self.external_id,
            times=self.times(),
        )


class VersionChangesQuery(msgspec.Struct, rename="camel"):
    """The older version of a comparison."""

    since: Annotated[VersionId | None, Meta(description="The older version. Default: the previous version.")] = None
