"""Shapes of Invites.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Invite(TypedDict):
    """An invitation of one person to fill in a form, and its progress."""

    id: str
    customerId: str
    formId: str
    status: InviteStatus
    email: str
    userId: str | None
    name: str
    message: str
    data: dict[str, Any]
    expiresAt: str
    remindAt: str | None
    remindedAt: str | None
    externalId: str | None
    submissionId: str | None
    reason: str | None
    sentAt: str | None
    openedAt: str | None
    startedAt: str | None
    completedAt: str | None
    created: str
    updated: str
    revision: int


class InviteCreate(TypedDict):
    """An invite."""

    formId: str
    email: NotRequired[str | None]
    userId: NotRequired[str | None]
    name: NotRequired[str]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    expiresAt: NotRequired[str | None]
    remindAt: NotRequired[str | None]
    externalId: NotRequired[str | None]


InviteStatus: TypeAlias = Literal[
    "COMPLETED", "DECLINED", "EXPIRED", "FAILED", "OPENED", "PENDING", "REVOKED", "SENT", "STARTED"
]
"""The status of an invite."""
