"""Converts the OpenAPI document to what the reference pages show, without I/O."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from formwright.web.api_docs.markdown import (
    Block,
    Schema,
    TextPiece,
    describe_bounds,
    describe_type,
    parse_prose,
    without_null,
)
from formwright.web.api_docs.snippets import ApiCall, curl_snippet, javascript_snippet, python_snippet

API_PREFIX = "/api/v1.0"
_JSON = "application/json"
_EXAMPLE_FILES = {
    "application/octet-stream": "photo.jpg",
    "application/zip": "files.zip",
    "text/csv": "rows.csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "form.xlsx",
}
_EXAMPLE_LIMIT = "10"


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a schema, or a parameter."""

    name: str
    where: str
    required: bool
    type: Sequence[TextPiece]
    bounds: str
    text: Sequence[Block]


@dataclass(frozen=True, slots=True)
class ResponseDoc:
    """A response: its status, and the schema or error codes."""

    status: str
    title: str
    text: Sequence[Block]
    type: Sequence[TextPiece]


@dataclass(frozen=True, slots=True)
class OperationDoc:
    """An operation with its parameters, bodies, responses and example calls."""

    id: str
    method: str
    path: str
    summary: str
    text: Sequence[Block]
    parameters: Sequence[Property]
    body: Sequence[TextPiece]
    properties: Sequence[Property]
    responses: Sequence[ResponseDoc]
    errors: Sequence[ResponseDoc]
    examples: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OperationGroup:
    """The operations of a tag. `slug` is used in the URL."""

    slug: str
    name: str
    text: Sequence[Block]
    operations: Sequence[OperationDoc]


@dataclass(frozen=True, slots=True)
class SchemaDoc:
    """A named schema."""

    name: str
    text: Sequence[Block]
    type: Sequence[TextPiece]
    properties: Sequence[Property]


def list_operation_groups(document: Mapping[str, Any]) -> list[OperationGroup]:
    """Return all operations grouped by tag, in the order of the document."""
    operations: dict[str, list[OperationDoc]] = {tag["name"]: [] for tag in document["tags"]}
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            operations[operation["tags"][0]].append(_operation_doc(path, method.upper(), operation, schemas))
    return [
        OperationGroup(slugify(tag["name"]), tag["name"], parse_prose(tag["description"]), operations[tag["name"]])
        for tag in document["tags"]
    ]


def slugify(name: str) -> str:
    """Return `users-groups` for `Users & Groups`."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


def _operation_doc(path: str, method: str, operation: Schema, schemas: Mapping[str, Schema]) -> OperationDoc:
    body = operation.get("requestBody", {}).get("content", {})
    schema = body.get(_JSON, {}).get("schema", {})
    call = _example_call(path, method, operation)
    responses = [_response_doc(status, response) for status, response in operation["responses"].items()]
    return OperationDoc(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        text=parse_prose(operation.get("description", "")),
        parameters=[_parameter_doc(parameter) for parameter in operation["parameters"]],
        body=[*describe_type(schema), *_other_media_types(body)] if schema else _other_media_types(body)[1:],
        properties=list(_iter_properties(_resolve_ref(schema, schemas))),
        responses=[response for response in responses if response.status < "400"],
        errors=[response for response in responses if response.status >= "400"],
        examples={"curl": curl_snippet(call), "Python": python_snippet(call), "JavaScript": javascript_snippet(call)},
    )


def _other_media_types(body: Mapping[str, Any]) -> list[TextPiece]:
    """The media types that a body may have besides JSON, each after an `or`."""
    pieces: list[TextPiece] = []
    for media_type in body:
        if media_type != _JSON:
            pieces += [TextPiece(" or "), TextPiece(media_type, code=True)]
    return pieces


def _parameter_doc(parameter: Schema) -> Property:
    return Property(
        parameter["name"],
        parameter["in"],
        parameter.get("required", False),
        describe_type(parameter["schema"]),
        describe_bounds(parameter["schema"]),
        parse_prose(parameter.get("description", "")),
    )


def _resolve_ref(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    name = schema.get("$ref", "").rpartition("/")[2]
    return schemas[name] if name else schema


def _iter_properties(schema: Schema) -> Iterator[Property]:
    required = schema.get("required", ())
    for name, property_ in schema.get("properties", {}).items():
        inner, _ = without_null(property_)
        text = parse_prose(property_.get("description") or inner.get("description", ""))
        yield Property(name, "", name in required, describe_type(property_), describe_bounds(property_), text)


def _response_doc(status: str, response: Schema) -> ResponseDoc:
    content = response.get("content", {})
    schema = content.get(_JSON, {}).get("schema")
    files = [TextPiece(media_type, code=True) for media_type in content if media_type not in (_JSON, _PROBLEM_JSON)]
    title = HTTPStatus(int(status)).phrase if status.isdigit() else ""
    return ResponseDoc(status, title, parse_prose(response["description"]), describe_type(schema) if schema else files)


_PROBLEM_JSON = "application/problem+json"


def _example_call(path: str, method: str, operation: Schema) -> ApiCall:
    parameters = {parameter["name"]: parameter for parameter in operation["parameters"]}
    ids = {
        name: parameter["schema"]["examples"][0] for name, parameter in parameters.items() if parameter["in"] == "path"
    }
    query = {"limit": _EXAMPLE_LIMIT} if "limit" in parameters else {}
    query |= {
        name: parameter["example"]
        for name, parameter in parameters.items()
        if "example" in parameter and parameter["in"] == "query" and isinstance(parameter["example"], str)
    }
    body = operation.get("requestBody", {}).get("content", {})
    example = body[_JSON].get("example", {}) if _JSON in body else None
    media_type = _JSON if example is not None else next(iter(body), _JSON)
    response_content = operation["responses"][next(iter(operation["responses"]))].get("content", {_JSON: {}})
    output_file = "" if _JSON in response_content else _EXAMPLE_FILES.get(next(iter(response_content)), "answer")
    return ApiCall(
        method=method,
        path=path.removeprefix(API_PREFIX).format_map(ids),
        query=query,
        body=example,
        media_type=media_type,
        file=_EXAMPLE_FILES[media_type] if body and example is None else "",
        output_file=output_file,
    )


def list_schemas(document: Mapping[str, Any]) -> list[SchemaDoc]:
    """Return all named schemas, sorted by name."""
    return [
        SchemaDoc(
            name,
            parse_prose(schema.get("description", "")),
            [] if "properties" in schema else describe_type({**schema, "title": ""}),
            list(_iter_properties(schema)),
        )
        for name, schema in sorted(document["components"]["schemas"].items())
    ]


def list_events(document: Mapping[str, Any]) -> list[Property]:
    """Return all event types, each with its schema and what causes it."""
    events_ = []
    for name, methods in document["webhooks"].items():
        event = methods["post"]
        schema = event["requestBody"]["content"][_JSON]["schema"]
        events_.append(Property(name, "", True, describe_type(schema), "", parse_prose(event["summary"])))
    return events_
