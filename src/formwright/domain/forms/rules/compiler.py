"""Compiles rules in CEL (Common Expression Language, https://cel.dev), and explains compiler errors in plain words.

Rules are compiled when a form is saved, and evaluated for each submission. The page evaluates the same text with
another implementation; `tests/rules` compares the two.
This is the only module that depends on the CEL library.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from cel_expr_python import cel

from formwright.domain.forms.fields import AnswerKind, AnyField
from formwright.domain.forms.fields.patterns import matches, pattern_error
from formwright.domain.forms.rules import complexity, costs, dialect, functions
from formwright.domain.forms.rules.costs import Budget, OverBudgetError, Size
from formwright.domain.forms.rules.dialect import named_variable
from formwright.domain.forms.rules.syntax import Node, parse

_TYPE_LABELS = {
    "int": "a whole number",
    "double": "a decimal number",
    "string": "a text",
    "bool": "yes or no",
    "list": "a list",
    "map": "a group of answers",
    "null_type": "null",
    "dyn": "a value of unknown type",
}
_OPERATOR = re.compile(r"_?([=!<>+\-*/%]+|in)_?|@in")
_SELECT_ERROR = r"expression of type '(\w+).*' cannot be the operand of a select"


def explain(reason: str, unknown: Set[str]) -> str | None:
    """Explain an error of the library, or return None. `unknown` are words of the rule that are not names of fields."""
    if any(word.lower() in dialect.WORD_OPERATORS for word in unknown):
        return dialect.WORD_OPERATORS_DETAIL
    if named := re.match(r"undeclared reference to '(\w+)'", reason):
        return f"There is no field named {named[1]}"
    if "'<EOF>'" in reason:
        return "The rule is incomplete"
    if misplaced := re.match(r"Syntax error: (?:mismatched|extraneous) input '(.+?)' expecting", reason):
        return f"“{misplaced[1]}” is not allowed here"
    if applied := re.match(r"found no matching overload for '(\S+)' applied to '(.*)'", reason):
        return _explain_overload(applied[1], _type_names(applied[2]))
    if reached := re.match(_SELECT_ERROR, reason):
        hint = "To test the items of a list, write list.exists(item, item.name)"
        return f"{type_label(reached[1])} has no properties. {hint}"
    return "This number is too large" if re.match(r"invalid (u?int|double) literal", reason) else None


def type_label(name: str) -> str:
    """Return the name of a CEL type in plain words."""
    return _TYPE_LABELS.get(name.partition("(")[0].lower(), name)


def _type_names(text: str) -> list[str]:
    """Split `(int, list(string))` or `string.(int)` into the names of the types, without their type parameters."""
    inside = re.sub(r"^\((.*)\)$", r"\1", re.sub(r"\.\((.*)\)$", r", \1", text))
    while inside != (inside := re.sub(r"\([^()]*\)", "", inside)):
        pass
    return [kind for kind in re.split(r"[ ,]+", inside) if kind]


def _explain_overload(name: str, kinds: list[str]) -> str | None:
    if {"int", "double"} == set(kinds):
        return "A whole number and a decimal number cannot be mixed. Write double(...) around the whole number"
    said = " and ".join(map(type_label, kinds))
    if name == "_?_:_":
        return f"Both results of ? : must have the same type; these are {' and '.join(map(type_label, kinds[1:]))}"
    if not (sign := _OPERATOR.fullmatch(name)):
        return f"“{name}” does not work on {said}"
    if kinds[0] == "list" and sign[1] in ("==", "!="):
        return 'To test whether a list contains a text, write "text" in list'
    if "null_type" in kinds:
        return "Write answered.name to test whether there is an answer"
    if sign[1] in ("==", "!=", "<", "<=", ">", ">="):
        return f"{said} cannot be compared with “{sign[1]}”"
    return f"“{sign[1] or 'in'}” does not work on {said}"


BOOL, INT, DOUBLE, STRING = cel.Type.BOOL, cel.Type.INT, cel.Type.DOUBLE, cel.Type.STRING
DYN = cel.Type.DYN
_STRINGS = cel.Type.List(STRING)
_ROWS = cel.Type.List(cel.Type.Map(STRING, cel.Type.DYN))
_LOCATION = cel.Type.Map(STRING, DOUBLE)
_POINTS = cel.Type.List(_LOCATION)
_ANSWERED_MAP = cel.Type.Map(STRING, BOOL)
OPTION = "option"
"""The variable of `optionFilter` with the value and the columns of an option."""
OPTION_MAP = cel.Type.Map(STRING, STRING)
LAST_SAVED = "lastSaved"
"""The variable of `defaultRule` with the answers that the device submitted last."""
LAST_SAVED_MAP = cel.Type.Map(STRING, cel.Type.DYN)
INITIAL_TYPES = {LAST_SAVED: LAST_SAVED_MAP, dialect.CHANCE["random"]: DOUBLE, dialect.CHANCE["uuid"]: STRING}
"""The types of what only `defaultRule` can read."""
_TYPES: Mapping[AnswerKind, cel.Type | None] = {
    AnswerKind.INTEGER: INT,
    AnswerKind.DECIMAL: DOUBLE,
    AnswerKind.BOOLEAN: BOOL,
    AnswerKind.TEXT: STRING,
    AnswerKind.DATE: STRING,
    AnswerKind.TIME: STRING,
    AnswerKind.DATETIME: STRING,
    AnswerKind.CHOICE: STRING,
    AnswerKind.FILE: STRING,
    AnswerKind.CHOICES: _STRINGS,
    AnswerKind.FILES: _STRINGS,
    AnswerKind.POSITION: _LOCATION,
    AnswerKind.POSITIONS: _POINTS,
    AnswerKind.ROWS: _ROWS,
    AnswerKind.NONE: None,
}
# The library compiles a regular expression again in each evaluation, which takes milliseconds for some. Rules therefore
# call this function instead. Its name has the same length as `matches`, so columns in error messages remain correct.
_OWN_MATCHES = "Matches"
_ARGUMENTS = {"int": INT, "double": DOUBLE, "string": STRING, "list": cel.Type.List(cel.Type.DYN)} | {
    "strings": _STRINGS
}


def _declare(name: str) -> cel.FunctionDecl:
    found = [one for one in functions.OVERLOADS if one.name == name]
    overloads = [
        cel.Overload(
            "_".join(("own", name, *one.arguments)),
            _ARGUMENTS[one.returns],
            [_ARGUMENTS[kind] for kind in one.arguments],
            one.is_method,
            one.call,
        )
        for one in found
    ]
    return cel.FunctionDecl(name, overloads)


_FUNCTIONS = [
    cel.FunctionDecl(
        _OWN_MATCHES,
        [cel.Overload("matches_pattern", BOOL, [STRING, STRING], True, lambda text, pattern: matches(pattern, text))],
    ),
    *(_declare(name) for name in sorted(functions.FUNCTIONS | functions.METHODS)),
]
_ERROR = re.compile(r"ERROR: <input>:\d+:(\d+): (.*?)(?: \(in container ''\))?$", re.MULTILINE)


class ExpressionError(ValueError):
    """The rule is invalid. The message says why and at which column."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled rule. `names` are the fields whose answers it reads, with the variables of the clock, of rows and of
    points; `answered_names` are those it tests with `answered`.

    `sized_names` are the fields whose answers vary in size. `fixed_steps` is the cost of an evaluation, without that of
    passing the answers, or None if it depends on their sizes, as it does for few rules.
    """

    names: tuple[str, ...]
    answered_names: tuple[str, ...]
    returns: cel.Type
    program: cel.Expression
    tree: Node
    sized_names: tuple[str, ...]
    fixed_steps: int | None

    def evaluate(self, answers: Mapping[str, Any], budget: Budget) -> Any:
        """Evaluate the rule over `answers`, which `convert_answers` returns. Only the answers in `names` are passed.

        Returns None if the evaluation fails. Raises `OverBudgetError` before it starts if `budget` might not suffice.
        """
        given = {name: answers[name] for name in self.names if name in answers}
        budget.spend(self._cost(given, budget))
        if self.answered_names:
            given[dialect.ANSWERED] = {name: name in answers for name in self.answered_names}
        try:
            result = self.program.eval(data=given)
        except RuntimeError:  # A text is not valid Unicode.
            return None
        value = result.plain_value()
        # The value of an error is its text. Reading the type of a value is slow, so only that of texts is read.
        return None if isinstance(value, str) and result.type() == cel.Type.ERROR else value

    def is_true(self, answers: Mapping[str, Any], budget: Budget) -> bool:
        """Whether the rule is true; False if the evaluation fails. Raises `OverBudgetError` like `evaluate`."""
        return self.evaluate(answers, budget) is True

    def _cost(self, inputs: Mapping[str, Any], budget: Budget) -> int:
        steps = self.fixed_steps
        if steps is None:
            steps = costs.estimate_steps(self.tree, {name: budget.measure(value) for name, value in inputs.items()})
        for name in self.sized_names:
            if name in inputs:
                steps += budget.input_steps(inputs[name])
        return steps

    def is_too_costly(self) -> bool:
        """Whether an evaluation over answers of typical sizes exceeds the limit for one rule."""
        try:
            costs.estimate_steps(self.tree, dict.fromkeys(self.names, costs.TYPICAL))
        except OverBudgetError:
            return True
        return False


def is_answered(value: Any) -> bool:
    """Whether a value is an answer. Empty texts, lists and objects are not."""
    return value is not None and value not in ("", [], {})


def cel_type(field: AnyField) -> cel.Type | None:
    """Return the CEL type of a field's answer, or None if the field has no answer."""
    return _TYPES[field.answer_kind]


