"""Rows from the features of a GeoJSON file (RFC 7946)."""

from typing import Any, BinaryIO

import msgspec

from formwright.core.tables.base import TableUnreadable
from formwright.domain.datasources.imports.row_sources import JsonRows
from formwright.domain.datasources.models import Cell


def open_geojson(file: BinaryIO) -> JsonRows:
    """Return a row for each feature, with its properties, its id and its geometry.

    Raises `TableUnreadable` if the file is not a feature collection.
    """
    content = file.read()
    try:
        collection = msgspec.json.decode(content, type=_Features)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = f"The file is not a GeoJSON feature collection: {str(error)[:200]}."
        raise TableUnreadable("table.json", detail) from None
    if b"\\u0000" in content:
        raise TableUnreadable("table.json", "A value contains a NUL character, which cannot be stored. Remove it.")
    return JsonRows([_feature_row(one) for one in collection.features])


class _Feature(msgspec.Struct):
    properties: dict[str, Any] | None = None
    geometry: dict[str, Any] | None = None
    id: str | int | float | None = None


class _Features(msgspec.Struct):
    features: list[_Feature]


def _feature_row(feature: _Feature) -> dict[str, Cell]:
    """Return the cells of a feature. A point is “latitude longitude”, as in XLSForm; other shapes have no cell."""
    row: dict[str, Cell] = {} if feature.id is None else {"id": feature.id}
    row |= {name: _to_cell(value) for name, value in (feature.properties or {}).items()}
    match feature.geometry:
        case {"type": "Point", "coordinates": [float() | int() as longitude, float() | int() as latitude, *_]}:
            row["geometry"] = f"{latitude} {longitude}"
    return row


def _to_cell(value: Any) -> Cell:
    return value if isinstance(value, str | int | float | bool | None) else msgspec.json.encode(value).decode()
