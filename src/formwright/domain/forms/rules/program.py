"""The compiled rules of a definition: visibility, calculations and validation, in the order of their dependencies."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import (
    AnyField,
    RepeatField,
    SectionField,
    flatten_sections,
    scored_names,
    walk_fields,
)
from formwright.domain.forms.fields.options import SCALE
from formwright.domain.forms.rules.compiler import (
    INITIAL_TYPES,
    OPTION,
    OPTION_MAP,
    TOTAL_TYPES,
    Expression,
    cel_types,
    compile_rule,
    is_answered,
    reads_score,
    referenced_names,
    row_types,
)
from formwright.domain.forms.rules.costs import SUBMISSION_STEPS, Budget, OverBudgetError
from formwright.domain.forms.rules.device_time import clock_variables
from formwright.domain.forms.rules.dialect import POINTS, POSITION, ROW_COUNT, TOTALS, named_variable
from formwright.domain.forms.rules.inputs import Converter, calculated_converter, input_converter

Answers = dict[str, Any]
Path = tuple[str | int, ...]
Violation = tuple[Path, AnyField, str]


@dataclass(frozen=True, slots=True)
class Step:
    """A field with its compiled rules and the names of the sections that contain it.

    `required_if_visible`: an answer is required while the field is visible, which the schema cannot express.
    `required`: the rule that decides it, of a field that is not always required. `rows`:
    the program of a repeat's rows. `is_referenced`: a rule may refer to the field. `to_input` converts its answer for
    rules, `convert` does so without a limit on its size. `points` are those of options, in hundredths.
    `reads_rows`: rules of the rows read the rows before them. `initial` computes the first answer of a hidden field.
    """

    field: AnyField
    sections: tuple[str, ...]
    required_if_visible: bool
    is_referenced: bool
    visible: Expression | None
    required: Expression | None
    valid: Expression | None
    calculate: Expression | None
    option_filter: Expression | None
    count: Expression | None
    rows: "Program | None"
    convert: Converter
    to_input: Converter
    points: Mapping[str, int]
    max_points: int
    reads_rows: bool
    initial: Expression | None


@dataclass(slots=True)
class Evaluation:
    """The answers after applying the rules, and violations: the path, the field, and `required`, `option`, `rule`,
    `rows` or `limit`: there are more or fewer rows than `countRule` computes, or it computes too many.

    If a rule might exceed the budget, there is a single violation, `costly`, and the answers are those that were sent.
    """

    answers: Answers
    violations: list[Violation]

    @property
    def is_over_budget(self) -> bool:
        """Whether evaluation stopped at a rule that might exceed the budget, so that other violations are unknown."""
        return any(what == "costly" for _, _, what in self.violations)


class TooCostlyError(Exception):
    """The budget of the submission does not suffice for a rule of this field."""

    def __init__(self, path: Path, field: AnyField) -> None:
        self.violation: Violation = (path, field, "costly")


@dataclass(slots=True)
class Level:
    """The answers of a form or row whose visibility and calculations are done. `inputs` are their values for rules,
    `counts` how many rows the repeats must have.

    `score` and `max_score` are the points of the answers, and the most that the fields can bring, in hundredths.
    `validIf` rules are evaluated when all answers are known.
    """

    answers: Answers
    inputs: Answers
    checks: list[Step]
    rows: list[tuple[str, int, "Level"]]
    counts: dict[str, int]
    score: int = 0
    max_score: int = 0

    def add(self, step: Step, value: Any, inputs: Answers) -> None:
        """Add the value of a visible field. `inputs` are those of the rules that follow."""
        if step.valid or step.required_if_visible or step.required or step.option_filter or step.count:
            self.checks.append(step)
        if value is not None:
            self.answers[step.field.name] = value
        taken = step.to_input(value) if value is not None and (step.is_referenced or step.points) else None
        if taken is not None:
            self.inputs[step.field.name] = inputs[step.field.name] = taken
        if step.points:
            self._count_points(step, taken, inputs)

    def _count_points(self, step: Step, taken: Any, inputs: Answers) -> None:
        points = sum(step.points.get(value, 0) for value in (taken if isinstance(taken, list) else [taken]))
        self.score += points
        self.max_score += step.max_points
        name = named_variable(POINTS, step.field.name)
        self.inputs[name] = inputs[name] = points / SCALE

    def note_totals(self, inputs: Answers) -> None:
        """Let the rules that follow see the points so far. Those that read them follow all fields with points."""
        totals = {TOTALS["score"]: self.score / SCALE, TOTALS["maxScore"]: self.max_score / SCALE}
        self.inputs.update(totals)
        inputs.update(totals)

    def find_violations(self, path: Path, outer: Mapping[str, Any], budget: Budget) -> Iterator[Violation]:
        inputs = {**outer, **self.inputs}
        for name, index, row in self.rows:
            yield from row.find_violations((*path, name, index), inputs, budget)
        for step in self.checks:
            try:
                what = self._find_count_violation(step) or _find_violation(step, self.answers, inputs, budget)
            except OverBudgetError:
                raise TooCostlyError((*path, step.field.name), step.field) from None
            if what:
                yield (*path, step.field.name), step.field, what

    def _find_count_violation(self, step: Step) -> str | None:
        if step.count is None or not isinstance(step.field, RepeatField):
            return None
        rows, wanted = self.answers.get(step.field.name, []), self.counts[step.field.name]
        if wanted > step.field.max:
            return "limit"
        return "rows" if isinstance(rows, list) and len(rows) != wanted else None


class Program:
    """The fields of a form or of a repeat's rows, in the order of their dependencies."""

    def __init__(self, steps: Sequence[Step], *, is_form: bool, is_scored: bool) -> None:
        self.steps = tuple(steps)
        self._names = frozenset(step.field.name for step in steps)
        choices = [step.field for step in steps if step.is_referenced and step.field.is_choice]
        # The points of a field without an answer, or without points.
        self._no_points = {named_variable(POINTS, field.name): 0.0 for field in choices}
        # Rules in rows do not see the totals.
        self._no_points |= dict.fromkeys(TOTALS.values(), 0.0) if is_form else {}
        self._has_totals = is_form and is_scored

    def evaluate(
        self, data: Mapping[str, Any], path: Path = (), *, steps: int = SUBMISSION_STEPS, device_time: str | None = None
    ) -> Evaluation:
        """Apply the rules: hidden fields have no answer, and calculated answers are computed.

        Answers without a field are kept, so that the schema can reject them. All rules share a budget of `steps`: the
        first rule that might exceed it ends the evaluation. `device_time` is what `today()` and `now()` show; without
        it, they have no value.
        """
        budget = Budget(steps)
        clock = clock_variables(device_time) if device_time else {}
        try:
            level = self.evaluate_level(data, path, clock, {}, budget)
            return Evaluation(level.answers, list(level.find_violations(path, clock, budget)))
        except TooCostlyError as error:
            return Evaluation(dict(data), [error.violation])

    def evaluate_level(
        self, data: Mapping[str, Any], path: Path, outer: Mapping[str, Any], position: Answers, budget: Budget
    ) -> Level:
        """Apply the rules to a form or row; `position` are the variables with the number of the row and of all rows."""
        inputs: Answers = {**position, **self._no_points}
        seen: Answers = {**outer, **inputs}
        answers = {name: value for name, value in data.items() if name not in self._names}
        level = Level(answers, inputs, [], [], {})
        hidden: set[str] = set()
        for step in self.steps:
            try:
                if _is_hidden(step, hidden, seen, budget):
                    hidden.add(step.field.name)
                    continue
                value = self._value(step, data, (path, seen, level, budget))
            except OverBudgetError:
                raise TooCostlyError((*path, step.field.name), step.field) from None
            level.add(step, value, seen)
            if self._has_totals:
                level.note_totals(seen)
        level.answers = _in_sent_order(answers, data)
        return level

    @staticmethod
    def _value(step: Step, data: Mapping[str, Any], around: "_Context") -> Any:
        _, seen, level, budget = around
        if step.calculate:
            return step.convert(step.calculate.evaluate(seen, budget))
        if step.count:
            level.counts[step.field.name] = max(step.count.evaluate(seen, budget) or 0, 0)
        value = data.get(step.field.name)
        if step.rows is None or not isinstance(value, list):
            return value
        return list(_evaluate_rows(step, step.rows, value, around))

    def evaluate_row(self, row: Any, place: tuple[str, int, int], around: "_Context") -> Any:
        """Return a row with its rules applied, and keep its level to validate it later. `place` is the name of the
        repeat, the index of the row and the number of rows.
        """
        name, index, count = place
        path, seen, level, budget = around
        if not isinstance(row, dict):
            return row
        position = {named_variable(POSITION, name): index + 1, named_variable(ROW_COUNT, name): count}
        settled = self.evaluate_level(row, (*path, name, index), seen, position, budget)
        level.rows.append((name, index, settled))
        level.score += settled.score
        level.max_score += settled.max_score
        return settled.answers