def cel_types(fields: Sequence[AnyField]) -> dict[str, cel.Type]:
    """Return the CEL types of the answers by field name, and those of their points."""
    types = {field.name: type_ for field in fields if (type_ := cel_type(field)) is not None}
    return types | {named_variable(dialect.POINTS, field.name): DOUBLE for field in fields if field.is_choice}


def compile_rule(text: str, types: Mapping[str, cel.Type]) -> Expression:
    """Compile a rule against the types of the fields it can refer to. Raises `ExpressionError` if it is invalid."""
    line = dialect.tokenize(text)
    if complexity.has_too_many_brackets(line):
        raise ExpressionError(complexity.TOO_DEEP)
    asked = sorted(set(dialect.answered_names(line)))
    names = sorted(set(dialect.referenced_names(line)) & types.keys())
    calls = list(_variable_calls(line))
    _check_dialect(line, names, [name for name in asked if name not in types])
    clock = sorted({variable for variable, _, _ in calls} & set(dialect.CLOCK.values()))
    names += sorted({_known_variable(variable, start, types) for variable, start, _ in calls if variable not in clock})
    variables = {name: types[name] for name in names} | dict.fromkeys(clock, STRING) | {dialect.ANSWERED: _ANSWERED_MAP}
    read = _with_variables(text, calls)
    try:
        program = cel.NewEnv(variables=variables, functions=_FUNCTIONS).compile(_with_own_matches(read, line))
    except RuntimeError as error:
        raise ExpressionError(
            _explain_error(
                str(error).replace(_OWN_MATCHES, "matches"), set(dialect.referenced_names(line)) - types.keys()
            )
        ) from None
    tree = parse(read)
    sized = (*(name for name in names if types[name] not in (INT, DOUBLE, BOOL)), *clock)
    steps = _fixed_steps(tree, sized)
    return Expression((*names, *clock), tuple(asked), program.return_type(), program, tree, sized, steps)


