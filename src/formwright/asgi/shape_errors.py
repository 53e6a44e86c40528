"""Finds the validation errors of a decoded body, with bounded work.

The JSON Schema validator finds every error of a value but cannot stop early. So it only validates small values; the
properties and items of larger values are checked one by one until there are enough errors.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Annotated, Any, get_args, get_origin

import jsonschema_rs
import msgspec

from formwright.core.errors import MAX_ERRORS, Invalid, ValidationFault, pointer
from formwright.core.json_schema_errors import ENGLISH, MAX_VALUES_AT_ONCE, count_values, to_fault, validation_errors

Path = tuple[str | int, ...]
Describe = Callable[[Exception], tuple[str, str]]
"""Returns the JSON Pointer and the message of a decoder error."""

_MAX_CHECKED_VALUES = 5000
"""Maximum number of values to check in total."""


def diagnose(document: Any, shape: Any, error: Exception, describe: Describe) -> Invalid:
    """Return the validation errors of a document; `error` is the decoder's."""
    run = _Run(describe)
    found = list(islice(run.errors(document, shape, ()), MAX_ERRORS + 1))
    where, words = describe(error)
    return Invalid(found or [ValidationFault(where, "value.invalid", words)], more=run.remaining <= 0)


class _Run:
    """One validation run; `remaining` is how many values may still be checked."""

    def __init__(self, describe: Describe) -> None:
        self.remaining, self._describe = _MAX_CHECKED_VALUES, describe

    def errors(self, value: Any, shape: Any, path: Path) -> Iterator[ValidationFault]:
        if self.remaining <= 0 or (error := _misfit(value, shape)) is None:
            return
        size = count_values(value, MAX_VALUES_AT_ONCE)
        if size < MAX_VALUES_AT_ONCE:
            self.remaining -= size
            found = validation_errors(validator(shape), value, path)
        else:
            self.remaining -= 1
            found = list(islice(self._pieces(value, shape, path), MAX_ERRORS + 1))
        where, words = self._describe(error)
        # `_misfit` wraps the value in an object, as its property `value`.
        where = where.removeprefix("/value")
        # msgspec may reject what the JSON Schema allows. A rejected value must not be reported without any error.
        yield from found or [ValidationFault(pointer(*path) + where, "value.invalid", words)]

    def _pieces(self, value: Any, shape: Any, path: Path) -> Iterator[ValidationFault]:
        kind = _kind(value, shape)
        yield from _too_many(value, shape, path)
        if isinstance(value, dict) and _is_struct(kind):
            yield from _wrong_names(value, kind, path)
        for step, inner, inner_shape in _members(value, kind):
            yield from self.errors(inner, inner_shape, (*path, step))


@lru_cache(maxsize=512)
def validator(shape: Any) -> jsonschema_rs.Draft202012Validator:
    """Return the compiled JSON Schema validator of a shape."""
    schema = one_branch_by_tag(msgspec.json.schema(shape, ref_template="#/$defs/{name}"))
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def one_branch_by_tag(schema: Any) -> Any:
    """Return the schema with tagged unions as `if … then`, so that only the branch of the tag is validated."""
    if isinstance(schema, list):
        return [one_branch_by_tag(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "discriminator" not in schema:
        return {name: one_branch_by_tag(value) for name, value in schema.items()}
    tag, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
    branches = [
        {"if": {"type": "object", "properties": {tag: {"const": name}}, "required": [tag]}, "then": {"$ref": ref}}
        for name, ref in mapping.items()
    ]
    known = {"type": "object", "properties": {tag: {"enum": list(mapping)}}, "required": [tag]}
    definitions = {"$defs": one_branch_by_tag(schema["$defs"])} if "$defs" in schema else {}
    return {"allOf": [known, *branches]} | definitions


def _misfit(value: Any, shape: Any) -> Exception | None:
    """Return the error of a value that does not fit, which names it `value`, or None."""
    try:
        msgspec.convert({"value": value}, _holder(shape))
    except (msgspec.ValidationError, RecursionError) as error:
        return error
    return None


@cache
def _holder(shape: Any) -> Any:
    """Return a struct with a value of this shape.

    msgspec 0.22 corrupts memory when it frees a union of a text with a pattern and a list or object (decision 76).
    Inside of a struct, it does so only if the class is deleted, so the cache has no limit.
    """
    return msgspec.defstruct("Holder", [("value", shape)])


def _kind(value: Any, shape: Any) -> Any:
    """Return the alternative of an annotation that a list or object is checked against, or None."""
    kinds = list(_alternatives(shape))
    if isinstance(value, list):
        return next((kind for kind in kinds if get_origin(kind) is list), None)
    structs = [kind for kind in kinds if _is_struct(kind)]
    if len(structs) > 1:
        return next((kind for kind in structs if _has_tag_of(value, kind)), None)
    return next(iter(structs), next((kind for kind in kinds if get_origin(kind) is dict), None))


def _too_many(value: Any, shape: Any, path: Path) -> Iterator[ValidationFault]:
    """Yield an error if a list or object is longer than its annotation allows."""
    limits = [meta.max_length for meta in getattr(shape, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]
    for limit in limits:
        if limit is not None and isinstance(value, list | dict) and len(value) > limit:
            keyword = "maxItems" if isinstance(value, list) else "maxProperties"
            yield to_fault(keyword, path, ENGLISH, limit=limit)


def _alternatives(shape: Any) -> Iterator[Any]:
    if get_origin(shape) is Annotated:
        yield from _alternatives(get_args(shape)[0])
    elif get_origin(shape) in (list, dict) or not get_args(shape):
        yield shape
    else:
        for inner in get_args(shape):
            yield from _alternatives(inner)


def _has_tag_of(value: Any, struct: Any) -> bool:
    """Whether an object has the tag of this struct."""
    config = struct.__struct_config__
    return isinstance(value, dict) and value.get(config.tag_field) == config.tag


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _wrong_names(value: dict[str, Any], struct: Any, path: Path) -> Iterator[ValidationFault]:
    """Yield missing required and unknown properties."""
    fields, tag = _fields(struct), struct.__struct_config__.tag_field
    for name, field in fields.items():
        if field.required and name not in value:
            yield to_fault("required", (*path, name), ENGLISH)
    if struct.__struct_config__.forbid_unknown_fields:
        unknown = (name for name in value if name not in fields and name != tag)
        yield from (to_fault("additionalProperties", (*path, name), ENGLISH) for name in unknown)


def _members(value: Any, kind: Any) -> Iterable[tuple[str | int, Any, Any]]:
    if get_origin(kind) is list:
        return ((index, item, get_args(kind)[0]) for index, item in enumerate(value))
    if get_origin(kind) is dict and isinstance(value, dict):
        return ((name, item, get_args(kind)[1]) for name, item in value.items())
    if _is_struct(kind) and isinstance(value, dict):
        return ((name, value[name], field.type) for name, field in _fields(kind).items() if name in value)
    return ()


@lru_cache(maxsize=256)
def _fields(struct: Any) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(struct)}
