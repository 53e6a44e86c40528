"""Forms and versions."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.wire.basics import Name, Request, Resource, Timestamp
from formwright.api.v1_0.wire.ids import CustomerId, FolderId, FormId, VersionId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.forms import model
from formwright.domain.forms.definition import AnyField, FormSettings
from formwright.domain.forms.model import FormStatus, VersionStatus

Fields = Annotated[list[AnyField], Meta(description="What is asked, in this order; 500 fields at most.")]
Tag = Annotated[str, Meta(min_length=1, max_length=50)]


class FormCreate(Request):
    """A new form with its first version."""

    name: Name
    fields: Fields
    description: Annotated[str, Meta(max_length=2000)] = ""
    tags: Annotated[list[Tag], Meta(max_length=50)] = []
    settings: FormSettings = msgspec.field(default_factory=FormSettings)
    publish: Annotated[bool, Meta(description="Make the version final and open the form to be filled.")] = False

    def draft(self) -> model.Draft:
        """What the domain makes a form from."""
        return model.Draft(self.name, self.description, self.tags, self.fields, self.settings, self.publish)


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


class Version(Resource):
    """A version of a form. A final one never changes again."""

    id: VersionId
    form_id: FormId
    number: int
    status: VersionStatus
    remarks: str
    fields: Fields
    settings: FormSettings
    created: Timestamp
    updated: Timestamp
    revision: int


def form(record: model.Form) -> Form:
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


def version(record: model.Version) -> Version:
    """The record as the API shows it."""
    return Version(
        id=record.id,
        form_id=record.form_id,
        number=record.number,
        status=record.status,
        remarks=record.remarks,
        fields=record.definition.fields,
        settings=record.definition.settings,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
