"""Schemas of Customers."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import TypedDict, final


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
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""
