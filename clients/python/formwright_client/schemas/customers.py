"""Schemas of Customers."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.shared import AnyResource, Permission


@final
class Branding(TypedDict):
    """The branding of an account."""

    accentColor: str | None
    """The accent color of fill pages, emails and PDF reports. They use shades of it on which text is
    readable. Null: the default.
    """
    senderName: str | None
    """The name of the sender of emails, without `@`, quotation marks and angle brackets. Null: that of the
    installation.
    """
    logoPath: str | None
    """The path of the logo, which everyone may load; it changes with the logo. Null: no logo."""


@final
class BrandingWrite(TypedDict):
    """The branding of an account to set."""

    accentColor: NotRequired[str | None]
    """The accent color of fill pages, emails and PDF reports. They use shades of it on which text is
    readable. Null: the default.
    """
    senderName: NotRequired[str | None]
    """The name of the sender of emails, without `@`, quotation marks and angle brackets. Null: that of the
    installation.
    """


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
