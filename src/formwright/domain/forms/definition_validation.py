"""When a definition cannot work: every fault, each with its pointer."""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import jsonschema_rs
from msgspec import UNSET

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.answer_schema import answer_schema
from formwright.domain.forms.cel.compiler import (
    BOOL,
    DOUBLE,
    INT,
    Expression,
    ExpressionError,
    compile_rule,
    kind_words,
    type_of,
    types_of,
)
from formwright.domain.forms.cel.dialect import FORBIDDEN
from formwright.domain.forms.cel.program import dependencies
from formwright.domain.forms.definition import (
    MAX_FIELDS,
    AnyField,
    ChoiceField,
    ChoicesField,
    DecimalField,
    FileField,
    IntegerField,
    LocationField,
    LookupField,
    PhotoField,
    RepeatField,
    SectionField,
    SignatureField,
    SliderField,
    TextField,
    every,
    flat,
)
from formwright.domain.forms.pattern_validation import slow
from formwright.domain.forms.regex.patterns import LINEAR, pattern_fault

MAX_DEPTH = 5
_NO_CELL = PhotoField | FileField | SignatureField | LocationField | RepeatField
Path = tuple[str | int, ...]
Placed = tuple[Path, AnyField]


def faults(fields: Sequence[AnyField]) -> list[ValidationFault]:
    """All faults of the fields; none when the definition works."""
    all_fields = list(placed(fields))
    if len(all_fields) > MAX_FIELDS:  # Checking the rules of any number of fields would take any amount of time.
        detail = f"A form has at most {MAX_FIELDS} fields; this one has {len(all_fields)}."
        return [ValidationFault("/fields", "form.fields.too_many", detail)]
    names = list(_names(all_fields))
    return [
        *_size(fields, all_fields),
        *names,
        *(fault for path, field in all_fields for fault in _field(path, field)),
        *_rules(fields, ("fields",), {}),
        *_unfillable(all_fields),
        *slow(all_fields),
        *([] if names else _circles(all_fields)),
    ]


def placed(fields: Sequence[AnyField]) -> Iterator[Placed]:
    """All fields in reading order, each with the path to it in the document."""
    yield from _placed(fields, ("fields",))


def _placed(fields: Sequence[AnyField], path: Path) -> Iterator[Placed]:
    for index, field in enumerate(fields):
        yield (*path, index), field
        if isinstance(field, SectionField | RepeatField):
            yield from _placed(field.fields, (*path, index, "fields"))


def _size(fields: Sequence[AnyField], placed: list[Placed]) -> Iterator[ValidationFault]:
    if not fields:
        yield ValidationFault("/fields", "form.fields.none", "A form needs at least one field.")
    for path, field in placed:
        if len(path) > 2 * MAX_DEPTH:
            yield ValidationFault(
                pointer(*path), "field.too_deep", f"Sections and repeats go at most {MAX_DEPTH} levels deep."
            )
        if isinstance(field, RepeatField) and any(isinstance(inner, RepeatField) for inner in every(field.fields)):
            yield ValidationFault(pointer(*path), "field.repeat_in_repeat", "A repeat cannot hold another repeat.")


def _names(placed: list[Placed]) -> Iterator[ValidationFault]:
    first: dict[str, Path] = {}
    for path, field in placed:
        if field.name in FORBIDDEN:
            detail = f"{field.name} means something else in rules or in a browser: give the field another name."
            yield ValidationFault(pointer(*path, "name"), "field.name.reserved", detail)
        if field.name in first:
            detail = (
                f"The name {field.name} is taken by the field at {pointer(*first[field.name])}; a name stands once."
            )
            yield ValidationFault(pointer(*path, "name"), "field.name.taken", detail)
        first.setdefault(field.name, path)


def _field(path: Path, field: AnyField) -> Iterator[ValidationFault]:
    match field:
        case TextField(min_length=int(low), max_length=int(high)) if low > high:
            yield _range(path, "minLength", "maxLength")
        case IntegerField(min=int(low), max=int(high)) | SliderField(min=low, max=high) if low > high:
            yield _range(path, "min", "max")
        case DecimalField(min=float(low), max=float(high)) if low > high:
            yield _range(path, "min", "max")
        case RepeatField(min=low, max=high) if low > high:
            yield _range(path, "min", "max")
        case ChoiceField() | ChoicesField():
            yield from _options(path, field)
    if reason := _pattern_fault(field):
        yield ValidationFault(pointer(*path, "pattern"), "field.pattern", reason)
    else:
        yield from _default(path, field)


def _pattern_fault(field: AnyField) -> str | None:
    pattern = field.pattern if isinstance(field, TextField) else UNSET
    return pattern_fault(pattern) if isinstance(pattern, str) else None


def _range(path: Path, low: str, high: str) -> ValidationFault:
    return ValidationFault(pointer(*path, low), "field.range", f"{low} is greater than {high}: no answer could fit.")


