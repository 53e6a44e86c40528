"""Fields whose answers are keys of rows of a data source."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import (
    MAX_KEY_LENGTH,
    OTHER_MAX_LENGTH,
    Column,
    DatasourceId,
    Field,
    FieldName,
    Json,
    Size,
)

_KEY_SIZE = Size(3, 2 * Size.of_text(OTHER_MAX_LENGTH).bytes)
"""The key of a row and, in `seen`, the key again with its version."""


class _RowsField(Field, frozen=True, kw_only=True):
    """The properties of fields that offer the rows of a data source."""

    accepts_default_rule: ClassVar[bool] = False
    datasource_id: DatasourceId
    display: Annotated[
        list[Column], Meta(max_length=10, description="The columns to display. Default: the key column.")
    ] = msgspec.field(default_factory=list)
    filter: Annotated[
        dict[Column, FieldName],
        Meta(description="Offer only rows whose columns equal other answers: field names by column."),
    ] = msgspec.field(default_factory=dict)


class LookupField(_RowsField, tag="lookup", frozen=True, kw_only=True):
    """A row of a data source. The answer is the key of the row."""

    mapping: Annotated[
        dict[Column, FieldName],
        Meta(description="Columns of the chosen row that fill in other fields: field names by column."),
    ] = msgspec.field(default_factory=dict)

    def typed_schema(self) -> Json:
        return {"type": "string", "maxLength": MAX_KEY_LENGTH}

    def max_answer_size(self) -> Size:
        return _KEY_SIZE


MAX_LOOKUP_ROWS = 100
"""The most rows of a data source that an answer can name."""


class LookupsField(_RowsField, tag="lookups", frozen=True, kw_only=True):
    """Several rows of a data source. The answer is the list of their keys."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    min_choices: (
        Annotated[int, Meta(ge=1, le=MAX_LOOKUP_ROWS, description="The minimum number of rows of an answer.")]
        | UnsetType
    ) = UNSET
    max_choices: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_LOOKUP_ROWS,
                description=f"The maximum number of rows of an answer. Default: {MAX_LOOKUP_ROWS}.",
            ),
        ]
        | UnsetType
    ) = UNSET

    @property
    def most(self) -> int:
        """The maximum number of rows of an answer."""
        return MAX_LOOKUP_ROWS if self.max_choices is UNSET else self.max_choices

    def typed_schema(self) -> Json:
        key = {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH}
        shape: Json = {"type": "array", "items": key, "uniqueItems": True, "maxItems": self.most}
        least = max(self.min_choices or 0, 1 if self.required else 0)
        return shape | ({"minItems": least} if least else {})

    def max_answer_size(self) -> Size:
        return Size(_KEY_SIZE.values * self.most + 1, _KEY_SIZE.bytes * self.most)


RowsField = LookupField | LookupsField
"""The fields whose answers are keys of rows of a data source."""
