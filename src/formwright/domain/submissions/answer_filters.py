"""Filters on answers: what `answers.people[gte]=3` asks for, and all that is wrong with it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from math import isfinite

from formwright.core.auth.actor import Actor
from formwright.core.clock import milliseconds
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.forms import indexed_fields
from formwright.domain.forms.indexed_fields import FieldOfForm, Filterable, Holds, Index

MAX_CONDITIONS = 20
"""How many conditions a list takes at once."""

Value = str | float


class Operator(StrEnum):
    """How an answer is compared; EQ is what stands without a word in brackets."""

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
    """How the condition is met in some forms, for one name may be fields of several kinds. None: in any form."""

    field: Filterable
    values: tuple[Value, ...]
    form_ids: tuple[str, ...] | None
    indexed: tuple[str, ...]
    """The forms whose index can be asked: all that have the field, or none."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Met where the answer compares so in any of the ways; NE where EQ is not met, so also without an answer."""

    operator: Operator
    alternatives: tuple[Alternative, ...]


RawFilters = Mapping[str, Sequence[str]]
"""What was sent: by what stands behind `answers.`, the values."""

_NAME = re.compile(r"([A-Za-z]\w{0,63}(?:\.[a-z]{1,10})?)(?:\[(\w{1,20})\])?", re.ASCII)
_EQUAL = (Operator.EQ, Operator.NE, Operator.IN)
_ORDER = (*_EQUAL, Operator.GT, Operator.GTE, Operator.LT, Operator.LTE)
_KINDS: Mapping[Holds, tuple[Sequence[Operator], str]] = {
    Holds.TEXT: ((*_EQUAL, Operator.CONTAINS), "a text"),
    Holds.WORD: (_EQUAL, "one of its values"),
    Holds.NUMBER: (_ORDER, "a number, like 12 or -0.5"),
    Holds.FLAG: ((Operator.EQ, Operator.NE), "true or false"),
    Holds.DAY: (_ORDER, "a day, like 2026-03-29"),
    Holds.TIME: (_ORDER, "a time of day, like 14:30"),
    Holds.MOMENT: (_ORDER, "a time with its offset, like 2026-03-29T14:30:00Z"),
}


def operators_for(field: Filterable) -> Sequence[Operator]:
    """Those that make sense for an answer of this kind."""
    known = _KINDS[field.holds][0]
    return (*known, Operator.CONTAINS) if field.many else known


async def parse_conditions(
    tx: ReadTransaction, actor: Actor, raw: RawFilters, *, form_ids: Sequence[str]
) -> tuple[list[Condition], list[ValidationFault]]:
    """What is asked for of these forms (none: of all of the account's), or else what is wrong with it."""
    if len(raw) > MAX_CONDITIONS:
        return [], [
            ValidationFault(
                "?answers", "query.answers.too_many", f"At most {MAX_CONDITIONS} answers are compared at once."
            )
        ]
    parts = {sent: _NAME.fullmatch(sent) for sent in raw}
    names = sorted({part[1] for part in parts.values() if part})
    known: dict[str, list[FieldOfForm]] = {}
    for one in await indexed_fields.named(tx, actor, names, form_ids=form_ids):
        known.setdefault(one.field.name, []).append(one)
    made: list[Condition] = []
    faults: list[ValidationFault] = []
    for sent, texts in raw.items():
        part = parts[sent]
        outcome = _parse_condition(known.get(part[1], []) if part else [], (part and part[2]) or "eq", texts)
        if isinstance(outcome, Condition):
            made.append(outcome)
        else:
            faults.append(ValidationFault(f"?answers.{sent}", outcome.code, outcome.detail))
    return made, faults


async def build_equality(
    tx: ReadTransaction, actor: Actor, name: str, text: str, *, form_id: str
) -> Condition | ValidationFault:
    """That this was answered, whatever the field is by now: answers stay as they came. No index is asked."""
    fields = await indexed_fields.named(tx, actor, [name], form_ids=[form_id])
    now = _parse_condition(fields, Operator.EQ, [text])
    if not fields:
        return now
    kinds = [(Holds.TEXT, False), (Holds.TEXT, True), (Holds.NUMBER, False), (Holds.FLAG, False)]
    ways = [
        Alternative(Filterable(name, holds, many, repeat), (value,), None, ())
        for repeat in sorted({"", *(one.field.repeat for one in fields)})
        for holds, many in kinds
        if (value := _PARSERS[holds](text)) is not None
    ]
    return Condition(Operator.EQ, (*ways, *(now.alternatives if isinstance(now, Condition) else ())))


