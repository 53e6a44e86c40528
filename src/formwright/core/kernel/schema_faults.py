"""What a JSON Schema finds wrong, as faults with stable codes and words that a person understands."""

from typing import Any

import jsonschema_rs

from formwright.core.kernel.errors import Fault, pointer

_WORDS = {
    "type": ("value.type", "This must be {types}."),
    "enum": ("value.choice", "This must be one of {options}."),
    "const": ("value.choice", "This must be {expected_value}."),
    "required": ("value.required", "This is required."),
    "additionalProperties": ("value.unknown", "This is not known here."),
    "minLength": ("value.too_short", "This must have at least {limit} characters."),
    "maxLength": ("value.too_long", "This may have at most {limit} characters."),
    "minimum": ("value.too_small", "This must be at least {limit}."),
    "maximum": ("value.too_great", "This must be at most {limit}."),
    "exclusiveMinimum": ("value.too_small", "This must be more than {limit}."),
    "exclusiveMaximum": ("value.too_great", "This must be less than {limit}."),
    "minItems": ("value.too_few", "This must have at least {limit} items."),
    "maxItems": ("value.too_many", "This may have at most {limit} items."),
    "minProperties": ("value.too_few", "This must have at least {limit} members."),
    "maxProperties": ("value.too_many", "This may have at most {limit} members."),
    "uniqueItems": ("value.repeated", "No item may stand here twice."),
    "format": ("value.format", "This is no valid {format}."),
    "pattern": ("value.pattern", "This must match {pattern}."),
}
_SHOWN = 20


def schema_faults(
    validator: jsonschema_rs.Draft202012Validator, instance: Any, steps: tuple[str | int, ...] = ()
) -> list[Fault]:
    """Every fault of `instance`, in the order of the document; `steps` lead to it from the root of the request."""
    try:
        return [fault for error in validator.iter_errors(instance) for fault in _faults(error, steps)]
    except ValueError:
        # The validator goes down 255 levels and then refuses the instance as a whole.
        return [Fault(pointer(*steps), "value.too_deep", "This is nested too deeply.")]


def _faults(error: jsonschema_rs.ValidationError, steps: tuple[str | int, ...]) -> list[Fault]:
    path = (*steps, *error.instance_path)
    kind = error.kind.as_dict()
    match error.kind.name:
        case "additionalProperties":
            return [_fault((*path, name), error, kind) for name in kind["unexpected"]]
        case "required":
            return [_fault((*path, kind["property"]), error, kind)]
        case "propertyNames":
            return [Fault(pointer(*path), "value.name", f"A name in here cannot be accepted: {kind['error'].message}.")]
        case "anyOf" | "oneOf":
            return _closest(error, kind["context"], steps)
        case _:
            return [_fault(path, error, kind)]


def _closest(
    error: jsonschema_rs.ValidationError,
    branches: list[list[jsonschema_rs.ValidationError]],
    steps: tuple[str | int, ...],
) -> list[Fault]:
    """The faults of the branch whose type fits, so that a wrong member of an optional object is what is named."""
    depth = len(error.instance_path)
    wrong_type = [[e for e in branch if e.kind.name == "type" and len(e.instance_path) == depth] for branch in branches]
    for branch, wrong in zip(branches, wrong_type, strict=True):
        if not wrong:
            return [fault for inner in branch for fault in _faults(inner, steps)]
    types = [name for wrong in wrong_type for e in wrong for name in e.kind.as_dict()["types"]]
    detail = f"This must be {' or '.join(types)}."
    return [Fault(pointer(*steps, *error.instance_path), "value.type", detail)]


def _fault(path: tuple[str | int, ...], error: jsonschema_rs.ValidationError, kind: dict[str, Any]) -> Fault:
    code, words = _WORDS.get(error.kind.name, ("value.invalid", "This cannot be accepted here."))
    return Fault(pointer(*path), code, words.format_map({name: _say(value) for name, value in kind.items()}))


def _say(value: Any) -> str:
    if isinstance(value, list | tuple | set):
        items = [str(item) for item in value]
        return ", ".join(items[:_SHOWN]) + (f" or {len(items) - _SHOWN} more" if len(items) > _SHOWN else "")
    return str(value)
