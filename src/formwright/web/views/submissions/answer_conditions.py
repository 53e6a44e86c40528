"""Conditions on answers as people read and enter them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from formwright.core.errors import ValidationFault
from formwright.domain.forms.fields import AnswerKind, AnyField, walk_fields
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.indexing.indexed_fields import FilterableField, ValueType, filterable_fields
from formwright.domain.saved_views.list_query import ListQuery
from formwright.domain.submissions.answer_filters import Operator, operators_for, split_values

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
_PARAMETER = re.compile(r"(?P<name>[\w.]+)(\[(?P<operator>\w+)\])?")


@dataclass(frozen=True, slots=True)
class FilterableAnswer:
    """An answer that conditions can compare. `operators` and `suggestions` are used by static/submission_list.js."""

    name: str
    label: str
    operators: str
    input_type: str
    suggestions: Sequence[str]


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A condition as text, with the URL of the view without it. `fault` says what is wrong with it."""

    text: str
    remove_url: str
    fault: str


def filterable_answers(fields: Sequence[AnyField], context: DisplayContext) -> list[FilterableAnswer]:
    """Return the answers that conditions can compare, in the order of the form."""
    by_name = {field.name: field for field in walk_fields(fields)}
    return [_filterable_answer(field, by_name, context) for field in filterable_fields(fields)]


def _filterable_answer(
    filterable: FilterableField, by_name: Mapping[str, AnyField], context: DisplayContext
) -> FilterableAnswer:
    operators = operators_for(filterable)
    return FilterableAnswer(
        name=filterable.name,
        label=_answer_label(filterable.name, by_name, context),
        operators=" ".join(operator.value for operator in OPERATOR_LABELS if operator in operators),
        input_type=_INPUT_TYPES.get(filterable.value_type, "text"),
        suggestions=list(_value_labels(by_name.get(filterable.name), context).values()),
    )


def _answer_label(name: str, by_name: Mapping[str, AnyField], context: DisplayContext) -> str:
    outer, _, part = name.partition(".")
    field = by_name.get(outer)
    label = label_text(field.label, (context.language,)) if field else outer
    return f"{label}: {_LOCATION_PARTS.get(part, part)}" if part else label


def condition_rows(
    query: ListQuery,
    fields: Sequence[AnyField],
    faults: Sequence[ValidationFault],
    context: DisplayContext,
    path: str = "/submissions",
) -> list[ConditionRow]:
    """Return the query's conditions on answers, in their order, for the list or the tab at `path`."""
    by_name = {field.name: field for field in walk_fields(fields)}
    details = {fault.pointer: fault.detail for fault in faults}
    return [
        ConditionRow(
            text=_describe_condition(parameter, value, by_name, context),
            remove_url=query.url_without(parameter, path),
            fault=details.get(f"?answers.{parameter}", ""),
        )
        for parameter, value in query.answers.items()
    ]


def _describe_condition(parameter: str, value: str, by_name: Mapping[str, AnyField], context: DisplayContext) -> str:
    match = _PARAMETER.fullmatch(parameter)
    name, operator = (match["name"], match["operator"] or "eq") if match else (parameter, "eq")
    operator_label = OPERATOR_LABELS[Operator(operator)] if operator in set(Operator) else operator
    labels = _value_labels(by_name.get(name), context)
    values = split_values(value) if operator == "in" else [value]
    value_text = ", ".join(labels.get(one, one) for one in values)
    return f"{_answer_label(name, by_name, context)} {operator_label} {value_text}"


def _value_labels(field: AnyField | None, context: DisplayContext) -> Mapping[str, str]:
    """Return the labels of a field's values, by value; empty if the values have none."""
    return field.value_labels(context.language) if field else {}


def parse_condition(
    fields: Sequence[AnyField], name: str, operator: str, text: str, context: DisplayContext
) -> tuple[str, str]:
    """Return an entered condition as a query parameter: its name and its value.

    Labels of options become their values, and times get the UTC offset of the account's time zone.
    """
    field = next((one for one in walk_fields(fields) if one.name == name), None)
    by_label = {label.casefold(): value for value, label in _value_labels(field, context).items()}
    is_time = field is not None and field.answer_kind is AnswerKind.DATETIME

    def parse_value(entered: str) -> str:
        value = by_label.get(entered.strip().casefold())
        if value is not None:
            return value.replace(",", "\\,") if operator == "in" else value
        return _add_utc_offset(entered.strip(), context) if is_time else entered.strip()

    if operator == "in":
        return f"{name}[in]", ",".join(parse_value(part) for part in _split_labels(text, by_label))
    return name if operator in ("", "eq") else f"{name}[{operator}]", parse_value(text)


def _split_labels(text: str, labels: Collection[str]) -> Iterator[str]:
    """Split at commas, except at those inside of a label. `labels` are in lower case."""
    parts, most = text.split(","), max((label.count(",") for label in labels), default=0) + 1
    while parts:
        # The longest label that the rest starts with, or else the text up to the next comma.
        candidates = (",".join(parts[:number]) for number in range(most, 0, -1))
        part = next((one for one in candidates if one.strip().casefold() in labels), parts[0])
        yield part
        parts = parts[part.count(",") + 1 :]


def _add_utc_offset(text: str, context: DisplayContext) -> str:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(context.time_zone))).isoformat(timespec="milliseconds")
