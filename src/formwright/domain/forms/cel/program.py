"""A definition compiled for answering: what is shown, calculated and valid, in the order in which it can be known."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.cel.compiler import Expression, cel_types, compile_rule, is_answered, referenced_names
from formwright.domain.forms.cel.costs import SUBMISSION_STEPS, Budget, OverBudgetError
from formwright.domain.forms.cel.inputs import Converter, input_converter, result_converter
from formwright.domain.forms.definition import (
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    flatten_sections,
    walk_fields,
)

Answers = dict[str, Any]
Path = tuple[str | int, ...]
Violation = tuple[Path, AnyField, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One field, with its rules compiled and the sections it is in.

    `asked`: an answer is required while it is shown, which the schema cannot say. `rows`: a repeat's, for each row.
    `heard`: a rule may name it. `take` gives the answer as rules see it, `convert` one of any size.
    """

    field: AnyField
    sections: tuple[str, ...]
    required_if_visible: bool
    is_referenced: bool
    visible: Expression | None
    valid: Expression | None
    calculate: Expression | None
    rows: "Program | None"
    convert: Converter
    to_input: Converter


@dataclass(slots=True)
class Evaluation:
    """Answers as they count, and what the rules find wrong with them: the place, the field, `required` or `rule`.

    `costly` in place of these: evaluating stopped at a rule of this field, and the answers are as they were sent.
    """

    answers: Answers
    violations: list[Violation]

    @property
    def is_over_budget(self) -> bool:
        """Whether it stopped at a rule that might exceed the budget: then nothing else is known to be wrong."""
        return any(what == "costly" for _, _, what in self.violations)


class _TooCostlyError(Exception):
    """Where the budget of a submission was not enough."""

    def __init__(self, path: Path, field: AnyField) -> None:
        self.violation: Violation = (path, field, "costly")


@dataclass(slots=True)
class _Level:
    """The answers beside each other once settled, to be judged when all others are: `seen` is how rules see them."""

    answers: Answers
    inputs: Answers
    checks: list[Step]
    rows: list[tuple[str, int, "_Level"]]

    def add(self, step: Step, value: Any, seen: Answers) -> None:
        """Take the value of a step that is shown. `seen` is what the rules of the next steps see."""
        if step.valid or step.required_if_visible:
            self.checks.append(step)
        if value is None:
            return
        self.answers[step.field.name] = value
        if step.is_referenced and (taken := step.to_input(value)) is not None:
            self.inputs[step.field.name] = seen[step.field.name] = taken

    def find_violations(self, path: Path, outer: Mapping[str, Any], budget: Budget) -> Iterator[Violation]:
        seen = {**outer, **self.inputs}
        for name, index, row in self.rows:
            yield from row.find_violations((*path, name, index), seen, budget)
        for step in self.checks:
            try:
                what = _find_violation(step, self.answers, seen, budget)
            except OverBudgetError:
                raise _TooCostlyError((*path, step.field.name), step.field) from None
            if what:
                yield (*path, step.field.name), step.field, what


