"""When a definition cannot work: every fault, each with its pointer."""

from collections.abc import Iterator, Sequence

import jsonschema_rs
from msgspec import UNSET

from formwright.core.kernel.errors import Fault, pointer
from formwright.core.kernel.schema_faults import schema_faults
from formwright.domain.forms.definition import (
    MAX_FIELDS,
    AnyField,
    ChoiceField,
    ChoicesField,
    DecimalField,
    IntegerField,
    SliderField,
    TextField,
)
from formwright.domain.forms.schema import answer_schema


def faults(fields: Sequence[AnyField]) -> list[Fault]:
    """All faults of the fields; none when the definition works."""
    found = [*_count(fields), *_names(fields)]
    for index, field in enumerate(fields):
        found += [*_field(index, field), *_default(index, field)]
    return found


def _count(fields: Sequence[AnyField]) -> Iterator[Fault]:
    if not fields:
        yield Fault("/fields", "form.fields.none", "A form needs at least one field.")
    if len(fields) > MAX_FIELDS:
        yield Fault(
            "/fields", "form.fields.too_many", f"A form has at most {MAX_FIELDS} fields; these are {len(fields)}."
        )


def _names(fields: Sequence[AnyField]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for index, field in enumerate(fields):
        if field.name in first:
            detail = f"The name {field.name} is taken by field {first[field.name]}; each name may stand once."
            yield Fault(pointer("fields", index, "name"), "field.name.taken", detail)
        first.setdefault(field.name, index)


def _field(index: int, field: AnyField) -> Iterator[Fault]:
    match field:
        case TextField(min_length=int(low), max_length=int(high)) if low > high:
            yield _range(index, "minLength", "maxLength")
        case IntegerField(min=int(low), max=int(high)) | SliderField(min=low, max=high) if low > high:
            yield _range(index, "min", "max")
        case DecimalField(min=float(low), max=float(high)) if low > high:
            yield _range(index, "min", "max")
        case ChoiceField() | ChoicesField():
            yield from _options(index, field)


def _range(index: int, low: str, high: str) -> Fault:
    return Fault(pointer("fields", index, low), "field.range", f"{low} is greater than {high}: no answer could fit.")


def _options(index: int, field: ChoiceField | ChoicesField) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, option in enumerate(field.options):
        if option.value in seen:
            where = pointer("fields", index, "options", place, "value")
            yield Fault(where, "field.option.taken", f"The value {option.value!r} stands twice among the options.")
        seen.add(option.value)


def _default(index: int, field: AnyField) -> Iterator[Fault]:
    default = getattr(field, "default", UNSET)
    if default is not UNSET:
        validator = jsonschema_rs.Draft202012Validator(answer_schema(field))
        for fault in schema_faults(validator, default, ("fields", index, "default")):
            yield Fault(fault.pointer, "field.default", f"The default is no answer to this field. {fault.detail}")
