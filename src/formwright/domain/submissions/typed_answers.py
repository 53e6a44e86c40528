"""Answers as values of typed columns, for exports and feeds: what doesn't fit the type of its column is null.

Drafts, and fields whose type has changed, can have answers that don't fit.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

import msgspec

from formwright.core.clock import EARLIEST, LATEST, parse_timestamp
from formwright.domain.forms.answer_fields import list_answer_fields
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField

LOCATION_PARTS = ("latitude", "longitude", "accuracy")
_INT64_LIMIT = 2**63


def to_typed_answers(fields: Sequence[AnyField], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers by field name, as `to_typed` describes them; None for fields without an answer."""
    return {field.name: to_typed(field, data.get(field.name)) for field in fields}


def to_typed(field: AnyField, value: Any) -> Any:
    """Return an answer as a value of its field's type; None if it doesn't fit.

    Numbers are int (64 bits) or float, dates texts such as `2026-03-29`, dates with time milliseconds since 1970,
    locations objects with the keys `LOCATION_PARTS`, lines and areas lists of them, multiple choices and files lists of
    texts, and repeats lists of rows. All other answers are texts; what isn't a text in the answers becomes JSON.
    """
    return None if value is None else type_converter(field)(value)


def type_converter(field: AnyField) -> Callable[[Any], Any]:
    """Return the function that converts the answers of a field, other than None, as `to_typed` does."""
    return _row_converter(field) if isinstance(field, RepeatField) else _CONVERTERS[field.answer_kind]


def _row_converter(repeat: RepeatField) -> Callable[[Any], Any]:
    fields = list_answer_fields(repeat.fields)

    def convert(value: Any) -> Any:
        if not isinstance(value, list):
            return None
        return [to_typed_answers(fields, row if isinstance(row, dict) else {}) for row in value]

    return convert


def to_typed_location(place: Mapping[str, Any]) -> dict[str, float | None]:
    """Return a location with the keys `LOCATION_PARTS`."""
    return {name: _to_float(place.get(name)) for name in LOCATION_PARTS}


def _to_int(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _INT64_LIMIT:
        return None
    return int(value) if value == int(value) else None


def _to_day(value: Any) -> str | None:
    try:
        return date.fromisoformat(value).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None


def _to_moment(value: Any) -> int | None:
    ms = parse_timestamp(value) if isinstance(value, str) else None
    return int(ms) if ms is not None and EARLIEST <= ms <= LATEST else None


def _to_float(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def _to_points(value: Any) -> list[dict[str, float | None]] | None:
    if not isinstance(value, list):
        return None
    return [to_typed_location(one if isinstance(one, dict) else {}) for one in value]


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _to_texts(value: Any) -> list[str] | None:
    """Return a list. A text is the answer to an earlier version, which asked for one of the values."""
    if isinstance(value, str):
        return [value]
    return [_to_text(one) for one in value] if isinstance(value, list) else None


_CONVERTERS: Mapping[AnswerKind, Callable[[Any], Any]] = {
    AnswerKind.INTEGER: _to_int,
    AnswerKind.DECIMAL: _to_float,
    AnswerKind.BOOLEAN: lambda value: value if isinstance(value, bool) else None,
    AnswerKind.DATE: _to_day,
    AnswerKind.DATETIME: _to_moment,
    AnswerKind.POSITION: lambda value: to_typed_location(value) if isinstance(value, dict) else None,
    AnswerKind.POSITIONS: _to_points,
    AnswerKind.CHOICES: _to_texts,
    AnswerKind.FILES: _to_texts,
    **dict.fromkeys((AnswerKind.TEXT, AnswerKind.TIME, AnswerKind.CHOICE, AnswerKind.FILE), _to_text),
}
