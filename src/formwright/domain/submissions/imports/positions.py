"""Cells with positions, lines and areas, and cells with JSON."""

import re
from math import isfinite
from typing import Any

import msgspec

from formwright.core.exact_numbers import DIGITS, is_exact
from formwright.core.tables.numbers import read_coordinate
from formwright.domain.forms.fields import AnyField, Shape
from formwright.domain.forms.fields.point_lists import parse_xlsform_text
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid

_DISPLAYED_LOCATION = re.compile(r"([\d.]+)° ([NS]), ([\d.]+)° ([EW])(?: \(± ([\d,]+) m\))?")


def parse_location(text: str, format_: CellFormat) -> Any:
    """Return a position. Raises `CellInvalid`."""
    if text.startswith("{"):
        return parse_json(text)
    if match := _DISPLAYED_LOCATION.fullmatch(text):
        latitude, south, longitude, west, accuracy = match.groups()
        parts = [f"{'-' * (south == 'S')}{latitude}", f"{'-' * (west == 'W')}{longitude}"]
        parts += [accuracy.replace(",", "")] if accuracy else []
    else:
        parts = _split_location(text, format_)
    numbers = [read_coordinate(one) for one in parts]
    if len(numbers) not in (2, 3) or None in numbers:
        raise CellInvalid(
            "import.cell.location", f"{text[:50]!r} is not a position. Write latitude and longitude: 52.52,13.405."
        )
    return dict(zip(("latitude", "longitude", "accuracy"), numbers, strict=False))


def _split_location(text: str, format_: CellFormat) -> list[str]:
    """Return the numbers of a position. Commas are between them, or decimal marks: `52.5,13.4` and `52,5 13,4`.

    Raises `CellInvalid` if they can be both.
    """
    all_parts = [one for one in re.split(r"[,;\s]+", text) if one]
    parts = [one for one in re.split(r"[;\s]+", text) if one]
    has_decimal_commas = "." not in text and not any(one.startswith(",") or one.endswith(",") for one in parts)
    if not has_decimal_commas or len(parts) not in (2, 3) or len(parts) == len(all_parts):
        return all_parts
    if len(all_parts) == 3 and format_.decimal_mark is None:
        detail = f"{text[:50]!r} has two readings. Write latitude and longitude: 52.52,13.405."
        raise CellInvalid("import.cell.location", detail)
    return all_parts if len(all_parts) == 3 and format_.decimal_mark == "." else parts


def parse_points(field: AnyField, text: str, format_: CellFormat) -> Any:
    """Return the points of a line or area. Raises `CellInvalid`."""
    if text.startswith("["):
        return parse_json(text)
    try:
        return parse_xlsform_text(_with_decimal_points(text, format_), is_area=field.shape is Shape.AREA)
    except ValueError:
        detail = f"{text[:50]!r} is not a line or area. Write its points: 52.52 13.405; 52.53 13.41."
        raise CellInvalid("import.cell.points", detail) from None


def _with_decimal_points(text: str, format_: CellFormat) -> str:
    """Return the text with decimal points instead of commas. Raises `CellInvalid` if commas can be between numbers."""
    points = [point.split() for point in text.split(";") if point.strip()]
    numbers = [number for point in points for number in point]
    is_separator = any(number.strip(",") != number for number in numbers) or any(len(point) == 1 for point in points)
    if "." in text or "," not in text or is_separator or format_.decimal_mark == ".":
        return text
    if format_.decimal_mark is None:
        detail = f"{text[:50]!r} has two readings. Write its points as 52.52 13.405; 52.53 13.41."
        raise CellInvalid("import.cell.points", detail)
    return text.replace(",", ".")


def parse_json(text: str) -> Any:
    """Return the value of a cell with JSON. Raises `CellInvalid`."""
    try:
        return _json_decoder.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise CellInvalid("import.cell.json", "The cell is not valid JSON, which this field needs.") from None


def _read_float(literal: str) -> float:
    if not isfinite(float(literal)) or (len(literal) > DIGITS and not is_exact(literal)):
        detail = f"{literal[:50]} has more digits than can be stored. Write at most {DIGITS}."
        raise CellInvalid("value.inexact", detail)
    return float(literal)


_json_decoder = msgspec.json.Decoder(float_hook=_read_float)
