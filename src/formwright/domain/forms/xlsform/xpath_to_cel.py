"""Translates rules from XPath to CEL, as far as CEL can express them.

In XPath, a missing answer is an empty text, or not a number in numeric comparisons. In CEL, it is an error, which
makes a rule false. Where the two would differ (with `!=`, inside `not()` and `if()`), the CEL first tests whether the
answer exists.
"""

import re
from collections.abc import Callable

from formwright.domain.forms.fields.patterns import pattern_error
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
    compare,
    compares_numbers,
    conditional,
    day_difference,
    day_number,
    is_number,
    join_words,
    needs_of,
    presence,
    quote_cel,
    shift_day,
    tests_only_presence,
)
from formwright.domain.forms.xlsform.xpath_functions import (
    FUNCTIONS,
    PresentFields,
    RowScope,
    decimal_difference,
    join_rows,
)

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


_OPTIONAL = (Name, Call)
"""Expressions that may be an answer, or made of a single one."""


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
        self._calls: dict[str, Callable[[tuple[Node, ...], PresentFields], Code]] = {
            "if": self._if, "concat": self._concat, "coalesce": self._coalesce, "string-length": self._text_length,
            "count-selected": self._count_selected, "int": self._int, "number": self._number,
            "string": self._string,
        }  # fmt: skip

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
                return self._compare(op, left, right, present, safe=safe)
            case Call("selected", (Name(name), Text(option))) if not option.strip():
                return Code(f"!{presence(name)}", "bool", NOT)
            case Call("selected", (Name() as name, Text() as option)):
                return self._guard(self._selected(name, option.value), present, safe=safe)
            case Call("selected", (Name() as name, Name() as option)):
                return self._guard(self._selected_answer(name, option.name, present), present, safe=safe)
            case Call("boolean-from-string", (inner,)):
                words = [Binary("==", inner, Text(word)) for word in ("true", "1")]
                return self.condition(Binary("or", *words), present, safe=safe)
            case Call("regex", (inner, Text(pattern))):
                return self._guard(self._matches(inner, pattern, present), present, safe=safe)
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
            case Call(name, args) if name in self._calls:
                return self._calls[name](args, present)
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
        return self._as_number(self.value(node, present), node, present)

    def _as_number(self, found: Code, node: Node, present: PresentFields) -> Code:
        """Convert the value of a node to a number."""
        if found.literal is not None:
            return cel_number(found.literal)
        if found.kind in DATES:
            return day_number(found)
        if found.kind in ("text", "choice", "choices"):
            text = self.as_text(node, present)
            return Code(f"number({text.text})", "double", ATOM, text.needs)
        if found.kind == "bool":
            return Code(f"({self.condition(node, present, safe=True).parenthesize(OR)} ? 1 : 0)", "int", ATOM)
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
            return self._guard(found, present, safe=safe)
        found = day_number(found) if found.kind == DAYS else found
        if found.kind in NUMBERS:
            zero = "0" if found.kind == "int" else "0.0"
            if "number(" in found.text:  # NaN is false, but not equal to 0.
                one = found.parenthesize(SUM)
                leaf = Code(f"({one} < {zero} || {one} > {zero})", "bool", ATOM, found.needs, partial=found.partial)
                return self._guard(leaf, present, safe=safe)
            leaf = Code(f"{found.parenthesize(SUM)} != {zero}", "bool", COMPARISON, found.needs, partial=found.partial)
            return self._guard(leaf, present, safe=safe)
        if found.literal is not None:
            return Code("true" if found.literal else "false", "bool", ATOM)
        return Code(f"{self.as_text(node, present).parenthesize(COMPARISON + 1)} != ''", "bool", COMPARISON)

    def _compare(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        try:
            return self._compare_operands(op, left, right, present, safe=safe)
        except Untranslatable:
            if cases := _compare_outcomes(op, left, right):
                return self.condition(cases, present, safe=safe)
            raise

    def _compare_operands(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Text) and not is_number(other.value) and self._is_never(one, other.value, present):
                return Code("true" if op == "!=" else "false", "bool", ATOM)
            if other == _EMPTY and isinstance(one, Name) and op in ("==", "!="):
                self.kind(one.name)
                if one.name.startswith("option."):
                    break
                here = op == "!="
                text = f"{'' if here else '!'}{presence(one.name)}"
                return Code(text, "bool", NOT, proves=frozenset({one.name} if here else ()))
        if (test := self._length_test(op, left, right)) is not None:
            return self.condition(test, present, safe=safe)
        if left == right and isinstance(left, Name) and op in ("==", "!="):
            self.kind(left.name)
            return Code("true" if op == "==" else "false", "bool", ATOM)
        if both := self._compare_optional(op, left, right, present):
            return both
        leaf = self._compare_values(op, left, right, present)
        missing = sorted(leaf.needs - present)
        if op == "!=" and missing:
            if leaf.partial:
                raise Untranslatable("an operand of != might be missing")
            text = " || ".join([*(f"!{presence(name)}" for name in missing), leaf.text])
            return Code(text, "bool", OR)
        return self._guard(leaf, present, safe=safe)

    def _length_test(self, op: str, left: Node, right: Node) -> Node | None:
        """Return a test for an answer, such as a point, instead of one of the length of its text. None for others."""
        match left, right:
            case Call("string-length", (Name(name),)), Number("0") if op in (">", "!=", "==", "<=") and self.kind(
                name
            ) not in (*TEXTS, *NUMBERS, "choices", "bool"):
                return Binary("!=" if op in (">", "!=") else "==", Name(name), _EMPTY)
        return None

    def _is_never(self, node: Node, text: str, present: PresentFields) -> bool:
        """Whether a value is never equal to a text that is no number: a literal number, to whose type XPath converts
        the text, or an answer that is a number, or else missing.
        """
        if not isinstance(node, Number | Name):
            return False
        return self.value(node, present).kind in NUMBERS and (bool(text) or isinstance(node, Number))

    def _compare_values(self, op: str, left: Node, right: Node, present: PresentFields) -> Code:
        first, second = self.value(left, present), self.value(right, present)
        if compares_numbers(op, first, second):
            first, second = self._as_number(first, left, present), self._as_number(second, right, present)
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
        found = self.value(node, present)
        names = found.needs - present
        is_scalar = found.kind in (*TEXTS, *NUMBERS, "choices") and not found.partial
        return next(iter(names)) if is_scalar and len(names) == len(found.needs) == 1 else None

    def _guard(self, leaf: Code, present: PresentFields, *, safe: bool) -> Code:
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
        return Code(f"{quote_cel(word)} in {self._list(name)}", "bool", COMPARISON, needs)

    def _selected_answer(self, name: Name, option: str, present: PresentFields) -> Code:
        """Translate `selected()` of an answer or a column. If both are missing, it is true."""
        if self.kind(option) not in ("choice", "text") or (self.kind(option) == "text" and option not in present):
            raise Untranslatable("selected() needs the name of one choice")
        is_one = self.kind(name.name) == "choice"
        text = f"{name.name} == {option}" if is_one else f"{option} in {self._list(name)}"
        if option in present:
            return Code(text, "bool", COMPARISON, frozenset({name.name}))
        has_a, has_b = presence(name.name), presence(option)
        return Code(f"{has_a} && {has_b} && {text} || !{has_a} && !{has_b}", "bool", OR)

    def _list(self, name: Name) -> str:
        """Return the choices in an answer, or the words of a text."""
        if (kind := self.kind(name.name)) not in ("choices", "choice", "text"):
            raise Untranslatable(f"{name.name} is not a choice")
        return name.name if kind == "choices" else f"{name.name}.words()"

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
        first, second = self._as_number(first, left, present), self._as_number(second, right, present)
        whole = first.kind == second.kind == "int" and op != "/"
        if op == "%" and not whole:
            return _remainder(as_double(first), as_double(second))
        first, second = (first, second) if whole else (as_double(first), as_double(second))
        level = SUM if op in "+-" else PRODUCT
        text = f"{first.parenthesize(level)} {op} {second.parenthesize(level + 1)}"
        kind = "int" if whole else "double"
        return Code(text, kind, level, needs_of(first, second), partial=first.partial or second.partial)

    def _if(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        if len(args) != 3:
            raise Untranslatable("if() needs three arguments")
        args = _merge_outcomes(*args)
        asked = self.condition(args[0], present, safe=True)
        then = self.value(args[1], present | asked.proves)
        if args[2] == _EMPTY and tests_only_presence(args[0]) and asked.proves <= then.needs:
            return then  # Without these answers, it has no value anyway.
        if args[2] == _EMPTY and then.kind not in TEXTS:
            return _value_if(asked, then)
        if args[1] == _EMPTY:
            other = self.value(args[2], present)
            if other.kind not in TEXTS:
                return _value_if(Code(f"!{asked.parenthesize(NOT)}", "bool", NOT), other)
            return conditional(asked, then, other)
        return conditional(asked, then, self.value(args[2], present))

    def _coalesce(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name), other):
                asked = Code(presence(name), "bool", ATOM)
                return conditional(asked, self.value(args[0], present | {name}), self.value(other, present), {name})
            case (first, other) if self.value(first, present).kind in TEXTS:
                return self._if((Binary("!=", first, _EMPTY), first, other), present)
        raise Untranslatable("coalesce() is only supported with a field or a text, and one alternative")

    def _concat(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name),) if name in self.rows.inside:
                return join_rows(self, name, Code("''", "text", ATOM))
        parts = [self.as_text(arg, present) for arg in args]
        if not parts:
            raise Untranslatable("concat() has no arguments")
        text = " + ".join(part.parenthesize(SUM + (place > 0)) for place, part in enumerate(parts))
        return Code(text, "text", SUM if len(parts) > 1 else parts[0].level, needs_of(*parts))

    def as_text(self, node: Node, present: PresentFields, *, is_whole: bool = False) -> Code:
        """Translate to a text, which is empty if an answer is missing, or NaN if a number is computed from it.

        If the text is the whole result, XForms store nothing instead of NaN, and a date and time as it is.
        """
        if cases := self._text_cases(node, present, is_whole=is_whole):
            return cases
        found = self.value(node, present)
        text = found.text if is_whole and found.kind == "datetime" else _write_text(found)
        if missing := sorted(found.needs - present):
            if found.partial:
                raise Untranslatable("a part of a text might be missing")
            asked = " && ".join(presence(name) for name in missing)
            is_computed = isinstance(node, Binary) or (isinstance(node, Call) and node.name in _COMPUTED)
            without = "'NaN'" if is_computed and not is_whole and found.kind in (*NUMBERS, DAYS) else "''"
            return Code(f"({asked} ? {text} : {without})", "text", ATOM)
        return Code(text, "text", found.level if found.kind in TEXTS and text == found.text else ATOM, found.needs)

    def _text_cases(self, node: Node, present: PresentFields, *, is_whole: bool) -> Code | None:
        """Translate each outcome of `if()` and `coalesce()` of its own, because one of them may be missing."""
        match node:
            case Call("if", (asked, then, other)):
                asked, then, other = _merge_outcomes(asked, then, other)
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

    def _count_selected(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name),) if self.kind(name) == "choice":
                return Code("1" if name in present else f"({presence(name)} ? 1 : 0)", "int", ATOM)
            case (Name(name) as one,) if self.kind(name) in ("choices", "text"):
                size = Code(f"size({self._list(one)})", "int", ATOM, frozenset({name}))
                return size if name in present else Code(f"({presence(name)} ? {size.text} : 0)", "int", ATOM)
            case (Call() as inner,):
                return Code(f"size({self.as_text(inner, present).parenthesize(ATOM)}.words())", "int", ATOM)
        raise Untranslatable("the size of anything but an answer is not supported")

    def _text_length(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name),) if self.kind(name) in ("text", "choice"):
                size = Code(f"size({name})", "int", ATOM, frozenset({name}))
                return size if name in present else Code(f"({presence(name)} ? size({name}) : 0)", "int", ATOM)
            case (inner,):
                return Code(f"size({self.as_text(inner, present).text})", "int", ATOM)
        raise Untranslatable("string-length() needs one argument")

    def _int(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = self.number(_single(args), present)
        if found.kind == "int":
            return found
        if "number(" in found.text:  # NaN is not an integer in CEL.
            text = f"({found.text} < 0.0 ? ceil({found.text}) : floor({found.text}))"
            return Code(text, "double", ATOM, found.needs, partial=found.partial)
        return Code(f"int({found.text})", "int", ATOM, found.needs, partial=found.partial)

    def _number(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        return self.number(_single(args), present)

    def _string(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = self.value(_single(args), present)
        return Code(_write_text(found), "text", ATOM, found.needs, partial=found.partial)


def _remainder(value: Code, divisor: Code) -> Code:
    # A division by zero is no number.
    partial = value.partial or divisor.partial or not re.fullmatch(r"-?[\d.]*[1-9][\d.]*", divisor.text)
    text = f"remainder({value.text}, {divisor.text})"
    return Code(text, "double", ATOM, needs_of(value, divisor), partial=partial)


def _single(args: tuple[Node, ...]) -> Node:
    if len(args) != 1:
        raise Untranslatable("a conversion needs one argument")
    return args[0]


def _write_text(code: Code) -> str:
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


def _value_if(asked: Code, value: Code) -> Code:
    """Write a value that is missing if a condition is false: the index of a list with one item is then out of range."""
    return Code(f"[{value.text}][{asked.parenthesize(OR)} ? 0 : 1]", value.kind, ATOM, value.needs, partial=True)


def _merge_outcomes(asked: Node, then: Node, other: Node) -> tuple[Node, Node, Node]:
    """Join the conditions of consecutive cases with the same literal, because rules cannot nest many cases."""
    while isinstance(then, Text | Number) and isinstance(other, Call) and other.name == "if" and len(other.args) == 3:
        again, same, rest = other.args
        if same != then:
            break
        asked, other = Binary("or", asked, again), rest
    return asked, then, other


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
