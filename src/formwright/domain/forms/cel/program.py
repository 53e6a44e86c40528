"""A definition compiled for answering: what is shown, calculated and valid, in the order in which it can be known."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.cel.compiler import Expression, compile_rule, is_answered, names_in, types_of
from formwright.domain.forms.cel.costs import SUBMISSION_STEPS, Budget, OverBudgetError
from formwright.domain.forms.cel.inputs import Take, converter, taker
from formwright.domain.forms.definition import (
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    every,
    flat,
)

Answers = dict[str, Any]
Path = tuple[str | int, ...]
Broken = tuple[Path, AnyField, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One field, with its rules compiled and the sections it is in.

    `asked`: an answer is required while it is shown, which the schema cannot say. `rows`: a repeat's, for each row.
    `heard`: a rule may name it. `take` gives the answer as rules see it, `convert` one of any size.
    """

    field: AnyField
    inside: tuple[str, ...]
    asked: bool
    heard: bool
    visible: Expression | None
    valid: Expression | None
    calculate: Expression | None
    rows: "Program | None"
    convert: Take
    take: Take


@dataclass(slots=True)
class Settled:
    """Answers as they count, and what the rules find wrong with them: the place, the field, `required` or `rule`.

    `costly` in place of these: evaluating stopped at a rule of this field, and the answers are as they were sent.
    """

    answers: Answers
    broken: list[Broken]

    @property
    def is_unfinished(self) -> bool:
        """Whether it stopped at a rule that might exceed the budget: then nothing else is known to be wrong."""
        return any(what == "costly" for _, _, what in self.broken)


class _TooCostlyError(Exception):
    """Where the budget of a submission was not enough."""

    def __init__(self, path: Path, field: AnyField) -> None:
        self.broken: Broken = (path, field, "costly")


@dataclass(slots=True)
class _Level:
    """The answers beside each other once settled, to be judged when all others are: `seen` is how rules see them."""

    answers: Answers
    seen: Answers
    judged: list[Step]
    rows: list[tuple[str, int, "_Level"]]

    def note(self, step: Step, value: Any, seen: Answers) -> None:
        """Take the value of a step that is shown. `seen` is what the rules of the next steps see."""
        if step.valid or step.asked:
            self.judged.append(step)
        if value is None:
            return
        self.answers[step.field.name] = value
        if step.heard and (taken := step.take(value)) is not None:
            self.seen[step.field.name] = seen[step.field.name] = taken

    def broken(self, path: Path, outer: Mapping[str, Any], budget: Budget) -> Iterator[Broken]:
        seen = {**outer, **self.seen}
        for name, index, row in self.rows:
            yield from row.broken((*path, name, index), seen, budget)
        for step in self.judged:
            try:
                what = _wrong(step, self.answers, seen, budget)
            except OverBudgetError:
                raise _TooCostlyError((*path, step.field.name), step.field) from None
            if what:
                yield (*path, step.field.name), step.field, what


