"""Explicit type conversions for operands: XPath converts them implicitly, CEL does not."""

import re
from collections.abc import Set as AbstractSet

from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    COMPARISON,
    LAST_SAVED_PREFIX,
    NOT,
    NUMBERS,
    OR,
    SIGN,
    TEXTS,
    Binary,
    Call,
    Code,
    Name,
    Node,
    Text,
    Untranslatable,
)

_WHOLE = re.compile(r"-?\d+")
_DECIMAL = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)")
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_YES = ("true", "OK", "1")
_NO = ("false", "0")
_MIN_INT, _MAX_INT = -(2**63), 2**63 - 1
_NEVER = re.compile(r"(?!)")
_FORMATS = {
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "time": re.compile(r"\d{2}:\d{2}(:\d{2})?"),
    "datetime": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})"),
}


def quote_cel(text: str) -> str:
    """Write a text as a CEL literal in single quotes."""
    return f"'{text.translate(_ESCAPES)}'"


def cel_number(text: str) -> Code:
    """Write a number as a CEL literal. Integers have no decimal point."""
    if _WHOLE.fullmatch(text):
        if not _MIN_INT <= int(text) <= _MAX_INT:
            raise Untranslatable(f"{text} is too large")
        return Code(str(int(text)), "int", SIGN)
    if not _DECIMAL.fullmatch(text):
        raise Untranslatable(f"{text!r} is not a number")
    return Code(repr(float(text)), "double", SIGN)


def is_number(text: str) -> bool:
    """Whether XPath can convert a text to a number."""
    return bool(_DECIMAL.fullmatch(text.strip()))


def as_double(code: Code) -> Code:
    """Convert a number to `double`."""
    if code.kind == "double":
        return code
    text = f"{code.text}.0" if _WHOLE.fullmatch(code.text) else f"double({code.text})"
    may_fail = code.partial or code.kind not in NUMBERS
    return Code(text, "double", ATOM, code.needs, partial=may_fail)


def compare(op: str, left: Code, right: Code, *, safe: bool) -> Code:
    """Compare two values. If `safe` is set, conversions that might fail raise `Untranslatable`."""
    if "bool" in (left.kind, right.kind):
        return _compare_booleans(op, left, right)
    if "choices" in (left.kind, right.kind):
        return _comparison(op, _as_list(left), _as_list(right))
    same = op in ("==", "!=")
    left, right = _coerce_literal(left, right.kind, same=same), _coerce_literal(right, left.kind, same=same)
    if left.kind in NUMBERS or right.kind in NUMBERS:
        return _compare_numbers(op, left, right, safe=safe or op == "!=")
    if left.kind not in TEXTS or right.kind not in TEXTS:
        raise Untranslatable("these two values cannot be compared")
    if same:
        return _comparison(op, left, right)
    return _compare_ordered(op, left, right)


def _comparison(op: str, left: Code, right: Code) -> Code:
    text = f"{left.parenthesize(COMPARISON + 1)} {op} {right.parenthesize(COMPARISON + 1)}"
    return Code(text, "bool", COMPARISON, left.needs | right.needs, partial=left.partial or right.partial)


def _coerce_literal(code: Code, other: str, *, same: bool) -> Code:
    """Convert a literal to the kind of the other operand: '5' to a number, or 1 to the value of a choice."""
    if other in NUMBERS and code.literal is not None and _DECIMAL.fullmatch(code.literal):
        return cel_number(code.literal)
    if same and other == "choice" and code.kind == "int" and _WHOLE.fullmatch(code.text):
        return Code(quote_cel(code.text), "text", ATOM, literal=code.text)
    return code


def _compare_numbers(op: str, left: Code, right: Code, *, safe: bool) -> Code:
    if safe and not {left.kind, right.kind} <= set(NUMBERS):
        raise Untranslatable("a text is compared with a number")
    if any(side.kind not in (*NUMBERS, "text", "choice") or side.literal is not None for side in (left, right)):
        raise Untranslatable("a number is compared with another type of value")
    if left.kind != right.kind:
        left, right = as_double(left), as_double(right)
    return _comparison(op, left, right)


