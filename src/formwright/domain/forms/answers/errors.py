"""Validation of answers against the JSON Schema of a version."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import jsonschema_rs
from msgspec import UNSET

from formwright.core.errors import MAX_ERRORS, ValidationFault
from formwright.core.json_schema_errors import MAX_VALUES_AT_ONCE, Messages, count_values, to_fault, validation_errors
from formwright.domain.forms.fields import AnyField, RepeatField, flatten_sections, walk_fields
from formwright.domain.forms.fields.patterns import matches
from formwright.domain.forms.fields.structure import object_schema

Path = tuple[str | int, ...]


class AnswerValidator:
    """Validates answers against the schema of fields.

    Large answers are validated field by field, because the validator finds all errors of a value before it returns any.
    """

    def __init__(self, fields: Sequence[AnyField], words: Messages) -> None:
        self._schema, self._messages = object_schema(fields), words
        self._validator = compile_schema(self._schema, fields)
        self._fields = {
            field.name: field for field in flatten_sections(fields) if field.name in self._schema["properties"]
        }
        self._field_validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._row_validators: dict[str, AnswerValidator] = {}

    def find_errors(self, answers: Mapping[str, Any], path: Path) -> list[ValidationFault]:
        """Return the validation errors: at most one more than a response lists."""
        # Most answers are valid. `is_valid` is faster than collecting errors, because it stops at the first one.
        if _is_valid(self._validator, answers):
            return []
        return list(islice(self._errors(answers, path), MAX_ERRORS + 1))

    def is_valid_answer(self, field: AnyField, value: Any) -> bool:
        """Whether a value is a valid answer of a field of the form, also of one in a repeat."""
        return self._field_validator(field).is_valid(value)

    def _errors(self, answers: Any, path: Path) -> Iterator[ValidationFault]:
        if not isinstance(answers, dict) or count_values(answers, MAX_VALUES_AT_ONCE) < MAX_VALUES_AT_ONCE:
            yield from validation_errors(self._validator, answers, path, self._messages)
            return
        for name in self._schema["required"]:
            if name not in answers:
                yield self._error((*path, name), "required")
        for name, value in answers.items():
            if name in self._fields:
                yield from self._field_errors(self._fields[name], value, (*path, name))
            else:
                yield self._error((*path, name), "additionalProperties")

    def _field_errors(self, field: AnyField, value: Any, path: Path) -> Iterator[ValidationFault]:
        """Yield the errors in the answer to a field. The rows of a repeat are validated one by one."""
        if not isinstance(field, RepeatField) or not isinstance(value, list):
            yield from validation_errors(self._field_validator(field), value, path, self._messages)
            return
        limits = field.answer_schema()
        if len(value) < limits["minItems"]:
            yield self._error(path, "minItems", limit=limits["minItems"])
        if len(value) > limits["maxItems"]:
            yield self._error(path, "maxItems", limit=limits["maxItems"])
        row = self._row_validator(field)
        for index, one in enumerate(value):
            if not _is_valid(row._validator, one):
                yield from row._errors(one, (*path, index))

    def _error(self, path: Path, keyword: str, **values: object) -> ValidationFault:
        return to_fault(keyword, path, self._messages, **values)

    def _field_validator(self, field: AnyField) -> jsonschema_rs.Draft202012Validator:
        if field.name not in self._field_validators:
            self._field_validators[field.name] = compile_schema(field.answer_schema(), [field])
        return self._field_validators[field.name]

    def _row_validator(self, field: RepeatField) -> "AnswerValidator":
        if field.name not in self._row_validators:
            self._row_validators[field.name] = AnswerValidator(field.fields, self._messages)
        return self._row_validators[field.name]


class _Pattern:
    """The keyword `pattern`, evaluated by RE2 as in the page. The message of an error is the pattern."""

    def __init__(self, _parent_schema: object, value: str, _schema_path: object) -> None:
        self._pattern = value

    def validate(self, instance: object) -> None:
        if isinstance(instance, str) and not matches(self._pattern, instance):
            raise ValueError(self._pattern)


def compile_schema(schema: dict[str, Any], fields: Sequence[AnyField]) -> jsonschema_rs.Draft202012Validator:
    """Compile the schema of answers to these fields.

    The library's own engine evaluates built-in patterns, such as that of telephone numbers, because that is ten times
    faster than calling Python. It reads `\\s` and `\\b` differently, so if the form has patterns, RE2 evaluates all of
    them.
    """
    has_pattern = any(field.pattern is not UNSET for field in walk_fields(fields))
    keywords: dict[str, Any] | None = {"pattern": _Pattern} if has_pattern else None
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, pattern_options=jsonschema_rs.RegexOptions(), keywords=keywords
    )


def _is_valid(validator: jsonschema_rs.Draft202012Validator, value: Any) -> bool:
    try:
        return validator.is_valid(value)
    except ValueError:
        # The value is nested too deeply for the validator.
        return False
