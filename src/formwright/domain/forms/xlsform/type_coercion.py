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
    TEST_PREFIX,
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
# `OK` is the answer to a question of the type `acknowledge`.
_YES = ("true", "OK", "1")
_NO = ("false", "0")
_MIN_INT, _MAX_INT = -(2**63), 2**63 - 1
_NEVER = re.compile(r"(?!)")
DAYS = "days"
"""The kind of a number of days since 1970 that is written as a date, such as `today() + 7`."""
DATES = ("date", "datetime", DAYS)
"""Kinds that XPath compares, subtracts and converts to numbers as whole days."""
_FORMATS = {
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "time": re.compile(r"\d{2}:\d{2}(:\d{2})?"),
    "datetime": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})"),
}


def quote_cel(text: str) -> str:
    """Write a text as a CEL literal in single quotes."""
    return f"'{text.translate(_ESCAPES)}'"


def quote_list(words: str) -> str:
    """Write the words of a text as a CEL list."""
    return f"[{', '.join(map(quote_cel, words.split()))}]"


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


def day_number(code: Code) -> Code:
    """Convert a date to a number, which is that of the days since 1970."""
    text = f"daysBetween('1970-01-01', {code.text})"
    return Code(text, "int", ATOM, code.needs, partial=code.partial)


def as_day(code: Code) -> Code:
    """Return the date of a date and time, and dates as they are."""
    if code.kind != "datetime":
        return Code(code.text, "date", code.level, code.needs, partial=code.partial)
    if code.text == "now()":
        return Code("today()", "date", ATOM)
    text = f"{code.parenthesize(ATOM)}.substring(0, 10)"
    return Code(text, "date", ATOM, code.needs, partial=code.partial)


def shift_day(op: str, left: Code, right: Code) -> Code | None:
    """Translate a date plus or minus whole days, or return None for other operands."""
    day, days = (right, left) if op == "+" and right.kind in DATES else (left, right)
    if op not in ("+", "-") or day.kind not in DATES or days.kind != "int":
        return None
    text = days.text if op == "+" else str(-int(days.text)) if _WHOLE.fullmatch(days.text) else f"-({days.text})"
    partial = day.partial or days.partial
    return Code(f"addDays({day.text}, {text})", DAYS, ATOM, needs_of(day, days), partial=partial)


def day_difference(left: Code, right: Code) -> Code:
    """Translate the subtraction of two dates, which is a whole number of days, also between points in time."""
    partial = left.partial or right.partial
    return Code(f"daysBetween({right.text}, {left.text})", "int", ATOM, needs_of(left, right), partial=partial)


def join_words(code: Code) -> Code:
    """Convert the answer of a multiple choice to a text, as XLSForm stores it."""
    return Code(f"{code.parenthesize(ATOM)}.join(' ')", "text", ATOM, code.needs, partial=code.partial)


def write_text(code: Code) -> str:
    """Return the text of a value as XPath writes it: a date and time is only its date."""
    if code.kind in TEXTS:
        return as_day(code).text if code.kind == "datetime" else code.text
    if code.kind == DAYS:
        return f"string({day_number(code).text})"
    if code.kind == "choices":
        return join_words(code).text
    if code.kind not in NUMBERS or "number(" in code.text:
        raise Untranslatable("a value is used as a text that is not one")
    return f"string({code.text})"


def compare(op: str, left: Code, right: Code) -> Code:
    """Compare two values that can be missing only if their answers are."""
    if "bool" in (left.kind, right.kind):
        return _compare_booleans(op, left, right)
    if "choices" in (left.kind, right.kind):
        return _compare_lists(op, left, right)
    if left.kind in DATES and right.kind in DATES:
        return _comparison(op, as_day(left), as_day(right))
    same = op in ("==", "!=")
    left, right = _coerce_literal(left, right.kind, same=same), _coerce_literal(right, left.kind, same=same)
    if left.kind in NUMBERS or right.kind in NUMBERS:
        return _compare_numbers(op, left, right)
    if left.kind not in TEXTS or right.kind not in TEXTS:
        raise Untranslatable("these two values cannot be compared")
    if same:
        # As a text, a date and time is its date.
        left, right = (as_day(side) if side.kind == "datetime" else side for side in (left, right))
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


def _compare_numbers(op: str, left: Code, right: Code) -> Code:
    if not {left.kind, right.kind} <= set(NUMBERS):
        raise Untranslatable("a number is compared with another type of value")
    if left.kind != right.kind:
        left, right = as_double(left), as_double(right)
    return _comparison(op, left, right)


