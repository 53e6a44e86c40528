"""Rules evaluated by both: the server and the page's own module under Node."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from fixtures.node import Told

from formwright.domain.forms.cel.compiler import ExpressionError, cel_types, compile_rule, type_names
from formwright.domain.forms.cel.costs import SUBMISSION_STEPS, Budget
from formwright.domain.forms.cel.inputs import convert_answers
from formwright.domain.forms.cel.program import compile_program
from formwright.domain.forms.definition import AnyField
from formwright.web.fill.rule_program import program

RUNNER = Path(__file__).with_name("runner.mjs")
REFUSED = "refused"

Settled = dict[str, Any]

Case = tuple[str, Mapping[str, Any]]
"""A rule and the answers that it is evaluated over."""


def fields(*kinds: Mapping[str, Any]) -> list[AnyField]:
    return msgspec.convert([{"label": "It"} | dict(kind) for kind in kinds], list[AnyField])


def by_server(asked: Sequence[AnyField], case: Case) -> Any:
    text, answers = case
    try:
        rule = compile_rule(text, cel_types(asked))
    except ExpressionError:
        return REFUSED
    return _plain(rule.evaluate(convert_answers(asked, answers), Budget()))


def steps_by_server(asked: Sequence[AnyField], case: Case) -> int:
    """What evaluating it spends of the budget."""
    budget = Budget()
    compile_rule(case[0], cel_types(asked)).evaluate(convert_answers(asked, case[1]), budget)
    return SUBMISSION_STEPS - budget.left


def settled_by_server(asked: Sequence[AnyField], answers: Mapping[str, Any]) -> Settled:
    """What a whole form comes to: the answers and the broken rules by place, or the place that is too costly."""
    settled = compile_program(asked).evaluate(answers)
    if costly := ["/".join(map(str, path)) for path, _, what in settled.violations if what == "costly"]:
        return {"costly": costly[0]}
    return _settled(settled.answers, [(path, what) for path, _, what in settled.violations])


def _settled(answers: Mapping[str, Any], broken: Sequence[tuple[Sequence[Any], str]]) -> Settled:
    return {"answers": dict(answers), "broken": {"/".join(map(str, path)): what for path, what in broken}}


class Page:
    """The page's own module under Node."""

    def __init__(self, node: Told) -> None:
        self._node = node

    def value(self, asked: Sequence[AnyField], case: Case) -> Any:
        found = self._node.ask([case[0], type_names(asked), case[1]])
        assert found["holds"] is (found["value"] is True)
        return found["value"]

    def steps(self, asked: Sequence[AnyField], case: Case) -> int:
        """What evaluating it spends of the budget."""
        spent: int = self._node.ask([case[0], type_names(asked), case[1]])["steps"]
        return spent

    def settled(self, asked: Sequence[AnyField], answers: Mapping[str, Any]) -> Settled:
        """What a whole form comes to."""
        found = self._node.ask([{"steps": program(asked), "kinds": type_names(asked)}, answers])
        if costly := found.get("costly"):
            return {"costly": "/".join(map(str, costly))}
        return _settled(found["answers"], found["broken"])

    def names(self, asked: Sequence[AnyField], text: str) -> list[str]:
        """What the rule depends on, as the page finds it."""
        names: list[str] = self._node.ask([text, type_names(asked), {}])["names"]
        return names


def _plain(value: Any) -> Any:
    """As JSON says it; what that cannot say, or not exactly, is nothing."""
    match value:
        case bool() | str():
            return value
        case int():
            return value if abs(value) <= 2**53 else None
        case float():
            return value if isfinite(value) else None
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {str(name): _plain(member) for name, member in value.items()}
    return None
