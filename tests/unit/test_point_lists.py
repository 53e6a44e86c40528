"""Lines and areas as text: for people, in the cells of imports and exports, and in the OData feed."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from formwright.domain.exports.cells import answer_cell
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.places import AreaField, LineField
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid
from formwright.domain.submissions.imports.cells import encode_cell, parse_cell
from formwright.odata.columns import answer_columns

LINE = LineField(name="way", label="Way")
AREA = AreaField(name="plot", label="Plot")
CONTEXT = DisplayContext("en", "UTC")
CORNERS = [
    {"latitude": 47, "longitude": 8.5},
    {"latitude": 47, "longitude": 8.501},
    {"latitude": 47.001, "longitude": 8.5},
]
MEASURED = [{"latitude": -1.5, "longitude": 179.99, "accuracy": 4}, {"latitude": -1.5, "longitude": -179.99}]


@pytest.mark.parametrize("latitude", [0, 90, -90, 12.5])
def test_an_area_with_a_side_across_half_the_earth_has_no_size(latitude: float) -> None:
    far = [{"latitude": latitude, "longitude": longitude} for longitude in (0, 180, 90)]
    assert AREA.format_answer(far, CONTEXT) == "3 points"


@pytest.mark.parametrize(
    ("field", "points", "text", "cell", "wkt"),
    [
        (
            LINE,
            MEASURED,
            "2.23 km, 2 points",
            "-1.5 179.99 0 4; -1.5 -179.99",
            "LINESTRING (179.99 -1.5, -179.99 -1.5)",
        ),
        (
            AREA,
            CORNERS,
            "4,228 m², 3 points",
            "47 8.5; 47 8.501; 47.001 8.5; 47 8.5",
            "POLYGON ((8.5 47.0, 8.501 47.0, 8.5 47.001, 8.5 47.0))",
        ),
    ],
)
def test_points_are_text_everywhere(field: Any, points: Any, text: str, cell: str, wkt: str) -> None:
    assert field.format_answer(points, CONTEXT) == text
    assert answer_cell(field, points, CONTEXT) == encode_cell(field, points) == cell
    assert parse_cell(field, cell, CellFormat()) == points
    [column] = answer_columns([field], ["en"])
    assert column.read(SimpleNamespace(answers={field.name: points})) == wkt


@pytest.mark.parametrize(
    "value", [[], [{"latitude": 1}], ["x"], [{"latitude": 1e-9, "longitude": 2}], "x", {"latitude": 1}]
)
def test_whatever_a_draft_contains_survives_an_export(value: Any) -> None:
    for field in (LINE, AREA):
        assert isinstance(field.format_answer(value, CONTEXT), str)
        answer_cell(field, value, CONTEXT)
        exported = encode_cell(field, value)
        assert exported == value or msgspec.json.decode(str(exported)) == value
        [column] = answer_columns([field], ["en"])
        column.read(SimpleNamespace(answers={field.name: value}))


@pytest.mark.parametrize("cell", ["here", "1", "1 2 3 4 5", "1 2; x", "1 1e5", "[1"])
def test_a_cell_that_is_no_list_of_points_is_refused(cell: str) -> None:
    with pytest.raises(CellInvalid):
        parse_cell(LINE, cell, CellFormat())
