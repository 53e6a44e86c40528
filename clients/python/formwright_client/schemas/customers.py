"""Schemas of Customers."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, final

from formwright_client.schemas.shared import AnyResource, Permission


@final
class CallingKey(TypedDict):
    """The API key of the request, and what it may do."""

    id: str
    """The id of an API key."""
    name: str
    """The name of the key."""
    access: KeyAccess
    """`FULL`: everything. `READ_ONLY`: read everything. `LIMITED`: what `permissions` and `resources` say. A
    `FULL` or `READ_ONLY` key also gets permissions that later versions add.
    """
    permissions: list[Permission]
    """The permissions of the key, sorted."""
    resources: list[AnyResource]
    """What the permissions apply to: the account, or folders and forms. `people:read` and `datasources:read`
    always apply to the whole account. A folder includes its subfolders.
    """
    rateLimit: int | None
    """How many requests per minute the key may send. null: no limit."""
    expiresAt: str | None
    """When the key expires. null: never."""


@final
class Customer(TypedDict):
    """An account."""

    id: str
    """The id of the account."""
    name: str
    """The name of the account."""
    locale: str
    """The language of the account (BCP 47)."""
    timeZone: str
    """The IANA time zone of the account."""
    key: CallingKey
    """The API key of this request, and what it may do."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


KeyAccess: TypeAlias = Literal["FULL", "LIMITED", "READ_ONLY"]
"""What an API key may do in general."""