def _evaluate_rows(step: Step, program: Program, rows: Sequence[Any], around: "_Context") -> Iterator[Any]:
    """Yield the rows with their rules applied. Rules that read the repeat see the rows before their own."""
    path, seen, level, budget = around
    before: list[Any] | None = []
    for index, row in enumerate(rows):
        inputs = {**seen, step.field.name: before} if before else seen
        settled = program.evaluate_row(row, (step.field.name, index, len(rows)), (path, inputs, level, budget))
        if step.reads_rows and before is not None:
            last = step.to_input([settled])
            before = None if last is None else [*before, *last]
        yield settled


_Context = tuple[Path, Answers, Level, Budget]
"""The path of a level, the inputs of its rules so far, the level itself, and the remaining budget."""


def _is_hidden(step: Step, hidden: Set[str], inputs: Mapping[str, Any], budget: Budget) -> bool:
    if not hidden.isdisjoint(step.sections):
        return True
    return step.visible is not None and not step.visible.is_true(inputs, budget)


def _in_sent_order(answers: Answers, data: Mapping[str, Any]) -> Answers:
    """Return the answers in the order in which they were sent, followed by calculated ones."""
    sent = {name: answers[name] for name in data if name in answers}
    return sent if len(sent) == len(answers) else sent | answers