def _variable_calls(line: Sequence[dialect.Token]) -> Iterator[tuple[str, dialect.Token, dialect.Token]]:
    """Yield the variable that takes the place of each call without a value of its own, and its first and last token."""
    for token, end in dialect.plain_calls(line, dialect.PLAIN_FUNCTIONS):
        yield dialect.PLAIN_FUNCTIONS[token.text], token, end
    for function in dialect.NAME_FUNCTIONS:
        for token, name, end in dialect.name_calls(line, function):
            yield named_variable(function, name.text), token, end


_UNKNOWN_VARIABLE = {
    **{name: f"{name} is only available in defaultRule" for name in dialect.CHANCE},
    dialect.POSITION: "position needs the name of a repeat around this field",
    dialect.ROW_COUNT: "rowCount needs the name of a repeat around this field",
    dialect.POINTS: "points needs the name of a single or multiple choice that rules can use here",
}


def _known_variable(variable: str, token: dialect.Token, types: Mapping[str, cel.Type]) -> str:
    """Return the variable. Raises `ExpressionError` if the rule cannot call this function here, or with this name."""
    if variable not in types:
        why = _UNKNOWN_VARIABLE.get(token.text, f"{token.text} is only available outside of repeats")
        raise ExpressionError(f"{why} (at column {token.column}).")
    return variable


def _with_variables(text: str, calls: Sequence[tuple[str, dialect.Token, dialect.Token]]) -> str:
    for variable, token, end in calls:
        start = token.column - 1
        # Padded to the length of the call, so that columns in error messages remain correct.
        text = f"{text[:start]}{variable:{end.column - start}}{text[end.column :]}"
    return text


