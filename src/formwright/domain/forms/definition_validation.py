"""Validation of form definitions: finds all errors, each with its pointer."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.answers.errors import compile_schema
from formwright.domain.forms.definition import MAX_FIELDS
from formwright.domain.forms.fields import AnyField, RepeatField, SectionField, flatten_sections, scored_names
from formwright.domain.forms.fields.labels import label_texts
from formwright.domain.forms.fields.markup import count_marks
from formwright.domain.forms.fields.metadata import find_metadata_errors
from formwright.domain.forms.rules.compiler import (
    BOOL,
    DOUBLE,
    DYN,
    INITIAL_TYPES,
    INT,
    LAST_SAVED,
    OPTION,
    OPTION_MAP,
    TOTAL_TYPES,
    Expression,
    ExpressionError,
    cel_type,
    cel_types,
    compile_rule,
    option_columns,
    row_types,
    type_label,
)
from formwright.domain.forms.rules.complexity import find_excess
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES
from formwright.domain.forms.rules.filled_fields import MAX_LOOKUP_DEPTH, lookup_depth, with_filled_fields
from formwright.domain.forms.rules.last_saved import find_last_saved_errors
from formwright.domain.forms.rules.program import dependencies

MAX_DEPTH = 10
MAX_REPEAT_DEPTH = 3
MAX_MARKS = 20_000
"""How many characters of markup the texts of a form may have: rendering them takes up to half a second."""
_RULES_OF_ANSWERS = ("requiredIf", "readOnlyIf")
Path = tuple[str | int, ...]
FieldAtPath = tuple[Path, AnyField]


def find_errors(fields: Sequence[AnyField]) -> list[ValidationFault]:
    """Return all errors of the fields."""
    all_fields = list(walk_with_paths(fields))
    if len(all_fields) > MAX_FIELDS:  # Checking the rules of any number of fields would take any amount of time.
        detail = f"A form has at most {MAX_FIELDS} fields; this one has {len(all_fields)}."
        return [ValidationFault("/fields", "form.fields.too_many", detail)]
    names = list(_name_errors(all_fields))
    return [
        *_size_errors(fields, all_fields),
        *names,
        *(fault for path, field in all_fields for fault in _field_errors(path, field)),
        *_rule_errors(fields, ("fields",), TOTAL_TYPES),
        *find_metadata_errors(fields, all_fields),
        *_cell_errors(all_fields),
        *find_last_saved_errors(fields, all_fields),
        # Dependencies are found by name, so names must be unique first.
        *([] if names else _cycle_errors(all_fields, scored_names(fields))),
    ]


def find_title_error(fields: Sequence[AnyField], name: str | UnsetType) -> ValidationFault | None:
    """Return the error if no answer of this name can be the title of a submission."""
    titles = {field.name for field in flatten_sections(fields) if field.can_be_title}
    if name is UNSET or name in titles:
        return None
    detail = f"There is no field {name} outside of repeats whose answer is a text, number, choice or date."
    return ValidationFault("/settings/titleField", "field.unknown", detail)


def walk_with_paths(
    fields: Sequence[AnyField], path: Path = ("fields",), *, into_repeats: bool = True
) -> Iterator[FieldAtPath]:
    """Yield all fields in reading order, each with its path in the document."""
    for index, field in enumerate(fields):
        yield (*path, index), field
        if isinstance(field, SectionField) or (into_repeats and isinstance(field, RepeatField)):
            yield from walk_with_paths(field.fields, (*path, index, "fields"), into_repeats=into_repeats)


def _size_errors(fields: Sequence[AnyField], placed: list[FieldAtPath]) -> Iterator[ValidationFault]:
    if not fields:
        yield ValidationFault("/fields", "form.fields.none", "A form needs at least one field.")
    texts = (text for _, field in placed for _, label in field.texts() for text in label_texts(label))
    if sum(map(count_marks, texts)) > MAX_MARKS:
        detail = f"The texts of a form can have at most {MAX_MARKS:,} characters of markup, such as * and _."
        yield ValidationFault("/fields", "form.markup", detail)
    for path, _ in placed:
        # Each level adds two steps to the path: `fields` and the index.
        if len(path) > 2 * MAX_DEPTH:
            yield ValidationFault(
                pointer(*path), "field.too_deep", f"Sections and repeats go at most {MAX_DEPTH} levels deep."
            )
    repeats = [path for path, field in placed if isinstance(field, RepeatField)]
    for path in repeats:
        if sum(path[: len(outer)] == outer for outer in repeats) > MAX_REPEAT_DEPTH:
            detail = f"Repeats go at most {MAX_REPEAT_DEPTH} levels deep."
            yield ValidationFault(pointer(*path), "field.repeat_in_repeat", detail)


def _name_errors(placed: list[FieldAtPath]) -> Iterator[ValidationFault]:
    first: dict[str, tuple[str, Path]] = {}
    for path, field in placed:
        # Spreadsheets, databases and BI tools compare names of columns without case.
        other = first.setdefault(field.name.casefold(), (field.name, path))
        if field.name in FORBIDDEN_FIELD_NAMES:
            detail = f"{field.name} has another meaning in rules or in a browser. Give the field another name."
            yield ValidationFault(pointer(*path, "name"), "field.name.reserved", detail)
        if other[1] == path:
            continue
        where = f"the field at {pointer(*other[1])}"
        if other[0] == field.name:
            detail = f"The name {field.name} is also used by {where}. Names must be unique."
            yield ValidationFault(pointer(*path, "name"), "field.name.taken", detail)
        else:
            detail = f"The name {field.name} differs only in case from {other[0]}, the name of {where}."
            yield ValidationFault(pointer(*path, "name"), "field.name.case", f"{detail} Give it another name.")


def _field_errors(path: Path, field: AnyField) -> Iterator[ValidationFault]:
    own = list(field.find_errors())
    yield from (replace(fault, pointer=pointer(*path) + fault.pointer) for fault in own)
    has_pattern_error = any(fault.code == "field.pattern" for fault in own)
    # A schema with an invalid pattern cannot be compiled.
    if field.default is UNSET or has_pattern_error:
        return
    if not compile_schema(field.answer_schema(), [field]).is_valid(field.default):
        yield ValidationFault(pointer(*path, "default"), "field.default", "The default is not a valid answer.")


def _rule_errors(fields: Sequence[AnyField], path: Path, outer: Mapping[str, Any]) -> Iterator[ValidationFault]:
    """Check the rules of these fields. They can refer to each other, and rules in a repeat also to fields outside."""
    seen = dict(outer) | cel_types(list(flatten_sections(fields)))
    for where, field in walk_with_paths(fields, path, into_repeats=False):
        for member, text in field.rules():
            yield from _check_rule((*where, member), member, text, field, seen)
        yield from _lookup_errors(where, field, seen)
        yield from _filter_errors(where, field)
        yield from _initial_errors(where, field, seen)
        if isinstance(field, RepeatField):
            yield from _rule_errors(field.fields, (*where, "fields"), row_types(field.name, seen))


def _check_rule(
    where: Path, member: str, text: str, field: AnyField, types: Mapping[str, Any]
) -> Iterator[ValidationFault]:
    if member == "optionFilter":
        types = {**types, OPTION: OPTION_MAP}
    if member == "defaultRule":
        # Fields come last: a field that had the name `lastSaved` before rules knew it keeps its meaning.
        types = {**INITIAL_TYPES, **types}
    try:
        rule = compile_rule(text, types)
    except ExpressionError as error:
        yield ValidationFault(pointer(*where), "field.rule", str(error))
        return
    if member == "calculate" and field.has_answer and not field.accepts_calculation:
        detail = f"A {field.type} cannot be calculated. Remove the rule."
        yield ValidationFault(pointer(*where), "field.rule", detail)
        return
    expected = INT if member == "countRule" else cel_type(field) if member in ("calculate", "defaultRule") else BOOL
    if member in _RULES_OF_ANSWERS and not field.has_answer:
        detail = f"A {field.type} has no answer, so {member} has no effect. Remove the rule."
        yield ValidationFault(pointer(*where), "field.rule", detail)
    elif expected is None:
        yield ValidationFault(
            pointer(*where), "field.rule", f"A {field.type} has no answer, so it cannot be calculated."
        )
    elif not _is_assignable(rule, expected):
        comes, wants = (type_label(one.name()) for one in (rule.returns, expected))
        detail = f"The result is {comes}; it must be {wants}."
        yield ValidationFault(pointer(*where), "field.rule.type", detail)
    elif excess := find_excess(rule.tree):
        yield ValidationFault(pointer(*where), "field.rule", excess)
    elif rule.is_too_costly():
        detail = "This rule is too complex even for short answers. Nest fewer loops, and join fewer texts in them."
        yield ValidationFault(pointer(*where), "field.rule.too_costly", detail)


def _filter_errors(where: Path, field: AnyField) -> Iterator[ValidationFault]:
    """Yield errors for columns that no option has, and for columns with names that rules cannot read."""
    if not field.is_choice:
        return
    columns = {name for option in field.options for name in option.columns}
    for place, option in enumerate(field.options):
        for name in option.columns:
            if name in FORBIDDEN_FIELD_NAMES or name == "value":
                detail = f"{name} has another meaning in rules. Give the column another name."
                yield ValidationFault(pointer(*where, "options", place, "columns", name), "field.name.reserved", detail)
    for name in option_columns(field.option_filter) if isinstance(field.option_filter, str) else ():
        if name not in columns and name != "value":
            yield ValidationFault(
                pointer(*where, "optionFilter"), "field.rule", f"No option has a column named {name}."
            )


def _initial_errors(where: Path, field: AnyField, types: Mapping[str, Any]) -> Iterator[ValidationFault]:
    """Yield errors for rules of initial answers that have no effect, and for fields that do not exist."""
    if field.default_rule is not UNSET and (detail := _initial_conflict(field)):
        yield ValidationFault(pointer(*where, "defaultRule"), "field.rule", detail)
    if field.recalculate_on and (
        field.calculate is not UNSET or not field.has_answer or isinstance(field, RepeatField)
    ):
        detail = "There is no answer to set again. Remove recalculateOn."
        yield ValidationFault(pointer(*where, "recalculateOn"), "field.rule", detail)
    for place, name in enumerate(field.recalculate_on):
        if name not in types or name == field.name:
            detail = f"There is no other field named {name}."
            yield ValidationFault(pointer(*where, "recalculateOn", place), "field.unknown", detail)


def _initial_conflict(field: AnyField) -> str | None:
    if field.has_answer and not field.accepts_default_rule:
        return f"A {field.type} has no initial answer. Remove the rule."
    if field.calculate is not UNSET:
        return "The answer is calculated, so defaultRule has no effect. Remove one of the rules."
    if field.default is not UNSET and not field.recalculate_on:
        return "The field has a default, too. Remove default or defaultRule."
    return None


def _is_assignable(rule: Expression, target: Any) -> bool:
    # The page checks what the last answer of a device was.
    is_unknown = rule.returns == DYN and LAST_SAVED in rule.names
    return is_unknown or bool(rule.returns == target) or bool(target == DOUBLE and rule.returns == INT)


def _lookup_errors(where: Path, field: AnyField, types: Mapping[str, Any]) -> Iterator[ValidationFault]:
    for member, names in (("mapping", field.mapping), ("filter", field.filter)):
        for column, name in names.items():
            if name not in types or name == field.name:
                yield ValidationFault(
                    pointer(*where, member, column), "field.unknown", f"There is no other field named {name}."
                )


def _cell_errors(placed: list[FieldAtPath]) -> Iterator[ValidationFault]:
    """Yield errors for fields that no cell can fill or equal. Existing forms with such lookups still open."""
    fields = {field.name: field for _, field in placed if field.has_answer}
    for path, lookup in placed:
        for column, name in lookup.mapping.items():
            if (field := fields.get(name)) and not field.fits_in_cell:
                detail = f"A column cannot fill {name}, which is a {field.type}."
                yield ValidationFault(pointer(*path, "mapping", column), "field.unknown", detail)
        for column, name in lookup.filter.items():
            if (field := fields.get(name)) and not field.can_filter_rows:
                detail = f"No cell can equal {name}, which is a {field.type}. Filter by another field."
                yield ValidationFault(pointer(*path, "filter", column), "field.unknown", detail)


def _cycle_errors(placed: list[FieldAtPath], scored: Set[str]) -> Iterator[ValidationFault]:
    where = {field.name: path for path, field in placed}
    fields = [field for _, field in placed]
    graph = with_filled_fields(
        {
            field.name: dependencies(field, sections, scored, repeats) & where.keys()
            for field, sections, repeats in _with_containers(placed)
        },
        fields,
    )
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
        detail = f"These fields depend on each other in a cycle: {', '.join(circle)}."
        yield ValidationFault(pointer(*where[circle[0]]), "field.rule.circle", detail)
        return
    if lookup_depth(graph, fields) > MAX_LOOKUP_DEPTH:
        detail = f"At most {MAX_LOOKUP_DEPTH} calculated lookups can depend on each other's rows."
        yield ValidationFault("/fields", "form.lookups", detail)


def _with_containers(placed: list[FieldAtPath]) -> Iterator[tuple[AnyField, list[str], set[str]]]:
    """Yield each field with the names of the sections and those of the repeats that contain it."""
    groups = {path: field for path, field in placed if isinstance(field, SectionField | RepeatField)}
    for path, field in placed:
        around = [group for outer, group in groups.items() if path != outer and path[: len(outer)] == outer]
        sections = [group.name for group in around if isinstance(group, SectionField)]
        yield field, sections, {group.name for group in around} - set(sections)
