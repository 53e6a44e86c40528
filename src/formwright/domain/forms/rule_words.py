"""What the library says of a rule that cannot work, in plain words where we have them."""

import re
from collections.abc import Set

from formwright.domain.forms import dialect

_KINDS = {
    "int": "a whole number",
    "double": "a number with decimals",
    "string": "a text",
    "bool": "yes or no",
    "list": "a list",
    "map": "several answers in one",
    "null_type": "null",
    "dyn": "something that is not known beforehand",
}
_SIGN = re.compile(r"_?([=!<>+\-*/%]+|in)_?|@in")
_REACHED = r"expression of type '(\w+).*' cannot be the operand of a select"


def plain(reason: str, unknown: Set[str]) -> str | None:
    """The reason as people understand it. `unknown`: words of the rule that are no answers' names."""
    if any(word.lower() in dialect.SPELT_OUT for word in unknown):
        return dialect.AS_SIGNS
    if named := re.match(r"undeclared reference to '(\w+)'", reason):
        return f"There is no answer named {named[1]}"
    if "'<EOF>'" in reason:
        return "Something is missing at the end"
    if misplaced := re.match(r"Syntax error: (?:mismatched|extraneous) input '(.+?)' expecting", reason):
        return f"“{misplaced[1]}” cannot stand here"
    if applied := re.match(r"found no matching overload for '(\S+)' applied to '(.*)'", reason):
        return _applied(applied[1], _kinds(applied[2]))
    if reached := re.match(_REACHED, reason):
        return f"{kind_words(reached[1])} has nothing behind a dot: a list is asked as in list.exists(one, one.name)"
    return "This number is too great" if re.match(r"invalid (u?int|double) literal", reason) else None


def kind_words(name: str) -> str:
    """A type as people understand it."""
    return _KINDS.get(name.partition("(")[0].lower(), name)


def _kinds(text: str) -> list[str]:
    """The types of `(int, list(string))`, or of `string.(int)`, without what is inside of lists and maps."""
    inside = re.sub(r"^\((.*)\)$", r"\1", re.sub(r"\.\((.*)\)$", r", \1", text))
    while inside != (inside := re.sub(r"\([^()]*\)", "", inside)):
        pass
    return [kind for kind in re.split(r"[ ,]+", inside) if kind]


def _applied(name: str, kinds: list[str]) -> str | None:
    if {"int", "double"} == set(kinds):
        return "A whole number and a number with decimals do not mix here: write double(...) around the whole number"
    said = " and ".join(map(kind_words, kinds))
    if name == "_?_:_":
        return f"Both outcomes of ? : must be of one kind; these are {' and '.join(map(kind_words, kinds[1:]))}"
    if not (sign := _SIGN.fullmatch(name)):
        return f"“{name}” does not work on {said}"
    if kinds[0] == "list" and sign[1] in ("==", "!="):
        return 'A list is asked what it holds: write "text" in list'
    if "null_type" in kinds:
        return "Write answered.name to ask whether there is an answer"
    if sign[1] in ("==", "!=", "<", "<=", ">", ">="):
        return f"{said} cannot be compared with “{sign[1]}”"
    return f"“{sign[1] or 'in'}” does not work on {said}"
