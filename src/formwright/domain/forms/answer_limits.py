"""Upper bounds for the size of answers, which are checked before rules and schema."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from formwright.core.errors import ValidationFault
from formwright.core.json_schema_errors import Messages, count_values, to_fault
from formwright.domain.forms.answer_schema import (
    DEFAULT_MAX_LENGTH,
    MAX_KEY_LENGTH,
    MAX_POINTS,
    max_calculated_choices,
)
from formwright.domain.forms.definition import (
    AnyField,
    AreaField,
    AudioField,
    ChoiceField,
    ChoicesField,
    EmailField,
    FileField,
    LineField,
    LocationField,
    LookupField,
    LookupsField,
    NoteField,
    PhotoField,
    RankingField,
    RepeatField,
    SectionField,
    TextareaField,
    TextField,
    UrlField,
    VideoField,
    flatten_sections,
)

MAX_TEXT_LENGTH = 100_000
"""The most characters of any answer."""
MAX_ROWS = 200
"""The most rows of any repeat."""
_TOLERANCE = 500
"""How many values too many are left to the schema, whose errors are more specific."""
_MAX_CHARACTER_BYTES = 6
"""JSON escapes a control character with six bytes; UTF-8 has at most four per character."""
_OTHER_MAX_LENGTH = 600
"""The most characters of answers without a limit of their own, such as numbers, dates, ids and barcodes."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a JSON document: the number of values, including arrays and objects, and bytes."""

    values: int
    bytes: int

    def times(self, count: int) -> "Size":
        return Size(self.values * count, self.bytes * count)


_LOCATION_SIZE = Size(4, _OTHER_MAX_LENGTH)
_KEY_SIZE = Size(3, 2 * (_OTHER_MAX_LENGTH * _MAX_CHARACTER_BYTES + 3))
"""The key of a row and, in `seen`, the key again with its version."""


def max_size(fields: Sequence[AnyField]) -> Size:
    """Return the maximum size of the answers to these fields, including the versions of the rows chosen in lookups."""
    sizes = [_property_size(field) for field in answerable_fields(fields).values()]
    return Size(1 + sum(size.values for size in sizes), 2 + sum(size.bytes for size in sizes))


def answerable_fields(fields: Sequence[AnyField]) -> dict[str, AnyField]:
    """Return the fields that have answers by their names, including those inside sections, but not those of repeats."""
    return {field.name: field for field in flatten_sections(fields) if not isinstance(field, NoteField | SectionField)}


def _property_size(field: AnyField) -> Size:
    size = _answer_size(field)
    return Size(size.values, size.bytes + len(field.name) + 4)


def _answer_size(field: AnyField) -> Size:
    match field:
        case RepeatField():
            return max_size(field.fields).times(field.max)
        case ChoicesField(calculate=str()) | RankingField(calculate=str()):
            return Size(1, _text_size(MAX_KEY_LENGTH)).times(max_calculated_choices(field) + 1)
        case ChoiceField(calculate=str()):
            return Size(1, _text_size(MAX_KEY_LENGTH))
        case ChoicesField() | RankingField():
            return Size(len(field.options) + 1, sum(_text_size(len(option.value)) for option in field.options))
        case ChoiceField():
            return Size(1, max(_text_size(len(option.value)) for option in field.options))
        case PhotoField() | AudioField() | VideoField() | FileField():
            return Size(field.max_files + 1, field.max_files * _text_size(30))
        case LocationField():
            return _LOCATION_SIZE
        case LineField() | AreaField():
            return Size(_LOCATION_SIZE.values * MAX_POINTS + 1, _LOCATION_SIZE.bytes * MAX_POINTS)
        case LookupField():
            return _KEY_SIZE
        case LookupsField():
            return Size(_KEY_SIZE.values * field.most + 1, _KEY_SIZE.bytes * field.most)
    return Size(1, _text_size(max_text_length(field)))


def _text_size(characters: int) -> int:
    return characters * _MAX_CHARACTER_BYTES + 3


def max_text_length(field: AnyField) -> int:
    """Return how many characters an answer to this field may have."""
    match field:
        case TextField() | TextareaField():
            return DEFAULT_MAX_LENGTH if field.max_length is UNSET else field.max_length
        case UrlField():
            return 2048
        case EmailField():
            return 254
    return _OTHER_MAX_LENGTH


def find_oversized(
    fields: Mapping[str, AnyField], data: Mapping[str, Any], path: Path, words: Messages
) -> Iterator[ValidationFault]:
    """Yield a validation error for whatever is larger than any answer to these `answerable_fields` can be."""
    if len(data) > len(fields) + _TOLERANCE:
        yield from (to_fault("additionalProperties", (*path, name), words) for name in data if name not in fields)
    for name, value in data.items():
        if isinstance(value, str | list | dict) and (field := fields.get(name)):
            yield from _check_size(field, value, (*path, name), words)


def _max_values(field: AnyField) -> int:
    match field:
        case RepeatField():
            return MAX_ROWS
        case LookupsField():
            return field.most
    return _answer_size(field).values


def _check_size(field: AnyField, value: Any, path: Path, words: Messages) -> Iterator[ValidationFault]:
    if isinstance(value, str):
        if len(value) > MAX_TEXT_LENGTH:
            yield to_fault("maxLength", path, words, limit=MAX_TEXT_LENGTH)
    elif isinstance(field, RepeatField) and isinstance(value, list) and len(value) <= MAX_ROWS:
        fields = answerable_fields(field.fields)
        for index, row in enumerate(value):
            if isinstance(row, dict):
                yield from find_oversized(fields, row, (*path, index), words)
            elif count_values(row, _TOLERANCE) >= _TOLERANCE:
                yield to_fault("maxItems", (*path, index), words, limit=_TOLERANCE)
    else:
        most = _max_values(field)
        if count_values(value, most + _TOLERANCE + 1) > most + _TOLERANCE:
            yield to_fault("maxItems", path, words, limit=most)