class Program:
    """The fields beside each other, each behind those it depends on."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
        self._names = frozenset(step.field.name for step in steps)

    def settle(self, data: Mapping[str, Any], path: Path = (), *, steps: int = SUBMISSION_STEPS) -> Settled:
        """Hidden fields carry no answer, and calculated ones are ours.

        What no field asks for stays, for the schema to refuse. All rules share a budget of `steps`: the first
        that might exceed it ends the settling.
        """
        budget = Budget(steps)
        try:
            level = self._level(data, path, {}, budget)
            return Settled(level.answers, list(level.broken(path, {}, budget)))
        except _TooCostlyError as error:
            return Settled(dict(data), [error.broken])

    def _level(self, data: Mapping[str, Any], path: Path, outer: Mapping[str, Any], budget: Budget) -> _Level:
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
            level.note(step, value, seen)
        level.answers = _ordered(answers, data)
        return level

    @staticmethod
    def _value(step: Step, data: Mapping[str, Any], around: "_Around") -> Any:
        _, seen, _, budget = around
        if step.calculate:
            return step.convert(step.calculate.value(seen, budget))
        value = data.get(step.field.name)
        if step.rows is None or not isinstance(value, list):
            return value
        return [step.rows.row(row, index, step.field.name, around) for index, row in enumerate(value)]

    def row(self, row: Any, index: int, name: str, around: "_Around") -> Any:
        """One row of the repeat `name`, settled; its level is kept to be judged later."""
        path, seen, level, budget = around
        if not isinstance(row, dict):
            return row
        settled = self._level(row, (*path, name, index), seen, budget)
        level.rows.append((name, index, settled))
        return settled.answers


_Around = tuple[Path, Answers, _Level, Budget]
"""Where a level is, how rules see the answers so far, the level itself, and what is left for its rules."""


def _is_hidden(step: Step, hidden: Set[str], seen: Mapping[str, Any], budget: Budget) -> bool:
    if not hidden.isdisjoint(step.inside):
        return True
    return step.visible is not None and not step.visible.holds(seen, budget)


def _ordered(answers: Answers, data: Mapping[str, Any]) -> Answers:
    """As they were sent, then what was calculated."""
    sent = {name: answers[name] for name in data if name in answers}
    return sent if len(sent) == len(answers) else sent | answers


def _wrong(step: Step, answers: Mapping[str, Any], seen: Mapping[str, Any], budget: Budget) -> str | None:
    if not is_answered(answers.get(step.field.name)):
        return "required" if step.asked else None
    return "rule" if step.valid and not step.valid.holds(seen, budget) else None


def compile_program(fields: Sequence[AnyField], outer: Mapping[str, Any] | None = None) -> Program:
    """The program of a definition without faults."""
    types = dict(outer or {}) | types_of(list(flat(fields)))
    heard = {name for field in every(fields) for name in _heard(field)}
    steps = {step.field.name: step for step in _steps(fields, types, heard, (), sometimes=False)}
    order = in_order({name: dependencies(step.field, step.inside) & steps.keys() for name, step in steps.items()})
    return Program([steps[name] for name in order])


def in_order(graph: Mapping[str, Set[str]]) -> list[str]:
    """The names of a graph without circles, each behind those it depends on; always the same for the same graph.

    The server and the page evaluate rules in this order, and so run out of steps at the same rule.
    """
    return list(TopologicalSorter({name: sorted(graph[name]) for name in graph}).static_order())


def _steps(
    fields: Sequence[AnyField], types: Mapping[str, Any], heard: set[str], inside: tuple[str, ...], *, sometimes: bool
) -> Iterator[Step]:
    for field in fields:
        here = sometimes or field.visible_if is not UNSET
        rows = compile_program(field.fields, types) if isinstance(field, RepeatField) else None
        visible, valid, calculate = (
            _compiled(text, types) for text in (field.visible_if, field.valid_if, field.calculate)
        )
        asked = here and field.required and not calculate and not isinstance(field, NoteField | SectionField)
        yield Step(
            field, inside, asked, field.name in heard, visible, valid, calculate, rows, converter(field), taker(field)
        )
        if isinstance(field, SectionField):
            yield from _steps(field.fields, types, heard, (*inside, field.name), sometimes=here)


def _compiled(text: object, types: Mapping[str, Any]) -> Expression | None:
    return compile_rule(text, types) if isinstance(text, str) else None


def _heard(field: AnyField) -> Iterator[str]:
    """What its rules name."""
    for text in (field.visible_if, field.valid_if, field.calculate):
        if isinstance(text, str):
            yield from names_in(text)


def dependencies(field: AnyField, inside: Sequence[str] = ()) -> set[str]:
    """Behind which others this field can be settled: those of its rules, its sections and, of a repeat, its rows."""
    names = {name for text in (field.visible_if, field.calculate) if isinstance(text, str) for name in names_in(text)}
    if isinstance(field, RepeatField):
        for inner in every(field.fields):
            names |= dependencies(inner) | {inner.name}
    return names | set(inside)
