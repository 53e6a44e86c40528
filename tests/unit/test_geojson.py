"""Submissions as GeoJSON: positions at the edges of the world, boxes around them, and answers without nesting."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.submissions.geojson import GeoPosition, bounding_box, flatten_answers, read_position

EDGES = st.sampled_from([-180.0, -179.999, -90.0, 0.0, 90.0, 179.999, 180.0])
POSITIONS = st.builds(
    GeoPosition,
    EDGES | st.floats(-180, 180, allow_nan=False),
    st.sampled_from([-90.0, -89.999, 0.0, 89.999, 90.0]) | st.floats(-90, 90, allow_nan=False),
)


def _inside(box: list[float], one: GeoPosition) -> bool:
    west, south, east, north = box
    between = west <= one.longitude <= east if west <= east else one.longitude >= west or one.longitude <= east
    return between and south <= one.latitude <= north


@given(st.lists(POSITIONS, min_size=1, max_size=12))
def test_a_box_contains_all_positions_and_no_gap_wider_than_its_own(positions: list[GeoPosition]) -> None:
    box = bounding_box(positions)
    assert box
    assert all(_inside(box, one) for one in positions)
    west, south, east, north = box
    assert (south, north) == (min(one.latitude for one in positions), max(one.latitude for one in positions))
    if -90 in (south, north) or 90 in (south, north):
        assert (west, east) == (-180, 180)
    else:
        outside = 360 - ((east - west) % 360 if west > east else east - west)
        ordered = sorted(one.longitude for one in positions)
        gaps = [after - before for before, after in pairwise(ordered)]
        assert outside == pytest.approx(max([*gaps, ordered[0] + 360 - ordered[-1]]))


@pytest.mark.parametrize(
    ("positions", "box"),
    [
        ([], None),
        ([(178, -17), (-179, -16)], [178, -17, -179, -16]),
        ([(-180, 10), (180, 20)], [180, 10, -180, 20]),
        ([(5, 90)], [-180, 90, 180, 90]),
        ([(5, -90), (6, 3)], [-180, -90, 180, 3]),
        ([(-10, 1), (10, 2)], [-10, 1, 10, 2]),
    ],
)
def test_boxes_at_the_antimeridian_and_the_poles(positions: list[tuple[float, float]], box: list[float] | None) -> None:
    assert bounding_box([GeoPosition(*one) for one in positions]) == box


@pytest.mark.parametrize(
    "value",
    [
        None,
        "53,10",
        [],
        {},
        {"latitude": 1},
        {"latitude": "1", "longitude": 2},
        {"latitude": True, "longitude": 2},
        {"latitude": 90.0001, "longitude": 2},
        {"latitude": 1, "longitude": -180.5},
        {"latitude": 10**400, "longitude": 0},
        {"latitude": float("nan"), "longitude": 0},
    ],
)
def test_what_is_no_position_is_none(value: Any) -> None:
    assert read_position(value) is None


def test_answers_are_flattened() -> None:
    nested = {
        "site": "Pier",
        "place": {"latitude": 1, "longitude": 2, "accuracy": 3},
        "tags": ["a", "b"],
        "visits": [{"size": 1}],
        "none": None,
    }
    flat = {"site": "Pier", "place.latitude": 1, "place.longitude": 2, "place.accuracy": 3}
    assert flatten_answers(nested) == flat | {"tags": ["a", "b"], "none": None}