def _options(path: Path, field: ChoiceField | ChoicesField) -> Iterator[ValidationFault]:
    seen: set[str] = set()
    for place, option in enumerate(field.options):
        if option.value in seen:
            where = pointer(*path, "options", place, "value")
            yield ValidationFault(
                where, "field.option.taken", f"The value {option.value!r} stands twice among the options."
            )
        seen.add(option.value)


def _default(path: Path, field: AnyField) -> Iterator[ValidationFault]:
    default = getattr(field, "default", UNSET)
    if default is UNSET:
        return
    if not jsonschema_rs.Draft202012Validator(answer_schema(field), pattern_options=LINEAR).is_valid(default):
        yield ValidationFault(
            pointer(*path, "default"), "field.default", "The default would not be accepted as an answer."
        )


def _rules(fields: Sequence[AnyField], path: Path, outer: Mapping[str, Any]) -> Iterator[ValidationFault]:
    """The rules of these fields, which see each other's answers; those of a repeat's row see the outer ones too."""
    seen = dict(outer) | types_of(list(flat(fields)))
    for where, field in _beside(fields, path):
        for member, text in rules_of(field):
            yield from _rule((*where, member), member, text, field, seen)
        yield from _mapping(where, field, seen)
        if isinstance(field, RepeatField):
            yield from _rules(field.fields, (*where, "fields"), seen)


def _beside(fields: Sequence[AnyField], path: Path) -> Iterator[Placed]:
    for index, field in enumerate(fields):
        yield (*path, index), field
        if isinstance(field, SectionField):
            yield from _beside(field.fields, (*path, index, "fields"))


def rules_of(field: AnyField) -> Iterator[tuple[str, str]]:
    """A field's rules by the name of their member."""
    for member, text in (("visibleIf", field.visible_if), ("validIf", field.valid_if), ("calculate", field.calculate)):
        if isinstance(text, str):
            yield member, text


def _rule(where: Path, member: str, text: str, field: AnyField, seen: Mapping[str, Any]) -> Iterator[ValidationFault]:
    try:
        rule = compile_rule(text, seen)
    except ExpressionError as error:
        yield ValidationFault(pointer(*where), "field.rule", str(error))
        return
    wanted = type_of(field) if member == "calculate" else BOOL
    if wanted is None:
        yield ValidationFault(pointer(*where), "field.rule", f"A {_kind(field)} has no answer to calculate.")
    elif not _fits(rule, wanted):
        comes, wants = (kind_words(one.name()) for one in (rule.returns, wanted))
        detail = f"This comes to {comes}; here it must come to {wants}."
        yield ValidationFault(pointer(*where), "field.rule.type", detail)
    elif rule.is_too_costly():
        detail = "This rule needs too much work even for short answers: nest fewer loops, and join fewer texts in them."
        yield ValidationFault(pointer(*where), "field.rule.too_costly", detail)


def _fits(rule: Expression, wanted: Any) -> bool:
    return bool(rule.returns == wanted) or bool(wanted == DOUBLE and rule.returns == INT)


def _kind(field: AnyField) -> str:
    return str(type(field).__struct_config__.tag)


def _mapping(where: Path, field: AnyField, seen: Mapping[str, Any]) -> Iterator[ValidationFault]:
    if not isinstance(field, LookupField):
        return
    for member, names in (("mapping", field.mapping), ("filter", field.filter)):
        for column, name in names.items():
            if name not in seen or name == field.name:
                yield ValidationFault(
                    pointer(*where, member, column), "field.unknown", f"There is no other field named {name}."
                )


def _unfillable(placed: list[Placed]) -> Iterator[ValidationFault]:
    """Mappings into what the cell of a table can never be. A form from before they were refused still opens."""
    targets = {field.name: field for _, field in placed if isinstance(field, _NO_CELL)}
    for path, field in placed:
        for column, name in field.mapping.items() if isinstance(field, LookupField) else ():
            if target := targets.get(name):
                detail = f"A column cannot fill {name}, which is a {_kind(target)}."
                yield ValidationFault(pointer(*path, "mapping", column), "field.unknown", detail)


def _circles(placed: list[Placed]) -> Iterator[ValidationFault]:
    where = {field.name: path for path, field in placed}
    graph = {field.name: dependencies(field, sections) & where.keys() for field, sections in _with_sections(placed)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
        detail = f"These depend on each other in a circle: {', '.join(circle)}."
        yield ValidationFault(pointer(*where[circle[0]]), "field.rule.circle", detail)


def _with_sections(placed: list[Placed]) -> Iterator[tuple[AnyField, list[str]]]:
    """Each field with the sections around it."""
    sections = {path: field.name for path, field in placed if isinstance(field, SectionField)}
    for path, field in placed:
        yield field, [name for outer, name in sections.items() if path != outer and path[: len(outer)] == outer]
