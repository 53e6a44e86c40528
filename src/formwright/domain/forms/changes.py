"""What changed between two versions of a form, and what of it breaks those who read the answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from formwright.domain.forms.definition import AnyField, Definition, NoteField, SectionField, every
from formwright.domain.forms.schema import answer_schema


class Kind(StrEnum):
    """What happened to a field."""

    ADDED = "ADDED"
    REMOVED = "REMOVED"
    RENAMED = "RENAMED"
    RETYPED = "RETYPED"
    CHANGED = "CHANGED"


_BREAKING = {Kind.REMOVED, Kind.RENAMED, Kind.RETYPED}


@dataclass(frozen=True, slots=True)
class Change:
    """One field's change: its name before and after, and the members that differ."""

    kind: Kind
    before: str | None
    after: str | None
    members: tuple[str, ...] = ()

    @property
    def breaking(self) -> bool:
        """Whether a reader of the older answers meets something else under the same name, or nothing."""
        return self.kind in _BREAKING


def changes(before: Definition, after: Definition) -> list[Change]:
    """All changes of fields, in the order of the newer version, then what was removed."""
    old, new = _by_name(before.fields), _by_name(after.fields)
    gone = [field for name, field in old.items() if name not in new]
    found: list[Change] = []
    for name, field in new.items():
        if name in old:
            found += _compare(old[name], field)
        elif (origin := _renamed_from(field, gone)) is not None:
            gone.remove(origin)
            found.append(Change(Kind.RENAMED, origin.name, name))
        else:
            found.append(Change(Kind.ADDED, None, name))
    return found + [Change(Kind.REMOVED, field.name, None) for field in gone]


def _by_name(fields: Sequence[AnyField]) -> dict[str, AnyField]:
    return {field.name: field for field in every(fields)}


def _renamed_from(field: AnyField, gone: Sequence[AnyField]) -> AnyField | None:
    """The field that is gone and was the same but for its name."""
    return next((old for old in gone if type(old) is type(field) and old.label == field.label), None)


def _compare(old: AnyField, new: AnyField) -> Iterator[Change]:
    if type(old) is not type(new) and _json_type(old) != _json_type(new):
        yield Change(Kind.RETYPED, old.name, new.name, ("type",))
    elif members := tuple(_different(old, new)):
        yield Change(Kind.CHANGED, old.name, new.name, members)


def _json_type(field: AnyField) -> object:
    if isinstance(field, NoteField | SectionField):
        return None
    return answer_schema(field)["type"]


def _different(old: AnyField, new: AnyField) -> Iterator[str]:
    if type(old) is not type(new):
        yield "type"
    before, after = (msgspec.to_builtins(field) for field in (old, new))
    for member in dict.fromkeys((*before, *after)):
        if member not in ("type", "fields") and before.get(member) != after.get(member):
            yield member
