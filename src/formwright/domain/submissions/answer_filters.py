"""Filters on answers, such as `answers.people[gte]=3`: parsing and validation."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from enum import StrEnum
from math import isfinite

from formwright.core.auth.actor import Actor
from formwright.core.clock import parse_timestamp
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.indexing.indexed_fields import FilterableField, FormField, IndexState, ValueType

MAX_CONDITIONS = 20
"""Maximum number of conditions in a query."""

Value = str | float


class Operator(StrEnum):
    """How an answer is compared; EQ if the query has no operator in brackets."""

    EQ = "eq"
    NE = "ne"
    IN = "in"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to meet a condition: fields of the same name can have different types in different forms.

    It applies to the forms `form_ids`; None means to all forms.
    """

    field: FilterableField
    values: tuple[Value, ...]
    form_ids: tuple[str, ...] | None
    indexed: tuple[str, ...]
    """The forms that have the field, if all of them have a complete index of it; otherwise empty."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on an answer, met if any alternative is. NE is met if EQ is not, so also if there is no answer."""

    operator: Operator
    alternatives: tuple[Alternative, ...]


RawFilters = Mapping[str, Sequence[str]]
"""The query parameters as received: the values, by the part of the name after `answers.`."""

_NAME = re.compile(r"([A-Za-z]\w{0,63}(?:\.[a-z]{1,10})?)(?:\[(\w{1,20})\])?", re.ASCII)
_EQUAL = (Operator.EQ, Operator.NE, Operator.IN)
_ORDER = (*_EQUAL, Operator.GT, Operator.GTE, Operator.LT, Operator.LTE)
_KINDS: Mapping[ValueType, tuple[Sequence[Operator], str]] = {
    ValueType.TEXT: ((*_EQUAL, Operator.CONTAINS), "a text"),
    ValueType.WORD: (_EQUAL, "one of its values"),
    ValueType.NUMBER: (_ORDER, "a number, such as 12 or -0.5"),
    ValueType.FLAG: ((Operator.EQ, Operator.NE), "true or false"),
    ValueType.DAY: (_ORDER, "a date, such as 2026-03-29"),
    ValueType.TIME: (_ORDER, "a time of day, such as 14:30"),
    ValueType.MOMENT: (_ORDER, "a time with its UTC offset, such as 2026-03-29T14:30:00Z"),
}
"""The operators for each type of answer, and how error messages describe its values."""


def operators_for(field: FilterableField) -> Sequence[Operator]:
    """Return the operators that make sense for this type of answer."""
    supported = _KINDS[field.value_type][0]
    return (*supported, Operator.CONTAINS) if field.is_list else supported


async def parse_conditions(
    tx: ReadTransaction, actor: Actor, raw: RawFilters, *, form_ids: Sequence[str]
) -> tuple[list[Condition], list[ValidationFault]]:
    """Parse the conditions for these forms; no form ids means all forms of the account.

    Returns the valid conditions, and a validation error for each of the others.
    """
    if len(raw) > MAX_CONDITIONS:
        detail = f"A query can have at most {MAX_CONDITIONS} conditions on answers."
        return [], [ValidationFault("?answers", "query.answers.too_many", detail)]
    matches = {key: _NAME.fullmatch(key) for key in raw}
    names = sorted({match[1] for match in matches.values() if match})
    fields: dict[str, list[FormField]] = {}
    for item in await indexed_fields.find_by_names(tx, actor, names, form_ids=form_ids):
        fields.setdefault(item.field.name, []).append(item)
    conditions: list[Condition] = []
    errors: list[ValidationFault] = []
    for key, texts in raw.items():
        match = matches[key]
        outcome = _parse_condition(fields.get(match[1], []) if match else [], (match and match[2]) or "eq", texts)
        if isinstance(outcome, Condition):
            conditions.append(outcome)
        else:
            errors.append(ValidationFault(f"?answers.{key}", outcome.code, outcome.detail))
    return conditions, errors


