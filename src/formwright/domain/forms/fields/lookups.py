"""Fields whose answers are keys of rows of a data source."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import (
    MAX_KEY_LENGTH,
    OTHER_MAX_LENGTH,
    Field,
    Json,
    Size,
    find_range_errors,
)
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, RowTexts, SearchContext
from formwright.domain.forms.fields.properties import Column, DatasourceId, FieldName

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

    def format_value(self, value: Any, context: DisplayContext) -> str:
        # Earlier versions may have asked for several rows, or for one.
        keys = value if isinstance(value, list) else [value]
        return ", ".join(self._format_row(str(key), context.rows) for key in keys)

    def _format_row(self, key: str, rows: RowTexts) -> str:
        """Return the columns that the respondent saw, followed by the key; only the key if the row is unknown."""
        texts = displayed_texts(self, key, rows)
        suffix = f" ({key})" if key not in texts else ""
        return " · ".join(texts) + suffix if texts else key

    def text_reader(self) -> ReadTexts:
        def read(value: Any, context: SearchContext) -> Iterable[str]:
            for key in value if isinstance(value, list) else [value]:
                if isinstance(key, str):
                    yield key
                    yield from displayed_texts(self, key, context.rows)

        return read


class LookupField(_RowsField, tag="lookup", frozen=True, kw_only=True):
    """A row of a data source. The answer is the key of the row."""

    can_fill_fields: ClassVar[bool] = True
    mapping: Annotated[
        dict[Column, FieldName],
        Meta(description="Columns of the chosen row that fill in other fields: field names by column."),
    ] = msgspec.field(default_factory=dict)

    def typed_schema(self) -> Json:
        return {"type": "string", "maxLength": MAX_KEY_LENGTH}

    def row_keys(self, answer: Any) -> Iterator[tuple[tuple[int, ...], str]]:
        if isinstance(answer, str) and answer:
            yield (), answer

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
    def max_values(self) -> int:
        return MAX_LOOKUP_ROWS if self.max_choices is UNSET else self.max_choices

    def typed_schema(self) -> Json:
        key = {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH}
        shape: Json = {"type": "array", "items": key, "uniqueItems": True, "maxItems": self.max_values}
        least = max(self.min_choices or 0, 1 if self.required else 0)
        return shape | ({"minItems": least} if least else {})

    def max_answer_size(self) -> Size:
        return Size(_KEY_SIZE.values * self.max_values + 1, _KEY_SIZE.bytes * self.max_values)

    def row_keys(self, answer: Any) -> Iterator[tuple[tuple[int, ...], str]]:
        for index, key in enumerate(answer if isinstance(answer, list) else ()):
            if isinstance(key, str) and key:
                yield (index,), key

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min_choices, self.max_choices, "minChoices maxChoices")


RowsField = LookupField | LookupsField
"""The fields whose answers are keys of rows of a data source."""


def displayed_texts(field: Field, key: str, rows: RowTexts) -> list[str]:
    """Return the cells that people see of a row, without empty ones; none if the row is unknown."""
    row = rows.get((field.datasource_id, key), {})
    return [text for column in field.display if (text := row.get(column))]
