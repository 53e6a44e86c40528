"""Translates rules from XPath to CEL, as far as CEL can express them.

In XPath, a missing answer is an empty text, or not a number in numeric comparisons. In CEL, it is an error, which
makes a rule false. Where the two would differ (with `!=`, inside `not()` and `if()`), the CEL first tests whether the
answer exists.
"""

import re

from formwright.domain.forms.fields.patterns import pattern_error
from formwright.domain.forms.xlsform.comparisons import ComparisonTranslator
from formwright.domain.forms.xlsform.date_functions import decimal_difference
from formwright.domain.forms.xlsform.function_calls import PresentFields, RowScope
from formwright.domain.forms.xlsform.java_patterns import convert_pattern
from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARISON,
    NOT,
    NUMBERS,
    OR,
    PRODUCT,
    SUM,
    TEXTS,
    Binary,
    Boolean,
    Call,
    Code,
    Kinds,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
    as_day,
    as_double,
    cel_number,
    choose,
    conditional,
    day_difference,
    day_number,
    is_number,
    join_words,
    needs_of,
    presence,
    quote_cel,
    shift_day,
    write_text,
)
from formwright.domain.forms.xlsform.value_functions import WORDS, merge_outcomes, word_list
from formwright.domain.forms.xlsform.xpath_functions import FUNCTIONS

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_BOOLEAN_FUNCTIONS = (
    "not",
    "boolean",
    "boolean-from-string",
    "selected",
    "regex",
    "contains",
    "starts-with",
    "ends-with",
)
_METHODS = {"contains": "contains", "starts-with": "startsWith", "ends-with": "endsWith"}
_EMPTY = Text("")
_COMPUTED = ("int", "number", "round", "abs", "pow", "sqrt", "decimal-date-time")
"""Functions whose result is NaN, also as a text, if an answer is missing."""


def translate_condition(
    tree: Node, kinds: Kinds, present: PresentFields = frozenset(), *, rows: RowScope | None = None, safe: bool = False
) -> Code:
    """Translate a condition. If `safe` is set, the rule is also false, instead of failing, if the condition is false.

    `present` are answers that exist whenever the rule is evaluated. `rows` are the fields in repeats that it can read.
    """
    return Translator(kinds, rows).condition(tree, present, safe=safe)


def translate_value(tree: Node, kinds: Kinds, rows: RowScope | None = None) -> Code:
    """Translate an expression with a value."""
    return Translator(kinds, rows).value(tree, frozenset())


def translate_result(tree: Node, kinds: Kinds, rows: RowScope | None = None) -> Code:
    """Translate a calculation. If it has results of several types, they become texts, as XForms store them."""
    translator = Translator(kinds, rows)
    try:
        return translator.value(tree, frozenset())
    except Untranslatable:
        if isinstance(tree, Call) and tree.name in ("if", "coalesce"):
            return translator.as_text(tree, frozenset(), is_whole=True)
        raise


