"""Compiles a definition to the program with which the page evaluates rules as the server does.

`static/fill/rule_program.js` runs it. The steps are in dependency order. The rules of a published version are known to
be valid, so nothing is checked here.
"""

from collections.abc import Iterator, Sequence, Set
from typing import Any

from msgspec import UNSET, to_builtins

from formwright.domain.forms.fields import (
    AnswerKind,
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    scored_names,
    walk_fields,
)
from formwright.domain.forms.fields.base import MAX_KEY_LENGTH
from formwright.domain.forms.fields.labels import Label, convert_label, label_texts, names_in_text
from formwright.domain.forms.fields.markup import has_markup, to_document_html, to_html, to_plain_text
from formwright.domain.forms.rules.compiler import referenced_names
from formwright.domain.forms.rules.inputs import max_input_size
from formwright.domain.forms.rules.program import dependencies, field_options, reads_own_rows, topological_order

Json = dict[str, Any]

_COPIED_PROPERTIES = (
    *("required", "requiredMessage", "readOnly", "message", "recalculateOn", "metadata"),
    *("pattern", "minChoices", "randomize", "agreement", "mapping"),
)
_LIMITS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_SHOWN_TEXTS = ("label", "hint", "guidance", "lowLabel", "highLabel")


def program(fields: Sequence[AnyField]) -> list[Json]:
    """Return the steps, each after those it depends on. The rows of a repeat are a program of their own."""
    shown = {name for field in walk_fields(fields) for _, label in field.texts() for name in names_in_text(label)}
    return _program(fields, shown)


def _program(fields: Sequence[AnyField], shown: Set[str]) -> list[Json]:
    """Return the steps. `shown` are the names of fields whose answers a text shows."""
    steps = {step["name"]: (field, step) for field, step in _iter_steps(fields, (), shown, sometimes=False)}
    scored = scored_names(fields)
    graph = {
        name: dependencies(field, step["sections"], scored) & steps.keys() for name, (field, step) in steps.items()
    }
    return [steps[name][1] for name in topological_order(graph)]


def _iter_steps(
    fields: Sequence[AnyField], sections: tuple[str, ...], shown: Set[str], *, sometimes: bool
) -> Iterator[tuple[AnyField, Json]]:
    for field in fields:
        here = sometimes or field.visible_if is not UNSET
        step = _build_step(field) | _answers_in_texts(field, shown) | {"sections": sections}
        if here and field.required and field.has_answer and field.calculate is UNSET:
            step["requiredIfVisible"] = True
        if isinstance(field, RepeatField):
            step["rows"] = _program(field.fields, shown)
        yield field, step
        if isinstance(field, SectionField):
            yield from _iter_steps(field.fields, (*sections, field.name), shown, sometimes=here)


def _build_step(field: AnyField) -> Json:
    properties = to_builtins(field)
    # The library gives questions their defaults, but does not know hidden fields and answers with an offset.
    copied = (*_COPIED_PROPERTIES, "default") if is_set_by_page(field) else _COPIED_PROPERTIES
    step = {"name": field.name, "type": properties["type"], "kind": field.answer_kind.name}
    step |= {name: properties[name] for name in copied if name in properties} | dict(field.rules())
    step |= _limits(field) | _options(field)
    if field.option_filter is not UNSET:
        step["filterNames"] = list(dict.fromkeys(referenced_names(field.option_filter)))
    if field.is_choice:
        step["isChoice"] = True
    if field.option_points:
        step |= {"points": field.option_points, "maxPoints": field.max_score}
    if reads_own_rows(field):
        step["readsRows"] = True
    return step


def _limits(field: AnyField) -> Json:
    """Return the limits of an answer, as in its JSON Schema, and how large it may be for rules."""
    schema = field.answer_schema()
    limits = {name: schema[name] for name in _LIMITS if name in schema}
    if (most := max_input_size(field)) is not None:
        limits["maxInputSize"] = most
    if (items := schema.get("items", {})).get("type") == "string":
        limits |= {"minItemLength": items.get("minLength", 0), "maxItemLength": MAX_KEY_LENGTH}
    return limits


def _options(field: AnyField) -> Json:
    """Return the values of the options, those that exclude others, and what their filter knows about them."""
    found: Json = {
        "values": [option.value for option in field.options],
        "exclusive": [option.value for option in field.options if option.exclusive],
        "options": {} if field.option_filter is UNSET else field_options(field),
    }
    return {name: value for name, value in found.items() if value}


def is_set_by_page(field: AnyField) -> bool:
    """Whether the scripts of the page set the default of this field, because the form library cannot."""
    return field.hidden or field.answer_kind is AnswerKind.DATETIME


def _answers_in_texts(field: AnyField, shown: Set[str]) -> Json:
    """Return the texts with answers, and the labels with which the answer of the field is shown in a text."""
    found: Json = {}
    if field.options and field.name in shown:
        found["labels"] = {option.value: convert_label(option.label, to_plain_text) for option in field.options}
    if texts := _texts_with_answers(field):
        found["texts"] = texts
    if isinstance(field, RepeatField) and field.row_label is not UNSET:
        found["rowLabel"] = convert_label(field.row_label, to_plain_text)
    return found


def _texts_with_answers(field: AnyField) -> Json:
    """Return the texts that the page changes with the answers. Messages are part of the step in any case.

    Each is a text without markup. `markup` has the HTML of those that have some, and of all texts of notes.
    """
    labels = {member: label for member, label in field.texts() if member in _SHOWN_TEXTS}
    if not any(map(names_in_text, labels.values())):
        labels = {}
    with_answers = {option.value: option.label for option in field.options if names_in_text(option.label)}
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