def _find_violation(step: Step, answers: Mapping[str, Any], inputs: Mapping[str, Any], budget: Budget) -> str | None:
    if not is_answered(answers.get(step.field.name)):
        if step.required_if_visible or (step.required and step.required.is_true(inputs, budget)):
            return "required"
        return None
    if step.option_filter and not _is_offered(step, answers[step.field.name], inputs, budget):
        return "option"
    return "rule" if step.valid and not step.valid.is_true(inputs, budget) else None


def _is_offered(step: Step, answer: Any, inputs: Mapping[str, Any], budget: Budget) -> bool:
    """Whether the filter of a choice offers all options of the answer. Values that are no options have other errors."""
    options = field_options(step.field)
    rule = step.option_filter
    chosen = [value for value in (answer if isinstance(answer, list) else [answer]) if isinstance(value, str)]
    # All options are judged, so that the page spends the same number of steps.
    found = [rule.is_true({**inputs, OPTION: options[one]}, budget) for one in chosen if rule and one in options]
    return all(found)


def field_options(field: AnyField) -> dict[str, dict[str, str]]:
    """Return what filters know about the options of a choice, by their values."""
    return {option.value: {**option.columns, "value": option.value} for option in field.options}


def compile_program(fields: Sequence[AnyField], outer: Mapping[str, Any] | None = None) -> Program:
    """Compile a valid definition."""
    types = dict(TOTAL_TYPES if outer is None else outer) | cel_types(list(flatten_sections(fields)))
    referenced_names = {name for field in walk_fields(fields) for name in _referenced_names(field)}
    steps = {step.field.name: step for step in _build_steps(fields, types, referenced_names, (), sometimes=False)}
    scored = scored_names(fields)
    order = topological_order(
        {name: dependencies(step.field, step.sections, scored) & steps.keys() for name, step in steps.items()}
    )
    return Program([steps[name] for name in order], is_form=outer is None, is_scored=bool(scored))


