"""Translates comparisons, whose operands XPath converts to each other's types."""

from typing import Protocol

from formwright.domain.forms.xlsform.function_calls import PresentFields, Translator
from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARISON,
    NOT,
    NUMBERS,
    OR,
    SUM,
    TEST_PREFIX,
    TEXTS,
    Binary,
    Call,
    Code,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import ARITHMETIC
from formwright.domain.forms.xlsform.type_coercion import (
    absence,
    compare,
    compares_numbers,
    is_number,
    needs_of,
    presence,
)

_EMPTY = Text("")
_OPTIONAL = (Name, Call)
"""Expressions that may be an answer, or made of a single one."""


class ConditionTranslator(Translator, Protocol):
    """Translates the operands, and completes conditions."""

    def as_number(self, found: Code, node: Node, present: PresentFields) -> Code:
        """Convert the value of a node to a number."""

    def guard(self, leaf: Code, present: PresentFields, *, safe: bool) -> Code:
        """Return a condition that is false, instead of failing, if `safe` is set and an answer is missing."""


class ComparisonTranslator:
    """Translates comparisons of one field."""

    def __init__(self, translator: ConditionTranslator) -> None:
        self._translator = translator

    def translate(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        try:
            return self._compare_operands(op, left, right, present, safe=safe)
        except Untranslatable:
            if cases := _compare_outcomes(op, left, right):
                return self._translator.condition(cases, present, safe=safe)
            if texts := self._compare_texts(op, left, right, present):
                return texts
            raise

    def _compare_texts(self, op: str, left: Node, right: Node, present: PresentFields) -> Code | None:
        """Compare texts that may be missing, and are then empty. None for other operands."""
        kinds = {self._translator.value(side, present).kind for side in (left, right)}
        is_same = kinds in ({"int"}, {"date"}) and not isinstance(left, Binary) and not isinstance(right, Binary)
        if op not in ("==", "!=") or not (is_same or kinds <= {"text", "choice"}):
            return None
        first, second = self._translator.as_text(left, present), self._translator.as_text(right, present)
        return Code(f"{first.parenthesize(SUM)} {op} {second.parenthesize(SUM)}", "bool", COMPARISON)

    def _compare_operands(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Text) and not is_number(other.value) and self._is_never(one, other.value, present):
                return Code("true" if op == "!=" else "false", "bool", ATOM)
            if other == _EMPTY and isinstance(one, Name) and op in ("==", "!="):
                self._translator.kind(one.name)
                if one.name.startswith("option."):
                    break
                here = op == "!="
                text = f"{'' if here else '!'}{presence(one.name)}"
                return Code(text, "bool", NOT, proves=frozenset({one.name} if here else ()))
        if (test := self._length_test(op, left, right)) is not None:
            return self._translator.condition(test, present, safe=safe)
        if left == right and isinstance(left, Name) and op in ("==", "!="):
            self._translator.kind(left.name)
            return Code("true" if op == "==" else "false", "bool", ATOM)
        if both := self._compare_optional(op, left, right, present):
            return both
        if items := self._compare_items(op, left, right, present):
            return items
        leaf = self._compare_values(op, left, right, present)
        missing = sorted(leaf.needs - present)
        if op == "!=" and missing:
            if leaf.partial:
                raise Untranslatable("an operand of != might be missing")
            text = " || ".join([*map(absence, missing), leaf.text])
            return Code(text, "bool", OR)
        return self._translator.guard(leaf, present, safe=safe)

    def _compare_items(self, op: str, left: Node, right: Node, present: PresentFields) -> Code | None:
        """Compare items of answers and rows that may be missing as texts. None for other operands."""
        if op not in ("==", "!=") or (op == "==" and any(map(_is_value, (left, right)))):
            return None
        sides = [self._translator.value(one, present) for one in (left, right)]
        missing = [one.needs - present for one in sides]
        if not any(name.startswith(TEST_PREFIX) for name in needs_of(*sides) - present):
            return None
        if texts := self._compare_texts(op, left, right, present):
            return texts
        if all(missing):
            raise Untranslatable("both operands might be missing")
        return None

    def _length_test(self, op: str, left: Node, right: Node) -> Node | None:
        """Return a test for an answer, such as a point, instead of one of the length of its text. None for others."""
        match left, right:
            case Call("string-length", (Name(name),)), Number("0") if op in (
                ">",
                "!=",
                "==",
                "<=",
            ) and self._translator.kind(name) not in (*TEXTS, *NUMBERS, "choices", "bool"):
                return Binary("!=" if op in (">", "!=") else "==", Name(name), _EMPTY)
        return None

    def _is_never(self, node: Node, text: str, present: PresentFields) -> bool:
        """Whether a value is never equal to a text that is no number: a number, to whose type XPath converts the text.
        An answer, and the result of a function, may be an empty text instead.
        """
        is_number_always = isinstance(node, Number) or (isinstance(node, Binary) and node.op in ARITHMETIC)
        if not is_number_always and not (isinstance(node, Name) and text):
            return False
        return self._translator.value(node, present).kind in NUMBERS

    def _compare_values(self, op: str, left: Node, right: Node, present: PresentFields) -> Code:
        first, second = self._translator.value(left, present), self._translator.value(right, present)
        has_order_of_booleans = op not in ("==", "!=") and "bool" in (first.kind, second.kind)
        if has_order_of_booleans or compares_numbers(op, first, second):
            first, second = (
                self._translator.as_number(first, left, present),
                self._translator.as_number(second, right, present),
            )
        return compare(op, first, second)

    def _compare_optional(self, op: str, left: Node, right: Node, present: PresentFields) -> Code | None:
        """Compare two answers that may both be missing, in which case they are equal. None for other operands."""
        if op not in ("==", "!=") or not (isinstance(left, _OPTIONAL) and isinstance(right, _OPTIONAL)):
            return None
        sides = [self._optional_answer(side, present) for side in (left, right)]
        if None in sides or sides[0] == sides[1]:
            return None
        has_a, has_b = (presence(name) for name in sides if name)
        same = self._compare_values(op, left, right, present | {name for name in sides if name})
        if same.kind != "bool" or same.level < COMPARISON:
            return None
        if op == "==":
            return Code(f"{has_a} == {has_b} && (!{has_a} || {same.text})", "bool", AND)
        return Code(f"{has_a} != {has_b} || {has_a} && {same.text}", "bool", OR)

    def _optional_answer(self, node: Node, present: PresentFields) -> str | None:
        """Return the answer that is missing if and only if the value is, or None if there is not exactly one."""
        if isinstance(node, Call) and node.name not in ("date", "format-date", "format-date-time"):
            return None
        found = self._translator.value(node, present)
        names = found.needs - present
        is_scalar = found.kind in (*TEXTS, *NUMBERS, "choices") and not found.partial
        name = next(iter(names), "")
        return name if is_scalar and len(found.needs) == 1 and name.isidentifier() else None


def _is_value(node: Node) -> bool:
    return isinstance(node, Number) or (isinstance(node, Text) and bool(node.value))


def _compare_outcomes(op: str, left: Node, right: Node) -> Node | None:
    """Return a comparison for each outcome of an operand, because the outcomes may be of two kinds, or None."""
    match left, right:
        case Call("if", (asked, then, other)), _:
            sides = Binary(op, then, right), Binary(op, other, right)
        case _, Call("if", (asked, then, other)):
            sides = Binary(op, left, then), Binary(op, left, other)
        case Call("coalesce", (Name() as first, other)), _:
            asked, sides = Binary("!=", first, _EMPTY), (Binary(op, first, right), Binary(op, other, right))
        case _, Call("coalesce", (Name() as first, other)):
            asked, sides = Binary("!=", first, _EMPTY), (Binary(op, left, first), Binary(op, left, other))
        case _:
            return None
    return Binary("or", Binary("and", asked, sides[0]), Binary("and", Call("not", (asked,)), sides[1]))
