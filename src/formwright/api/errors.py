"""Problems: errors as RFC 9457 describes them, with our stable codes."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, ClassVar

import msgspec
from litestar.exceptions import HTTPException
from litestar.response import Response
from msgspec import UNSET, Meta, UnsetType

from formwright.api.response import ApiResponse
from formwright.asgi.json_limits import BodyTooComplex, BodyTooLarge, JsonMalformed
from formwright.asgi.timeouts import BodyTooSlow
from formwright.asgi.validation import QueryInvalid
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Conflict, Denied, DomainError, Invalid, NotFound, Unavailable, ValidationFault
from formwright.domain.api_keys.models import KeyUnknown
from formwright.domain.quotas.models import QuotaExceeded, TooManyFills
from formwright.domain.users.auth.models import TooManyAttempts

MEDIA_TYPE = "application/problem+json"


class ValidationError(msgspec.Struct):
    """One thing that is wrong with the request, and where."""

    pointer: Annotated[str, Meta(description="JSON Pointer (RFC 6901) into the body; `?name` names a query member.")]
    code: Annotated[str, Meta(description="A stable word for the fault.")]
    detail: str


class Problem(msgspec.Struct, rename="camel"):
    """What went wrong (RFC 9457). `code` is stable and never reused for another meaning; `detail` is for people."""

    type: Annotated[str, Meta(description="`urn:formwright:problem:` and the code.")]
    title: str
    status: int
    code: str
    detail: str
    request_id: Annotated[str, Meta(description="The request's id; it leads to the line in the server's log.")]
    errors: Annotated[list[ValidationError], Meta(description="Every fault that was found, the first 100 of more.")] | (
        UnsetType
    ) = UNSET
    more_errors: (
        Annotated[bool, Meta(description="`true` when `errors` is not complete: more may be wrong than it lists.")]
        | UnsetType
    ) = UNSET


class RequestError(DomainError):
    """The request cannot be understood or served at all, whatever it asks for."""

    status: ClassVar[int] = 400


class BadRequest(RequestError):
    code = "request.malformed"
    detail = "The request is not one of HTTP as it should be."


class HostUnknown(RequestError):
    status = 421
    code = "host.unknown"
    detail = (
        "This server is not called by this host name. The operator can add it to FORMWRIGHT_ALLOWED_HOSTS, or set"
        " FORMWRIGHT_BASE_URL."
    )


class RouteNotFound(RequestError):
    status = 404
    code = "route.not_found"
    detail = "There is nothing at this address. The OpenAPI document lists every path: /api/v1.0/openapi.json."


class MethodNotAllowed(RequestError):
    status = 405
    code = "method.not_allowed"
    detail = "This address does not take this method; the Allow header names those it takes."


class NotAcceptable(RequestError):
    status = 406
    code = "accept.not_acceptable"
    detail = (
        "The Accept header does not allow what this answers: JSON, or the file's own type. Allow it, or leave it out."
    )


class MediaTypeUnsupported(RequestError):
    status = 415
    code = "body.media_type"
    detail = "Send the body as JSON, with Content-Type: application/json."


class HttpsRequired(RequestError):
    status = 403
    code = "https.required"
    detail = "The API is served over HTTPS only. Call the same address with https://."


class Internal(RequestError):
    status = 500
    code = "server.error"
    detail = "Something went wrong here, not in the request. Tell the operator the requestId."


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
    """The HTTP status of an error, or of a kind of error."""
    kind = error if isinstance(error, type) else type(error)
    if issubclass(kind, RequestError):
        return kind.status
    return next((status for base, status in _STATUS if issubclass(kind, base)), 500)


def to_domain_error(error: Exception) -> DomainError:
    """Any error as one of ours: what the framework raises for routes and bodies, and what nobody foresaw."""
    if isinstance(error, DomainError):
        return error
    if isinstance(error, HTTPException):
        return _FROM_STATUS.get(error.status_code, Internal if error.status_code >= 500 else BadRequest)()
    return Internal()


def problem(error: Exception, request_id: str) -> Response[bytes]:
    """The answer that tells of an error, for what the framework serves."""
    told = problem_answer(error, request_id)
    return Response(told.content, status_code=told.status, media_type=told.media_type, headers=told.headers)


def problem_answer(error: Exception, request_id: str) -> ApiResponse:
    """The answer that tells of an error."""
    known = to_domain_error(error)
    status = status_of(known)
    shape = Problem(
        type=f"urn:formwright:problem:{known.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        code=known.code,
        detail=str(known),
        request_id=request_id,
        errors=_shapes(known.faults) if isinstance(known, Invalid) else UNSET,
        more_errors=True if isinstance(known, Invalid) and known.more else UNSET,
    )
    headers = dict(getattr(error, "headers", None) or {})
    if wait_s := getattr(known, "wait_s", 1 if status == 503 else 0):
        headers["retry-after"] = str(wait_s)
    return ApiResponse(status, msgspec.json.encode(shape), MEDIA_TYPE, headers)


def _shapes(faults: Sequence[ValidationFault]) -> list[ValidationError]:
    return [ValidationError(fault.pointer, fault.code, fault.detail) for fault in faults]
