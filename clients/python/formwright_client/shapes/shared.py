"""Shapes that several groups need.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Problem(TypedDict):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    requestId: str
    errors: NotRequired[list[ValidationError]]
    moreErrors: NotRequired[bool]


class ValidationError(TypedDict):
    """One thing that is wrong with the request, and where."""

    pointer: str
    code: str
    detail: str
