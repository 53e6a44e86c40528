"""Differences between two versions of a form, and which of them break integrations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, walk_fields, walk_in_repeats


class ChangeKind(StrEnum):
    """How a field changed. `RETYPED`: it has another type. `MOVED`: it moved into or out of a repeat. `CHANGED`: other
    properties changed.
    """

    ADDED = "ADDED"
    REMOVED = "REMOVED"
    RENAMED = "RENAMED"
    RETYPED = "RETYPED"
    MOVED = "MOVED"
    CHANGED = "CHANGED"


_BREAKING = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.RETYPED, ChangeKind.MOVED}


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """The change of a field: its names before and after, the changed properties, and the repeats that contained it:
    `orders/items` for a field of the repeat `items` inside the repeat `orders`.
    """

    kind: ChangeKind
    before: str | None
    after: str | None
    properties: tuple[str, ...] = ()
    repeat: str | None = None

    @property
    def is_breaking(self) -> bool:
        """Whether code that reads the previous answers finds different data under this name, or none."""
        return self.kind in _BREAKING


def compare_definitions(before: Definition, after: Definition) -> list[FieldDiff]:
    """Return the changes of all fields: first those of the newer version in its order, then removed fields."""
    old, new = _by_name(before.fields), _by_name(after.fields)
    was_in, is_in = _repeat_paths(before.fields), _repeat_paths(after.fields)
    gone = [field for name, field in old.items() if name not in new]
    now: dict[str, str] = {}
    found: list[FieldDiff] = []
    for name, field in new.items():
        if name in old:
            found += _compare(old[name], field)
            around, around_now = (places.get(name, "").rpartition("/")[2] for places in (was_in, is_in))
            # Answers of a repeat are keyed by its name. If the repeat was renamed, that is a change of its own.
            if around_now != now.get(around, around):
                found.append(FieldDiff(ChangeKind.MOVED, name, name))
        elif (origin := _find_renamed(field, gone)) is not None:
            gone.remove(origin)
            now[origin.name] = name
            found.append(FieldDiff(ChangeKind.RENAMED, origin.name, name))
        else:
            found.append(FieldDiff(ChangeKind.ADDED, None, name))
    found += [FieldDiff(ChangeKind.REMOVED, field.name, None) for field in gone]
    return [replace(change, repeat=was_in.get(change.before or "")) for change in found]


def _by_name(fields: Sequence[AnyField]) -> dict[str, AnyField]:
    return {field.name: field for field in walk_fields(fields)}


def _repeat_paths(fields: Sequence[AnyField]) -> dict[str, str]:
    """Return the names of the repeats around each field in a repeat, such as `orders/items`, by its name."""
    return {field.name: repeat for repeat, field in walk_in_repeats(fields) if repeat}


def _find_renamed(field: AnyField, removed_fields: Sequence[AnyField]) -> AnyField | None:
    """Return the removed field that equals this one except for its name, or None."""
    return next((old for old in removed_fields if type(old) is type(field) and old.label == field.label), None)


def _compare(old: AnyField, new: AnyField) -> Iterator[FieldDiff]:
    if type(old) is not type(new) and _json_type(old) != _json_type(new):
        yield FieldDiff(ChangeKind.RETYPED, old.name, new.name, ("type",))
    elif members := tuple(_changed_properties(old, new)):
        yield FieldDiff(ChangeKind.CHANGED, old.name, new.name, members)


def _json_type(field: AnyField) -> object:
    return field.answer_schema().get("type")


def _changed_properties(old: AnyField, new: AnyField) -> Iterator[str]:
    if type(old) is not type(new):
        yield "type"
    before, after = (msgspec.to_builtins(field) for field in (old, new))
    for member in dict.fromkeys((*before, *after)):
        # Fields inside are compared by themselves, and it does not matter from which block a field was inserted.
        if member not in ("type", "fields", "block") and before.get(member) != after.get(member):
            yield member
