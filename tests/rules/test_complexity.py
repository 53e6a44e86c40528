"""The longest rules that forms can have are evaluated, on the server and in the page."""

import re
from pathlib import Path

import pytest
from factories.definitions import fields

from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields.properties import MAX_RULE_LENGTH
from formwright.domain.forms.rules.complexity import MAX_BRACKETS, MAX_ITEMS, MAX_OPERANDS
from rules import both_engines

_LIBRARY_OPTIONS = Path(__file__).resolve().parents[2] / "node_modules/@marcbachmann/cel-js/lib/options.js"

QUESTIONS = [
    {"type": "integer", "name": "n"},
    {"type": "text", "name": "t"},
    {"type": "boolean", "name": "no"},
    {"type": "repeat", "name": "rows", "min": 1, "max": 3, "fields": [{"type": "integer", "name": "x", "label": "X"}]},
]
ASKED = both_engines.fields(*QUESTIONS)
ANSWERS = {"n": 1, "t": "7", "no": False, "rows": [{"x": 1}]}


def chain(operand: str, *, last: str, by: str = "||", count: int = MAX_OPERANDS) -> str:
    """Join operands, which the page nests. The tree has the levels of an operand, too."""
    return by.join([operand] * (count - 1) + [last])


def pad(rule: str) -> str:
    """Return a rule of the maximum length."""
    return f"{rule}||t=='{'x' * (MAX_RULE_LENGTH - len(rule) - 7)}'"


def table(count: int, value: str) -> str:
    return "{" + ",".join(f"'{place}':{value}" for place in range(count)) + "}[t]"


def wrap(rule: str, count: int) -> str:
    return f"{'(' * count}{rule}{')' * count}"


LONGEST = {
    "operands": chain("no", last="!no", count=MAX_OPERANDS - 1),
    "all of them": chain("!no", last="!no", by="&&", count=MAX_OPERANDS - 2),
    "operands with more levels": chain("t in [t + t]", last="!no", count=MAX_OPERANDS - 4),
    "patterns": chain("t.matches('^[a-z]$')", last="t.matches('7')", count=MAX_OPERANDS - 2),
    "loops": chain("rows.all(r,r.x>1)", last="rows.exists(r,r.x==1)", count=MAX_OPERANDS - 6),
    "operands in brackets": wrap(chain("no", last="!no", count=MAX_OPERANDS - 1), MAX_BRACKETS - 1),
    "signs": f"{'!' * (MAX_OPERANDS - 1)}no",
    "cases": f"{''.join(f'n=={place}?no:' for place in range(2, 31))}!no",
    "a list": f"t in [{','.join(repr(str(place)) for place in range(MAX_ITEMS))}]",
    "a map": table(MAX_ITEMS, "!no"),
    "characters": pad("!no"),
}  # fmt: skip
"""Rules that are true."""
TOO_MUCH = {
    "operands": (chain("no", last="!no", count=MAX_OPERANDS + 1), "has more than 700 operands"),
    "an operand": (f"({chain('no', last='n == 1', count=MAX_OPERANDS)}) && no", "has more than 700 operands"),
    "signs": (f"{'!' * (MAX_OPERANDS + 1)}no", "has more than 700 operands or signs"),
    "a list": (f"t in [{','.join(['t'] * (MAX_ITEMS + 1))}]", "more than 1000 items"),
    "a map": (table(MAX_ITEMS + 1, "no"), "more than 1000 items"),
    "brackets": (wrap("no", MAX_BRACKETS + 1), "nested too deeply"),
    "calls": (f"{'int(' * 3900}n{')' * 3900} == 1", "nested too deeply"),
}  # fmt: skip


def faults_of(rule: str) -> list[tuple[str, str]]:
    calculated = fields({"type": "boolean", "name": "c", "calculate": rule})
    return [(fault.code, fault.detail) for fault in find_errors([*ASKED, *calculated])]


@pytest.mark.parametrize("name", LONGEST)
def test_the_longest_rules_have_the_same_result_on_both_sides(name: str, page: both_engines.Page) -> None:
    rule = LONGEST[name]
    assert len(rule) <= MAX_RULE_LENGTH
    assert faults_of(rule) == []
    assert both_engines.evaluate_on_server(ASKED, (rule, ANSWERS)) is True
    assert page.value(ASKED, (rule, ANSWERS)) is True
    assert page.steps(ASKED, (rule, ANSWERS)) == both_engines.count_server_steps(ASKED, (rule, ANSWERS))


@pytest.mark.parametrize("name", TOO_MUCH)
def test_rules_that_the_page_may_not_evaluate_are_rejected(name: str) -> None:
    rule, why = TOO_MUCH[name]
    [(code, detail)] = faults_of(rule)
    assert code == "field.rule"
    assert why in detail


def test_the_library_of_the_page_has_no_lower_limits() -> None:
    options = _LIBRARY_OPTIONS.read_text(encoding="utf-8")
    limits = {name: int(number) for name, number in re.findall(r"(max\w+): (\d+)", options)}
    assert min(limits["maxListElements"], limits["maxMapEntries"]) >= MAX_ITEMS
    assert limits["maxDepth"] > MAX_BRACKETS
    assert limits["maxAstNodes"] >= MAX_RULE_LENGTH
