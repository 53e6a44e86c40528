"""Answers as rules see them: by the kind of their field, so that the server and the page hand in the same.

What is no answer, or none of that kind, is not handed in: a rule that needs it fails. Neither is what is larger than
its field allows, which the schema refuses. Nothing is converted but numbers, which JSON does not tell apart.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from formwright.domain.forms.answer_schema import answer_schema
from formwright.domain.forms.cel.compiler import kind_of
from formwright.domain.forms.definition import AnyField, ChoicesField, RepeatField, flat

Take = Callable[[Any], Any]

_EXACT = 2**53
"""Beyond it the page's numbers lose whole steps."""


SHORT = 200
"""The longest text of a field whose schema states no length: dates, options, file ids."""
_PLACE_MEMBERS = 3


def converter(field: AnyField) -> Take:
    """A function that returns a value as the field's kind, of any size; None where it is none of that kind."""
    if isinstance(field, RepeatField):
        return _rows({inner.name: taker(inner) for inner in flat(field.fields) if kind_of(inner)})
    return _BY_KIND[kind_of(field)]


def taker(field: AnyField) -> Take:
    """What gives the field's answer as rules see it; None where there is none, or one larger than the field allows."""
    convert, most = converter(field), largest(field)
    if most is None:
        return convert
    return lambda value: convert(value) if _fits(value, most) else None


def largest(field: AnyField) -> int | None:
    """How many characters, items, rows or members an answer may have; None for numbers and yes or no."""
    match kind_of(field):
        case "STRING":
            return int(answer_schema(field).get("maxLength", SHORT))
        case "LIST":
            return len(field.options) if isinstance(field, ChoicesField) else int(answer_schema(field)["maxItems"])
        case "ROWS":
            return int(answer_schema(field)["maxItems"])
        case "PLACE":
            return _PLACE_MEMBERS
    return None


def _fits(value: Any, most: int) -> bool:
    """Whether a text, list or object is not larger than that. What is in a list of texts is an option or a file id."""
    if not isinstance(value, str | list | dict) or len(value) > most:
        return not isinstance(value, str | list | dict)
    return not isinstance(value, list) or all(len(item) <= SHORT for item in value if isinstance(item, str))


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
