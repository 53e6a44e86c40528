"""The OpenAPI 3.1 document, made from the operations and their shapes."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from formwright.api.binary_bodies import TableUpload
from formwright.api.deprecations import Announcement
from formwright.api.openapi.links import links
from formwright.api.openapi.parameters import parameters
from formwright.api.openapi.responses import FILE, content_by_media_type, responses
from formwright.api.openapi.schemas import build_schemas
from formwright.api.operations import Operation
from formwright.api.v1_0.deprecation_list import ANNOUNCEMENTS
from formwright.api.v1_0.examples import BODIES
from formwright.api.v1_0.operations import OPERATIONS, PREFIX
from formwright.api.v1_0.schemas import deprecations as wire
from formwright.api.v1_0.schemas.events import CATALOGUE, Event

VERSION = "1.0"
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
@cache
def document_bytes() -> bytes:
    """The document as it is served."""
    return msgspec.json.encode(document())


@cache
def document() -> dict[str, Any]:
    """The document as plain values. It is one for all: nobody changes it."""
    return build_document(OPERATIONS, ANNOUNCEMENTS)


def build_document(operations: Sequence[Operation], announcements: Sequence[Announcement]) -> dict[str, Any]:
    """The document that describes these operations, and what will change."""
    shapes, schemas = build_schemas(operations)
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
            "contact": {"name": "Formwright contributors"},
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


def _operation(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary.rstrip("."),
        "parameters": parameters(operation),
        "responses": responses(operation, shapes),
    }
    if operation.deprecated:
        described["deprecated"] = True
    if operation.description:
        described["description"] = operation.description
    if operation.body:
        tables = {media_type: {"schema": FILE} for media_type in TableUpload.media_types} if operation.table else {}
        content = content_by_media_type(operation.body, shapes)
        if operation.name in BODIES:
            content["application/json"]["example"] = BODIES[operation.name]
        described["requestBody"] = {"required": True, "content": content | tables}
    return described


def _link(operation: Operation, described: dict[str, Any], schemas: dict[str, Any]) -> None:
    success = described["responses"][str(operation.status)]
    answer = success.get("content", {}).get("application/json", {}).get("schema", {})
    if found := links(operation, OPERATIONS, answer, schemas):
        success["links"] = found


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


def format_document() -> str:
    """The document as it is committed: for people, in a stable order."""
    return msgspec.json.format(document_bytes(), indent=2).decode() + "\n"
