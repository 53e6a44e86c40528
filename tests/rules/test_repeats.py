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
