"""Shapes of Customers.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import TypedDict


class Customer(TypedDict):
    """An account."""

    id: str
    name: str
    locale: str
    timeZone: str
    created: str
    updated: str
    revision: int
