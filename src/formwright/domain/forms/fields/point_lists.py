"""Lines and areas as text: as people read them, and as XLSForm writes the answers of `geotrace` and `geoshape`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from formwright.domain.forms.fields import geodesy
from formwright.domain.forms.fields.answer_kinds import Shape
from formwright.domain.forms.fields.base import Field

_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{0,20})?", re.ASCII)


def format_points(field: Field, points: Sequence[Any]) -> str:
    """Return the size of a line or area in one line, such as “1.24 km, 12 points”. Raises errors for other values.

    Without the size, if a side of an area spans half the Earth.
    """
    count = f"{len(points)} points"
    try:
        size = (
            format_area(geodesy.area(list(points)))
            if field.shape is Shape.AREA
            else format_length(geodesy.distance(list(points)))
        )
    except ZeroDivisionError:
        return count
    return f"{size}, {count}"


def format_length(metres: float) -> str:
    """Return a length in metres or kilometres."""
    return f"{_round(metres)} m" if metres < 1000 else f"{_round(metres / 1000)} km"


def format_area(square_metres: float) -> str:
    """Return an area in square metres, hectares or square kilometres."""
    if square_metres < 10_000:
        return f"{_round(square_metres)} m²"
    return f"{_round(square_metres / 1e4)} ha" if square_metres < 1e6 else f"{_round(square_metres / 1e6)} km²"


def _round(value: float) -> str:
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


def to_xlsform_text(field: Field, points: Sequence[Mapping[str, Any]]) -> str:
    """Return the points as `latitude longitude altitude accuracy`, separated by semicolons; the altitude is unknown.

    An area ends with its first point. Raises errors for other values.
    """
    closing = points[:1] if field.shape is Shape.AREA else []
    return "; ".join(_point_text(point) for point in [*points, *closing])


def _point_text(point: Mapping[str, Any]) -> str:
    position = f"{point['latitude']} {point['longitude']}"
    return f"{position} 0 {point['accuracy']}" if "accuracy" in point else position


def parse_xlsform_text(text: str, *, is_area: bool) -> list[dict[str, float]]:
    """Return the points of a text as `to_xlsform_text` writes it. Raises `ValueError` if it is none."""
    points = [_parse_point(part) for part in text.split(";") if part.strip()]
    is_closed = is_area and len(points) > 1 and points[0] == points[-1]
    return points[:-1] if is_closed else points


def _parse_point(text: str) -> dict[str, float]:
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    if not 2 <= len(parts) <= 4 or not all(map(_NUMBER.fullmatch, parts)):
        raise ValueError(text)
    numbers = [float(part) if "." in part else int(part) for part in parts]
    names = ("latitude", "longitude", None, "accuracy")
    return {name: number for name, number in zip(names, numbers, strict=False) if name}
