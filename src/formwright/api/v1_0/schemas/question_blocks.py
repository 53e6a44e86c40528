"""Schemas of question blocks."""

from typing import Annotated

from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    BlockId,
    Created,
    CustomerId,
    FormId,
    Name,
    RequestBody,
    Resource,
    Revision,
    Updated,
)
from formwright.api.v1_0.schemas.forms import Fields
from formwright.domain.forms.form_settings import Language
from formwright.domain.forms.references import BlockUse
from formwright.domain.question_blocks import models
from formwright.domain.question_blocks.models import BlockContent, NewBlock

Description = Annotated[str, Meta(max_length=2000, description="A description for the people who build forms.")]
Questions = Annotated[
    Fields, Meta(description="The fields of the block, in order. Rules refer to fields of the block.")
]
_LANGUAGE = Meta(description="The language of texts that are not translated (BCP 47).", examples=["en"])
Number = Annotated[int, Meta(ge=1, le=2**53, description="The number of a version, beginning with 1.")]


class QuestionBlockQuery(PageQuery, kw_only=True):
    """Filters of the list of question blocks."""

    q: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(description="Only blocks whose name contains this text, ignoring case."),
    ] = None


class QuestionBlockVersionQuery(PageQuery, kw_only=True):
    """Filters of the list of versions."""

    number: Annotated[Number | None, Meta(description="Only the version with this number.")] = None


class QuestionBlockWrite(RequestBody):
    """A question block: fields that many forms use."""

    name: Annotated[Name, Meta(description="The name of the block.")]
    fields: Questions
    description: Description = ""
    language: Annotated[Language, _LANGUAGE] = "en"

    def to_domain(self) -> NewBlock:
        return NewBlock(self.name, self.description, BlockContent(self.fields, self.language))


class QuestionBlock(Resource):
    """A question block: fields that many forms use."""

    id: BlockId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the block.")]
    description: Description
    version: Annotated[Number, Meta(description="The number of the newest version.")]
    fields: Questions
    language: Annotated[str, _LANGUAGE]
    created: Created
    updated: Updated
    revision: Revision


class QuestionBlockVersion(Resource):
    """A version of a question block."""

    number: Number
    fields: Questions
    language: Annotated[str, _LANGUAGE]
    created: Created
    created_by: Annotated[
        str | None, Meta(description="The id of the user or API key that created the version, if there is one.")
    ]


class QuestionBlockUse(Resource):
    """A form with fields of a question block."""

    form_id: FormId
    name: Annotated[str, Meta(description="The name of the form.")]
    published: Annotated[
        list[Number], Meta(description="The versions of the block whose fields the published version of the form has.")
    ]
    draft: Annotated[
        list[Number],
        Meta(description="The same for the newest version of the form, if that is a draft; otherwise empty."),
    ]
    update_available: Annotated[
        bool,
        Meta(
            description="Whether the draft or, without one, the published version has fields of an older version of the"
            " block than the newest one."
        ),
    ]


def block(record: models.QuestionBlock) -> QuestionBlock:
    return QuestionBlock.of(record, fields=record.content.fields, language=record.content.language)


def version(record: models.BlockVersion) -> QuestionBlockVersion:
    return QuestionBlockVersion.of(record, fields=record.content.fields, language=record.content.language)


def use(record: BlockUse, newest: int) -> QuestionBlockUse:
    return QuestionBlockUse(
        form_id=record.form.id,
        name=record.form.name,
        published=list(record.published),
        draft=list(record.draft),
        update_available=record.is_outdated(newest),
    )
