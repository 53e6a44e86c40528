"""The cost of rules: the server and the page estimate the same steps, and stop at the same field."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from factories.definitions import fields

from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.rules.compiler import cel_types, compile_rule
from formwright.domain.forms.rules.costs import COSTS, HUGE, ITERATIONS, RULE_STEPS, SUBMISSION_STEPS, Budget
from formwright.web.bundles import STATIC
from rules import attacks, both_engines, cases

ASKED = both_engines.fields(*cases.FIELDS)
ACCEPTED = [(row[0], cases.ANSWERS | row[1]) for row in cases.TABLE if row[2] != both_engines.REFUSED]
ROWS = {"type": "repeat", "name": "rows", "max": 200, "fields": [{"type": "text", "name": "code"}]}


def test_server_and_page_estimate_the_same_steps(page: both_engines.Page) -> None:
    for case in ACCEPTED:
        assert (case, page.steps(ASKED, case)) == (case, both_engines.count_server_steps(ASKED, case))


@pytest.mark.parametrize("attack", attacks.ATTACKS, ids=lambda attack: attack.name)
def test_server_and_page_stop_at_the_same_rule(attack: attacks.Attack, page: both_engines.Page) -> None:
    asked = fields(*attack.kinds)
    server = both_engines.apply_on_server(asked, attack.data)
    assert server == page.settled(asked, attack.data)
    if attack.code == "value.rule.too_costly":
        assert server == {"costly": attack.named}


@pytest.mark.parametrize("attack", attacks.ATTACKS, ids=lambda attack: attack.name)
def test_attacks_are_stopped_within_a_bounded_time(attack: attacks.Attack) -> None:
    asked = fields(*attack.kinds)
    began = time.thread_time()
    both_engines.apply_on_server(asked, attack.data)
    assert time.thread_time() - began < 10


@pytest.mark.parametrize("rule", attacks.REFUSED.values(), ids=attacks.REFUSED)
def test_rules_too_costly_for_typical_answers_are_rejected(rule: str) -> None:
    found = find_errors(fields(attacks.TEXT, {"type": "integer", "name": "c", "calculate": rule}))
    assert [(fault.pointer, fault.code) for fault in found] == [("/fields/1/calculate", "field.rule.too_costly")]


@pytest.mark.parametrize(
    "rule",
    [
        "rows.all(one, rows.exists_one(other, other.code == one.code))",
        "rows.filter(one, one.code != '').map(one, one.code).size() > 1",
        "rows.exists(one, one.code.matches('^[A-Z]{3}-[0-9]{4}$'))",
        "size(name + ' ' + name) > 1 && name.contains('x')",
    ],
)
def test_realistic_rules_are_evaluated(rule: str) -> None:
    """One answer has the maximum length, and the number of rows is the default maximum."""
    asked = fields(ROWS, {"type": "text", "name": "name"}, {"type": "boolean", "name": "c", "calculate": rule})
    assert find_errors(asked) == []
    rows = [{"code": f"ABC-{number:04}"} for number in range(99)]
    assert both_engines.apply_on_server(asked, {"rows": rows, "name": "x" * 10_000})["answers"]["c"] is True


def test_each_of_200_rows_can_be_compared_with_all_rows() -> None:
    code = {"type": "text", "name": "code", "validIf": "rows.exists_one(row, row.code == code)"}
    rows = [{"code": f"{number}"} for number in range(200)]
    settled = both_engines.apply_on_server(fields({**ROWS, "fields": [code]}), {"rows": rows})
    assert settled == {"answers": {"rows": rows}, "broken": {}}


def test_rules_do_not_see_values_larger_than_their_field_allows(page: both_engines.Page) -> None:
    asked = fields(
        {"type": "text", "name": "a", "maxLength": 3},
        {"type": "text", "name": "b", "maxLength": 5, "calculate": "a + a"},
        {"type": "boolean", "name": "c", "calculate": "answered.b"},
        {**ROWS, "max": 2},
        {"type": "boolean", "name": "d", "calculate": "answered.rows"},
    )
    for answers, seen in (
        ({"a": "👍🏽"}, {"b": "👍🏽👍🏽", "c": True, "d": False}),
        ({"a": "xyz"}, {"b": "xyzxyz", "c": False, "d": False}),
        ({"a": "wxyz", "rows": [{}, {}, {}]}, {"c": False, "d": False}),
    ):
        wanted = {"answers": answers | seen, "broken": {}}
        assert both_engines.apply_on_server(asked, answers) == page.settled(asked, answers) == wanted


def test_no_answer_is_larger_than_the_assumed_maximum() -> None:
    """The fixed cost of a rule is calculated with `HUGE`."""
    greatest: list[Any] = ["x" * 100_000, ["x" * 200] * 1000, [{f"m{n}": "x" * 100_000 for n in range(500)}] * 200]
    for value in greatest:
        size = Budget().measure(value)
        assert (size.text, size.count, size.key) <= (HUGE.text, HUGE.count, HUGE.key)
        assert size.item_bound().item_bound().text <= HUGE.item_bound().item_bound().text


def test_the_limit_of_the_library_is_never_reached_first() -> None:
    """It fails after 10,000 iterations of all loops, which looks like a rule that is false."""
    asked = fields(ROWS)
    rule = compile_rule("rows.all(a, rows.all(b, true))", cel_types(asked))
    rows: list[dict[str, str]] = [{}] * 99
    assert len(rows) * (len(rows) + 1) <= ITERATIONS
    assert rule.evaluate({"rows": rows}, Budget()) is True
    assert RULE_STEPS < SUBMISSION_STEPS


@pytest.mark.slow
def test_attacks_through_the_api_and_the_fill_link_need_little_memory_and_time(tmp_path: Path) -> None:
    """In a process that may map 1 GiB more than it already has. The error names the field."""
    run = subprocess.run(
        [sys.executable, "-m", "rules.limited", str(tmp_path)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    for attack, result in zip(attacks.ATTACKS, found, strict=True):
        wanted = [422, f"/data/{attack.named}", attack.code]
        assert (attack.name, result["key"], result["link"]) == (attack.name, wanted, wanted)
        assert result["seconds"] < 20


def test_the_page_has_a_number_for_each_cost_it_names() -> None:
    names = ("rule_costs.js", "rule_budget.js")
    scripts = "".join((STATIC / "fill" / name).read_text(encoding="utf-8") for name in names)
    assert set(re.findall(r"\bcosts\.([A-Z_]+)", scripts)) == set(COSTS)
