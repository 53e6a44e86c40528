"""Shapes of Audit log.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class AuditActor(TypedDict):
    """Who did it."""

    type: AuditActorType
    id: str | None
    name: str | None


AuditActorType: TypeAlias = Literal["key", "link", "nobody", "system", "user"]
"""What kind of actor did it."""


class AuditEntry(TypedDict):
    """One thing that was done in the account."""

    id: str
    customerId: str
    timestamp: str
    actor: AuditActor
    action: str
    resource: AuditResource
    changed: list[str]
    address: str | None
    requestId: str | None


class AuditResource(TypedDict):
    """What it was done to."""

    type: str
    id: str
    name: str | None
