"""Rules that concern the rows of repeats mean the same on the server and in the page."""

from typing import Any

import pytest

from rules import both_engines

PARTS = {"type": "text", "name": "part", "calculate": "'x'"}
COUNTED = both_engines.fields(
    {"type": "integer", "name": "n"},
    {"type": "repeat", "name": "rows", "max": 3, "countRule": "n / 2", "fields": [PARTS | {"label": "Part"}]},
)
FULL = {"part": "x"}


@pytest.mark.parametrize(
    ("answers", "broken"),
    [
        ({}, {}),
        ({"n": 0}, {}),
        ({"n": -8}, {}),
        ({"n": 2, "rows": [{}]}, {}),
        ({"n": 6, "rows": [{}, {}, {}]}, {}),
        ({"rows": [{}]}, {"rows": "rows"}),
        ({"n": 4}, {"rows": "rows"}),
        ({"n": 4, "rows": [{}]}, {"rows": "rows"}),
        ({"n": 4, "rows": [{}, {}, {}]}, {"rows": "rows"}),
        ({"n": "4", "rows": [{}]}, {"rows": "rows"}),
        ({"n": 8, "rows": [{}, {}, {}]}, {"rows": "limit"}),
        ({"n": 2 * 10**9, "rows": [{}]}, {"rows": "limit"}),
        ({"n": 2 * 10**9, "rows": "?"}, {"rows": "limit"}),
        ({"n": 2, "rows": "?"}, {}),
    ],
)
def test_the_number_of_rows(answers: dict[str, Any], broken: dict[str, str], page: both_engines.Page) -> None:
    found = both_engines.apply_on_server(COUNTED, answers)
    assert found == page.settled(COUNTED, answers)
    assert found["broken"] == broken
    if isinstance(answers.get("rows"), list):
        assert found["answers"]["rows"] == [FULL] * len(answers["rows"])


NUMBERED = both_engines.fields(
    {"type": "integer", "name": "first"},
    {
        "type": "repeat",
        "name": "rows",
        "fields": [
            {"type": "integer", "name": "number", "label": "N", "calculate": "position(rows) + ( first - 1 )"},
            {"type": "text", "name": "part", "label": "P", "requiredIf": "position( rows ) > 1"},
            {"type": "text", "name": "last", "label": "L", "validIf": "position(rows) < 3", "visibleIf": "number > 2"},
        ],
    },
)


def test_the_number_of_the_current_row(page: both_engines.Page) -> None:
    answers = {"first": 2, "rows": [{"last": "gone"}, {"last": "ok"}, {"part": "x", "last": "wrong"}]}
    found = both_engines.apply_on_server(NUMBERED, answers)
    assert found == page.settled(NUMBERED, answers)
    assert found["answers"]["rows"] == [
        {"number": 2},
        {"last": "ok", "number": 3},
        {"part": "x", "last": "wrong", "number": 4},
    ]
    assert found["broken"] == {"rows/1/part": "required", "rows/2/last": "rule"}
