"""A calculated answer is never refused for something that only people could correct, on the server and in the page."""

from typing import Any

import pytest

from formwright.domain.forms.answers.error_messages import messages_for
from formwright.domain.forms.answers.errors import AnswerValidator
from rules import both_engines

OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
SOURCES = [{"type": "text", "name": "t"}, {"type": "integer", "name": "n"}]


def form(kind: str, rule: str, **more: Any) -> list[Any]:
    return both_engines.fields(*SOURCES, {"type": kind, "name": "it", "calculate": rule, **more})


@pytest.mark.parametrize(
    ("kind", "more", "rule", "answers", "value"),
    [
        ("choice", {"options": OPTIONS}, "t", {"t": "other"}, "other"),
        ("choice", {"options": OPTIONS, "optionFilter": "option.value == 'b'"}, "t", {"t": "a"}, "a"),
        ("choices", {"options": OPTIONS}, "[t, 'c', 'c']", {"t": "a"}, ["a", "c", "c"]),
        ("ranking", {"options": OPTIONS}, "['b', t]", {"t": "z"}, ["b", "z"]),
        ("slider", {"min": 0, "max": 5}, "n", {"n": 50}, 50),
        ("rating", {"max": 5}, "n", {"n": 0}, 0),
        ("nps", {}, "n", {"n": -3}, -3),
        ("boolean", {"agreement": True}, "n > 1", {"n": 1}, False),
        ("email", {}, "t", {"t": "nobody"}, "nobody"),
        ("phone", {}, "t", {"t": "none"}, "none"),
        ("url", {}, "t", {"t": "none"}, "none"),
        ("date", {}, "t", {"t": "2026-02-28"}, "2026-02-28"),
        *(
            ("date", {}, "t", {"t": text}, None)
            for text in ("soon", "2026-02-29", "2026-02-28T10:00:00Z", "0000-01-01")
        ),
        ("time", {}, "t", {"t": "23:59:59"}, "23:59:59"),
        *(("time", {}, "t", {"t": text}, None) for text in ("soon", "24:00", "7:00")),
        ("datetime", {}, "t", {"t": "2026-02-28T23:59:59.123+14:00"}, "2026-02-28T23:59:59.123+14:00"),
        *(
            ("datetime", {}, "t", {"t": text}, None)
            for text in ("2026-02-28", "2026-02-30T10:00:00Z", "2026-02-28T24:00:00Z", "2026-02-28T10:00:00", "x" * 30)
        ),
    ],
)
def test_calculated_values(
    kind: str, more: dict[str, Any], rule: str, answers: dict[str, Any], value: Any, page: both_engines.Page
) -> None:
    asked = form(kind, rule, **more)
    found = both_engines.apply_on_server(asked, answers)
    assert found == page.settled(asked, answers)
    assert found["broken"] == {}
    assert found["answers"].get("it") == value
    assert AnswerValidator(asked, messages_for("en")).find_errors(found["answers"], ()) == []


@pytest.mark.parametrize(
    ("kind", "more", "rule", "answers", "what"),
    [
        ("integer", {"validIf": "it < 5"}, "n", {"n": 5}, "rule"),
        ("integer", {"requiredIf": "true"}, "n", {}, "required"),
        ("integer", {"requiredIf": "answered.t", "required": True}, "n", {"t": "x"}, "required"),
        ("integer", {"requiredIf": "answered.t", "required": True}, "n", {}, None),
    ],
)
def test_rules_check_calculated_answers(
    kind: str, more: dict[str, Any], rule: str, answers: dict[str, Any], what: str | None, page: both_engines.Page
) -> None:
    asked = form(kind, rule, **more)
    found = both_engines.apply_on_server(asked, answers)
    assert found == page.settled(asked, answers)
    assert found["broken"].get("it") == what


def test_bounds_that_a_form_states_apply() -> None:
    asked = form("integer", "n", max=5)
    assert [one.code for one in AnswerValidator(asked, messages_for("en")).find_errors({"it": 6}, ("data",))] == [
        "value.too_great"
    ]
