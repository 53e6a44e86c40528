"""Answers as rules see them: by the kind of their field, so that the server and the page hand in the same.

What is no answer, or none of that kind, is not handed in: a rule that needs it fails. Nothing is converted but numbers,
which JSON does not tell apart.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from formwright.domain.forms.definition import AnyField, RepeatField, flat
from formwright.domain.forms.expressions import kind_of

Take = Callable[[Any], Any]

_EXACT = 2**53
"""Beyond it the page's numbers lose whole steps."""


def taker(field: AnyField) -> Take:
    """What gives the field's answer as rules see it; None where there is none."""
    if isinstance(field, RepeatField):
        return _rows({inner.name: taker(inner) for inner in flat(field.fields) if kind_of(inner)})
    return _BY_KIND[kind_of(field)]


def taken(fields: Sequence[AnyField], answers: Mapping[str, Any]) -> dict[str, Any]:
    """All answers of the fields as rules see them."""
    return _row({field.name: taker(field) for field in flat(fields)}, answers)


def _row(takers: Mapping[str, Take], answers: Mapping[str, Any]) -> dict[str, Any]:
    found = ((name, take(answers[name])) for name, take in takers.items() if name in answers)
    return {name: value for name, value in found if value is not None}


def _rows(takers: Mapping[str, Take]) -> Take:
    def take(value: Any) -> Any:
        if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
            return None
        return [_row(takers, row) for row in value]

    return take


def _whole(value: Any) -> int | None:
    if type(value) is int and -_EXACT <= value <= _EXACT:
        return value
    return int(value) if type(value) is float and value.is_integer() and abs(value) <= _EXACT else None


def _number(value: Any) -> float | None:
    if type(value) is int and abs(value) < 2**1023:
        return float(value)
    return value if type(value) is float and isfinite(value) else None


def _mark(value: Any) -> bool | None:
    return value if type(value) is bool else None


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None


def _texts(value: Any) -> list[str] | None:
    return value if type(value) is list and value and all(type(item) is str for item in value) else None


def _place(value: Any) -> dict[str, float] | None:
    if type(value) is not dict or not value:
        return None
    place = {name: _number(member) for name, member in value.items()}
    return None if None in place.values() else place  # type: ignore[return-value]


def _nothing(_value: Any) -> None:
    return None


_BY_KIND: dict[str | None, Take] = {
    "INT": _whole,
    "DOUBLE": _number,
    "BOOL": _mark,
    "STRING": _text,
    "LIST": _texts,
    "PLACE": _place,
    None: _nothing,
}
