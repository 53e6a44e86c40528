"""What a JSON Schema finds wrong, as faults with stable codes and words that a person understands."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from formwright.core.kernel.errors import Fault, pointer

Words = Mapping[str, str]
"""Sentences by keyword of JSON Schema, with the members of the library's account of the fault in braces.

`type.…` and `format.…` name what was asked for, `or` joins alternatives, `more` follows a list that is cut short. What
is missing is said as the schema says it.
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
    "format": "value.format",
    "pattern": "value.pattern",
}

ENGLISH: Words = {
    "type": "This must be {types}.",
    "enum": "This must be one of {options}.",
    "const": "This must be {expected_value}.",
    "required": "This is required.",
    "additionalProperties": "This is not known here.",
    "minLength": "This must have at least {limit} characters.",
    "maxLength": "This may have at most {limit} characters.",
    "minimum": "This must be at least {limit}.",
    "maximum": "This must be at most {limit}.",
    "exclusiveMinimum": "This must be more than {limit}.",
    "exclusiveMaximum": "This must be less than {limit}.",
    "minItems": "This must have at least {limit} items.",
    "maxItems": "This may have at most {limit} items.",
    "minProperties": "This must have at least {limit} members.",
    "maxProperties": "This may have at most {limit} members.",
    "uniqueItems": "No item may stand here twice.",
    "format": "This is no valid {format}.",
    "pattern": "This must match {pattern}.",
    "invalid": "This cannot be accepted here.",
    "too_deep": "This is nested too deeply.",
    "or": " or ",
    "more": " or {count} more",
}
_SHOWN = 20


def schema_faults(
    validator: jsonschema_rs.Draft202012Validator,
    instance: Any,
    steps: tuple[str | int, ...] = (),
    words: Words = ENGLISH,
) -> list[Fault]:
    """Every fault of `instance`, in the order of the document; `steps` lead to it from the root of the request."""
    saying = _Saying(steps, words)
    try:
        return [fault for error in validator.iter_errors(instance) for fault in saying.faults(error)]
    except ValueError:
        # The validator goes down 255 levels and then refuses the instance as a whole.
        return [Fault(pointer(*steps), "value.too_deep", words["too_deep"])]


class _Saying:
    """Faults from errors, in one language and from one place on."""

    def __init__(self, steps: tuple[str | int, ...], words: Words) -> None:
        self._steps = steps
        self._words = words

    def faults(self, error: jsonschema_rs.ValidationError) -> list[Fault]:
        path = (*self._steps, *error.instance_path)
        kind = error.kind.as_dict()
        match error.kind.name:
            case "additionalProperties":
                return [self._fault((*path, name), error, kind) for name in kind["unexpected"]]
            case "required":
                return [self._fault((*path, kind["property"]), error, kind)]
            case "propertyNames":
                said = kind["error"].message
                return [Fault(pointer(*path), "value.name", f"A name in here cannot be accepted: {said}.")]
            case "anyOf" | "oneOf":
                return self._closest(error, kind["context"])
            case _:
                return [self._fault(path, error, kind)]

    def _closest(
        self, error: jsonschema_rs.ValidationError, branches: list[list[jsonschema_rs.ValidationError]]
    ) -> list[Fault]:
        """The faults of the branch whose type fits, so that a wrong member of an optional object is what is named."""
        depth = len(error.instance_path)
        wrong_type = [
            [e for e in branch if e.kind.name == "type" and len(e.instance_path) == depth] for branch in branches
        ]
        for branch, wrong in zip(branches, wrong_type, strict=True):
            if not wrong:
                return [fault for inner in branch for fault in self.faults(inner)]
        types = [name for wrong in wrong_type for e in wrong for name in e.kind.as_dict()["types"]]
        detail = self._words["type"].format(types=self._words["or"].join(self._named("type", types)))
        return [Fault(pointer(*self._steps, *error.instance_path), "value.type", detail)]

    def _fault(self, path: tuple[str | int, ...], error: jsonschema_rs.ValidationError, kind: dict[str, Any]) -> Fault:
        name = error.kind.name
        said = {member: self._say(member, value) for member, value in kind.items()}
        sentence = self._words[name if name in CODES else "invalid"]
        return Fault(pointer(*path), CODES.get(name, "value.invalid"), sentence.format_map(said))

    def _say(self, member: str, value: Any) -> str:
        if member == "format":
            return self._named("format", [value])[0]
        if not isinstance(value, list | tuple | set):
            return str(value)
        items = self._named("type", value) if member == "types" else [str(item) for item in value]
        more = self._words["more"].format(count=len(items) - _SHOWN) if len(items) > _SHOWN else ""
        return ", ".join(items[:_SHOWN]) + more

    def _named(self, what: str, names: Any) -> list[str]:
        return [self._words.get(f"{what}.{name}", str(name)) for name in names]
