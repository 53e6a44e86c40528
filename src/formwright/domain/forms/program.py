"""A definition compiled for answering: what is shown, calculated and valid, in the order in which it can be known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.definition import (
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    every,
    flat,
)
from formwright.domain.forms.expressions import Expression, compile_rule, is_answered, names_in, types_of
from formwright.domain.forms.taking import Take, taker

Answers = dict[str, Any]
Path = tuple[str | int, ...]
Broken = tuple[Path, AnyField, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One field, with its rules compiled and the sections it is in.

    `asked`: an answer is required while it is shown, which the schema cannot say. `rows`: a repeat's, for each row.
    `heard`: a rule may name it.
    """

    field: AnyField
    inside: tuple[str, ...]
    asked: bool
    heard: bool
    visible: Expression | None
    valid: Expression | None
    calculate: Expression | None
    rows: "Program | None"
    take: Take


@dataclass(slots=True)
class Settled:
    """Answers as they count, and what the rules find wrong with them: the place, the field, `required` or `rule`."""

    answers: Answers
    broken: list[Broken]


@dataclass(slots=True)
class _Level:
    """The answers beside each other once settled, to be judged when all others are: `seen` is how rules see them."""

    answers: Answers
    seen: Answers
    judged: list[Step]
    rows: list[tuple[str, int, "_Level"]]

    def broken(self, path: Path, outer: Mapping[str, Any]) -> Iterator[Broken]:
        seen = {**outer, **self.seen}
        for name, index, row in self.rows:
            yield from row.broken((*path, name, index), seen)
        for step in self.judged:
            if what := _wrong(step, self.answers, seen):
                yield (*path, step.field.name), step.field, what


class Program:
    """The fields beside each other, each behind those it depends on."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
        self._names = frozenset(step.field.name for step in steps)

    def settle(self, data: Mapping[str, Any], path: Path = (), outer: Mapping[str, Any] | None = None) -> Settled:
        """Hidden fields carry no answer, and calculated ones are ours.

        What no field asks for stays, for the schema to refuse. `outer`: how rules see the answers around.
        """
        level = self._level(data, outer or {})
        return Settled(level.answers, list(level.broken(path, outer or {})))

    def _level(self, data: Mapping[str, Any], outer: Mapping[str, Any]) -> _Level:
        seen: Answers = dict(outer)
        answers = {name: value for name, value in data.items() if name not in self._names}
        level = _Level(answers, {}, [], [])
        for step in self._shown(seen):
            if step.valid or step.asked:
                level.judged.append(step)
            value = _value(step, data, seen, level)
            if value is None:
                continue
            answers[step.field.name] = value
            if step.heard and (taken := step.take(value)) is not None:
                level.seen[step.field.name] = seen[step.field.name] = taken
        level.answers = _ordered(answers, data)
        return level

    def _shown(self, seen: Mapping[str, Any]) -> Iterator[Step]:
        """The steps that are shown, judged one after another by what is in `seen` by then."""
        hidden: set[str] = set()
        for step in self._steps:
            if not hidden.isdisjoint(step.inside) or (step.visible and not step.visible.holds(seen)):
                hidden.add(step.field.name)
            else:
                yield step

    def row(self, row: Any, index: int, name: str, seen: Answers, level: _Level) -> Any:
        """One row of the repeat `name`, settled; its level is kept to be judged later."""
        if not isinstance(row, dict):
            return row
        settled = self._level(row, seen)
        level.rows.append((name, index, settled))
        return settled.answers


def _value(step: Step, data: Mapping[str, Any], seen: Answers, level: _Level) -> Any:
    if step.calculate:
        return step.take(step.calculate.value(seen))
    value = data.get(step.field.name)
    if step.rows and isinstance(value, list):
        return [step.rows.row(row, index, step.field.name, seen, level) for index, row in enumerate(value)]
    return value


def _ordered(answers: Answers, data: Mapping[str, Any]) -> Answers:
    """As they were sent, then what was calculated."""
    sent = {name: answers[name] for name in data if name in answers}
    return sent if len(sent) == len(answers) else sent | answers


def _wrong(step: Step, answers: Mapping[str, Any], seen: Mapping[str, Any]) -> str | None:
    if not is_answered(answers.get(step.field.name)):
        return "required" if step.asked else None
    return "rule" if step.valid and not step.valid.holds(seen) else None


def compile_program(fields: Sequence[AnyField], outer: Mapping[str, Any] | None = None) -> Program:
    """The program of a definition without faults."""
    types = dict(outer or {}) | types_of(list(flat(fields)))
    heard = {name for field in every(fields) for name in _heard(field)}
    steps = {step.field.name: step for step in _steps(fields, types, heard, (), sometimes=False)}
    order = TopologicalSorter(
        {name: dependencies(step.field, step.inside) & steps.keys() for name, step in steps.items()}
    )
    return Program([steps[name] for name in order.static_order()])


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
        yield Step(field, inside, asked, field.name in heard, visible, valid, calculate, rows, taker(field))
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