def _parse_condition(fields: Sequence[FieldOfForm], word: str, texts: Sequence[str]) -> Condition | ValidationFault:
    if not fields:
        return ValidationFault(
            "", "query.answers.unknown", "None of the forms that are asked for has an answer of this name."
        )
    if len(texts) > 1:
        return ValidationFault("", "query.repeated", "This may stand only once.")
    kinds = list(_group_by_kind(fields))
    fitting = [(field, of) for field, of in kinds if word in operators_for(field)]
    if not fitting:
        known = ", ".join(dict.fromkeys(one.value for field, _ in kinds for one in operators_for(field)))
        return ValidationFault("", "query.answers.operator", f"This answer cannot be compared so. It knows: {known}.")
    ways = [
        way
        for field, of in fitting
        if (way := _parse_alternative(field, of, Operator(word), texts[0], alone=len(kinds) == 1))
    ]
    if not ways:
        wanted = " or ".join(dict.fromkeys(_KINDS[field.holds][1] for field, _ in fitting))
        return ValidationFault("", "query.value", f"Compare this answer with {wanted}.")
    return Condition(Operator(word), tuple(ways))


def _group_by_kind(fields: Sequence[FieldOfForm]) -> Iterator[tuple[Filterable, list[FieldOfForm]]]:
    """The forms that have the same kind of field under this name, kind by kind."""
    kinds: dict[Filterable, list[FieldOfForm]] = {}
    for one in fields:
        kinds.setdefault(replace(one.field, indexed=False), []).append(one)
    yield from kinds.items()


def _parse_alternative(
    field: Filterable, of: Sequence[FieldOfForm], word: Operator, text: str, *, alone: bool
) -> Alternative | None:
    read = _PARSERS[field.holds]
    values = list(dict.fromkeys(read(one) for one in (split_values(text) if word is Operator.IN else [text])))
    form_ids = tuple(one.form_id for one in of)
    ready = all(one.index is Index.READY for one in of)
    if any(value is None for value in values):
        return None
    return Alternative(
        field, tuple(v for v in values if v is not None), None if alone else form_ids, form_ids if ready else ()
    )


def split_values(text: str) -> list[str]:
    """At commas; one that belongs to a value is written with a backslash before it. Else a backslash is itself."""
    return [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]


def _parse_number(text: str) -> float | None:
    if not re.fullmatch(r"-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?", text, re.ASCII):
        return None
    return float(text) if isfinite(float(text)) else None


def _text_parser(pattern: str, check: Callable[[str], object]) -> Callable[[str], str | None]:
    def read(text: str) -> str | None:
        try:
            return text if re.fullmatch(pattern, text, re.ASCII) and check(text) is not None else None
        except ValueError:
            return None

    return read


def parse_timestamp(text: str) -> float | None:
    """A time with its offset (RFC 3339) in milliseconds since 1970; None where it is none."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text, re.ASCII):
        return None
    try:
        # Half a millisecond more, for it is the nearest one that counts: SQLite keeps times so.
        return float(milliseconds(datetime.fromisoformat(text.upper()) + timedelta(microseconds=500)))
    except (ValueError, OverflowError):
        return None


def add_seconds(text: str) -> str:
    """A time of day always with its seconds, so that texts compare as times do."""
    return (text + ":00")[:8]


_parse_time = _text_parser(r"\d\d:\d\d(:\d\d)?", time.fromisoformat)
_PARSERS: Mapping[Holds, Callable[[str], Value | None]] = {
    Holds.TEXT: lambda text: text,
    Holds.WORD: lambda text: text,
    Holds.NUMBER: _parse_number,
    Holds.FLAG: lambda text: text if text in ("true", "false") else None,
    Holds.DAY: _text_parser(r"\d{4}-\d\d-\d\d", date.fromisoformat),
    Holds.TIME: lambda text: add_seconds(text) if _parse_time(text) else None,
    Holds.MOMENT: parse_timestamp,
}
