"""A thing that happened in an account, in its room's own words."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """Recorded in the transaction of the change itself. A room adds what happened, and to which record."""

    type: ClassVar[str]

    customer_id: str
