"""Which points the page of a form gets: none that only the server needs, and all if it shows the score."""

import json
from typing import Any

import msgspec
import pytest

from formwright.domain.forms.definition import Definition
from formwright.web.fill.page_fields import page_fields
from formwright.web.fill.rule_program import program

QUESTION: dict[str, Any] = {
    "type": "choice", "name": "q", "options": [{"value": "a", "points": 2}, {"value": "b"}],
}  # fmt: skip
PART = {"type": "section", "name": "part", "fields": [{**QUESTION, "name": "r", "type": "choices"}]}
SCORE = {"type": "decimal", "name": "total", "hidden": True, "calculate": "score()"}
PASSED = {"type": "boolean", "name": "passed", "hidden": True, "calculate": "total > 1.0"}


def steps(*fields: dict[str, Any], **settings: Any) -> dict[str, dict[str, Any]]:
    labelled = json.loads(json.dumps({"fields": fields, "settings": settings}))
    found = msgspec.convert(_label(labelled), Definition)
    return {step["name"]: step for step in program(page_fields(found))}


def _label(one: Any) -> Any:
    if isinstance(one, list):
        return [_label(each) for each in one]
    if not isinstance(one, dict):
        return one
    return ({"label": "It"} if "name" in one or "value" in one else {}) | {
        key: _label(each) for key, each in one.items()
    }


def test_points_that_only_the_server_needs_are_not_on_the_page() -> None:
    found = steps(QUESTION, PART, SCORE, PASSED)
    assert found.keys() == {"q", "part", "r"}
    assert "points" not in json.dumps(found).lower()
    assert steps(QUESTION, {**SCORE, "calculate": "1.0"}).keys() == {"q"}


@pytest.mark.parametrize(
    "reader",
    [
        {"type": "note", "name": "n", "label": "You have {{total}}"},
        {"type": "note", "name": "n", "visibleIf": "passed"},
        {"type": "text", "name": "n", "requiredIf": "points(q) > 1.0"},
        {"type": "text", "name": "n", "defaultRule": "'x'", "recalculateOn": ["total"]},
        {"type": "decimal", "name": "n", "defaultRule": "lastSaved.total"},
        {**SCORE, "name": "n", "hidden": False},
        {**SCORE, "name": "n", "validIf": "n > 1.0"},
    ],
)
def test_points_that_the_page_needs_are_there(reader: dict[str, Any]) -> None:
    found = steps(QUESTION, PART, SCORE, PASSED, reader)
    assert found.keys() == {"q", "part", "r", "total", "passed", "n"}
    assert (found["q"]["points"], found["q"]["maxPoints"]) == ({"a": 200}, 200)


def test_a_form_that_shows_the_score_has_all_points() -> None:
    found = steps(QUESTION, PART, SCORE, PASSED, score={"show": "score"})
    assert found.keys() == {"q", "part", "r", "total", "passed"}
    assert found["r"]["points"] == {"a": 200}


def test_forms_without_points_compute_everything_on_the_page() -> None:
    plain = {**QUESTION, "options": [{"value": "a"}]}
    assert steps(plain, SCORE, PASSED).keys() == {"q", "total", "passed"}
