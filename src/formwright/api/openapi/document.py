"""The OpenAPI 3.1 document, generated from the declared operations and their schemas."""

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
from formwright.api.v1_0.schemas.deprecations import announcement
from formwright.api.v1_0.schemas.events import CATALOGUE, Event
from formwright.core.auth.permissions import READ_PERMISSIONS

VERSION = "1.0"
_TAGS = {
    "Submissions": "Create, list, filter, correct and review submissions, and download their files.",
    "Exports": "Export submissions to files, once or on a schedule.",
    "Forms": "Create, update, publish, import and export forms, and manage form templates and the question library.",
    "Folders": "Organise forms in a tree of folders.",
    "Datasources": "Import external data, such as customers or products, for lookup fields in forms.",
    "Tasks": "Assign forms to users and groups, and follow their progress.",
    "Invites": "Invite people by email to fill in a form. They need no user account.",
    "Users & Groups": "Manage users, groups and roles, and the access they grant.",
    "Trash": "List what has been deleted and can be restored for 30 days.",
    "Customers": "Read your account, and change its branding. The API calls an account a customer.",
    "Audit log": "Read who changed what, when and from where.",
    "Announcements": "List upcoming changes to the API, such as deprecations.",
    "Webhooks": "Subscribe to events, manage their deliveries, read the event log and reconcile copies of the data.",
}
_DESCRIPTION = """\
Read submissions, manage forms, import lookup data, assign tasks and receive every change as an event.

- Authentication: send an API key in the `X-Api-Key` header of every request, over HTTPS. The key determines the
  account. `customerId` in a path must be the id of that account; any other id returns 404 `customer.not_found`.
- Permissions: a key has full access to its account, is read-only, or is limited to permissions, folders and forms.
  A read-only key receives 403 `key.read_only` from every operation that makes changes, and a limited key 403
  `access.denied` from those whose permission it lacks. `GET /customers` returns what the key may do.
- Resources outside the account return 404, as if they did not exist.
- Ids have a prefix that names the type of resource, and sort by creation time. Times are RFC 3339; responses use UTC
  with milliseconds.
- Lists return `items` and `next`, the absolute URL of the next page, or null on the last page.
- Idempotency: send an `Idempotency-Key` with a POST to retry it safely. PUT and DELETE accept `If-Match`.
- Dry runs: `dryRun=true` validates a request and returns the usual response without changing anything.
- Errors are problem details (RFC 9457). Only `code` and `pointer` are stable; `detail` is text for people.
- Compatibility: what this document describes does not change in a breaking way. New properties may be added to
  responses, so ignore properties you do not know.
"""
_SIGNATURE = (
    "`v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}` (Standard Webhooks 1.0.0). While a secret is"
    " being rotated, there are two signatures, separated by a space."
)
_PREVIOUS = (
    "The sequence of the previous event for this subscriber, or 0 for the first. If that event has not arrived, it is"
    " still in flight, or its delivery has failed."
)
_READ_ONLY = "A read-only API key is sufficient."
_WRITE = "Requires an API key with write access."


@cache
def document_bytes() -> bytes:
    """Return the document as the server sends it: compact JSON."""
    return msgspec.json.encode(document())


@cache
def document() -> dict[str, Any]:
    """Return the document as builtin types. Callers share one object, so do not modify it."""
    return build_document(OPERATIONS, ANNOUNCEMENTS)


def build_document(operations: Sequence[Operation], announcements: Sequence[Announcement]) -> dict[str, Any]:
    """Return the document for these operations and announcements."""
    schemas_by_type, components = build_schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _describe_operation(operation, schemas_by_type)
        _add_links(operation, described, components)
        paths.setdefault(PREFIX + operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Formwright API",
            "version": VERSION,
            "description": _DESCRIPTION,
            "contact": {"name": "Formwright contributors"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that serves this document."}],
        "security": [{"apiKey": []}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "x-announcements": [msgspec.to_builtins(announcement(one)) for one in announcements],
        "webhooks": {name: _describe_webhook(name, schemas_by_type) for name in CATALOGUE},
        "components": {
            "schemas": components,
            "securitySchemes": {"apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
        },
    }


def _describe_operation(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    effect = _READ_ONLY if operation.permission in READ_PERMISSIONS else _WRITE
    effect += f" A limited key needs the permission `{operation.permission.value}`."
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary.rstrip("."),
        "description": f"{operation.description}\n\n{effect}",
        "parameters": parameters(operation),
        "responses": responses(operation, schemas),
    }
    if operation.deprecated:
        described["deprecated"] = True
    if operation.body:
        # OpenAPI 3.1 needs no schema for a file (4.8.14.4), but client generators omit bodies without one.
        tables = {media_type: {"schema": FILE} for media_type in TableUpload.media_types} if operation.table else {}
        content = content_by_media_type(operation.documented_body, schemas)
        if operation.name in BODIES:
            content["application/json"]["example"] = BODIES[operation.name]
        described["requestBody"] = {"required": True, "content": content | tables}
    return described


def _add_links(operation: Operation, described: dict[str, Any], components: dict[str, Any]) -> None:
    success = described["responses"][str(operation.status)]
    answer = success.get("content", {}).get("application/json", {}).get("schema", {})
    if found := links(operation, OPERATIONS, answer, components):
        success["links"] = found


def _describe_webhook(name: str, schemas: dict[Any, Any]) -> dict[str, Any]:
    _, data, summary = CATALOGUE[name]
    schema = schemas[Event[data]]  # type: ignore[valid-type]
    headers = [
        {"name": header, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for header, text in (
            ("webhook-id", "The id of the event. It is the same in every attempt, so use it to discard duplicates."),
            ("webhook-timestamp", "The time of this attempt, in seconds since 1970."),
            ("webhook-signature", _SIGNATURE),
            ("formwright-sequence", "The position of the event in the account's event log."),
            ("formwright-previous", _PREVIOUS),
        )
    ]
    answer = {"description": "Any 2xx status acknowledges the event. Others are retried; 410 disables the subscriber."}
    return {
        "post": {
            "operationId": "on" + "".join(part.title() for part in name.split(".")),
            "tags": ["Webhooks"],
            "summary": summary.rstrip("."),
            "security": [],
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
            "responses": {"2XX": answer},
        }
    }


def format_document() -> str:
    """Return the document as committed in docs/openapi.json: indented, in a stable order, with a final newline."""
    return msgspec.json.format(document_bytes(), indent=2).decode() + "\n"