async def build_equality(
    tx: ReadTransaction, actor: Actor, name: str, text: str, *, form_id: str
) -> Condition | ValidationFault:
    """Return the condition that an answer equals `text`, or a validation error if the form has no such field.

    The answer is compared as every type, because the field may have had another type in an earlier version. The index
    is not used, because it only contains answers of the published version's type.
    """
    fields = await indexed_fields.find_by_names(tx, actor, [name], form_ids=[form_id])
    published = _parse_condition(fields, Operator.EQ, [text])
    if not fields:
        return published
    kinds = [(ValueType.TEXT, False), (ValueType.TEXT, True), (ValueType.NUMBER, False), (ValueType.FLAG, False)]
    alternatives = [
        Alternative(FilterableField(name, holds, many, repeat), (value,), None, ())
        for repeat in sorted({"", *(item.field.repeat for item in fields)})
        for holds, many in kinds
        if (value := _PARSERS[holds](text)) is not None
    ]
    if isinstance(published, Condition):
        alternatives += published.alternatives
    return Condition(Operator.EQ, tuple(alternatives))


def _parse_condition(fields: Sequence[FormField], operator: str, texts: Sequence[str]) -> Condition | ValidationFault:
    if not fields:
        return ValidationFault("", "query.answers.unknown", "None of these forms has a field with this name.")
    if len(texts) > 1:
        return ValidationFault("", "query.repeated", "This parameter may be given only once.")
    kinds = list(_group_by_kind(fields))
    supported = [(field, group) for field, group in kinds if operator in operators_for(field)]
    if not supported:
        names = ", ".join(dict.fromkeys(item.value for field, _ in kinds for item in operators_for(field)))
        detail = f"This field does not support this operator. It supports: {names}."
        return ValidationFault("", "query.answers.operator", detail)
    alternatives = [
        alternative
        for field, group in supported
        if (alternative := _parse_alternative(field, group, Operator(operator), texts[0], single=len(kinds) == 1))
    ]
    if not alternatives:
        expected = " or ".join(dict.fromkeys(_KINDS[field.value_type][1] for field, _ in supported))
        return ValidationFault("", "query.value", f"Compare this field with {expected}.")
    return Condition(Operator(operator), tuple(alternatives))


def _group_by_kind(fields: Sequence[FormField]) -> Iterator[tuple[FilterableField, list[FormField]]]:
    """Group the forms by the type of their field of this name."""
    kinds: dict[FilterableField, list[FormField]] = {}
    for item in fields:
        kinds.setdefault(replace(item.field, indexed=False), []).append(item)
    yield from kinds.items()


def _parse_alternative(
    field: FilterableField, group: Sequence[FormField], operator: Operator, text: str, *, single: bool
) -> Alternative | None:
    """Return the alternative for the forms in `group`; None if the text is not a value of the field's type.

    `single` means that the field has the same type in all forms, so no restriction to some forms is needed.
    """
    parse = _PARSERS[field.value_type]
    values = list(dict.fromkeys(parse(part) for part in (split_values(text) if operator is Operator.IN else [text])))
    if any(value is None for value in values):
        return None
    form_ids = tuple(item.form_id for item in group)
    ready = all(item.index is IndexState.READY for item in group)
    return Alternative(
        field, tuple(v for v in values if v is not None), None if single else form_ids, form_ids if ready else ()
    )


def split_values(text: str) -> list[str]:
    """Split a list of values at commas. A backslash escapes a comma that is part of a value, and nothing else."""
    return [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]


def _parse_number(text: str) -> float | None:
    if not re.fullmatch(r"-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?", text, re.ASCII):
        return None
    return float(text) if isfinite(float(text)) else None


def _text_parser(pattern: str, check: Callable[[str], object]) -> Callable[[str], str | None]:
    def parse(text: str) -> str | None:
        try:
            return text if re.fullmatch(pattern, text, re.ASCII) and check(text) is not None else None
        except ValueError:
            return None

    return parse


def add_seconds(text: str) -> str:
    """Return a time of day with its seconds, so that times compare as texts."""
    return (text + ":00")[:8]


_parse_time = _text_parser(r"\d\d:\d\d(:\d\d)?", time.fromisoformat)
_PARSERS: Mapping[ValueType, Callable[[str], Value | None]] = {
    ValueType.TEXT: lambda text: text,
    ValueType.WORD: lambda text: text,
    ValueType.NUMBER: _parse_number,
    ValueType.FLAG: lambda text: text if text in ("true", "false") else None,
    ValueType.DAY: _text_parser(r"\d{4}-\d\d-\d\d", date.fromisoformat),
    ValueType.TIME: lambda text: add_seconds(text) if _parse_time(text) else None,
    ValueType.MOMENT: parse_timestamp,
}
