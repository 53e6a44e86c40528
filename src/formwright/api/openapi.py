"""The OpenAPI 3.1 document, made from the operations and their shapes."""

from collections.abc import Sequence
from functools import cache
from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT

from formwright.api.announcing import Announcement
from formwright.api.binary import TableUpload, is_file, media_type_of
from formwright.api.conditional import PreconditionFailed
from formwright.api.errors import (
    BadRequest,
    BodyTooLarge,
    HttpsRequired,
    Internal,
    MediaTypeUnsupported,
    NotAcceptable,
    Problem,
    status_of,
)
from formwright.api.idempotency import IdempotencyKeyMalformed, IdempotencyKeyReused, StillRunning
from formwright.api.limits import TooManyRequests, TooManyUnknownKeys
from formwright.api.links import links
from formwright.api.operation import Operation
from formwright.api.v1_0.announced import ANNOUNCEMENTS
from formwright.api.v1_0.examples import BODIES
from formwright.api.v1_0.operations import OPERATIONS, PREFIX
from formwright.api.v1_0.wire import announcements as wire
from formwright.api.v1_0.wire.events import CATALOGUE, DataLink, Event
from formwright.api.v1_0.wire.ids import BY_PARAMETER
from formwright.core.access.permissions import READING
from formwright.core.kernel.errors import DomainError, Unavailable
from formwright.domain.keys.model import KeyEnded, KeyMissing, KeyReadOnly, KeyUnknown
from formwright.patience import BodyTooSlow, TookTooLong
from formwright.reading import JsonMalformed, QueryInvalid

VERSION = "1.0"
_REF = "#/components/schemas/{name}"
_ALWAYS: tuple[type[DomainError], ...] = (
    KeyMissing,
    KeyUnknown,
    KeyEnded,
    HttpsRequired,
    NotAcceptable,
    BadRequest,
    QueryInvalid,
    TooManyRequests,
    TooManyUnknownKeys,
    Internal,
    Unavailable,
    TookTooLong,
)
_WITH_BODY: tuple[type[DomainError], ...] = (JsonMalformed, BodyTooSlow, BodyTooLarge, MediaTypeUnsupported)
_OF_POST: tuple[type[DomainError], ...] = (IdempotencyKeyMalformed, IdempotencyKeyReused, StillRunning)
_TAGS = {
    "Submissions": "Retrieve and manage submission data; filter by date, status or form.",
    "Forms": "Create, read and update forms, their versions, and templates to start from.",
    "Folders": "Organise forms in a tree.",
    "Datasources": "Customer, product and employee data for use in forms.",
    "Tasks": "Forms that people are to fill.",
    "Invites": "Send people forms by mail; the link needs no account.",
    "Users & Groups": "The people of the account.",
    "Customers": "The account's information.",
    "Audit log": "Who did what to what, when and from where.",
    "Announcements": "What will change in the API, told beforehand.",
    "Webhooks": "Subscribe to events, and read the log of all that happened.",
}
_ABOUT = """\
Read submissions, manage forms, feed lookup data, send out work, and be told of every change.

Every request carries `X-Api-Key`. Ids are prefixed and sort by time; times are RFC 3339 in UTC with milliseconds.
Lists answer `items` and `next`, an absolute address to follow until it is null. Errors are problem details (RFC 9457)
whose `code` is stable. What is described here never changes in a breaking way; members may be added to answers, so
ignore those you do not know.
"""


# OpenAPI 3.1 would do without: the media type says all (4.8.14.4). Generators of clients leave out what has no schema.
_FILE = {"type": "string", "format": "binary"}
_IDEMPOTENCY_KEY = "Idempotency-Key"
_ETAG = {"description": "Stands for the resource as it is now.", "schema": {"type": "string"}}
_DEPRECATED = {
    "Deprecation": "Since when it is deprecated: `@` and the seconds since 1970 (RFC 9745).",
    "Sunset": "The day on which it may be gone (RFC 8594).",
    "Link": 'With `rel="deprecation"`: where people read what to do.',
}
_NOT_MODIFIED = {"description": "It is still as If-None-Match says.", "headers": {"ETag": _ETAG}}
_SUCCESS = {200: "As asked.", 201: "Made.", 202: "Begun; it goes on.", 204: "Done; there is nothing to say."}