class Translator:
    """Translates the expressions of one field, which can refer to fields of these kinds, and to fields in rows."""

    def __init__(self, kinds: Kinds, rows: RowScope | None = None) -> None:
        self._kinds, self.rows = kinds, rows or RowScope()
        self._comparisons = ComparisonTranslator(self)

    def condition(self, node: Node, present: PresentFields, *, safe: bool) -> Code:
        """Translate a condition. If `safe` is set, it does not fail for missing answers."""
        match node:
            case Boolean(given):
                return Code("true" if given else "false", "bool", ATOM)
            case Binary("or", left, right):
                sides = [self.condition(side, present, safe=safe) for side in (left, right)]
                return Code(" || ".join(side.parenthesize(OR) for side in sides), "bool", OR, needs_of(*sides))
            case Binary("and", left, right):
                first = self.condition(left, present, safe=safe)
                second = self.condition(right, present | first.proves, safe=safe)
                text = f"{first.parenthesize(AND)} && {second.parenthesize(AND)}"
                return Code(text, "bool", AND, needs_of(first, second), first.proves | second.proves)
            case Call("not", (inner,)):
                turned = self.condition(inner, present, safe=True)
                return Code(f"!{turned.parenthesize(NOT)}", "bool", NOT)
            case Call("boolean", (inner,)):
                return self.condition(inner, present, safe=safe)
            case Binary(op, left, right) if op in _COMPARISONS:
                return self._comparisons.translate(op, left, right, present, safe=safe)
            case Call("selected", (Name(name), Text(option))) if not option.strip():
                return Code(f"!{presence(name)}", "bool", NOT)
            case Call("selected", (Name() as name, Text() as option)) if self.kind(name.name) in WORDS:
                return self.guard(self._selected(name, option.value), present, safe=safe)
            case Call("selected", (Name() as name, Name() as option)):
                return self.guard(self._selected_answer(name, option.name, present), present, safe=safe)
            case Call("selected", (inner, Text(option))) if option.split() == [option.strip()]:
                return self._has_word(inner, option.strip(), present)
            case Call("boolean-from-string", (inner,)):
                words = [Binary("==", inner, Text(word)) for word in ("true", "1")]
                return self.condition(Binary("or", *words), present, safe=safe)
            case Call("regex", (inner, Text(pattern))):
                return self.guard(self._matches(inner, pattern, present), present, safe=safe)
            case Call(name, (left, right)) if name in _METHODS:
                on, part = self.as_text(left, present), self.as_text(right, present)
                return Code(f"{on.parenthesize(ATOM)}.{_METHODS[name]}({part.text})", "bool", ATOM)
            case Call(name, _) if name in _BOOLEAN_FUNCTIONS:
                raise Untranslatable(f"{name}() is not supported with these arguments")
        return self._truth_value(node, present, safe=safe)

    def value(self, node: Node, present: PresentFields) -> Code:
        """Translate a value. It fails if an answer is missing, as a number in XPath becomes NaN."""
        match node:
            case Name(name):
                return Code(name, self.kind(name), ATOM, frozenset({name}))
            case Text(text):
                return Code(quote_cel(text), "text", ATOM, literal=text)
            case Number(text):
                return cel_number(text)
            case Binary(op, left, right) if op in "+-*/%":
                return self._arithmetic(op, left, right, present)
            case Call(name, args) if name in FUNCTIONS:
                return FUNCTIONS[name](self, args, present)
            case Boolean() | Binary():
                return self.condition(node, present, safe=True)
            case Call(name, _) if name in _BOOLEAN_FUNCTIONS:
                return self.condition(node, present, safe=True)
            case Call(name, _):
                raise Untranslatable(f"{name}() is not supported")
        raise Untranslatable("a list is not allowed here")

    def number(self, node: Node, present: PresentFields) -> Code:
        """Translate to a number. A text that is none, or missing, becomes NaN, which is not equal to any number."""
        return self.as_number(self.value(node, present), node, present)

    def as_number(self, found: Code, node: Node, present: PresentFields) -> Code:
        """Convert the value of a node to a number."""
        if found.literal is not None:
            no_number = Code(f"number({quote_cel(found.literal)})", "double", ATOM)
            return cel_number(found.literal) if is_number(found.literal) else no_number
        if found.kind in DATES:
            return day_number(found)
        if found.kind in ("text", "choice", "choices"):
            text = self.as_text(node, present)
            return Code(f"number({text.text})", "double", ATOM, text.needs)
        if found.kind == "bool":
            return choose(self.condition(node, present, safe=True), "1", "0", "int")
        if found.kind not in NUMBERS:
            raise Untranslatable("a value is used as a number that is none")
        return found

    def kind(self, name: str) -> str:
        if name not in self._kinds:
            raise Untranslatable(f"it refers to {name}, which has no answer")
        return self._kinds[name]

    def _truth_value(self, node: Node, present: PresentFields, *, safe: bool) -> Code:
        if isinstance(node, Name) and self.kind(node.name) not in (*NUMBERS, "bool"):
            if node.name.startswith("option."):
                return Code(f"{node.name} != ''", "bool", COMPARISON)
            return Code(presence(node.name), "bool", ATOM, proves=frozenset({node.name}))
        found = self.value(node, present)
        if found.kind == "bool":
            return self.guard(found, present, safe=safe)
        found = day_number(found) if found.kind == DAYS else found
        if found.kind in NUMBERS:
            zero = "0" if found.kind == "int" else "0.0"
            if "number(" in found.text:  # NaN is false, but not equal to 0.
                one = found.parenthesize(SUM)
                leaf = Code(f"({one} < {zero} || {one} > {zero})", "bool", ATOM, found.needs, partial=found.partial)
                return self.guard(leaf, present, safe=safe)
            leaf = Code(f"{found.parenthesize(SUM)} != {zero}", "bool", COMPARISON, found.needs, partial=found.partial)
            return self.guard(leaf, present, safe=safe)
        if found.literal is not None:
            return Code("true" if found.literal else "false", "bool", ATOM)
        return Code(f"{self.as_text(node, present).parenthesize(COMPARISON + 1)} != ''", "bool", COMPARISON)

    def guard(self, leaf: Code, present: PresentFields, *, safe: bool) -> Code:
        missing = sorted(leaf.needs - present)
        if not safe or not (missing or leaf.partial):
            return leaf
        if leaf.partial:
            raise Untranslatable("an operand inside not() or if() might be missing")
        text = " && ".join([*(presence(name) for name in missing), leaf.parenthesize(AND)])
        return Code(text, "bool", AND, proves=frozenset(missing))

    def _selected(self, name: Name, option: str) -> Code:
        kind, needs, word = self.kind(name.name), frozenset({name.name}), option.strip()
        if word.split() != [word]:
            raise Untranslatable("selected() needs the name of one choice")
        if kind == "choice":
            return Code(f"{name.name} == {quote_cel(word)}", "bool", COMPARISON, needs)
        return Code(f"{quote_cel(word)} in {word_list(self, name.name)}", "bool", COMPARISON, needs)

    def _has_word(self, inner: Node, word: str, present: PresentFields) -> Code:
        """Translate `selected()` of a text, which may have spaces around the word."""
        if isinstance(inner, Text):
            return Code("true" if f" {word} " in f" {inner.value} " else "false", "bool", ATOM)
        text = f"(' ' + {self.as_text(inner, present).parenthesize(SUM + 1)} + ' ')"
        return Code(f"{text}.contains({quote_cel(f' {word} ')})", "bool", ATOM)

    def _selected_answer(self, name: Name, option: str, present: PresentFields) -> Code:
        """Translate `selected()` of an answer or a column. If both are missing, it is true."""
        if self.kind(option) not in ("choice", "text") or (self.kind(option) == "text" and option not in present):
            raise Untranslatable("selected() needs the name of one choice")
        is_one = self.kind(name.name) == "choice"
        text = f"{name.name} == {option}" if is_one else f"{option} in {word_list(self, name.name)}"
        if option in present:
            return Code(text, "bool", COMPARISON, frozenset({name.name}))
        has_a, has_b = presence(name.name), presence(option)
        return Code(f"{has_a} && {has_b} && {text} || !{has_a} && !{has_b}", "bool", OR)

    def _matches(self, inner: Node, pattern: str, present: PresentFields) -> Code:
        whole = f"^(?:{convert_pattern(pattern)})$"  # XPath matches the whole text, CEL any part of it.
        if reason := pattern_error(whole):
            raise Untranslatable(f"the regular expression is invalid: {reason}")
        on = self.value(inner, present)
        on = as_day(on) if on.kind == "datetime" else join_words(on) if on.kind == "choices" else on
        if on.kind == "int":
            on = Code(f"string({on.text})", "text", ATOM, on.needs, partial=on.partial)
        if on.kind not in TEXTS:
            raise Untranslatable("regex() is only supported for texts and whole numbers")
        return Code(f"{on.parenthesize(ATOM)}.matches({quote_cel(whole)})", "bool", ATOM, on.needs, partial=on.partial)

    def _arithmetic(self, op: str, left: Node, right: Node, present: PresentFields) -> Code:
        if found := decimal_difference(self, op, left, right, present):
            return found
        first, second = self.value(left, present), self.value(right, present)
        if op == "-" and first.kind in DATES and second.kind in DATES:
            return day_difference(first, second)
        if shifted := shift_day(op, first, second):
            return shifted
        first, second = self.as_number(first, left, present), self.as_number(second, right, present)
        whole = first.kind == second.kind == "int" and op != "/"
        if op == "%" and not whole:
            return _remainder(as_double(first), as_double(second))
        first, second = (first, second) if whole else (as_double(first), as_double(second))
        level = SUM if op in "+-" else PRODUCT
        text = f"{first.parenthesize(level)} {op} {second.parenthesize(level + 1)}"
        kind = "int" if whole else "double"
        return Code(text, kind, level, needs_of(first, second), partial=first.partial or second.partial)

    def as_text(self, node: Node, present: PresentFields, *, is_whole: bool = False) -> Code:
        """Translate to a text, which is empty if an answer is missing, or NaN if a number is computed from it.

        If the text is the whole result, XForms store nothing instead of NaN, and a date and time as it is.
        """
        if cases := self._text_cases(node, present, is_whole=is_whole):
            return cases
        found = self.value(node, present)
        if found.kind == "bool" and not isinstance(node, Name):
            truth = self.condition(node, present, safe=True)
            return choose(truth, "'1'", "'0'") if is_whole else choose(truth, "'true'", "'false'")
        if found.kind in NUMBERS and "number(" in found.text and not found.partial:
            return self._write_number(found, present, "''" if is_whole else "'NaN'")
        text = found.text if is_whole and found.kind == "datetime" else write_text(found)
        if missing := sorted(found.needs - present):
            if found.partial:
                raise Untranslatable("a part of a text might be missing")
            asked = " && ".join(presence(name) for name in missing)
            is_computed = isinstance(node, Binary) or (isinstance(node, Call) and node.name in _COMPUTED)
            without = "'NaN'" if is_computed and not is_whole and found.kind in (*NUMBERS, DAYS) else "''"
            return Code(f"({asked} ? {text} : {without})", "text", ATOM)
        return Code(text, "text", found.level if found.kind in TEXTS and text == found.text else ATOM, found.needs)

    def _write_number(self, found: Code, present: PresentFields, without: str) -> Code:
        """Write a number that may be NaN, which does not equal itself."""
        one = found.parenthesize(COMPARISON + 1)
        tests = [*(presence(name) for name in sorted(found.needs - present)), f"{one} == {one}"]
        return Code(f"({' && '.join(tests)} ? string({found.text}) : {without})", "text", ATOM)

    def _text_cases(self, node: Node, present: PresentFields, *, is_whole: bool) -> Code | None:
        """Translate each outcome of `if()` and `coalesce()` of its own, because one of them may be missing."""
        match node:
            case Call("if", (asked, then, other)):
                asked, then, other = merge_outcomes(asked, then, other)
                condition = self.condition(asked, present, safe=True)
                sides = (
                    self.as_text(then, present | condition.proves, is_whole=is_whole),
                    self.as_text(other, present, is_whole=is_whole),
                )
            case Call("coalesce", (Name(name) as first, other)):
                condition = Code(presence(name), "bool", ATOM)
                sides = (
                    self.as_text(first, present | {name}, is_whole=is_whole),
                    self.as_text(other, present, is_whole=is_whole),
                )
            case _:
                return None
        return conditional(condition, *sides)


def _remainder(value: Code, divisor: Code) -> Code:
    # A division by zero is no number.
    partial = value.partial or divisor.partial or not re.fullmatch(r"-?[\d.]*[1-9][\d.]*", divisor.text)
    text = f"remainder({value.text}, {divisor.text})"
    return Code(text, "double", ATOM, needs_of(value, divisor), partial=partial)
