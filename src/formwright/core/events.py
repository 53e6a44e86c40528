"""Domain events, and audit notes for changes that have no event."""

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Event:
    """An event, recorded in the transaction of the change. Domain packages add the type and the record.

    `changed` names the changed properties of the record, for the audit log. An event that `is_silent` is logged, but
    not delivered to subscribers.
    """

    type: ClassVar[str]

    customer_id: str
    changed: tuple[str, ...] = field(default=(), kw_only=True)
    is_silent: bool = field(default=False, kw_only=True)


if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_STAMPS = frozenset({"updated", "updated_by", "revision"})


class AuditNote(Struct, frozen=True):
    """An audit entry: the action as `noun.verb` (`key.created`), and the id and name of its object.

    `changed` names the changed properties, never their values. No field may contain a secret or a form answer.
    """

    customer_id: str
    action: str
    id: str
    name: str = ""
    changed: tuple[str, ...] = ()


def changed_properties(before: "DataclassInstance | Struct", after: "DataclassInstance | Struct") -> tuple[str, ...]:
    """Return the names of the properties in which two records differ, in the API's camelCase."""
    members = after.__struct_fields__ if isinstance(after, Struct) else [field.name for field in fields(after)]
    names = (name for name in members if name not in _STAMPS)
    return tuple(_camel(name) for name in names if getattr(before, name) != getattr(after, name))


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)
