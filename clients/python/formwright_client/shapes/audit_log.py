"""Shapes of Audit log.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class AuditActor(TypedDict):
    """The person or program that made the change."""

    type: AuditActorType
    id: str | None
    name: str | None


AuditActorType: TypeAlias = Literal["key", "link", "nobody", "system", "user"]
"""The type of an actor."""


class AuditEntry(TypedDict):
    """A change that was made in the account."""

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
    """The resource that was changed."""

    type: str
    id: str
    name: str | None
