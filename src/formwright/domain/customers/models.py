"""An account."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Customer:
    """One account; times in milliseconds."""

    id: str
    name: str
    locale: str
    time_zone: str
    created: int
    updated: int
    revision: int
