"""Converts JSON Schema errors to validation errors with stable codes and readable messages."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import jsonschema_rs

from formwright.core.errors import MAX_ERRORS, ValidationFault, pointer

Messages = Mapping[str, str]
"""Messages by JSON Schema keyword, with the library's error properties in braces.

`type.…` and `format.…` are the names of types and formats, `or` joins alternatives, and `more` follows a list that is
truncated. A type or format without a name appears as it is written in the schema.
"""

CODES = {
    "type": "value.type",
    "enum": "value.choice",
    "const": "value.choice",
    "required": "value.required",
    "additionalProperties": "value.unknown",
    "minLength": "value.too_short",
    "maxLength": "value.too_long",
    "minimum": "value.too_small",
    "maximum": "value.too_great",
    "exclusiveMinimum": "value.too_small",
    "exclusiveMaximum": "value.too_great",
    "minItems": "value.too_few",
    "maxItems": "value.too_many",
    "minProperties": "value.too_few",
    "maxProperties": "value.too_many",
    "uniqueItems": "value.repeated",
    "exclusive": "value.choice.exclusive",
    "format": "value.format",
    "pattern": "value.pattern",
    "inexact": "value.inexact",
}

ENGLISH: Messages = {
    "type": "This must be {types}.",
    "enum": "This must be one of {options}.",
    "const": "This must be {expected_value}.",
    "required": "This is required.",
    "additionalProperties": "This property is not supported.",
    "minLength": "This must have at least {limit} characters.",
    "maxLength": "This may have at most {limit} characters.",
    "minimum": "This must be at least {limit}.",
    "maximum": "This must be at most {limit}.",
    "exclusiveMinimum": "This must be more than {limit}.",
    "exclusiveMaximum": "This must be less than {limit}.",
    "minItems": "This must have at least {limit} items.",
    "maxItems": "This may have at most {limit} items.",
    "minProperties": "This must have at least {limit} properties.",
    "maxProperties": "This may have at most {limit} properties.",
    "uniqueItems": "Items must not be repeated.",
    "exclusive": "One of these items must be the only one.",
    "format": "This is not a valid {format}.",
    "pattern": "This must match {pattern}.",
    "invalid": "This value is not valid.",
    "too_deep": "This is nested too deeply.",
    "inexact": "This number has more digits than can be stored exactly. Send at most {limit} digits.",
    "or": " or ",
    "more": " or {count} more",
}
MAX_VALUES_AT_ONCE = 500
"""How many values may be validated in one call, which takes up to 20 ms."""
_MAX_LISTED = 20
_MAX_MESSAGE = 500


def count_values(value: Any, limit: int) -> int:
    """Return the number of values in a JSON value, including itself. Stops counting at about `limit`."""
    count, pending = 0, [value]
    while pending and count < limit:
        current = pending.pop()
        count += 1
        if isinstance(current, dict | list):
            # Never copy more than `limit` items of a long list.
            pending += islice(current.values() if isinstance(current, dict) else current, limit)
    return count


def validation_errors(
    validator: jsonschema_rs.Draft202012Validator,
    instance: Any,
    steps: tuple[str | int, ...] = (),
    messages: Messages = ENGLISH,
) -> list[ValidationFault]:
    """Return the validation errors of `instance` in document order; `steps` is its path from the root of the request.

    Returns at most one more than `MAX_ERRORS`, which tells `Invalid` that there are more. The validator itself does not
    stop early, and it holds the GIL: do not pass more than `MAX_VALUES_AT_ONCE` values.
    """
    translator = _ErrorTranslator(steps, messages)
    try:
        found = (fault for error in validator.iter_errors(instance) for fault in translator.faults(error))
        return list(islice(found, MAX_ERRORS + 1))
    except ValueError:
        # The validator supports 255 levels of nesting and rejects deeper instances as a whole.
        return [ValidationFault(pointer(*steps), "value.too_deep", messages["too_deep"])]


def to_fault(keyword: str, path: tuple[str | int, ...], messages: Messages, **values: object) -> ValidationFault:
    """Return the error for a schema's `keyword` at `path`. Its message is formatted with `values`."""
    sentence = messages[keyword if keyword in CODES else "invalid"]
    return ValidationFault(pointer(*path), CODES.get(keyword, "value.invalid"), sentence.format_map(values))


def _keyword(error: jsonschema_rs.ValidationError) -> str:
    """Return the keyword of the schema, or `exclusive` for a limit that only applies to lists with certain items."""
    match error.schema_path[-4:]:
        case ["allOf", int(), "then", "maxItems"]:
            return "exclusive"
    return error.kind.name


class _ErrorTranslator:
    """Converts errors of the library to validation errors, with the messages of one language."""

    def __init__(self, steps: tuple[str | int, ...], words: Messages) -> None:
        self._steps = steps
        self._words = words

    def faults(self, error: jsonschema_rs.ValidationError) -> Iterator[ValidationFault]:
        path = (*self._steps, *error.instance_path)
        kind = error.kind.as_dict()
        match error.kind.name:
            case "additionalProperties":
                # The message does not list the names, because one error may contain every property of a body.
                for name in kind["unexpected"]:
                    yield to_fault("additionalProperties", (*path, name), self._words)
            case "required":
                yield self._fault((*path, kind["property"]), error, kind)
            case "propertyNames":
                said = kind["error"].message[:_MAX_MESSAGE]
                yield ValidationFault(pointer(*path), "value.name", f"A property name is not valid: {said}.")
            case "anyOf" | "oneOf":
                yield from self._closest(error, kind["context"])
            case _:
                yield self._fault(path, error, kind)

    def _closest(
        self, error: jsonschema_rs.ValidationError, branches: list[list[jsonschema_rs.ValidationError]]
    ) -> Iterator[ValidationFault]:
        """Yield the errors of the branch whose type matches, so that a wrong property of an optional object is reported
        rather than the whole object."""
        depth = len(error.instance_path)
        wrong_type = [
            [e for e in branch if e.kind.name == "type" and len(e.instance_path) == depth] for branch in branches
        ]
        for branch, wrong in zip(branches, wrong_type, strict=True):
            if not wrong:
                yield from (fault for inner in branch for fault in self.faults(inner))
                return
        types = [name for wrong in wrong_type for e in wrong for name in e.kind.as_dict()["types"]]
        detail = self._words["type"].format(types=self._words["or"].join(self._translate_names("type", types)))
        yield ValidationFault(pointer(*self._steps, *error.instance_path), "value.type", detail)

    def _fault(
        self, path: tuple[str | int, ...], error: jsonschema_rs.ValidationError, kind: dict[str, Any]
    ) -> ValidationFault:
        if "message" in kind:
            # A keyword that is implemented in Python, whose errors have the value of the keyword as their message.
            kind = {error.kind.name: kind["message"]}
        said = {member: self._format_value(member, value) for member, value in kind.items()}
        return to_fault(_keyword(error), path, self._words, **said)

    def _format_value(self, member: str, value: Any) -> str:
        if member == "format":
            return self._translate_names("format", [value])[0]
        if not isinstance(value, list | tuple | set):
            return str(value)
        first = list(islice(value, _MAX_LISTED))
        items = self._translate_names("type", first) if member == "types" else [str(item) for item in first]
        more = self._words["more"].format(count=len(value) - _MAX_LISTED) if len(value) > _MAX_LISTED else ""
        return ", ".join(items) + more

    def _translate_names(self, what: str, names: Any) -> list[str]:
        return [self._words.get(f"{what}.{name}", str(name)) for name in names]
