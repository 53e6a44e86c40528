"""What may be named in a call: parts of the path, members of the query, headers."""

from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT

from formwright.api.openapi.schemas import REF
from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.base import PATH_ID_TYPES

_IDEMPOTENCY_KEY = "Idempotency-Key"


def parameters(operation: Operation) -> list[dict[str, Any]]:
    """All that an operation takes besides its body."""
    return [
        *(_path_parameter(name) for name in operation.parameters),
        *_query_parameters(operation.query),
        *(_header_parameter(*header) for header in _conditions(operation)),
    ]


def _path_parameter(name: str) -> dict[str, Any]:
    schema = msgspec.json.schema(PATH_ID_TYPES[name])
    return {"name": name, "in": "path", "required": True, "description": schema.pop("description"), "schema": schema}


def _conditions(operation: Operation) -> list[tuple[str, str]]:
    """The headers by which a caller says when, or how often, this is to be done."""
    if operation.method == "POST":
        return [(_IDEMPOTENCY_KEY, "The same key with the same request is answered as the first time, for a day.")]
    if operation.getter is None:
        return []
    if operation.method == "GET":
        return [("If-None-Match", "An ETag that is known: 304 while the resource is still as it says.")]
    return [("If-Match", "The ETag of the resource as you read it: 412 when somebody changed it meanwhile.")]


def _header_parameter(name: str, words: str) -> dict[str, Any]:
    bounds = {"minLength": 1, "maxLength": 255} if name == _IDEMPOTENCY_KEY else {}
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": words,
        "schema": {"type": "string"} | bounds,
    }


def _query_parameters(shape: Any) -> list[dict[str, Any]]:
    return [_query_parameter(field) for field in msgspec.structs.fields(shape)] if shape else []


def _query_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    if get_origin(getattr(field.type, "__origin__", field.type)) is dict:
        return _open_parameter(field)
    (schema,), components = msgspec.json.schema_components([field.type], ref_template=REF)
    schema = _inlined(_not_null(schema), components)
    if field.default is not NODEFAULT and field.default is not None:
        schema["default"] = msgspec.to_builtins(field.default)
    described = {"name": field.encode_name, "in": "query", "required": False}
    if "description" in schema:
        described["description"] = schema.pop("description")
    return described | {"schema": schema} | ({"explode": True} if schema.get("type") == "array" else {})


def _open_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """Members under names of their own: with `form` and `explode` each stands in the query by itself (4.8.12.4)."""
    schema = msgspec.json.schema(field.type)
    name = field.encode_name
    members = {"type": "object", "additionalProperties": {"type": "string"}}
    pattern = rf"^{name}\.[A-Za-z][A-Za-z0-9_]*(\.[a-z]+)?(\[[a-z]+\])?$"
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": schema["description"],
        "style": "form",
        "explode": True,
        "schema": members | {"propertyNames": {"pattern": pattern}},
        "example": {f"{name}.site": "Harbour", f"{name}.people[gte]": "3"},
    }


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A member that may be left out is not one that may be null: a query has no null."""
    branches = [branch for branch in schema.get("anyOf", []) if branch != {"type": "null"}]
    if len(branches) != 1:
        return schema
    only: dict[str, Any] = branches[0]
    return {name: value for name, value in schema.items() if name != "anyOf"} | only


def _inlined(schema: Any, components: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, components) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        named = _inlined(components[schema["$ref"].rpartition("/")[2]], components)
        return {k: v for k, v in named.items() if k != "title"} | {k: v for k, v in schema.items() if k != "$ref"}
    return {key: _inlined(value, components) for key, value in schema.items()}
