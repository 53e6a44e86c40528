"""Conditions on answers in plain words: as they are shown, and as people write them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from formwright.core.errors import ValidationFault
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DatetimeField,
    label_text,
    walk_fields,
)
from formwright.domain.forms.indexed_fields import FilterableField, ValueType, filterable_fields
from formwright.domain.submissions.answer_filters import Operator, operators_for, split_values
from formwright.web.views.submissions.answer_text import DisplayContext, option_labels
from formwright.web.views.submissions.list_query import ListQuery

OPERATOR_LABELS: Mapping[Operator, str] = {
    Operator.EQ: "is",
    Operator.NE: "is not",
    Operator.CONTAINS: "contains",
    Operator.IN: "is one of",
    Operator.GTE: "at least",
    Operator.GT: "more than",
    Operator.LTE: "at most",
    Operator.LT: "less than",
}
_INPUT_TYPES = {
    ValueType.NUMBER: "number",
    ValueType.DAY: "date",
    ValueType.TIME: "time",
    ValueType.MOMENT: "datetime-local",
}
_LOCATION_PARTS = {"latitude": "latitude", "longitude": "longitude", "accuracy": "accuracy in metres"}
_CONDITION_KEY = re.compile(r"(?P<name>[\w.]+)(\[(?P<word>\w+)\])?")


def condition_choices(fields: Sequence[AnyField], context: DisplayContext) -> list[dict[str, Any]]:
    """The answers that can be compared: each with the words it knows, and with what there is to choose from."""
    by_name = {field.name: field for field in walk_fields(fields)}
    return [_condition_choice(one, by_name, context) for one in filterable_fields(fields)]


def _condition_choice(
    filterable: FilterableField, by_name: Mapping[str, AnyField], context: DisplayContext
) -> dict[str, Any]:
    known = operators_for(filterable)
    return {
        "name": filterable.name,
        "label": _answer_label(filterable.name, by_name, context),
        "words": " ".join(word.value for word in OPERATOR_LABELS if word in known),
        "input": _INPUT_TYPES.get(filterable.value_type, "text"),
        "options": _suggested_values(by_name.get(filterable.name), context),
    }


def _answer_label(name: str, by_name: Mapping[str, AnyField], context: DisplayContext) -> str:
    outer, _, part = name.partition(".")
    field = by_name.get(outer)
    label = label_text(field.label, (context.language,)) if field else outer
    return f"{label}: {_LOCATION_PARTS.get(part, part)}" if part else label


def _suggested_values(field: AnyField | None, context: DisplayContext) -> list[str]:
    match field:
        case BooleanField():
            return ["Yes", "No"]
        case ChoiceField() | ChoicesField():
            return list(option_labels(field, context).values())
    return []


def condition_rows(
    view: ListQuery, fields: Sequence[AnyField], faults: Sequence[ValidationFault], context: DisplayContext
) -> list[dict[str, str]]:
    """The conditions of a view, each in words, with the way to the view without it, and what is wrong with it."""
    by_name = {field.name: field for field in walk_fields(fields)}
    wrong = {fault.pointer: fault.detail for fault in faults}
    return [
        {
            "text": _describe_condition(sent, value, by_name, context),
            "without": view.url_without(sent),
            "fault": wrong.get(f"?answers.{sent}", ""),
        }
        for sent, value in view.answers.items()
    ]


def _describe_condition(key: str, value: str, by_name: Mapping[str, AnyField], context: DisplayContext) -> str:
    found = _CONDITION_KEY.fullmatch(key)
    name, word = (found["name"], found["word"] or "eq") if found else (key, "eq")
    said = OPERATOR_LABELS[Operator(word)] if word in tuple(Operator) else word
    labels = _value_labels(by_name.get(name), context)
    shown = ", ".join(labels.get(one, one) for one in (split_values(value) if word == "in" else [value]))
    return f"{_answer_label(name, by_name, context)} {said} {shown}"


def _value_labels(field: AnyField | None, context: DisplayContext) -> Mapping[str, str]:
    match field:
        case BooleanField():
            return {"true": "Yes", "false": "No"}
        case ChoiceField() | ChoicesField():
            return option_labels(field, context)
    return {}


def parse_condition(
    fields: Sequence[AnyField], name: str, word: str, text: str, context: DisplayContext
) -> tuple[str, str]:
    """What a person wrote, as a member of the address: labels become values, and times get the account's offset."""
    field = next((one for one in walk_fields(fields) if one.name == name), None)
    by_label = {label.casefold(): value for value, label in _value_labels(field, context).items()}

    def value(one: str) -> str:
        found = by_label.get(one.strip().casefold())
        if found is not None:
            return found.replace(",", "\\,") if word == "in" else found
        return _add_utc_offset(one.strip(), context) if isinstance(field, DatetimeField) else one.strip()

    sent = name if word in ("", "eq") else f"{name}[{word}]"
    return sent, ",".join(value(one) for one in _split_values(text, by_label)) if word == "in" else value(text)


def _split_values(text: str, labels: Collection[str]) -> Iterator[str]:
    """What stands between the commas; a label that has some itself stays whole."""
    parts, most = text.split(","), max((label.count(",") for label in labels), default=0) + 1
    while parts:
        tried = (",".join(parts[:number]) for number in range(most, 0, -1))
        found = next((one for one in tried if one.strip().casefold() in labels), parts[0])
        yield found
        parts = parts[found.count(",") + 1 :]


def _add_utc_offset(text: str, context: DisplayContext) -> str:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(context.time_zone))).isoformat(timespec="milliseconds")
