"""Types used by several modules.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Problem(TypedDict):
    """Problem details (RFC 9457) of a rejected or failed request."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    requestId: str
    errors: NotRequired[list[ValidationError]]
    moreErrors: NotRequired[bool]


class ValidationError(TypedDict):
    """An error in the request."""

    pointer: str
    code: str
    detail: str