class Program:
    """The fields beside each other, each behind those it depends on."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
        self._names = frozenset(step.field.name for step in steps)

    def evaluate(self, data: Mapping[str, Any], path: Path = (), *, steps: int = SUBMISSION_STEPS) -> Evaluation:
        """Hidden fields carry no answer, and calculated ones are ours.

        What no field asks for stays, for the schema to refuse. All rules share a budget of `steps`: the first
        that might exceed it ends the settling.
        """
        budget = Budget(steps)
        try:
            level = self._evaluate_level(data, path, {}, budget)
            return Evaluation(level.answers, list(level.find_violations(path, {}, budget)))
        except _TooCostlyError as error:
            return Evaluation(dict(data), [error.violation])

    def _evaluate_level(self, data: Mapping[str, Any], path: Path, outer: Mapping[str, Any], budget: Budget) -> _Level:
        seen: Answers = dict(outer)
        answers = {name: value for name, value in data.items() if name not in self._names}
        level = _Level(answers, {}, [], [])
        hidden: set[str] = set()
        for step in self._steps:
            try:
                if _is_hidden(step, hidden, seen, budget):
                    hidden.add(step.field.name)
                    continue
                value = self._value(step, data, (path, seen, level, budget))
            except OverBudgetError:
                raise _TooCostlyError((*path, step.field.name), step.field) from None
            level.add(step, value, seen)
        level.answers = _in_sent_order(answers, data)
        return level

    @staticmethod
    def _value(step: Step, data: Mapping[str, Any], around: "_Context") -> Any:
        _, seen, _, budget = around
        if step.calculate:
            return step.convert(step.calculate.evaluate(seen, budget))
        value = data.get(step.field.name)
        if step.rows is None or not isinstance(value, list):
            return value
        return [step.rows.evaluate_row(row, index, step.field.name, around) for index, row in enumerate(value)]

    def evaluate_row(self, row: Any, index: int, name: str, around: "_Context") -> Any:
        """One row of the repeat `name`, settled; its level is kept to be judged later."""
        path, seen, level, budget = around
        if not isinstance(row, dict):
            return row
        settled = self._evaluate_level(row, (*path, name, index), seen, budget)
        level.rows.append((name, index, settled))
        return settled.answers


_Context = tuple[Path, Answers, _Level, Budget]
"""Where a level is, how rules see the answers so far, the level itself, and what is left for its rules."""


def _is_hidden(step: Step, hidden: Set[str], seen: Mapping[str, Any], budget: Budget) -> bool:
    if not hidden.isdisjoint(step.sections):
        return True
    return step.visible is not None and not step.visible.is_true(seen, budget)


def _in_sent_order(answers: Answers, data: Mapping[str, Any]) -> Answers:
    """As they were sent, then what was calculated."""
    sent = {name: answers[name] for name in data if name in answers}
    return sent if len(sent) == len(answers) else sent | answers


def _find_violation(step: Step, answers: Mapping[str, Any], seen: Mapping[str, Any], budget: Budget) -> str | None:
    if not is_answered(answers.get(step.field.name)):
        return "required" if step.required_if_visible else None
    return "rule" if step.valid and not step.valid.is_true(seen, budget) else None


def compile_program(fields: Sequence[AnyField], outer: Mapping[str, Any] | None = None) -> Program:
    """The program of a definition without faults."""
    types = dict(outer or {}) | cel_types(list(flatten_sections(fields)))
    heard = {name for field in walk_fields(fields) for name in _referenced_names(field)}
    steps = {step.field.name: step for step in _build_steps(fields, types, heard, (), sometimes=False)}
    order = topological_order(
        {name: dependencies(step.field, step.sections) & steps.keys() for name, step in steps.items()}
    )
    return Program([steps[name] for name in order])


def topological_order(graph: Mapping[str, Set[str]]) -> list[str]:
    """The names of a graph without circles, each behind those it depends on; always the same for the same graph.

    The server and the page evaluate rules in this order, and so run out of steps at the same rule.
    """
    return list(TopologicalSorter({name: sorted(graph[name]) for name in graph}).static_order())


def _build_steps(
    fields: Sequence[AnyField], types: Mapping[str, Any], heard: set[str], inside: tuple[str, ...], *, sometimes: bool
) -> Iterator[Step]:
    for field in fields:
        here = sometimes or field.visible_if is not UNSET
        rows = compile_program(field.fields, types) if isinstance(field, RepeatField) else None
        visible, valid, calculate = (
            _compile(text, types) for text in (field.visible_if, field.valid_if, field.calculate)
        )
        asked = here and field.required and not calculate and not isinstance(field, NoteField | SectionField)
        yield Step(
            field,
            inside,
            asked,
            field.name in heard,
            visible,
            valid,
            calculate,
            rows,
            result_converter(field),
            input_converter(field),
        )
        if isinstance(field, SectionField):
            yield from _build_steps(field.fields, types, heard, (*inside, field.name), sometimes=here)


def _compile(text: object, types: Mapping[str, Any]) -> Expression | None:
    return compile_rule(text, types) if isinstance(text, str) else None


def _referenced_names(field: AnyField) -> Iterator[str]:
    """What its rules name."""
    for text in (field.visible_if, field.valid_if, field.calculate):
        if isinstance(text, str):
            yield from referenced_names(text)


def dependencies(field: AnyField, inside: Sequence[str] = ()) -> set[str]:
    """Behind which others this field can be settled: those of its rules, its sections and, of a repeat, its rows."""
    names = {
        name for text in (field.visible_if, field.calculate) if isinstance(text, str) for name in referenced_names(text)
    }
    if isinstance(field, RepeatField):
        for inner in walk_fields(field.fields):
            names |= dependencies(inner) | {inner.name}
    return names | set(inside)