def compares_numbers(op: str, left: Code, right: Code) -> bool:
    """Whether XPath converts at least one of these operands to a number in order to compare them."""
    kinds = {left.kind, right.kind}
    texts = [side for side in (left, right) if side.kind in ("text", "choice", "choices")]
    if any(side.literal is not None and not is_number(side.literal) for side in texts):
        return False
    if kinds & {*NUMBERS, DAYS}:
        is_option = op in ("==", "!=") and kinds == {"choice", "int"}
        return bool(texts and not is_option and any(side.literal is None for side in texts)) or (
            bool(kinds & set(DATES)) and not kinds <= set(DATES)
        )
    return op not in ("==", "!=") and len(texts) == 2 and any(side.literal is None for side in texts)


def _compare_ordered(op: str, left: Code, right: Code) -> Code:
    """Compare texts with `<` or `>`. Dates and times sort like text; values with a time zone are converted."""
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


def _compare_booleans(op: str, left: Code, right: Code) -> Code:
    if op not in ("==", "!="):
        raise Untranslatable("booleans cannot be compared with < or >")
    if left.kind == right.kind:
        return _comparison(op, left, right)
    truth, other = (left, right) if left.kind == "bool" else (right, left)
    word = other.text if other.literal is None else other.literal
    if other.literal is not None and word not in (*_YES, *_NO) and not truth.text.isidentifier():
        word = _YES[0] if word else _NO[0]  # XPath converts a text to a boolean, unless both are answers.
    if word not in (*_YES, *_NO):
        raise Untranslatable(f"a boolean is compared with {word[:30]}")
    if (word in _YES) == (op == "=="):
        return truth
    return Code(f"!{truth.parenthesize(NOT)}", "bool", NOT, truth.needs, partial=truth.partial)


def _compare_lists(op: str, left: Code, right: Code) -> Code:
    """Compare the answer of a multiple choice with another one, an option, several options in a text, or a text."""
    if op not in ("==", "!="):
        raise Untranslatable("the answer of a multiple choice is not a number")
    first, second = _as_list(left), _as_list(right)
    if first and second:
        return _comparison(op, first, second)
    sides = [join_words(side) if side.kind == "choices" else side for side in (left, right)]
    if any(side.kind != "text" for side in sides):
        raise Untranslatable("the answer of a multiple choice is compared with something that is not an option")
    return _comparison(op, *sides)


def _as_list(code: Code) -> Code | None:
    """Return a list of options, or None for other texts."""
    if code.kind == "choices":
        return code
    if code.kind == "int" and _WHOLE.fullmatch(code.text):
        return Code(f"[{quote_cel(code.text)}]", "choices", ATOM)
    if code.kind == "choice":
        return Code(f"[{code.text}]", "choices", ATOM, code.needs, partial=code.partial)
    if code.literal is None or code.literal.split(" ") != code.literal.split():
        return None
    return Code(f"[{', '.join(map(quote_cel, code.literal.split()))}]", "choices", ATOM)


def choose(condition: Code, yes: str, no: str, kind: str = "text") -> Code:
    """Write one of two values, depending on a condition that needs no answers."""
    return Code(f"({condition.parenthesize(OR)} ? {yes} : {no})", kind, ATOM)


def conditional(condition: Code, then: Code, other: Code, always_answered: AbstractSet[str] = frozenset()) -> Code:
    """Write `condition ? then : other` with operands of one kind. `always_answered` exist if `condition` is true."""
    if then.kind != other.kind:
        then, other = (
            day_number(side) if side.kind == DAYS and {then.kind, other.kind} & set(NUMBERS) else side
            for side in (then, other)
        )
        if then.kind in TEXTS and other.kind in TEXTS:
            then = Code(then.text, "text", then.level, then.needs, partial=then.partial)
        elif then.kind in NUMBERS and other.kind in NUMBERS:
            then, other = as_double(then), as_double(other)
        else:
            raise Untranslatable("its two results have different types")
    needs = (then.needs - always_answered - condition.proves) | other.needs
    text = f"{condition.parenthesize(OR)} ? {then.parenthesize(OR)} : {other.parenthesize(OR)}"
    return Code(f"({text})", then.kind, ATOM, needs, partial=bool(needs) or then.partial or other.partial)


def presence(name: str) -> str:
    """Return the CEL that tests whether an answer exists, or a test that an expression needs."""
    if name.startswith(TEST_PREFIX):
        return name.removeprefix(TEST_PREFIX)
    return f"has({name})" if name.startswith(LAST_SAVED_PREFIX) else f"answered.{name}"


def absence(name: str) -> str:
    """Return the opposite of `presence`."""
    text = presence(name)
    return f"!({text})" if name.startswith(TEST_PREFIX) else f"!{text}"


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
