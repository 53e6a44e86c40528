"""What is answered: the success of an operation, and its problems by their status."""

from typing import Any

from formwright.api.binary_bodies import is_file, media_types_of
from formwright.api.errors import (
    BadRequest,
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
from formwright.api.rate_limits import TooManyRequests, TooManyUnknownKeys
from formwright.asgi.json_limits import BodyTooComplex, BodyTooLarge, JsonMalformed
from formwright.asgi.timeouts import BodyTooSlow, RequestTimedOut
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import READING
from formwright.core.blobs import ContentsUnavailable
from formwright.core.db.interface import DatabaseBusy
from formwright.core.errors import DomainError, Unavailable
from formwright.domain.api_keys.models import KeyEnded, KeyMissing, KeyReadOnly, KeyUnknown, ReplyUnreadable

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
_OF_POST: tuple[type[DomainError], ...] = (
    IdempotencyKeyMalformed,
    IdempotencyKeyReused,
    StillRunning,
    ReplyUnreadable,
)
FILE = {"type": "string", "format": "binary"}
_ETAG = {"description": "Stands for the resource as it is now.", "schema": {"type": "string"}}
_DEPRECATED = {
    "Deprecation": "Since when it is deprecated: `@` and the seconds since 1970 (RFC 9745).",
    "Sunset": "The day on which it may be gone (RFC 8594).",
    "Link": 'With `rel="deprecation"`: where people read what to do.',
}
_NOT_MODIFIED = {"description": "It is still as If-None-Match says.", "headers": {"ETag": _ETAG}}
_SUCCESS = {200: "As asked.", 201: "Made.", 202: "Begun; it goes on.", 204: "Done; there is nothing to say."}


def responses(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    """All answers of an operation, by their status."""
    return (
        {str(operation.status): _success(operation, shapes)}
        | ({"304": _NOT_MODIFIED} if operation.reads_one and operation.has_etag else {})
        | _problems(operation, shapes)
    )


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
    return {"description": words, "headers": headers, "content": content_by_media_type(operation.answer, shapes)}


def content_by_media_type(shape: Any, shapes: dict[Any, Any]) -> dict[str, Any]:
    """A body of this shape, by each media type that it may have."""
    schema = FILE if is_file(shape) else shapes[shape]
    return {media_type: {"schema": schema} for media_type in media_types_of(shape)}


def _problems(operation: Operation, shapes: dict[Any, Any]) -> dict[str, Any]:
    writes = () if operation.permission in READING else (KeyReadOnly,)
    kinds = [*operation.raises, *_ALWAYS, *writes, *(_WITH_BODY if operation.body else ())]
    kinds += _OF_POST if operation.method == "POST" else ()
    kinds += [ContentsUnavailable] if operation.table else []
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
