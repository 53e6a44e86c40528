"""A thing that happened in an account, in its room's own words."""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """Recorded in the transaction of the change itself. A room adds what happened, and to which record.

    `changed` names the members of the record that are otherwise than before: for the audit log.
    """

    type: ClassVar[str]

    customer_id: str
    changed: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def subject(self) -> tuple[str, str]:
        """The id and the name of what it happened to: of the record that the room's event carries first."""
        members: tuple[str, ...] = self.__match_args__
        record = getattr(self, members[1])
        return record.id, getattr(record, "name", "")
