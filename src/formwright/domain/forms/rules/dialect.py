"""The part of CEL that the server's and the page's implementation evaluate in the same way.

Everything else is rejected when a form is saved, so that a rule has one meaning. docs/decisions/0009-rules-in-cel.md
lists the differences, and which of them `static/fill/rule_compiler.js` compensates for.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isinf

from formwright.domain.forms.rules import functions

ANSWERED = "answered"
"""The map from field names to whether they are answered."""

WORD_OPERATORS = ("and", "or", "not")
WORD_OPERATORS_DETAIL = "Write && for “and”, || for “or” and ! for “not”"
"""The explanation for these words, which are operators in other languages."""
CLOCK = {"today": "_today_", "now": "_now_"}
"""The functions that read the clock, and the variables with their values. As long as the calls in their shortest form,
so that columns in error messages remain correct; names of fields cannot begin with `_`."""
POSITION = "position"
"""The function that returns the number of the current row of a repeat."""
ROW_COUNT = "rowCount"
"""The function that returns how many rows a repeat around the field has."""
POINTS = "points"
"""The function that returns the points of the chosen options of a field."""
NAME_FUNCTIONS = (POSITION, ROW_COUNT, POINTS)
"""The functions whose argument is the name of a field."""
CHANCE = {"random": "_random_", "uuid": "_uuid_"}
"""The functions of `defaultRule` that return something else each time, and the variables with their values."""
TOTALS = {"score": "_score_", "maxScore": "_maxScore_"}
"""The functions that return the points of the form and the most that it can bring, and the variables with them."""
PLAIN_FUNCTIONS = CLOCK | TOTALS | CHANCE
"""The functions without arguments, and the variables with their values."""
FUNCTIONS = (
    frozenset({"size", "has", "int", "double", "string", "bool", "timestamp", "duration"})
    | functions.FUNCTIONS
    | PLAIN_FUNCTIONS.keys()
    | frozenset(NAME_FUNCTIONS)
)
_PARTS = frozenset({"FullYear", "Month", "Date", "DayOfMonth", "DayOfWeek", "Hours", "Minutes", "Seconds"})
_GETTERS = frozenset(f"get{part}" for part in _PARTS)
METHODS = (
    _GETTERS
    | functions.METHODS
    | {
        *("size", "contains", "startsWith", "endsWith", "matches"),
        *("all", "exists", "exists_one", "map", "filter"),
    }
)

KEYWORDS = frozenset({"true", "false", "null", "in"})
_TYPES = frozenset({"bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "string", "type", "uint"})
_RESERVED = (
    "as break const continue else for function if import let loop package namespace return var void while "
    "cel google optional prototype"
)
RESERVED_NAMES = KEYWORDS | _TYPES | frozenset(_RESERVED.split()) | {ANSWERED}
"""Names with a meaning in CEL: a rule cannot refer to a field with such a name."""

_OBJECT_PROPERTIES = (
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype toLocaleString toString valueOf"
)
FORBIDDEN_FIELD_NAMES = KEYWORDS | frozenset(_OBJECT_PROPERTIES.split()) | {ANSWERED}
"""Names that fields cannot have: keywords of CEL, and properties of every JavaScript object."""

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|//[^\n]*)"""
    r'''|(?P<text>[bBrR]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))'''
    r"|(?P<number>0x[0-9a-fA-F]+[uU]?|(?:\d+\.)?\d+(?:[eE][+-]?\d+)?[uU]?)"
    r"|(?P<word>in|true|false|null)(?!\w)|(?P<name>[A-Za-z_]\w*)|(?P<sign>.)",
    re.DOTALL | re.ASCII,
)
_DURATION = re.compile(r"-?(?:\d{1,7}[hms])+")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, text, number or sign of a rule. Columns start at 1."""

    kind: str
    text: str
    column: int


def tokenize(text: str) -> list[Token]:
    """Split a rule into tokens, without spaces and comments."""
    found = (Token(str(match.lastgroup), match[0], match.start() + 1) for match in _TOKEN.finditer(text))
    return [token for token in found if token.kind != "space"]


def referenced_names(line: Sequence[Token]) -> Iterator[str]:
    """Yield the words that can be names of fields whose answers are read: not those of calls, of properties after a
    dot, or in `position(name)`, `rowCount(name)` and `points(name)`.
    """
    passed = {token.column for function in NAME_FUNCTIONS for _, token, _ in name_calls(line, function)}
    for before, token, after in _with_neighbours(line):
        if token.kind == "name" and before != "." and after != "(" and token.column not in passed:
            yield token.text


def answered_names(line: Sequence[Token]) -> Iterator[str]:
    """Yield the names that are tested with `answered`."""
    for at, token in enumerate(line):
        if token.text == ANSWERED and (name := _answered_name_at(line, at)):
            yield name


def _answered_name_at(line: Sequence[Token], at: int) -> str:
    """Return the name in `answered.name` or `answered["name"]`, or an empty string if something else follows."""
    following = [token.text for token in line[at + 1 : at + 4]]
    if following[:1] == ["."] and len(following) > 1:
        return following[1]
    if len(following) == 3 and following[::2] == ["[", "]"] and line[at + 2].kind == "text":
        return following[1][1:-1]
    return ""


def find_error(line: Sequence[Token]) -> tuple[str, int] | None:
    """Return the first error and its column, or None if the rule is in the dialect."""
    for at, token in enumerate(line):
        before = line[at - 1].text if at else ""
        if why := _CHECKS[token.kind](line, at, before):
            return why, token.column
    return None


def _check_text(line: Sequence[Token], at: int, _before: str) -> str | None:
    return "Rules do not support bytes" if "b" in line[at].text.lower().partition(line[at].text[-1])[0] else None


def _check_number(line: Sequence[Token], at: int, _before: str) -> str | None:
    text = line[at].text.lower()
    if text.startswith("0x") or not isinf(float(text.rstrip("u"))):
        return "Rules do not support unsigned numbers. Remove the u" if text.endswith("u") else None
    return "This number is too large"


def _check_sign(line: Sequence[Token], at: int, before: str) -> str | None:
    text, after = line[at].text, [token.kind for token in line[at + 1 : at + 2]]
    if text == "." and not (at and _is_value(line[at - 1])):
        return "Write a zero before the decimal point" if after == ["number"] else "A name cannot begin with a dot"
    if text == "." and before == "]" and line[at - 2].text == "[":
        return "An empty list has nothing to loop over"
    if text == "{" and at and line[at - 1].kind == "name":
        return "Rules do not support messages"
    if text in "\"'":
        return "This text has no closing quote"
    if text == ">" and before == "<":
        return "Write != for “is not”"
    if text == "=":
        return _check_equals(before, line[at + 1].text if at + 1 < len(line) else "")
    if text in ";$~^#@":
        return "This character is not allowed here"
    return None if text.isascii() and text.isprintable() else "This character is not allowed here"


def _check_equals(before: str, after: str) -> str | None:
    """Return what to write instead of a single equals sign."""
    if before in ("=", "!", "<", ">"):
        return None
    return {"=": None, ">": "Write >= for “at least”", "<": "Write <= for “at most”"}.get(after, "Write == to compare")


def _is_value(token: Token) -> bool:
    return token.kind in ("name", "text") or token.text in (")", "]", "}")


def _check_name(line: Sequence[Token], at: int, before: str) -> str | None:
    name, after = line[at].text, [token.text for token in line[at + 1 : at + 2]]
    if after == ["("]:
        return _check_call(line, at, name, METHODS if before == "." else FUNCTIONS)
    if name in PLAIN_FUNCTIONS.values() or name.startswith(_PREFIXES):
        return f"There is no field named {name}"
    if name == ANSWERED and before != "." and not _answered_name_at(line, at):
        return f"Write {ANSWERED} with the name of a field: {ANSWERED}.name"
    return None


def _check_call(line: Sequence[Token], at: int, name: str, names: frozenset[str]) -> str | None:
    if name.lower() in WORD_OPERATORS:
        return WORD_OPERATORS_DETAIL
    if name not in names:
        return f"There is no function {name}" if names is FUNCTIONS else f"There is no method {name}"
    inside = line[at + 2 : _closing(line, at + 1)]
    if name in PLAIN_FUNCTIONS and inside and names is FUNCTIONS:
        return f"{name} takes no arguments"
    if name in _NAMED and names is FUNCTIONS and [token.kind for token in inside] != ["name"]:
        return _NAMED[name]
    if name in _GETTERS and inside:
        return f"{name} takes no arguments. It uses UTC"
    if name == "has" and not _is_path(inside):
        return "has needs a name and its properties, as in has(row.price)"
    if name == "duration" and not (_is_literal(inside) and _DURATION.fullmatch(inside[0].text[1:-1])):
        return 'duration needs a literal with hours, minutes and seconds, such as "1h30m"'
    if name == "matches" and not _is_literal(inside):
        return "matches needs a literal with a regular expression"
    return None


_NAMED = {
    POSITION: "position needs the name of a repeat, as in position(rows)",
    ROW_COUNT: "rowCount needs the name of a repeat, as in rowCount(rows)",
    POINTS: "points needs the name of a choice, as in points(question)",
}


def _is_literal(inside: Sequence[Token]) -> bool:
    return len(inside) == 1 and inside[0].kind == "text"


def _is_path(inside: Sequence[Token]) -> bool:
    """Whether these are two or more names, separated by dots."""
    kinds = [token.kind == "name" if index % 2 == 0 else token.text == "." for index, token in enumerate(inside)]
    return len(inside) >= 3 and len(inside) % 2 == 1 and all(kinds)


def _closing(line: Sequence[Token], at: int) -> int:
    """Return the index of the bracket that closes the one at index `at`."""
    depth = 0
    for place in range(at, len(line)):
        depth += (line[place].text in "([{") - (line[place].text in ")]}")
        if depth == 0:
            return place
    return len(line)


_CHECKS = {
    "text": _check_text,
    "number": _check_number,
    "sign": _check_sign,
    "name": _check_name,
    "word": lambda *_: None,
}


def pattern_tokens(line: Sequence[Token]) -> Iterator[Token]:
    """Yield the texts that are passed to `matches`."""
    for token, bracket, text in zip(line, line[1:], line[2:], strict=False):
        if (token.text, bracket.text, text.kind) == ("matches", "(", "text"):
            yield text


def plain_calls(line: Sequence[Token], names: Container[str]) -> Iterator[tuple[Token, Token]]:
    """Yield the name and the closing bracket of each call of these functions, which have no arguments."""
    for place, token in enumerate(line[:-2]):
        before = line[place - 1].text if place else ""
        called = (
            token.text in names and before != "." and [one.text for one in line[place + 1 : place + 3]] == ["(", ")"]
        )
        if token.kind == "name" and called:
            yield token, line[place + 2]


def name_calls(line: Sequence[Token], function: str) -> Iterator[tuple[Token, Token, Token]]:
    """Yield the function, the name that is passed to it and the closing bracket of each call of this function."""
    for place, token in enumerate(line[:-3]):
        before = line[place - 1].text if place else ""
        bracket, name, end = line[place + 1 : place + 4]
        if token.text == function and before != "." and (bracket.text, name.kind, end.text) == ("(", "name", ")"):
            yield token, name, end


def named_variable(function: str, name: str) -> str:
    """Return the variable with the value of `function(name)`. As long as the call, like those of the clock."""
    return f"_{function}_{name}"


_PREFIXES = tuple(named_variable(function, "") for function in NAME_FUNCTIONS)


def method_calls(line: Sequence[Token], method: str) -> Iterator[Token]:
    """Yield the tokens with the name of a method where it is called."""
    for before, token, after in _with_neighbours(line):
        if (before, token.text, after) == (".", method, "("):
            yield token


def _with_neighbours(line: Sequence[Token]) -> Iterator[tuple[str, Token, str]]:
    ends = Token("", "", 0)
    row = [ends, *line, ends]
    for (before, token), (_, after) in pairwise(pairwise(row)):
        yield before.text, token, after.text
