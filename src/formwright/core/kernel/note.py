"""A change that no event tells of: for the audit log alone."""

from dataclasses import fields
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_STAMPS = frozenset({"updated", "updated_by", "revision"})


class Note(Struct, frozen=True):
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
