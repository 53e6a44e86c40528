"""Random definitions with random answers: nothing crashes, and applying rules twice changes nothing."""

from typing import Any

from factories.definitions import fields, version
from hypothesis import HealthCheck, assume, given, settings

from formwright.core.errors import ValidationFault
from formwright.domain.forms.answers import validation as judging
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.rules.program import compile_program
from rules import definitions

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions)
def test_every_definition_can_be_validated(kinds: list[dict[str, Any]]) -> None:
    assert all(
        isinstance(fault, ValidationFault) and fault.pointer.startswith("/fields")
        for fault in find_errors(fields(*kinds))
    )


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions, definitions.answers)
def test_all_answers_can_be_validated(kinds: list[dict[str, Any]], sent: dict[str, Any]) -> None:
    kinds = remove_invalid_rules(kinds)
    settled, found = judging.validate(version(*kinds), sent)
    assert all(fault.pointer.startswith("/data/") and fault.detail for fault in found)
    assert all(settled[name] == sent.get(name) for name in settled if not is_calculated(kinds, name))


@settings(max_examples=80, deadline=None, suppress_health_check=SLOW)
@given(definitions.definitions, definitions.answers)
def test_applying_rules_twice_changes_nothing(kinds: list[dict[str, Any]], sent: dict[str, Any]) -> None:
    program = compile_program(fields(*remove_invalid_rules(kinds)))
    once = program.evaluate(sent)
    again = program.evaluate(once.answers)
    assert again.answers == once.answers
    assert list(again.answers) == list(once.answers)
    assert again.violations == once.violations


def remove_invalid_rules(kinds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the definition without its invalid rules."""
    for _ in range(40):
        found = find_errors(fields(*kinds))
        if not found:
            return kinds
        for fault in found:
            remove_rule(kinds, fault)
    assume(False)
    return kinds


def remove_rule(kinds: list[dict[str, Any]], fault: ValidationFault) -> None:
    """Remove the rule that an error points to; if it is part of a cycle, all rules of the field."""
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


def is_calculated(kinds: list[dict[str, Any]], name: str) -> bool:
    """Whether the answer is is_calculated, or contains is_calculated answers."""
    every = [inner for kind in kinds for inner in [kind, *kind.get("fields", [])]]
    return any(kind["name"] == name and ("calculate" in kind or kind["type"] == "repeat") for kind in every)
