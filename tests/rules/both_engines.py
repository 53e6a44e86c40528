"""Evaluates rules on the server and with the page's modules in Node."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from fixtures.node import NodeScript

from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.rules.compiler import ExpressionError, cel_types, compile_rule
from formwright.domain.forms.rules.costs import COSTS, SUBMISSION_STEPS, Budget
from formwright.domain.forms.rules.device_time import clock_variables
from formwright.domain.forms.rules.inputs import convert_answers
from formwright.domain.forms.rules.program import compile_program
from formwright.web.fill.rule_program import program

RUNNER = Path(__file__).with_name("runner.mjs")
REFUSED = "refused"
DEVICE_TIME = "2028-02-29T00:30:00+14:00"
"""What the clock of rules shows: a leap day, and another day than in UTC."""
CLOCK = clock_variables(DEVICE_TIME)

Settled = dict[str, Any]

Case = tuple[str, Mapping[str, Any]]
"""A rule and the answers to evaluate it over."""


def fields(*kinds: Mapping[str, Any]) -> list[AnyField]:
    return msgspec.convert([{"label": "It"} | dict(kind) for kind in kinds], list[AnyField])


def evaluate_on_server(asked: Sequence[AnyField], case: Case) -> Any:
    text, answers = case
    try:
        rule = compile_rule(text, cel_types(asked))
    except ExpressionError:
        return REFUSED
    return _to_json(rule.evaluate(convert_answers(asked, answers) | CLOCK, Budget()))


def count_server_steps(asked: Sequence[AnyField], case: Case) -> int:
    """Return the steps of the budget that an evaluation uses."""
    budget = Budget()
    compile_rule(case[0], cel_types(asked)).evaluate(convert_answers(asked, case[1]) | CLOCK, budget)
    return SUBMISSION_STEPS - budget.remaining


def apply_on_server(asked: Sequence[AnyField], answers: Mapping[str, Any]) -> Settled:
    """Return the answers and violations of a form by path, or the path of the field whose rule is too costly."""
    settled = compile_program(asked).evaluate(answers, device_time=DEVICE_TIME)
    if costly := ["/".join(map(str, path)) for path, _, what in settled.violations if what == "costly"]:
        return {"costly": costly[0]}
    return _to_settled(settled.answers, [(path, what) for path, _, what in settled.violations])


def _to_settled(answers: Mapping[str, Any], broken: Sequence[tuple[Sequence[Any], str]]) -> Settled:
    return {"answers": dict(answers), "broken": {"/".join(map(str, path)): what for path, what in broken}}


class Page:
    """The page's modules, running in Node."""

    def __init__(self, node: NodeScript) -> None:
        self._node = node
        node.ask([COSTS])

    def value(self, asked: Sequence[AnyField], case: Case) -> Any:
        found = self._node.ask([case[0], program(asked), {**case[1], **CLOCK}])
        assert found["holds"] is (found["value"] is True)
        return found["value"]

    def steps(self, asked: Sequence[AnyField], case: Case) -> int:
        """Return the steps of the budget that an evaluation uses."""
        spent: int = self._node.ask([case[0], program(asked), {**case[1], **CLOCK}])["steps"]
        return spent

    def settled(self, asked: Sequence[AnyField], answers: Mapping[str, Any]) -> Settled:
        """Return the answers and violations of a form, like `apply_on_server`."""
        found = self._node.ask([{"steps": program(asked), "deviceTime": DEVICE_TIME}, answers])
        if costly := found.get("costly"):
            return {"costly": "/".join(map(str, costly))}
        return _to_settled(found["answers"], found["broken"])

    def names(self, asked: Sequence[AnyField], text: str) -> list[str]:
        """Return the names that the rule depends on, according to the page."""
        names: list[str] = self._node.ask([text, program(asked), {}])["names"]
        return names


def _to_json(value: Any) -> Any:
    """Convert a value to JSON. None if JSON cannot represent it exactly."""
    match value:
        case bool() | str():
            return value
        case int():
            return value if abs(value) <= 2**53 else None
        case float():
            return value if isfinite(value) else None
        case list():
            return [_to_json(item) for item in value]
        case dict():
            return {str(name): _to_json(member) for name, member in value.items()}
    return None
