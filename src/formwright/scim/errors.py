"""Errors in the form that SCIM has for them (RFC 7644, section 3.12). Needs no SCIM library."""

from typing import Any

import msgspec

from formwright.asgi.http_response import HttpResponse
from formwright.core.errors import DomainError, Invalid
from formwright.domain.provisioning.models import UserNameTaken
from formwright.domain.users.models import (
    EmailProtected,
    EmailTaken,
    GroupExternalIdTaken,
    GroupNameTaken,
    LastOwner,
    UserExternalIdTaken,
)

MEDIA_TYPE = "application/scim+json"
_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"
_NOT_UNIQUE = (EmailTaken, UserExternalIdTaken, UserNameTaken, GroupNameTaken, GroupExternalIdTaken)


def error_response(error: DomainError, status: int, request_id: str) -> HttpResponse:
    """Return the response to an error. `status` is that of the API, from which SCIM's differs for some errors."""
    del request_id  # SCIM has no member for it.
    scim_type = None
    faults = error.faults if isinstance(error, Invalid) else ()
    message = " ".join(f"{fault.pointer.lstrip('/')}: {fault.detail}" for fault in faults) or str(error)
    if isinstance(error, Invalid):
        status, scim_type = 400, "invalidValue"
    elif isinstance(error, _NOT_UNIQUE):
        status, scim_type = 409, "uniqueness"
    elif isinstance(error, EmailProtected):
        # The value is refused, not the token, which 403 might be read as.
        status, scim_type = 400, "mutability"
    elif isinstance(error, LastOwner):
        # Identity providers read 409 as a duplicate, and then look for another user.
        status = 403
    # SCIM has no member for codes.
    code = faults[0].code if faults else error.code
    body: dict[str, Any] = {"schemas": [_SCHEMA], "status": str(status), "detail": f"{message} ({code})"}
    if scim_type:
        body["scimType"] = scim_type
    headers = {"cache-control": "no-store"} | dict(getattr(error, "headers", None) or {})
    if status == 401:
        headers["www-authenticate"] = 'Bearer realm="SCIM"'
    return HttpResponse(status, msgspec.json.encode(body), MEDIA_TYPE, headers)
