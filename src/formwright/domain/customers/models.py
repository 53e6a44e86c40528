"""The account record."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Customer:
    """An account. Times are in milliseconds."""

    id: str
    name: str
    locale: str
    time_zone: str
    created: int
    updated: int
    revision: int
