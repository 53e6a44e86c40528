"""A thing that happened in an account, in its room's own words.

A change that no event tells of: for the audit log alone.
"""

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct


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


if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_STAMPS = frozenset({"updated", "updated_by", "revision"})


class AuditNote(Struct, frozen=True):
    """What was done, as `noun.verb` (`key.created`), and to which thing: its id, and its name as it then was.

    `changed` names the members that are otherwise than before, never what is in them. No secret and no answer of a
    form belongs in any of these.
    """

    customer_id: str
    action: str
    id: str
    name: str = ""
    changed: tuple[str, ...] = ()


def changed(before: "DataclassInstance | Struct", after: "DataclassInstance | Struct") -> tuple[str, ...]:
    """The members in which two records of one kind differ, as the API spells them."""
    members = after.__struct_fields__ if isinstance(after, Struct) else [field.name for field in fields(after)]
    names = (name for name in members if name not in _STAMPS)
    return tuple(_camel(name) for name in names if getattr(before, name) != getattr(after, name))


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)
