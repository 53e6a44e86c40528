"""Answers as values of typed columns, for exports and feeds: what doesn't fit the type of its column is null.

Drafts, and fields whose type has changed, can have answers that don't fit.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

import msgspec

from formwright.core.clock import EARLIEST, LATEST
from formwright.domain.forms.answer_fields import list_answer_fields
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    FileField,
    IntegerField,
    LocationField,
    PhotoField,
    RatingField,
    RepeatField,
    SliderField,
)
from formwright.domain.submissions.answer_filters import parse_timestamp

LOCATION_PARTS = ("latitude", "longitude", "accuracy")
_INT64_LIMIT = 2**63
_TYPED_FIELDS = (
    IntegerField
    | RatingField
    | SliderField
    | ChoicesField
    | PhotoField
    | FileField
    | DecimalField
    | BooleanField
    | DateField
    | DatetimeField
    | LocationField
    | RepeatField
)


def to_typed_answers(fields: Sequence[AnyField], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers by field name, as `to_typed` describes them; None for fields without an answer."""
    return {field.name: to_typed(field, data.get(field.name)) for field in fields}


def to_typed(field: AnyField, value: Any) -> Any:
    """Return an answer as a value of its field's type; None if it doesn't fit.

    Numbers are int (64 bits) or float, dates texts such as `2026-03-29`, dates with time milliseconds since 1970,
    locations objects with the keys `LOCATION_PARTS`, multiple choices and files lists of texts, and repeats lists of
    rows. All other answers are texts; what isn't a text in the answers becomes JSON.
    """
    match field, value:
        case _, None:
            return None
        case ((IntegerField() | RatingField() | SliderField()), (int() | float())):
            return _to_int(value)
        case DecimalField(), _:
            return _to_float(value)
        case BooleanField(), bool():
            return value
        case DateField(), str():
            return _to_day(value)
        case DatetimeField(), str():
            ms = parse_timestamp(value)
            return int(ms) if ms is not None and EARLIEST <= ms <= LATEST else None
        case LocationField(), dict():
            return to_typed_location(value)
        case ((ChoicesField() | PhotoField() | FileField()), list()):
            return [_to_text(one) for one in value]
        case RepeatField(), list():
            fields = list_answer_fields(field.fields)
            return [to_typed_answers(fields, row if isinstance(row, dict) else {}) for row in value]
    return None if isinstance(field, _TYPED_FIELDS) else _to_text(value)


def to_typed_location(place: Mapping[str, Any]) -> dict[str, float | None]:
    """Return a location with the keys `LOCATION_PARTS`."""
    return {name: _to_float(place.get(name)) for name in LOCATION_PARTS}


def _to_int(value: float) -> int | None:
    exact = not isinstance(value, bool) and abs(value) < _INT64_LIMIT and value == int(value)
    return int(value) if exact else None


def _to_day(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _to_float(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