def topological_order(graph: Mapping[str, Set[str]]) -> list[str]:
    """Sort the names of an acyclic graph by dependency. The order is the same for equal graphs.

    The server and the page evaluate rules in this order, and therefore exceed the budget at the same rule.
    """
    return list(TopologicalSorter({name: sorted(graph[name]) for name in graph}).static_order())


def _build_steps(
    fields: Sequence[AnyField],
    types: Mapping[str, Any],
    referenced_names: set[str],
    inside: tuple[str, ...],
    *,
    sometimes: bool,
) -> Iterator[Step]:
    for field in fields:
        here = sometimes or field.visible_if is not UNSET
        rows = compile_program(field.fields, row_types(field.name, types)) if isinstance(field, RepeatField) else None
        visible, valid, calculate = (
            _compile(text, types) for text in (field.visible_if, field.valid_if, field.calculate)
        )
        asks = field.has_answer and not calculate
        filters = UNSET if calculate else field.option_filter
        is_required_by_rule = field.has_answer and not (asks and field.required)
        required = _compile(field.required_if, types) if is_required_by_rule else None
        yield Step(
            field,
            inside,
            here and field.required and asks,
            field.name in referenced_names,
            visible,
            required,
            valid,
            calculate,
            _compile(filters, {**types, OPTION: OPTION_MAP}),
            _compile(field.count_rule, types) if isinstance(field, RepeatField) else None,
            rows,
            calculated_converter(field),
            input_converter(field),
            field.option_points,
            field.max_score,
            reads_own_rows(field),
            _compile(field.default_rule, {**INITIAL_TYPES, **types}) if field.hidden else None,
        )
        if isinstance(field, SectionField):
            yield from _build_steps(field.fields, types, referenced_names, (*inside, field.name), sometimes=here)


def _compile(text: object, types: Mapping[str, Any]) -> Expression | None:
    return compile_rule(text, types) if isinstance(text, str) else None


def _referenced_names(field: AnyField) -> Iterator[str]:
    """Yield the names in the rules of a field."""
    for _, text in field.rules():
        yield from referenced_names(text)


def dependencies(
    field: AnyField, inside: Sequence[str] = (), scored: Set[str] = frozenset(), around: Set[str] = frozenset()
) -> set[str]:
    """Return the names that must be evaluated first: those in its rules, its sections and, for a repeat, its fields.

    `scored` are the names of the fields on which the score of the form depends, `around` those of the repeats that
    contain the field: it reads their earlier rows, which are evaluated before it anyway.
    """
    count = field.count_rule if isinstance(field, RepeatField) else UNSET
    rules = [text for text in (field.visible_if, field.calculate, count) if isinstance(text, str)]
    names = {name for text in rules for name in referenced_names(text)} - around
    if any(map(reads_score, rules)):
        names |= scored
    if isinstance(field, RepeatField):
        inner = [dependencies(one) | {one.name} for one in walk_fields(field.fields)]
        names |= set().union(*inner) - {field.name}
    return names | set(inside)


def reads_own_rows(field: AnyField) -> bool:
    """Whether rules in the rows of a repeat read its rows, which are those before their own."""
    return isinstance(field, RepeatField) and any(
        field.name in dependencies(inner) for inner in walk_fields(field.fields)
    )
