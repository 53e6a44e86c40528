"""Conditions on answers as people read and enter them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.core.pagination import Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import DatasourceNotFound, RowFilter
from formwright.domain.forms.fields import AnswerKind, AnyField, walk_fields
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.indexing.indexed_fields import FilterableField, ValueType, filterable_fields
from formwright.domain.saved_views.list_query import ListQuery, load_form_context
from formwright.domain.submissions.answer_filters import Operator, operators_for, split_values
from formwright.web.page import Page
from formwright.web.views.form_input import read_text

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
_LIST_LABELS = {Operator.EQ: "includes", Operator.NE: "doesn’t include", Operator.IN: "includes one of"}
_TIME_LABELS = {
    Operator.GTE: "on or after",
    Operator.GT: "after",
    Operator.LTE: "on or before",
    Operator.LT: "before",
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
    """An answer that conditions can compare, as static/submission_list.js offers it.

    `operators` and `options` are pairs of a value and a label; without options, people enter a value of `input_type`.
    `search_url` finds the rows of a lookup.
    """

    name: str
    label: str
    operators: Sequence[tuple[str, str]]
    input_type: str
    options: Sequence[tuple[str, str]]
    search_url: str


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A condition as text, with the URL of the view without it. `fault` says what is wrong with it."""

    text: str
    remove_url: str
    fault: str


def filterable_answers(
    fields: Sequence[AnyField], context: DisplayContext, lookup_url: str = ""
) -> list[FilterableAnswer]:
    """Return the answers that conditions can compare, in the order of the form; no files, whose ids nobody knows.

    `lookup_url` is the beginning of the URL that finds rows of lookups. Without it, their keys are entered.
    """
    by_name = {field.name: field for field in walk_fields(fields)}
    answers = []
    for one in filterable_fields(fields):
        field = by_name.get(one.name)
        if field is None or not field.file_use:
            labels, is_lookup = _value_labels(field, context), field is not None and bool(field.datasource_id)
            answers.append(
                FilterableAnswer(
                    name=one.name,
                    label=_answer_label(one.name, by_name, context),
                    operators=_list_operators(one, has_options=bool(labels), is_lookup=is_lookup),
                    input_type=_INPUT_TYPES.get(one.value_type, "text"),
                    options=[*labels.items()],
                    search_url=f"{lookup_url}&{urlencode({'field': one.name})}" if lookup_url and is_lookup else "",
                )
            )
    return answers


def _list_operators(field: FilterableField, *, has_options: bool, is_lookup: bool) -> list[tuple[str, str]]:
    """Return the operators that mean something to people, with their labels: no part of a value that has a label."""
    allowed = {*operators_for(field)} - ({Operator.CONTAINS} if has_options or is_lookup else set())
    allowed -= {Operator.IN} if is_lookup or field.value_type is ValueType.FLAG else set()
    return [(one.value, _operator_label(one, field)) for one in OPERATOR_LABELS if one in allowed]


def _operator_label(operator: Operator, field: FilterableField | None) -> str:
    if field and field.is_list:
        return _LIST_LABELS.get(operator, OPERATOR_LABELS[operator])
    is_time = field is not None and field.value_type in (ValueType.DAY, ValueType.TIME, ValueType.MOMENT)
    return _TIME_LABELS.get(operator, OPERATOR_LABELS[operator]) if is_time else OPERATOR_LABELS[operator]


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
            text=_describe_condition(parameter, value, fields, by_name, context),
            remove_url=query.url_without(parameter, path),
            fault=details.get(f"?answers.{parameter}", ""),
        )
        for parameter, value in query.answers.items()
    ]


def _describe_condition(
    parameter: str, value: str, fields: Sequence[AnyField], by_name: Mapping[str, AnyField], context: DisplayContext
) -> str:
    match = _PARAMETER.fullmatch(parameter)
    name, operator = (match["name"], match["operator"] or "eq") if match else (parameter, "eq")
    filterable = next((one for one in filterable_fields(fields) if one.name == name), None)
    label = _operator_label(Operator(operator), filterable) if operator in set(Operator) else operator
    field, values = by_name.get(name), split_values(value) if operator == "in" else [value]
    labels = _value_labels(field, context)
    is_lookup = field is not None and field.datasource_id
    texts = [field.format_value(one, context) if field and is_lookup else labels.get(one, one) for one in values]
    return f"{_answer_label(name, by_name, context)} {label} {', '.join(texts)}"


def _value_labels(field: AnyField | None, context: DisplayContext) -> Mapping[str, str]:
    """Return the labels of a field's values, by value; empty if the values have none."""
    return field.value_labels(context.language) if field else {}


def parse_condition(
    fields: Sequence[AnyField], name: str, operator: str, texts: Sequence[str], context: DisplayContext
) -> tuple[str, str]:
    """Return an entered condition as a query parameter: its name and its value. Several texts are values of “in”.

    Labels of options become their values, and times get the UTC offset of the account's time zone.
    """
    field = next((one for one in walk_fields(fields) if one.name == name), None)
    labels = _value_labels(field, context)
    by_label = {label.casefold(): value for value, label in labels.items()}
    is_time = field is not None and field.answer_kind is AnswerKind.DATETIME

    def parse_value(entered: str) -> str:
        value = entered if entered in labels else by_label.get(entered.strip().casefold())
        if value is not None:
            return value
        return _add_utc_offset(entered.strip(), context) if is_time else entered.strip()

    if operator == "in":
        parts = texts if len(texts) > 1 or texts[0] in labels else _split_labels(texts[0], by_label)
        values = [(one, parse_value(one)) for one in parts]
        escaped = [value.replace(",", "\\,") if value in labels else value for _, value in values]
        return f"{name}[in]", ",".join(escaped)
    return name if operator in ("", "eq") else f"{name}[{operator}]", parse_value(texts[0])


async def load_named_rows(
    tx: ReadTransaction, actor: Actor, answers: Mapping[str, str], fields: Sequence[AnyField], context: DisplayContext
) -> DisplayContext:
    """Return the context with the rows that conditions on lookups name, if the actor may read data sources."""
    if Permission.DATASOURCES_READ not in actor.permissions:
        return context
    sources = {field.name: field.datasource_id for field in walk_fields(fields) if field.datasource_id}
    rows = dict(context.rows)
    for parameter, key in answers.items():
        if source_id := sources.get(parameter.partition("[")[0]):
            with suppress(DatasourceNotFound):
                _, found = await datasources.find_rows(
                    tx, actor, RowFilter(key=key), Window(1), datasource_id=source_id
                )
                rows |= {(source_id, row.key): msgspec.json.decode(row.data) for row in found.items}
    return replace(context, rows=rows)


async def search_rows(page: Page, limit: int) -> list[tuple[str, str, str]]:
    """Return the key and the displayed text of rows with the text `q` that the lookup `field` of the `form` offers.

    Raises `Denied` if the visitor may not read data sources.
    """
    name, text = page.query.get("field", ""), read_text(page.query, "q", 200)
    context = await load_form_context(page.tx, page.visitor, page.query.get("form", ""))
    field = next((one for one in walk_fields(context.fields) if one.name == name and one.datasource_id), None)
    if field is None or not field.datasource_id:
        return []
    source, found = await datasources.find_rows(
        page.tx, page.actor, RowFilter(text=text), Window(limit), datasource_id=field.datasource_id
    )
    rows = {(source.id, row.key): msgspec.json.decode(row.data, type=dict[str, str]) for row in found.items}
    display = replace(context.display, rows=rows)
    return [(row.key, field.format_value(row.key, display), "") for row in found.items]


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
