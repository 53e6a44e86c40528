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
from formwright.web.views.submissions.answer_text import Manner, option_labels
from formwright.web.views.submissions.list_query import View

WORDS: Mapping[Operator, str] = {
    Operator.EQ: "is",
    Operator.NE: "is not",
    Operator.CONTAINS: "contains",
    Operator.IN: "is one of",
    Operator.GTE: "at least",
    Operator.GT: "more than",
    Operator.LTE: "at most",
    Operator.LT: "less than",
}
_INPUTS = {
    ValueType.NUMBER: "number",
    ValueType.DAY: "date",
    ValueType.TIME: "time",
    ValueType.MOMENT: "datetime-local",
}
_PARTS = {"latitude": "latitude", "longitude": "longitude", "accuracy": "accuracy in metres"}
_SENT = re.compile(r"(?P<name>[\w.]+)(\[(?P<word>\w+)\])?")


def choices(fields: Sequence[AnyField], manner: Manner) -> list[dict[str, Any]]:
    """The answers that can be compared: each with the words it knows, and with what there is to choose from."""
    by_name = {field.name: field for field in walk_fields(fields)}
    return [_choice(one, by_name, manner) for one in filterable_fields(fields)]


def _choice(one: FilterableField, by_name: Mapping[str, AnyField], manner: Manner) -> dict[str, Any]:
    known = operators_for(one)
    return {
        "name": one.name,
        "label": _label(one.name, by_name, manner),
        "words": " ".join(word.value for word in WORDS if word in known),
        "input": _INPUTS.get(one.value_type, "text"),
        "options": _options(by_name.get(one.name), manner),
    }


def _label(name: str, by_name: Mapping[str, AnyField], manner: Manner) -> str:
    outer, _, part = name.partition(".")
    field = by_name.get(outer)
    label = label_text(field.label, (manner.language,)) if field else outer
    return f"{label}: {_PARTS.get(part, part)}" if part else label


def _options(field: AnyField | None, manner: Manner) -> list[str]:
    match field:
        case BooleanField():
            return ["Yes", "No"]
        case ChoiceField() | ChoicesField():
            return list(option_labels(field, manner).values())
    return []


def written(
    view: View, fields: Sequence[AnyField], faults: Sequence[ValidationFault], manner: Manner
) -> list[dict[str, str]]:
    """The conditions of a view, each in words, with the way to the view without it, and what is wrong with it."""
    by_name = {field.name: field for field in walk_fields(fields)}
    wrong = {fault.pointer: fault.detail for fault in faults}
    return [
        {
            "text": _written(sent, value, by_name, manner),
            "without": view.without(sent),
            "fault": wrong.get(f"?answers.{sent}", ""),
        }
        for sent, value in view.answers.items()
    ]


def _written(sent: str, value: str, by_name: Mapping[str, AnyField], manner: Manner) -> str:
    found = _SENT.fullmatch(sent)
    name, word = (found["name"], found["word"] or "eq") if found else (sent, "eq")
    said = WORDS[Operator(word)] if word in tuple(Operator) else word
    labels = _values(by_name.get(name), manner)
    shown = ", ".join(labels.get(one, one) for one in (split_values(value) if word == "in" else [value]))
    return f"{_label(name, by_name, manner)} {said} {shown}"


def _values(field: AnyField | None, manner: Manner) -> Mapping[str, str]:
    match field:
        case BooleanField():
            return {"true": "Yes", "false": "No"}
        case ChoiceField() | ChoicesField():
            return option_labels(field, manner)
    return {}


def meant(fields: Sequence[AnyField], name: str, word: str, text: str, manner: Manner) -> tuple[str, str]:
    """What a person wrote, as a member of the address: labels become values, and times get the account's offset."""
    field = next((one for one in walk_fields(fields) if one.name == name), None)
    by_label = {label.casefold(): value for value, label in _values(field, manner).items()}

    def value(one: str) -> str:
        found = by_label.get(one.strip().casefold())
        if found is not None:
            return found.replace(",", "\\,") if word == "in" else found
        return _with_offset(one.strip(), manner) if isinstance(field, DatetimeField) else one.strip()

    sent = name if word in ("", "eq") else f"{name}[{word}]"
    return sent, ",".join(value(one) for one in _several(text, by_label)) if word == "in" else value(text)


def _several(text: str, labels: Collection[str]) -> Iterator[str]:
    """What stands between the commas; a label that has some itself stays whole."""
    parts, most = text.split(","), max((label.count(",") for label in labels), default=0) + 1
    while parts:
        tried = (",".join(parts[:number]) for number in range(most, 0, -1))
        found = next((one for one in tried if one.strip().casefold() in labels), parts[0])
        yield found
        parts = parts[found.count(",") + 1 :]


def _with_offset(text: str, manner: Manner) -> str:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(manner.time_zone))).isoformat(timespec="milliseconds")