def _compare_ordered(op: str, left: Code, right: Code) -> Code:
    """Compare texts with `<` or `>`. Dates and times sort like text; values with a time zone are converted."""
    if {left.kind, right.kind} == {"date", "datetime"}:
        return _compare_days(op, left, right)
    kind = left.kind if left.kind in _FORMATS else right.kind
    form = _FORMATS.get(kind, _NEVER)
    for side in (left, right):
        if side.kind != kind and not form.fullmatch(side.literal or ""):
            raise Untranslatable("texts cannot be compared with < or >")
    if form is _NEVER:
        raise Untranslatable("texts cannot be compared with < or >")
    if kind != "datetime":
        return _comparison(op, left, right)
    text = f"timestamp({left.text}) {op} timestamp({right.text})"
    return Code(text, "bool", COMPARISON, left.needs | right.needs)


def _compare_days(op: str, left: Code, right: Code) -> Code:
    """Compare a date, which is the start of a day in XPath, with a date and time, which is hardly ever that instant."""
    day_first = left.kind == "date"
    strict = {"<": "<=", "<=": "<=", ">": ">", ">=": ">"} if day_first else {"<": "<", "<=": "<", ">": ">=", ">=": ">="}
    first, second = (_day_of(side) for side in (left, right))
    return _comparison(strict[op], first, second)


def _day_of(code: Code) -> Code:
    if code.kind == "date" or code.text == "now()":
        return code if code.kind == "date" else Code("today()", "date", ATOM)
    text = f"{code.parenthesize(ATOM)}.substring(0, 10)"
    return Code(text, "date", ATOM, code.needs, partial=code.partial)


def _compare_booleans(op: str, left: Code, right: Code) -> Code:
    if op not in ("==", "!="):
        raise Untranslatable("booleans cannot be compared with < or >")
    if left.kind == right.kind:
        return _comparison(op, left, right)
    truth, other = (left, right) if left.kind == "bool" else (right, left)
    word = other.text if other.literal is None else other.literal
    if word not in (*_YES, *_NO):
        raise Untranslatable(f"a boolean is compared with {word[:30]}")
    if (word in _YES) == (op == "=="):
        return truth
    return Code(f"!{truth.parenthesize(NOT)}", "bool", NOT, truth.needs, partial=truth.partial)


def _as_list(code: Code) -> Code:
    if code.kind == "choices":
        return code
    if code.literal is None or " " in code.literal:
        raise Untranslatable("the answer of a multiple choice is compared with something that is not an option")
    return Code(f"[{quote_cel(code.literal)}]", "choices", ATOM)


def conditional(condition: Code, then: Code, other: Code, always_answered: AbstractSet[str] = frozenset()) -> Code:
    """Write `condition ? then : other` with operands of one kind. `always_answered` exist if `condition` is true."""
    if then.kind != other.kind:
        if then.kind in TEXTS and other.kind in TEXTS:
            then = Code(then.text, "text", then.level, then.needs)
        elif then.kind in NUMBERS and other.kind in NUMBERS:
            then, other = as_double(then), as_double(other)
        else:
            raise Untranslatable("its two results have different types")
    needs = (then.needs - always_answered - condition.proves) | other.needs
    text = f"{condition.parenthesize(OR)} ? {then.parenthesize(OR)} : {other.parenthesize(OR)}"
    return Code(f"({text})", then.kind, ATOM, needs, partial=bool(needs) or then.partial or other.partial)


def presence(name: str) -> str:
    """Return the CEL that tests whether an answer exists."""
    return f"has({name})" if name.startswith(LAST_SAVED_PREFIX) else f"answered.{name}"


def needs_of(*codes: Code) -> frozenset[str]:
    """Return the answers that any of these expressions needs."""
    return frozenset[str]().union(*(code.needs for code in codes))


def tests_only_presence(node: Node) -> bool:
    """Whether a condition only tests that answers exist."""
    match node:
        case Binary("and", left, right):
            return tests_only_presence(left) and tests_only_presence(right)
        case Binary("!=", Name(), Text("")) | Call("answered", _):
            return True
    return False
