"""Initial answers of hidden fields, which the server sets for systems that send answers without opening the page.

`static/fill/initial_answers.js` sets them on the page. There, somebody may have emptied a visible field, so only those
of hidden fields can be added to complete answers.
"""

from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Any
from uuid import uuid4

from msgspec import UNSET

from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.rules.compiler import LAST_SAVED, is_answered
from formwright.domain.forms.rules.costs import Budget, OverBudgetError
from formwright.domain.forms.rules.device_time import clock_variables
from formwright.domain.forms.rules.dialect import CHANCE
from formwright.domain.forms.rules.program import Answers, Level, Program, Step, TooCostlyError

_MAX_TURNS = 10
"""How many initial answers can depend on each other."""

Check = Callable[[AnyField, Any], bool]
"""Whether a value is a valid answer of a field."""


def has_initial_answer(field: AnyField) -> bool:
    """Whether a field has an initial answer that nobody can remove."""
    is_given = field.default_rule is not UNSET or field.default is not UNSET
    return field.hidden and field.calculate is UNSET and is_given


def fill_initial_answers(
    program: Program, data: Mapping[str, Any], is_valid: Check, *, device_time: str | None = None
) -> Mapping[str, Any]:
    """Return the answers with the initial ones of hidden fields, as far as they have a valid value.

    Returns `data` if its rules are too costly, which validation reports.
    """
    clock = clock_variables(device_time) if device_time else {}
    filled = data
    for _ in range(_MAX_TURNS):
        before, budget = filled, Budget()
        try:
            level = program.evaluate_level(before, (), clock, {}, budget)
        except TooCostlyError:
            return data
        filled = _fill_level(program, level, before, clock, is_valid)
        if filled == before:
            break
    return filled


def _fill_level(
    program: Program, level: Level, data: Mapping[str, Any], outer: Mapping[str, Any], is_valid: Check
) -> Answers:
    filled, inputs = dict(data), {**outer, **level.inputs}
    for step in program.steps:
        name = step.field.name
        if step.rows is not None and isinstance(data.get(name), list):
            filled[name] = list(data[name])
            for repeat, index, row in level.rows:
                if repeat == name:
                    filled[name][index] = _fill_level(step.rows, row, data[name][index], inputs, is_valid)
        elif has_initial_answer(step.field) and not is_answered(data.get(name)):
            value = _initial_answer(step, inputs)
            if is_answered(value) and is_valid(step.field, value):
                filled[name] = value
    return filled


def _draw_chance() -> dict[str, Any]:
    """Return the values of `random()` and `uuid()`."""
    return {CHANCE["random"]: SystemRandom().random(), CHANCE["uuid"]: str(uuid4())}


def _initial_answer(step: Step, inputs: Mapping[str, Any]) -> Any:
    if (constant := step.field.default) is not UNSET:
        return constant
    triggers = step.field.recalculate_on
    if step.initial is None or (triggers and not any(name in inputs for name in triggers)):
        return None
    try:
        # The device of this response has sent none before.
        return step.convert(step.initial.evaluate({**inputs, LAST_SAVED: {}, **_draw_chance()}, Budget()))
    except OverBudgetError:
        return None
