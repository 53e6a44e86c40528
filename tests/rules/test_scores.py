"""Points of options, and the totals of a form, are the same on the server and in the page."""

from typing import Any

import pytest

from rules import both_engines


def options(**points: float) -> list[dict[str, Any]]:
    return [{"value": value, "label": value} | ({"points": one} if one else {}) for value, one in points.items()]


QUIZ = both_engines.fields(
    {"type": "choice", "name": "one", "options": options(a=0.1, b=0.2, c=-1.5)},
    {"type": "choices", "name": "many", "options": options(a=1, b=2, c=-1, d=0), "maxChoices": 2},
    {"type": "choice", "name": "plain", "options": options(a=0, b=0)},
    {"type": "boolean", "name": "more"},
    {
        "type": "section",
        "name": "part",
        "visibleIf": "more",
        "fields": [{"type": "choice", "name": "extra", "label": "E", "options": options(a=3, b=0)}],
    },
    {
        "type": "repeat",
        "name": "rows",
        "fields": [
            {"type": "choice", "name": "each", "label": "R", "options": options(a=5, b=0)},
            {"type": "decimal", "name": "own", "label": "O", "calculate": "points(each) + points( one )"},
            {"type": "text", "name": "why", "label": "W", "validIf": "points(each) > 0.0 && total > 0.0"},
        ],
    },
    {"type": "decimal", "name": "total", "calculate": "score( )"},
    {"type": "decimal", "name": "most", "calculate": "maxScore()"},
    {"type": "decimal", "name": "single", "calculate": "points(one) + points(many) + points(plain) + points(extra)"},
    {"type": "text", "name": "passed", "visibleIf": "score() >= 0.5 * maxScore()", "validIf": "points(many) > 0.0"},
)


@pytest.mark.parametrize(
    ("answers", "total", "most", "single"),
    [
        ({}, 0.0, 3.2, 0.0),
        ({"one": "a", "many": ["a"]}, 1.1, 3.2, 1.1),
        ({"one": "b", "many": ["a", "b"], "plain": "a"}, 3.2, 3.2, 3.2),
        ({"one": "c", "many": ["c", "d"]}, -2.5, 3.2, -2.5),
        ({"one": "b", "extra": "a", "more": False}, 0.2, 3.2, 0.2),
        ({"one": "b", "extra": "a", "more": True}, 3.2, 6.2, 3.2),
        ({"one": "a", "rows": [{"each": "a"}, {"each": "b"}, {}]}, 5.1, 18.2, 0.1),
        ({"one": "toString", "many": ["a", "a", "?"], "rows": "?"}, 2.0, 3.2, 2.0),
        ({"one": ["b"], "many": "a", "rows": [{"each": ["a"]}, {}]}, 0.0, 13.2, 0.0),
        ({"one": None, "many": [], "plain": ""}, 0.0, 3.2, 0.0),
    ],
)
def test_points(answers: dict[str, Any], total: float, most: float, single: float, page: both_engines.Page) -> None:
    found = both_engines.apply_on_server(QUIZ, answers)
    assert found == page.settled(QUIZ, answers)
    assert [found["answers"][name] for name in ("total", "most", "single")] == [total, most, single]


def test_rules_with_points(page: both_engines.Page) -> None:
    rows = [{"each": "a", "why": "ok"}, {"each": "b", "why": "wrong"}]
    cases: list[tuple[dict[str, Any], bool, dict[str, str]]] = [
        ({"one": "b", "many": ["a", "b"], "passed": "yes"}, True, {}),
        ({"one": "b", "passed": "gone"}, False, {}),
        ({"one": "b", "more": True, "extra": "a", "passed": "wrong"}, True, {"passed": "rule"}),
        ({"one": "b", "many": ["a"], "rows": rows, "passed": "gone"}, False, {"rows/1/why": "rule"}),
    ]
    for answers, passed, broken in cases:
        found = both_engines.apply_on_server(QUIZ, answers)
        assert found == page.settled(QUIZ, answers)
        assert ("passed" in found["answers"], found["broken"]) == (passed, broken)
        assert [row["own"] for row in found["answers"].get("rows", [])] == [5.2, 0.2][: len(answers.get("rows", []))]


def test_the_most_of_options_that_exclude_each_other() -> None:
    exclusive = options(a=1, b=2, none=4)
    exclusive[2]["exclusive"] = True
    for kind, most in [
        ({"type": "choices", "options": exclusive}, 4.0),
        ({"type": "choices", "options": exclusive[:2]}, 3.0),
        ({"type": "choices", "options": options(a=-1, b=-2)}, 0.0),
        ({"type": "choice", "options": exclusive}, 4.0),
        ({"type": "choice", "options": options(a=-1)}, 0.0),
        ({"type": "ranking", "options": exclusive}, 0.0),
    ]:
        asked = both_engines.fields(
            kind | {"name": "it"}, {"type": "decimal", "name": "most", "calculate": "maxScore()"}
        )
        assert both_engines.apply_on_server(asked, {})["answers"] == {"most": most}
