"""Schemas of form templates and folders."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    FolderId,
    FormId,
    Name,
    RequestBody,
    Resource,
    Revision,
    TemplateId,
    Updated,
)
from formwright.api.v1_0.schemas.forms import Description, Fields, Tags
from formwright.domain.forms import models
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.form_settings import FormSettings, Language
from formwright.domain.forms.templates import NewTemplate


class TemplateWrite(RequestBody):
    """A form template: a definition from which forms can be created."""

    name: Annotated[Name, Meta(description="The name of the template.")]
    fields: Fields
    description: Description = ""
    language: Language = "en"
    tags: Tags = []
    settings: FormSettings | None = None

    def to_domain(self) -> NewTemplate:
        definition = Definition(self.fields, self.settings or FormSettings(language=self.language))
        return NewTemplate(self.name, self.description, self.language, self.tags, definition)


class Template(Resource):
    """A form template: a definition from which forms can be created."""

    id: TemplateId
    is_global: Annotated[
        bool, Meta(description="True for the templates that come with Formwright, which every account has.")
    ] = msgspec.field(name="global")
    name: Annotated[str, Meta(description="The name of the template.")]
    description: Description
    language: Annotated[str, Meta(description="The language of the template (BCP 47).", examples=["en"])]
    tags: Tags
    fields: Fields
    settings: FormSettings
    created: Created
    updated: Updated
    revision: Revision


_PARENT = Meta(description="The folder that contains this one, or null at the top level.")


class FolderWrite(RequestBody):
    """A folder."""

    name: Annotated[Name, Meta(description="The name, which must be unique within the parent folder.")]
    parent_id: Annotated[FolderId | None, _PARENT] = None


class FolderMove(RequestBody):
    """The forms to move into a folder."""

    form_ids: Annotated[list[FormId], Meta(min_length=1, max_length=1000, description="The ids of the forms.")]


class Folder(Resource):
    """A folder of forms and other folders."""

    id: FolderId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the folder.")]
    parent_id: Annotated[FolderId | None, _PARENT]
    created: Created
    updated: Updated
    revision: Revision


def template(record: models.Template) -> Template:
    return Template.of(
        record,
        is_global=record.customer_id is None,
        fields=record.definition.fields,
        settings=record.definition.settings,
    )
