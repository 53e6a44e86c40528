"""Conditions as rows: they survive being written as a rule and read again, and mean what their sentences say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures import node
from fixtures.node import NodeScript
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.domain.forms.fields import AnswerKind
from rules import both_engines, condition_strategies

ASKED = both_engines.fields(*condition_strategies.FIELDS)
KINDS = {field.name: field.answer_kind.name for field in ASKED}


@pytest.fixture(scope="module")
def editor() -> Iterator[NodeScript]:
    """The modules of the editor of conditions."""
    with node.run_script(Path(__file__).with_name("conditions.mjs")) as script:
        yield script


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(condition_strategies.conditions, st.lists(condition_strategies.answers, min_size=1, max_size=3))
def test_conditions_survive_as_a_rule_and_mean_what_they_say(
    editor: NodeScript, page: both_engines.Page, conditions: dict[str, Any], all_answers: list[dict[str, Any]]
) -> None:
    found = editor.ask([conditions])
    assert _with_decimals(found["read"]) == conditions
    for answers in [{}, *all_answers]:
        expected = condition_strategies.says(conditions, answers)
        server = both_engines.evaluate_on_server(ASKED, (found["rule"], answers))
        assert server != both_engines.REFUSED, found["rule"]
        # A rule that fails is false.
        assert (server is True) is expected, (found["rule"], answers)
        assert (page.value(ASKED, (found["rule"], answers)) is True) is expected, (found["rule"], answers)


def _with_decimals(read: Any) -> Any:
    """JavaScript writes large decimals as JSON integers."""
    if isinstance(read, list):
        return [_with_decimals(one) for one in read]
    if not isinstance(read, dict):
        return read
    return {key: float(one) if key == "decimal" else _with_decimals(one) for key, one in read.items()}


def test_the_strategies_have_each_kind_of_answers_and_each_operator(editor: NodeScript) -> None:
    """Otherwise, the test above would leave something out."""
    assert {*KINDS.values(), "POSITIONS", "NONE"} == {kind.name for kind in AnswerKind}
    for name, operators in condition_strategies.OPERATORS.items():
        offered = [operator for operator, _ in editor.ask({"operators": KINDS[name]})]
        assert sorted(offered) == sorted([*operators, "answered", "unanswered"]), name
    for kind in AnswerKind:
        labels = [label for _, label in editor.ask({"operators": kind.name})]
        assert len(set(labels)) == len(labels)
        assert all(labels)


@settings(max_examples=100, deadline=None)
@given(condition_strategies.rows)
def test_each_row_fits_its_field(editor: NodeScript, row: dict[str, Any]) -> None:
    assert editor.ask({"fits": [row, KINDS[row["name"]]]})


_INTEGER = {"integer": 3}
READ = {
    "10 < people": {"name": "people", "operator": "more", "value": {"integer": 10}},
    "agreed == true": {"name": "agreed", "operator": "equal", "value": True},
    "agreed != true": {"name": "agreed", "operator": "equal", "value": False},
    "!(kind == 'a')": {"name": "kind", "operator": "other", "value": "a"},
    "answered['note']": {"name": "note", "operator": "answered"},
    "size(name) > 2": {"name": "name", "operator": "minSize", "value": {"integer": 3}},
    "(people == -3) // why": {"name": "people", "operator": "equal", "value": {"integer": -3}},
}
CODE = [
    *("people + 1 > 3", "end > start", "a ? b : c", "option.land == land", "today() > day.substring(1, 10)"),
    *("a && (b || (c && d))", "a in b", "x in [true]", "x in []", "risks.exists(r, r == 'a')", "true", "null == a"),
    *("position(rows) > 1", "score() > 3.0", "!(a > 1)", "!(a && b)", "!(answered.a && b == 1)", "people >", "'"),
    *("size(a) >= 2.0", "addDays(day, 3) > today()", "x == [1]", "a.contains(b)", "99999999999999999999 == n"),
    " && ".join(["a"] * 51),
]


@pytest.mark.parametrize("rule", READ)
def test_other_ways_to_write_a_condition_are_read(editor: NodeScript, rule: str) -> None:
    assert editor.ask([None, rule]) == {"join": "all", "items": [READ[rule]]}


@pytest.mark.parametrize("rule", CODE)
def test_a_rule_that_rows_cannot_show_stays_code(editor: NodeScript, rule: str) -> None:
    assert editor.ask([None, rule]) is None


NAMES = ["people", "contact", "size", "items"]


@pytest.mark.parametrize(
    ("code", "unknown", "similar"),
    [
        ("peple > 10", "peple", "people"),
        ("people > 10 && answered.contacts", "contacts", "contact"),
        ("answered.contact && items.all(i, has(i.cost) && i > 1) && 'peple' == contact", None, None),
        ("size(size) > 1e5 && position(items) > 0x1F && string(true) in [contact]", None, None),
        ("people > (colour", "colour", None),
        ('contact == "unfinished', None, None),
        ("position(rows) > 1 // peple", "rows", None),
    ],
)
def test_names_that_do_not_exist_are_found_while_a_rule_is_typed(
    editor: NodeScript, code: str, unknown: str | None, similar: str | None
) -> None:
    found = editor.ask([None, code, NAMES, -1])
    assert found == (unknown and {"name": unknown, "similar": similar})


def test_a_name_that_is_being_typed_is_no_mistake_yet(editor: NodeScript) -> None:
    assert editor.ask([None, "people > 1 && con", NAMES, 17]) is None
    assert editor.ask([None, "people > 1 && cox", NAMES, 17])["name"] == "cox"
