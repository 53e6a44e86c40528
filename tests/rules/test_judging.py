"""Random definitions and random answers: nothing crashes, and settling twice is settling once."""

from typing import Any

from factories.definitions import fields, version
from hypothesis import HealthCheck, assume, given, settings

from formwright.core.errors import ValidationFault
from formwright.domain.forms import answer_validation as judging
from formwright.domain.forms.cel.program import compile_program
from formwright.domain.forms.definition_validation import find_errors
from rules import definitions

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions)
def test_any_definition_is_looked_through(kinds: list[dict[str, Any]]) -> None:
    assert all(
        isinstance(fault, ValidationFault) and fault.pointer.startswith("/fields")
        for fault in find_errors(fields(*kinds))
    )


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions, definitions.answers)
def test_any_answers_are_judged(kinds: list[dict[str, Any]], sent: dict[str, Any]) -> None:
    kinds = working(kinds)
    settled, found = judging.validate(version(*kinds), sent)
    assert all(fault.pointer.startswith("/data/") and fault.detail for fault in found)
    assert all(settled[name] == sent.get(name) for name in settled if not calculated(kinds, name))


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions, definitions.answers)
def test_settling_settled_answers_changes_nothing(kinds: list[dict[str, Any]], sent: dict[str, Any]) -> None:
    program = compile_program(fields(*working(kinds)))
    once = program.evaluate(sent)
    again = program.evaluate(once.answers)
    assert again.answers == once.answers
    assert list(again.answers) == list(once.answers)
    assert again.violations == once.violations


def working(kinds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The definition without the rules that cannot work."""
    for _ in range(40):
        found = find_errors(fields(*kinds))
        if not found:
            return kinds
        for fault in found:
            without(kinds, fault)
    assume(False)
    return kinds


def without(kinds: list[dict[str, Any]], fault: ValidationFault) -> None:
    """Take out the rule that a fault points to; of a circle, all of the field's."""
    steps = fault.pointer.split("/")[2:]
    members = [steps.pop()] if fault.code != "field.rule.circle" else ["visibleIf", "calculate"]
    field: Any = kinds
    for step in steps:
        field = field[int(step) if step.isdigit() else step]
    for member in members:
        field.pop(member, None)
    if fault.code == "field.rule.circle":
        for inner in field.get("fields", []):
            inner.pop("visibleIf", None)
            inner.pop("calculate", None)


def calculated(kinds: list[dict[str, Any]], name: str) -> bool:
    """Whether the answer is ours, or holds some that are."""
    every = [inner for kind in kinds for inner in [kind, *kind.get("fields", [])]]
    return any(kind["name"] == name and ("calculate" in kind or kind["type"] == "repeat") for kind in every)
