"""`lastSaved.name` in `defaultRule`: the answers that this device submitted last for the form.

Only the page evaluates these rules, and it only keeps the answers that they name.
"""

from collections.abc import Iterator, Sequence

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.fields import AnyField, flatten_sections, walk_fields
from formwright.domain.forms.rules.compiler import LAST_SAVED, last_saved_names


def list_kept_names(fields: Sequence[AnyField]) -> list[str]:
    """Return the names of the fields whose last answers rules read."""
    return sorted({name for field in walk_fields(fields) for name in _names_of(field)} & find_keepable(fields))


def find_keepable(fields: Sequence[AnyField]) -> set[str]:
    """Return the names of the fields whose last answers rules can read: outside of repeats, and no files.

    There are none if a field has the name of the variable, as it was possible before rules had it.
    """
    if any(field.name == LAST_SAVED for field in walk_fields(fields)):
        return set()
    return {field.name for field in flatten_sections(fields) if field.has_answer and field.is_remembered}


def find_last_saved_errors(
    fields: Sequence[AnyField], placed: Sequence[tuple[tuple[str | int, ...], AnyField]]
) -> Iterator[ValidationFault]:
    """Yield errors for last answers that the page does not keep. `placed` are all fields with their paths."""
    keepable = find_keepable(fields)
    for path, field in placed if keepable else ():
        for name in _names_of(field):
            if name not in keepable:
                which = "a field outside of repeats that takes no files"
                detail = f"Write {LAST_SAVED} with the name of {which}: {LAST_SAVED}.name"
                yield ValidationFault(pointer(*path, "defaultRule"), "field.rule", detail)


def _names_of(field: AnyField) -> Iterator[str]:
    if isinstance(field.default_rule, str):
        yield from last_saved_names(field.default_rule)
