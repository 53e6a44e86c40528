"""Compiles a definition to the program with which the page evaluates rules as the server does.

`static/fill/program.js` runs it. The steps are in dependency order. The rules of a published version are known to be
valid, so nothing is checked here.
"""

from collections.abc import Iterator, Sequence, Set
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import (
    AnyField,
    ChoiceField,
    ChoicesField,
    DatetimeField,
    LookupField,
    NoteField,
    NpsField,
    OptionField,
    RepeatField,
    SectionField,
    scored_names,
    walk_fields,
)
from formwright.domain.forms.fields.labels import Label, convert_label, label_texts, names_in_text
from formwright.domain.forms.fields.markup import has_markup, to_document_html, to_html, to_plain_text
from formwright.domain.forms.rules.inputs import max_input_size
from formwright.domain.forms.rules.program import dependencies, field_options, reads_own_rows, topological_order

Json = dict[str, Any]

_COPIED_PROPERTIES = {
    "visibleIf": "visible_if",
    "validIf": "valid_if",
    "calculate": "calculate",
    "defaultRule": "default_rule",
    "countRule": "count_rule",
    "min": "min",
    "max": "max",
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
    "minChoices": "min_choices",
    "maxChoices": "max_choices",
    "maxFiles": "max_files",
    "message": "message",
    "required": "required",
    "requiredIf": "required_if",
    "requiredMessage": "required_message",
    "readOnly": "read_only",
    "readOnlyIf": "read_only_if",
    "randomize": "randomize",
    "agreement": "agreement",
}

_SHOWN_TEXTS = ("label", "hint", "guidance", "lowLabel", "highLabel")


def program(fields: Sequence[AnyField]) -> list[Json]:
    """Return the steps, each after those it depends on. The rows of a repeat are a program of their own."""
    shown = {name for field in walk_fields(fields) for _, label in field.texts() for name in names_in_text(label)}
    return _program(fields, shown)


def _program(fields: Sequence[AnyField], shown: Set[str]) -> list[Json]:
    """Return the steps. `shown` are the names of fields whose answers a text shows."""
    steps = {step["name"]: (field, step) for field, step in _iter_steps(fields, (), shown, sometimes=False)}
    scored = scored_names(fields)
    graph = {name: dependencies(field, step["inside"], scored) & steps.keys() for name, (field, step) in steps.items()}
    return [steps[name][1] for name in topological_order(graph)]


def _iter_steps(
    fields: Sequence[AnyField], inside: tuple[str, ...], shown: Set[str], *, sometimes: bool
) -> Iterator[tuple[AnyField, Json]]:
    for field in fields:
        is_conditional = sometimes or field.visible_if is not UNSET
        yield field, _build_step(field, shown) | {"inside": inside, "sometimes": is_conditional}
        if isinstance(field, SectionField):
            yield from _iter_steps(field.fields, (*inside, field.name), shown, sometimes=is_conditional)


def _build_step(field: AnyField, shown: Set[str]) -> Json:
    step: Json = {"name": field.name, "type": field.__struct_config__.tag}
    properties = {name: getattr(field, attribute, UNSET) for name, attribute in _COPIED_PROPERTIES.items()}
    step |= {name: value for name, value in properties.items() if value is not UNSET and value is not False}
    if (most := max_input_size(field)) is not None:
        step["most"] = most
    if isinstance(field, NpsField):
        step |= {"min": 0, "max": 10}
    if isinstance(field, OptionField):
        step["values"] = [option.value for option in field.options]
        if exclusive := [option.value for option in field.options if option.exclusive]:
            step["exclusive"] = exclusive
        if field.name in shown:
            step["labels"] = {option.value: convert_label(option.label, to_plain_text) for option in field.options}
    if isinstance(field, ChoiceField | ChoicesField) and field.option_filter is not UNSET:
        step |= {"optionFilter": field.option_filter, "options": field_options(field)}
    if isinstance(field, LookupField) and field.mapping:
        step["mapping"] = field.mapping
    if metadata := field.metadata:
        step["metadata"] = metadata
    if points := field.option_points:
        step |= {"points": points, "maxPoints": field.max_score}
    if field.recalculate_on:
        step["recalculateOn"] = field.recalculate_on
    # The library gives questions their defaults, but does not know hidden fields and answers with an offset.
    if field.default is not UNSET and is_set_by_page(field):
        step["default"] = field.default
    if texts := _texts_with_answers(field):
        step["texts"] = texts
    if isinstance(field, RepeatField):
        step["rows"] = _program(field.fields, shown)
        if reads_own_rows(field):
            step["readsRows"] = True
        if field.row_label is not UNSET:
            step["rowLabel"] = convert_label(field.row_label, to_plain_text)
    return step


def is_set_by_page(field: AnyField) -> bool:
    """Whether the scripts of the page set the default of this field, because the form library cannot."""
    return field.hidden or isinstance(field, DatetimeField)


def _texts_with_answers(field: AnyField) -> Json:
    """Return the texts that the page changes with the answers. Messages are part of the step in any case.

    Each is a text without markup. `markup` has the HTML of those that have some, and of all texts of notes.
    """
    labels = {member: label for member, label in field.texts() if member in _SHOWN_TEXTS}
    if not any(map(names_in_text, labels.values())):
        labels = {}
    options = field.options if isinstance(field, OptionField) else []
    with_answers = {option.value: option.label for option in options if names_in_text(option.label)}
    if not labels and not with_answers:
        return {}
    found: Json = {member: convert_label(label, to_plain_text) for member, label in labels.items()}
    found["markup"] = {member: html for member, label in labels.items() if (html := _label_html(field, member, label))}
    if with_answers:
        found["options"] = {value: convert_label(label, to_plain_text) for value, label in with_answers.items()}
        found["markup"]["options"] = {
            value: html for value, label in with_answers.items() if (html := _label_html(field, "label", label))
        }
    return found


def _label_html(field: AnyField, member: str, label: Label) -> Label | None:
    """Return the HTML of a label, or None if its text says the same."""
    if isinstance(field, NoteField) or member == "guidance":
        return convert_label(label, to_document_html)
    return convert_label(label, to_html) if any(map(has_markup, label_texts(label))) else None