TOTAL_TYPES = dict.fromkeys(dialect.TOTALS.values(), DOUBLE)
"""The types of the totals of points, which rules outside of repeats see."""


def row_types(repeat: str, outer: Mapping[str, cel.Type]) -> dict[str, cel.Type]:
    """Return the types that rules in the rows of a repeat see, with the numbers of the current row and of all rows."""
    seen = {name: type_ for name, type_ in outer.items() if name not in TOTAL_TYPES}
    return seen | {named_variable(function, repeat): INT for function in (dialect.POSITION, dialect.ROW_COUNT)}


def reads_clock(text: str) -> bool:
    """Whether a rule calls `today()` or `now()`."""
    return any(True for _ in dialect.plain_calls(dialect.tokenize(text), dialect.CLOCK))


def reads_score(text: str) -> bool:
    """Whether a rule calls `score()` or `maxScore()`."""
    return any(True for _ in dialect.plain_calls(dialect.tokenize(text), dialect.TOTALS))


def reads_points(text: str) -> bool:
    """Whether a rule calls `points()`, `score()` or `maxScore()`."""
    return reads_score(text) or any(True for _ in dialect.name_calls(dialect.tokenize(text), dialect.POINTS))


def _with_own_matches(text: str, line: Sequence[dialect.Token]) -> str:
    for token in dialect.method_calls(line, "matches"):
        start = token.column - 1
        text = f"{text[:start]}{_OWN_MATCHES}{text[start + len(_OWN_MATCHES) :]}"
    return text


def _fixed_steps(tree: Node, sized: Sequence[str]) -> int | None:
    """Return the steps of an evaluation if they are the same for the smallest and the largest answers, else None."""
    try:
        least, most = (costs.estimate_steps(tree, dict.fromkeys(sized, size)) for size in (Size(), costs.HUGE))
    except OverBudgetError:
        return None
    return least if least == most else None


def _check_dialect(line: Sequence[dialect.Token], names: Sequence[str], unknown: Sequence[str]) -> None:
    """Raise `ExpressionError` if the page would reject the rule or evaluate it differently."""
    if unknown:
        raise ExpressionError(f"There is no field named {unknown[0]}.")
    if taken := [name for name in names if name in dialect.RESERVED_NAMES]:
        raise ExpressionError(f"{taken[0]} has another meaning in rules. Give that field another name.")
    if found := dialect.find_error(line):
        raise ExpressionError(f"{found[0]} (at column {found[1]}).")
    for pattern, column in _patterns(line):
        if why := pattern_error(pattern):
            raise ExpressionError(f"{why[:-1]} (at column {column}).")


def _patterns(line: Sequence[dialect.Token]) -> list[tuple[str, int]]:
    found = ((token.text, token.column) for token in dialect.pattern_tokens(line))
    # The library evaluates the literals, because it knows all of their quotes and escapes.
    return [(cel.NewEnv().compile(text).eval(data={}).plain_value(), column) for text, column in found]


def referenced_names(text: str) -> Iterator[str]:
    """Yield the words of a rule that can be names of fields, also those whose points it reads."""
    line = dialect.tokenize(text)
    yield from dialect.referenced_names(line)
    yield from (name.text for _, name, _ in dialect.name_calls(line, dialect.POINTS))
    yield from dialect.answered_names(line)


def option_columns(text: str) -> set[str]:
    """Return the columns of an option that a rule reads, as `option.name`."""
    texts = [token.text for token in dialect.tokenize(text)]
    return {texts[place + 2] for place, word in enumerate(texts[:-2]) if word == OPTION and texts[place + 1] == "."}


def last_saved_names(text: str) -> list[str]:
    """Return the names of the last answers that a rule reads as `lastSaved.name`; an empty text for other uses."""
    texts = [token.text for token in dialect.tokenize(text)]
    places = [place for place, word in enumerate(texts) if word == LAST_SAVED and texts[place - 1 : place] != ["."]]
    return [texts[place + 2] if texts[place + 1 : place + 2] == ["."] else "" for place in places]


def _explain_error(text: str, unknown: Set[str]) -> str:
    """Explain an error of the library in plain words if possible. `unknown` are words that are not names of fields."""
    if "recursion" in text:
        return complexity.TOO_DEEP
    found = _ERROR.search(text)
    if found is None:
        return "This is not a valid CEL expression."
    column, reason = found.groups()
    words = explain(reason, unknown) or reason[:200].rstrip(".")
    return f"{words[:1].upper()}{words[1:]} (at column {column})."
