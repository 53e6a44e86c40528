"""The parameters of operations: in the path, the query and the headers."""

from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT

from formwright.api.openapi.schemas import REF
from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.base import PATH_ID_TYPES

_IDEMPOTENCY_KEY = "Idempotency-Key"
_IDEMPOTENCY = (
    "Makes the request safe to retry: for 24 hours, repeating it with the same key returns the original response and"
    " has no further effect. Use a new UUID for each new request."
)
_IF_MATCH = (
    "The `ETag` of the resource as you read it. If the resource has changed since, nothing is changed and the response"
    " is 412."
)


def parameters(operation: Operation) -> list[dict[str, Any]]:
    """Return the Parameter Objects of an operation."""
    return [
        *(_path_parameter(name) for name in operation.parameters),
        *_query_parameters(operation.query),
        *(_header_parameter(*header) for header in _request_headers(operation)),
    ]


def _path_parameter(name: str) -> dict[str, Any]:
    schema = msgspec.json.schema(PATH_ID_TYPES[name])
    return {"name": name, "in": "path", "required": True, "description": schema.pop("description"), "schema": schema}


def _request_headers(operation: Operation) -> list[tuple[str, str]]:
    """Return names and descriptions of the headers for idempotency and conditional requests."""
    if operation.method == "POST":
        return [(_IDEMPOTENCY_KEY, _IDEMPOTENCY)]
    if operation.getter is None:
        return []
    if operation.method == "GET":
        return [("If-None-Match", "An `ETag` you already have. If the resource has not changed, the response is 304.")]
    return [("If-Match", _IF_MATCH)]


def _header_parameter(name: str, description: str) -> dict[str, Any]:
    bounds = {"minLength": 1, "maxLength": 255} if name == _IDEMPOTENCY_KEY else {}
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": {"type": "string"} | bounds,
    }


def _query_parameters(struct: Any) -> list[dict[str, Any]]:
    return [_query_parameter(field) for field in msgspec.structs.fields(struct)] if struct else []


def _query_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    if get_origin(getattr(field.type, "__origin__", field.type)) is dict:
        return _open_parameter(field)
    (schema,), components = msgspec.json.schema_components([field.type], ref_template=REF)
    schema = _inline(_without_null(schema), components)
    if field.default is not NODEFAULT and field.default is not None:
        schema["default"] = msgspec.to_builtins(field.default)
    described = {"name": field.encode_name, "in": "query", "required": field.required}
    if field.required and "examples" in schema:
        described["example"] = schema["examples"][0]
    if "description" in schema:
        described["description"] = schema.pop("description")
    return described | {"schema": schema} | ({"explode": True} if schema.get("type") == "array" else {})


_OPEN_EXAMPLES = {
    "answers": {"answers.site": "Harbour", "answers.people[gte]": "3"},
    "columns": {"columns.site": "Location", "columns.submittedAt": "Received"},
}


def _open_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """Return a parameter that stands for any number of query parameters with a common prefix.

    With `style: form` and `explode: true`, each property of the object is a query parameter (OpenAPI 3.1, 4.8.12.4).
    """
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
        "example": _OPEN_EXAMPLES[name],
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop `null` from an optional parameter: it can be omitted, but a query string cannot contain null."""
    branches = [branch for branch in schema.get("anyOf", []) if branch != {"type": "null"}]
    if len(branches) != 1:
        return schema
    only: dict[str, Any] = branches[0]
    return {name: value for name, value in schema.items() if name != "anyOf"} | only


def _inline(schema: Any, components: dict[str, Any]) -> Any:
    """Return the schema with each reference replaced by the schema it refers to."""
    if isinstance(schema, list):
        return [_inline(item, components) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        target = _inline(components[schema["$ref"].rpartition("/")[2]], components)
        return {k: v for k, v in target.items() if k != "title"} | {k: v for k, v in schema.items() if k != "$ref"}
    return {key: _inline(value, components) for key, value in schema.items()}