@cache
def document_bytes() -> bytes:
    """The document as it is served."""
    return msgspec.json.encode(document())


@cache
def document() -> dict[str, Any]:
    """The document as plain values. It is one for all: nobody changes it."""
    return document_of(OPERATIONS, ANNOUNCEMENTS)


def document_of(operations: Sequence[Operation], announcements: Sequence[Announcement]) -> dict[str, Any]:
    """The document that describes these operations, and what will change."""
    shapes, schemas = _schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = _operation(operation, shapes)
        _link(operation, paths[PREFIX + operation.path][operation.method.lower()], schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Formwright API",
            "version": VERSION,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that serves this document."}],
        "security": [{"apiKey": []}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "x-announcements": [msgspec.to_builtins(wire.announcement(one)) for one in announcements],
        "webhooks": {name: _webhook(name, shapes) for name in CATALOGUE},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
        },
    }


def _schemas(operations: Sequence[Operation]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of every shape that is used, and the components they refer to."""
    wanted: list[Any] = [Problem, DataLink, *(Event[data] for _, data, _ in CATALOGUE.values())]  # type: ignore[valid-type]
    for operation in operations:
        shapes = (operation.body, operation.answer)
        wanted += [shape for shape in shapes if shape not in (None, type(None)) and not is_file(shape)]
    unique = list(dict.fromkeys(wanted))
    found, components = msgspec.json.schema_components(unique, ref_template=_REF)
    renamed = {name: _component_name(name) for name in components}
    schemas = {renamed[name]: _opened(_rename(schema, renamed)) for name, schema in sorted(components.items())}
    for name, schema in schemas.items():
        schema["title"] = name
        if name.endswith("Event"):
            _allow_link(schema["properties"]["data"])
    return {shape: _opened(_rename(schema, renamed)) for shape, schema in zip(unique, found, strict=True)}, schemas


def _opened(schema: Any) -> Any:
    """Where nothing is said of an object's members it may have any; some generators take it for one that has none."""
    if isinstance(schema, list):
        return [_opened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bare = schema.get("type") == "object" and not {"properties", "additionalProperties"} & schema.keys()
    return {key: _opened(value) for key, value in schema.items()} | ({"additionalProperties": True} if bare else {})


def _allow_link(data: dict[str, Any]) -> None:
    """Let a link stand for the resource in an event: that is sent where the resource is too large."""
    if resource := data.pop("$ref", None):
        data["anyOf"] = [{"$ref": resource}, {"$ref": _REF.format(name=DataLink.__name__)}]


def _component_name(name: str) -> str:
    """`List_Submission_` as `SubmissionList`, `Event_Task_` as `TaskEvent`."""
    outer, _, inner = name.partition("_")
    inner = inner.strip("_")
    return outer if inner.startswith("dict") else inner + outer


def _rename(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename(item, names) for item in schema]
    if not isinstance(schema, dict):
        prefix = _REF.format(name="")
        if isinstance(schema, str) and schema.startswith(prefix):
            return prefix + names[schema.removeprefix(prefix)]
        return schema
    return {key: _rename(value, names) for key, value in schema.items()}


def _operation(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary.rstrip("."),
        "parameters": [
            *(_path_parameter(name) for name in operation.parameters),
            *_query_parameters(operation.query),
            *(_header_parameter(*header) for header in _conditions(operation)),
        ],
        "responses": {str(operation.status): _success(operation, shapes)}
        | ({"304": _NOT_MODIFIED} if operation.reads_one and operation.has_etag else {})
        | _problems(operation, shapes),
    }
    if operation.deprecated:
        described["deprecated"] = True
    if operation.description:
        described["description"] = operation.description
    if operation.body:
        tables = {media_type: {"schema": _FILE} for media_type in TableUpload.media_types} if operation.table else {}
        content = _content(operation.body, shapes)
        if operation.name in BODIES:
            content["application/json"]["example"] = BODIES[operation.name]
        described["requestBody"] = {"required": True, "content": content | tables}
    return described


def _link(operation: Operation, described: dict[str, Any], schemas: dict[str, Any]) -> None:
    success = described["responses"][str(operation.status)]
    answer = success.get("content", {}).get("application/json", {}).get("schema", {})
    if found := links(operation, OPERATIONS, answer, schemas):
        success["links"] = found


def _path_parameter(name: str) -> dict[str, Any]:
    schema = msgspec.json.schema(BY_PARAMETER[name])
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
    (schema,), components = msgspec.json.schema_components([field.type], ref_template=_REF)
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


def _success(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    headers = {
        name: {"description": words, "schema": {"type": "string"}}
        for name, words in (
            ("X-Request-Id", "The request's id."),
            ("RateLimit-Policy", "How often the key may ask: `q` requests in `w` seconds. Not there without a limit."),
            ("RateLimit", "What it may still ask: `r` requests, and `t` seconds until it is full again."),
        )
    }
    if operation.has_etag:
        headers["ETag"] = _ETAG
    if operation.deprecated:
        headers |= {name: {"description": words, "schema": {"type": "string"}} for name, words in _DEPRECATED.items()}
    if operation.method == "POST":
        words = "`true` where the answer is that of an earlier request with the same Idempotency-Key."
        headers["Idempotent-Replayed"] = {"description": words, "schema": {"type": "string", "const": "true"}}
    if operation.location:
        headers["Location"] = {"description": "Where it is read.", "schema": {"type": "string", "format": "uri"}}
    words = _SUCCESS[operation.status]
    if operation.answer is type(None):
        return {"description": words, "headers": headers}
    return {"description": words, "headers": headers, "content": _content(operation.answer, shapes)}


def _content(shape: Any, shapes: dict[Any, Any]) -> dict[str, Any]:
    return {media_type_of(shape): {"schema": _FILE if is_file(shape) else shapes[shape]}}


def _problems(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    writes = () if operation.permission in READING else (KeyReadOnly,)
    kinds = [*operation.raises, *_ALWAYS, *writes, *(_WITH_BODY if operation.body else ())]
    kinds += _OF_POST if operation.method == "POST" else ()
    kinds += [PreconditionFailed] if operation.method in ("PUT", "DELETE") and operation.getter else []
    by_status: dict[int, list[type[DomainError]]] = {}
    for kind in dict.fromkeys(kinds):
        by_status.setdefault(status_of(kind), []).append(kind)
    return {str(status): _problem(by_status[status], shapes) for status in sorted(by_status)}


def _problem(kinds: list[type[DomainError]], shapes: dict[Any, Any]) -> dict[str, Any]:
    return {
        "description": "\n".join(f"- `{kind.code}`: {kind.detail}" for kind in kinds),
        "x-problem-codes": sorted({kind.code for kind in kinds}),
        "content": {"application/problem+json": {"schema": shapes[Problem]}},
    }


def _webhook(name: str, shapes: dict[Any, Any]) -> dict[str, Any]:
    _, data, words = CATALOGUE[name]
    schema = shapes[Event[data]]  # type: ignore[valid-type]
    headers = [
        {"name": header, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for header, text in (
            ("webhook-id", "The event's id, the same in every try."),
            ("webhook-timestamp", "When this try was made, in seconds since 1970."),
            ("webhook-signature", "`v1,` and base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`."),
            ("formwright-sequence", "The event's place in the account's log."),
            ("formwright-previous", "The sequence of the event before it for this subscriber; 0 for the first."),
        )
    ]
    answer = {"description": "Any 2xx: taken. Anything else is tried again; 410 disables the subscriber."}
    return {
        "post": {
            "operationId": "on" + "".join(part.title() for part in name.split(".")),
            "tags": ["Webhooks"],
            "summary": words.rstrip("."),
            "security": [],
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
            "responses": {"2XX": answer},
        }
    }


def text() -> str:
    """The document as it is committed: for people, in a stable order."""
    return msgspec.json.format(document_bytes(), indent=2).decode() + "\n"
