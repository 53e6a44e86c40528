"""The fields of a form as its page gets them: without points that nobody is to read there."""

from collections.abc import Iterator, Sequence, Set

from msgspec import UNSET, structs

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import (
    AnyField,
    RepeatField,
    SectionField,
    scored_names,
    walk_fields,
)
from formwright.domain.forms.fields.labels import names_in_text
from formwright.domain.forms.rules.compiler import last_saved_names, reads_points, referenced_names


def page_fields(definition: Definition) -> Sequence[AnyField]:
    """Return the fields that the page evaluates.

    Unless it shows the score, or a rule needs points there, it gets no points, so that people cannot find out which
    answers are right. The server then computes the hidden fields that only it needs.
    """
    fields = definition.fields
    if definition.settings.score is not UNSET or not scored_names(fields):
        return fields
    left = _fields_of_page(fields)
    rules = (text for field in left.values() for _, text in field.rules())
    return fields if any(map(reads_points, rules)) else list(_without_points(fields, left.keys()))


def _fields_of_page(fields: Sequence[AnyField]) -> dict[str, AnyField]:
    """Return the fields by name, without hidden ones that are computed and that no other field on the page reads."""
    left = {field.name: field for field in walk_fields(fields)}
    shown = {name for field in left.values() for _, label in field.texts() for name in names_in_text(label)}
    while True:
        read = shown.union(*map(_names_read, left.values()))
        unread = [name for name, field in left.items() if name not in read and _is_only_computed(field)]
        if not unread:
            return left
        for name in unread:
            del left[name]


def _names_read(field: AnyField) -> Iterator[str]:
    for _, text in field.rules():
        yield from referenced_names(text)
        yield from last_saved_names(text)
    yield from field.recalculate_on
    yield from field.filter.values()


def _is_only_computed(field: AnyField) -> bool:
    is_computed = field.hidden and field.calculate is not UNSET and field.valid_if is UNSET
    # A lookup also fills in other fields.
    return is_computed and not field.datasource_id


def _without_points(fields: Sequence[AnyField], names: Set[str]) -> Iterator[AnyField]:
    """Yield the fields with these names, without points."""
    for field in fields:
        if field.name not in names:
            continue
        if isinstance(field, SectionField | RepeatField):
            yield structs.replace(field, fields=list(_without_points(field.fields, names)))
        elif field.option_points:
            yield structs.replace(field, options=[structs.replace(option, points=0.0) for option in field.options])
        else:
            yield field
