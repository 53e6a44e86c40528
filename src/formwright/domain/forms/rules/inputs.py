"""Conversion of answers into inputs of rules, by the type of their field, so that server and page pass the same values.

Values that are not answers of this type are not passed, so rules that need them fail. The same applies to values larger
than the field allows, which the schema rejects. Only numbers are converted, because JSON has a single type for them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, answerable_fields, flatten_sections
from formwright.domain.forms.fields.base import MAX_KEY_LENGTH

Converter = Callable[[Any], Any]

_MAX_SAFE_INTEGER = 2**53
"""The page's numbers are exact up to here."""


SHORT_TEXT_LENGTH = 200
"""The maximum length of texts whose schema has none: dates, options and file ids."""
_LOCATION_PROPERTIES = 3


def result_converter(field: AnyField) -> Converter:
    """Return a function that converts a value to the type of the field, or to None if that is not possible."""
    if isinstance(field, RepeatField):
        return _rows_converter(
            {name: input_converter(inner) for name, inner in answerable_fields(field.fields).items()}
        )
    return _CONVERTERS[field.answer_kind]


def calculated_converter(field: AnyField) -> Converter:
    """Like `result_converter`, but the function also returns None for dates and times that are none."""
    convert, is_valid = result_converter(field), _FORMATS.get(field.answer_kind)
    if is_valid is None:
        return convert
    return lambda value: value if (text := convert(value)) is not None and is_valid(text) else None


def input_converter(field: AnyField) -> Converter:
    """Like `result_converter`, but the function also returns None for values larger than the field allows."""
    convert, most = result_converter(field), max_input_size(field)
    if most is None:
        return convert
    return lambda value: convert(value) if _fits(value, most) else None


def max_input_size(field: AnyField) -> int | None:
    """Return the most characters, items, rows or properties of an answer, or None for numbers and booleans."""
    if field.answer_kind.is_text:
        return int(field.answer_schema().get("maxLength", SHORT_TEXT_LENGTH))
    if field.answer_kind.is_list:
        return field.max_items
    return _LOCATION_PROPERTIES if field.answer_kind is AnswerKind.POSITION else None


def _fits(value: Any, most: int) -> bool:
    """Whether a text, list or object is within the limit. Texts in a list are options, file ids or keys of rows."""
    if not isinstance(value, str | list | dict) or len(value) > most:
        return not isinstance(value, str | list | dict)
    return not isinstance(value, list) or all(len(item) <= MAX_KEY_LENGTH for item in value if isinstance(item, str))


def convert_answers(fields: Sequence[AnyField], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return all answers of the fields as inputs of rules."""
    return _convert_row({field.name: input_converter(field) for field in flatten_sections(fields)}, answers)


def _convert_row(converters: Mapping[str, Converter], answers: Mapping[str, Any]) -> dict[str, Any]:
    found = ((name, convert(answers[name])) for name, convert in converters.items() if name in answers)
    return {name: value for name, value in found if value is not None}


def _rows_converter(converters: Mapping[str, Converter]) -> Converter:
    def convert(value: Any) -> Any:
        if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
            return None
        return [_convert_row(converters, row) for row in value]

    return convert


def _to_integer(value: Any) -> int | None:
    if type(value) is int and -_MAX_SAFE_INTEGER <= value <= _MAX_SAFE_INTEGER:
        return value
    return int(value) if type(value) is float and value.is_integer() and abs(value) <= _MAX_SAFE_INTEGER else None


def _to_double(value: Any) -> float | None:
    # `float` raises `OverflowError` for integers of 2¹⁰²⁴ and more.
    if type(value) is int and abs(value) < 2**1023:
        return float(value)
    return value if type(value) is float and isfinite(value) else None


def _to_boolean(value: Any) -> bool | None:
    return value if type(value) is bool else None


def _to_text(value: Any) -> str | None:
    return value if type(value) is str and value else None


def _to_texts(value: Any) -> list[str] | None:
    return value if type(value) is list and value and all(type(item) is str for item in value) else None


def _to_location(value: Any) -> dict[str, float] | None:
    if type(value) is not dict or not value:
        return None
    place = {name: _to_double(member) for name, member in value.items()}
    return None if None in place.values() else place  # type: ignore[return-value]


def _to_points(value: Any) -> list[dict[str, float]] | None:
    if type(value) is not list or not value:
        return None
    points = [_to_location(one) for one in value]
    return None if None in points else points  # type: ignore[return-value]


def _to_none(_value: Any) -> None:
    return None


_TIME_OF_DAY = r"(?:[01]\d|2[0-3]):[0-5]\d"
_TIME = re.compile(rf"{_TIME_OF_DAY}(?::[0-5]\d)?", re.ASCII)
_MOMENT = re.compile(rf"(.{{10}})T{_TIME_OF_DAY}:[0-5]\d(?:\.\d+)?(?:Z|[+-]{_TIME_OF_DAY})", re.ASCII | re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _is_day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def _is_moment(text: str) -> bool:
    found = _MOMENT.fullmatch(text)
    return bool(found) and _is_day(text[:10])


_FORMATS: Mapping[AnswerKind, Callable[[str], bool]] = {
    AnswerKind.DATE: _is_day,
    AnswerKind.TIME: lambda text: _TIME.fullmatch(text) is not None,
    AnswerKind.DATETIME: _is_moment,
}
_CONVERTERS: Mapping[AnswerKind, Converter] = {
    AnswerKind.INTEGER: _to_integer,
    AnswerKind.DECIMAL: _to_double,
    AnswerKind.BOOLEAN: _to_boolean,
    AnswerKind.TEXT: _to_text,
    AnswerKind.DATE: _to_text,
    AnswerKind.TIME: _to_text,
    AnswerKind.DATETIME: _to_text,
    AnswerKind.CHOICE: _to_text,
    AnswerKind.FILE: _to_text,
    AnswerKind.CHOICES: _to_texts,
    AnswerKind.FILES: _to_texts,
    AnswerKind.POSITION: _to_location,
    AnswerKind.POSITIONS: _to_points,
    AnswerKind.NONE: _to_none,
}
