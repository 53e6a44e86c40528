"""The responses of operations: success, and problems by status."""

from typing import Any

from formwright.api.binary_bodies import is_file, is_typed_json, media_types_of
from formwright.api.errors import (
    HttpsRequired,
    Internal,
    MediaTypeUnsupported,
    NotAcceptable,
    Problem,
    status_of,
)
from formwright.api.etags import PreconditionFailed
from formwright.api.idempotency import IdempotencyKeyMalformed, IdempotencyKeyReused, StillRunning
from formwright.api.operations import Operation
from formwright.asgi.request_errors import BadRequest, TooManyRequests, TooManyUnknownKeys
from formwright.asgi.request_limits import HeadersTooLarge, UrlTooLong
from formwright.asgi.timeouts import BodyTooSlow, RequestTimedOut
from formwright.asgi.validation import BodyTooComplex, BodyTooLarge, JsonMalformed, QueryInvalid
from formwright.core.auth.permissions import READ_PERMISSIONS
from formwright.core.blobs import BlobStoreUnavailable
from formwright.core.db.interface import CommitOutcomeUnknown, DatabaseBusy
from formwright.core.errors import DomainError, Unavailable
from formwright.domain.api_keys.models import KeyExpired, KeyMissing, KeyReadOnly, KeyUnknown, StoredResponseUnreadable

_ALWAYS: tuple[type[DomainError], ...] = (
    KeyMissing,
    KeyUnknown,
    KeyExpired,
    HttpsRequired,
    NotAcceptable,
    BadRequest,
    QueryInvalid,
    UrlTooLong,
    HeadersTooLarge,
    TooManyRequests,
    TooManyUnknownKeys,
    Internal,
    DatabaseBusy,
    Unavailable,
    RequestTimedOut,
)
_WITH_BODY: tuple[type[DomainError], ...] = (
    JsonMalformed,
    BodyTooSlow,
    BodyTooLarge,
    BodyTooComplex,
    MediaTypeUnsupported,
)
_POST_ONLY: tuple[type[DomainError], ...] = (
    IdempotencyKeyMalformed,
    IdempotencyKeyReused,
    StillRunning,
    StoredResponseUnreadable,
)
FILE = {"type": "string", "format": "binary"}
_ETAG = {"description": "Identifies the current state of the resource.", "schema": {"type": "string"}}
_DEPRECATED = {
    "Deprecation": "The time since which the operation is deprecated: `@` and seconds since 1970 (RFC 9745).",
    "Sunset": "The day on which the operation may be removed (RFC 8594).",
    "Link": 'With `rel="deprecation"`: a page that explains what to do.',
}
_NEXT_LINK = 'With `rel="next"`: the URL of the next page, unless it is the last (RFC 8288).'
_NOT_MODIFIED = {
    "description": "Not modified: the resource has not changed since the `If-None-Match` ETag.",
    "headers": {"ETag": _ETAG},
}
_SUCCESS = {
    200: "Success.",
    201: "Created.",
    202: "Accepted. The work continues in the background.",
    204: "Success, without content.",
}


def responses(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    """Return the Response Objects of an operation by status."""
    return (
        {str(operation.status): _success(operation, schemas)}
        | ({"304": _NOT_MODIFIED} if operation.reads_one and operation.has_etag else {})
        | _problems(operation, schemas)
    )


def _success(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    headers = {
        name: {"description": description, "schema": {"type": "string"}}
        for name, description in (
            ("X-Request-Id", "The id of the request. Quote it when you report a problem."),
            ("RateLimit-Policy", "The key's rate limit: `q` requests per `w` seconds. Absent if there is no limit."),
            ("RateLimit", "What remains of it: `r` requests; the full quota is available again in `t` seconds."),
        )
    }
    if operation.has_etag:
        headers["ETag"] = _ETAG
    if operation.deprecated:
        headers |= {name: {"description": text, "schema": {"type": "string"}} for name, text in _DEPRECATED.items()}
    if "cursor" in getattr(operation.query, "__struct_fields__", ()):
        deprecation = f" {_DEPRECATED['Link']}" if operation.deprecated else ""
        headers["Link"] = {"description": _NEXT_LINK + deprecation, "schema": {"type": "string"}}
    if operation.method == "POST":
        headers["Idempotent-Replayed"] = {
            "description": "`true` if this is the stored response to an earlier request with this `Idempotency-Key`.",
            "schema": {"type": "string", "const": "true"},
        }
    if is_typed_json(operation.response):
        headers |= {
            name: {"description": text, "schema": {"type": "string"}}
            for name, text in operation.response.headers.items()
        }
    if operation.location:
        headers["Location"] = {
            "description": "The URL of the new resource.",
            "schema": {"type": "string", "format": "uri"},
        }
    success = {"description": _SUCCESS[operation.status], "headers": headers}
    if operation.response is type(None):
        return success
    return success | {"content": content_by_media_type(operation.response, schemas)}


def content_by_media_type(type_: Any, schemas: dict[Any, Any]) -> dict[str, Any]:
    """Return the Media Type Objects of a body of this type, by media type."""
    schema = FILE if is_file(type_) else schemas[type_]
    return {media_type: {"schema": schema} for media_type in media_types_of(type_)}


def _problems(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    writes = () if operation.permission in READ_PERMISSIONS else (KeyReadOnly,)
    kinds = [*operation.raises, *_ALWAYS, *writes, *(_WITH_BODY if operation.body else ())]
    kinds += [CommitOutcomeUnknown] if operation.method != "GET" else []
    kinds += _POST_ONLY if operation.method == "POST" else ()
    kinds += [BlobStoreUnavailable] if operation.streams_body else []
    kinds += [PreconditionFailed] if operation.method in ("PUT", "DELETE") and operation.getter else []
    by_status: dict[int, list[type[DomainError]]] = {}
    for kind in dict.fromkeys(kinds):
        by_status.setdefault(status_of(kind), []).append(kind)
    return {str(status): _problem(by_status[status], schemas) for status in sorted(by_status)}


def _problem(kinds: list[type[DomainError]], schemas: dict[Any, Any]) -> dict[str, Any]:
    return {
        "description": "\n".join(f"- `{kind.code}`: {kind.detail}" for kind in kinds),
        "x-problem-codes": sorted({kind.code for kind in kinds}),
        "content": {"application/problem+json": {"schema": schemas[Problem]}},
    }
