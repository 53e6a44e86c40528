"""Error responses: problem details (RFC 9457) with stable codes."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.request_errors import BadRequest, RequestError
from formwright.asgi.timeouts import BodyTooSlow
from formwright.asgi.validation import BodyTooComplex, BodyTooLarge, JsonMalformed, QueryInvalid
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Conflict, Denied, DomainError, Invalid, NotFound, Unavailable, ValidationFault
from formwright.domain.api_keys.models import KeyUnknown
from formwright.domain.quotas.models import QuotaExceeded, TooManyFills
from formwright.domain.users.auth.models import TooManyAttempts

MEDIA_TYPE = "application/problem+json"


class ValidationError(msgspec.Struct):
    """An error in the request."""

    pointer: Annotated[
        str,
        Meta(description="Where: a JSON Pointer (RFC 6901) into the body, or `?name` for a query parameter. Stable."),
    ]
    code: Annotated[str, Meta(description="A code for the kind of error. Stable.")]
    detail: Annotated[str, Meta(description="An explanation for people, which may change in any release.")]


class Problem(msgspec.Struct, rename="camel"):
    """Problem details (RFC 9457) of a rejected or failed request."""

    type: Annotated[str, Meta(description="`urn:formwright:problem:` followed by the code.")]
    title: Annotated[str, Meta(description="The reason phrase of the status.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    code: Annotated[
        str, Meta(description="A code for the kind of problem. It is stable and never reused for another meaning.")
    ]
    detail: Annotated[str, Meta(description="An explanation for people, which may change in any release.")]
    request_id: Annotated[
        str, Meta(description="The id of the request, which also identifies its entry in the server's log.")
    ]
    errors: (
        Annotated[list[ValidationError], Meta(description="All errors in the request, at most 100.")] | UnsetType
    ) = UNSET
    existing_id: (
        Annotated[str, Meta(description="The id of the resource that already exists, whose URL is in `Location`.")]
        | UnsetType
    ) = UNSET
    more_errors: (
        Annotated[bool, Meta(description="`true` if `errors` is incomplete because there are more than 100.")]
        | UnsetType
    ) = UNSET


class RouteNotFound(RequestError):
    status = 404
    code = "route.not_found"
    detail = "There is no such path. The OpenAPI document lists all paths: /api/v1.0/openapi.json."


class MethodNotAllowed(RequestError):
    status = 405
    code = "method.not_allowed"
    detail = "This path does not support this method. The Allow header lists the methods it supports."


class NotAcceptable(RequestError):
    status = 406
    code = "accept.not_acceptable"
    detail = (
        "The Accept header excludes the media type of the response: JSON, or that of the file. Allow it, or omit the"
        " header."
    )


class MediaTypeUnsupported(RequestError):
    status = 415
    code = "body.media_type"
    detail = "Send the body as JSON, with Content-Type: application/json."


class HttpsRequired(RequestError):
    status = 403
    code = "https.required"
    detail = "The API requires HTTPS. Use the same URL with https://."


class Internal(RequestError):
    status = 500
    code = "server.error"
    detail = "The server failed to process the request. Report the requestId to the operator."


_STATUS: Sequence[tuple[type[DomainError], int]] = (
    (KeyUnknown, 401),
    (JsonMalformed, 400),
    (QueryInvalid, 400),
    (ContentTooLarge, 413),
    (BodyTooLarge, 413),
    (BodyTooComplex, 413),
    (NotFound, 404),
    (Conflict, 409),
    (Denied, 403),
    (Invalid, 422),
    (Unavailable, 503),
    (TooManyAttempts, 429),
    (TooManyFills, 429),
    (QuotaExceeded, 429),
    (BodyTooSlow, 408),
)
_FROM_STATUS = {404: RouteNotFound, 405: MethodNotAllowed, 413: BodyTooLarge}


def status_of(error: DomainError | type[DomainError]) -> int:
    """Return the HTTP status of an error or of an error class."""
    kind = error if isinstance(error, type) else type(error)
    if issubclass(kind, RequestError):
        return kind.status
    return next((status for base, status in _STATUS if issubclass(kind, base)), 500)


def to_domain_error(error: Exception) -> DomainError:
    """Convert any exception: those of the framework by their status, and unexpected ones to `Internal`."""
    if isinstance(error, DomainError):
        return error
    status: int = getattr(error, "status_code", 500)
    return _FROM_STATUS.get(status, Internal if status >= 500 else BadRequest)()


def problem(error: Exception, request_id: str) -> HttpResponse:
    """Return the error response to a program."""
    known = to_domain_error(error)
    details = problem_details(known, request_id)
    headers = dict(getattr(error, "headers", None) or {})
    # Every 503 has the header: clients such as urllib3 repeat a request after a 503 only if it has one.
    if wait_s := getattr(known, "wait_s", 1 if details.status == 503 else 0):
        headers["retry-after"] = str(wait_s)
    return HttpResponse(details.status, msgspec.json.encode(details), MEDIA_TYPE, headers)


def problem_details(known: DomainError, request_id: str) -> Problem:
    """Return the problem details of an error."""
    status = status_of(known)
    return Problem(
        type=f"urn:formwright:problem:{known.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        code=known.code,
        detail=str(known),
        request_id=request_id,
        errors=_validation_errors(known.faults) if isinstance(known, Invalid) else UNSET,
        existing_id=(known.existing_id or UNSET) if isinstance(known, Conflict) else UNSET,
        more_errors=True if isinstance(known, Invalid) and known.more else UNSET,
    )


def _validation_errors(faults: Sequence[ValidationFault]) -> list[ValidationError]:
    return [ValidationError(fault.pointer, fault.code, fault.detail) for fault in faults]
