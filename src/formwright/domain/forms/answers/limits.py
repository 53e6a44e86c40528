"""Upper bounds for the size of answers, which are checked before rules and schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwright.core.errors import ValidationFault
from formwright.core.json_schema_errors import Messages, count_values, to_fault
from formwright.domain.forms.fields import MAX_ROWS, AnyField, RepeatField, answerable_fields

MAX_TEXT_LENGTH = 100_000
"""The most characters of any answer."""
_TOLERANCE = 500
"""How many values too many are left to the schema, whose errors are more specific."""
Path = tuple[str | int, ...]


def find_oversized(
    fields: Mapping[str, AnyField], data: Mapping[str, Any], path: Path, words: Messages
) -> Iterator[ValidationFault]:
    """Yield a validation error for whatever is larger than any answer to these `answerable_fields` can be."""
    if len(data) > len(fields) + _TOLERANCE:
        yield from (to_fault("additionalProperties", (*path, name), words) for name in data if name not in fields)
    for name, value in data.items():
        if isinstance(value, str | list | dict) and (field := fields.get(name)):
            yield from _check_size(field, value, (*path, name), words)


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
        most = field.max_values
        if count_values(value, most + _TOLERANCE + 1) > most + _TOLERANCE:
            yield to_fault("maxItems", path, words, limit=most)
