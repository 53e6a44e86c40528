"""Translates rules from XPath to CEL, as far as CEL can express them.

In XPath, a missing answer is an empty text, or not a number in numeric comparisons. In CEL, it is an error, which
makes a rule false. Where the two would differ (with `!=`, inside `not()` and `if()`), the CEL first tests whether the
answer exists.
"""

from collections.abc import Callable

from formwright.domain.forms.patterns import pattern_error
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
    as_double,
    cel_number,
    compare,
    conditional,
    is_number,
    needs_of,
    presence,
    quote_cel,
    tests_only_presence,
)
from formwright.domain.forms.xlsform.xpath_functions import FUNCTIONS, PresentFields, RowScope, date_difference

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


class Translator:
    """Translates the expressions of one field, which can refer to fields of these kinds, and to fields in rows."""

    def __init__(self, kinds: Kinds, rows: RowScope | None = None) -> None:
        self._kinds, self.rows = kinds, rows or RowScope()
        self._calls: dict[str, Callable[[tuple[Node, ...], PresentFields], Code]] = {
            "if": self._if, "concat": self._concat, "coalesce": self._coalesce, "string-length": self._text_length,
            "count-selected": self._length, "count": self._length, "int": self._int, "number": self._number,
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
            case Call("selected", (Name() as name, Text() as option)):
                return self._guard(self._selected(name, quote_cel(option.value)), present, safe=safe)
            case Call("selected", (Name() as name, Name() as column)) if column.name in present:
                return self._guard(self._selected(name, column.name), present, safe=safe)
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
                return self._arithmetic(op, self.value(left, present), self.value(right, present))
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
        if found.kind in NUMBERS:
            zero = "0" if found.kind == "int" else "0.0"
            leaf = Code(f"{found.parenthesize(SUM)} != {zero}", "bool", COMPARISON, found.needs, partial=found.partial)
            return self._guard(leaf, present, safe=safe)
        raise Untranslatable("a text is used as a condition")

    def _compare(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        try:
            return self._compare_operands(op, left, right, present, safe=safe)
        except Untranslatable:
            if cases := _compare_outcomes(op, left, right):
                return self.condition(cases, present, safe=safe)
            raise

    def _compare_operands(self, op: str, left: Node, right: Node, present: PresentFields, *, safe: bool) -> Code:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Number) and isinstance(other, Text) and not is_number(other.value):
                return Code("true" if op == "!=" else "false", "bool", ATOM)  # It is NaN in XPath.
            if other == _EMPTY and isinstance(one, Name) and op in ("==", "!="):
                self.kind(one.name)
                if one.name.startswith("option."):
                    break
                here = op == "!="
                text = f"{'' if here else '!'}{presence(one.name)}"
                return Code(text, "bool", NOT, proves=frozenset({one.name} if here else ()))
        if both := self._compare_optional_texts(op, left, right, present):
            return both
        leaf = compare(op, self.value(left, present), self.value(right, present), safe=safe)
        missing = sorted(leaf.needs - present)
        if op == "!=" and missing:
            if leaf.partial:
                raise Untranslatable("an operand of != might be missing")
            text = " || ".join([*(f"!{presence(name)}" for name in missing), leaf.text])
            return Code(text, "bool", OR)
        return self._guard(leaf, present, safe=safe)

    def _compare_optional_texts(self, op: str, left: Node, right: Node, present: PresentFields) -> Code | None:
        """Compare two texts that may both be missing, in which case they are equal."""
        if not isinstance(left, Name) or not isinstance(right, Name) or {left.name, right.name} & present:
            return None
        if op not in ("==", "!=") or not {self.kind(left.name), self.kind(right.name)} <= set(TEXTS):
            return None
        a, b = left.name, right.name
        has_a, has_b = presence(a), presence(b)
        if op == "==":
            return Code(f"{has_a} == {has_b} && (!{has_a} || {a} == {b})", "bool", AND)
        return Code(f"{has_a} != {has_b} || {has_a} && {a} != {b}", "bool", OR)

    def _guard(self, leaf: Code, present: PresentFields, *, safe: bool) -> Code:
        missing = sorted(leaf.needs - present)
        if not safe or not missing:
            return leaf
        if leaf.partial:
            raise Untranslatable("an operand inside not() or if() might be missing")
        text = " && ".join([*(presence(name) for name in missing), leaf.parenthesize(AND)])
        return Code(text, "bool", AND, proves=frozenset(missing))

    def _selected(self, name: Name, option: str) -> Code:
        kind, needs = self.kind(name.name), frozenset({name.name})
        if kind == "choices":
            return Code(f"{option} in {name.name}", "bool", COMPARISON, needs)
        if kind in ("choice", "text"):
            return Code(f"{name.name} == {option}", "bool", COMPARISON, needs)
        raise Untranslatable(f"selected() refers to {name.name}, which is not a choice")

    def _matches(self, inner: Node, pattern: str, present: PresentFields) -> Code:
        whole = f"^(?:{pattern})$"  # XPath matches the whole text, CEL any part of it.
        if reason := pattern_error(whole):
            raise Untranslatable(f"the regular expression is invalid: {reason}")
        on = self.value(inner, present)
        if on.kind == "int":
            on = Code(f"string({on.text})", "text", ATOM, on.needs, partial=on.partial)
        if on.kind not in TEXTS:
            raise Untranslatable("regex() is only supported for texts and whole numbers")
        return Code(f"{on.parenthesize(ATOM)}.matches({quote_cel(whole)})", "bool", ATOM, on.needs, partial=on.partial)

    def _arithmetic(self, op: str, left: Code, right: Code) -> Code:
        if op == "-" and {left.kind, right.kind} <= {"date", "datetime"}:
            return date_difference(left, right)
        if left.kind not in NUMBERS or right.kind not in NUMBERS:
            raise Untranslatable(f"{op} is only supported for numbers")
        whole = left.kind == right.kind == "int" and op != "/"
        if op == "%" and not whole:
            raise Untranslatable("mod is only supported for whole numbers")
        left, right = (left, right) if whole else (as_double(left), as_double(right))
        level = SUM if op in "+-" else PRODUCT
        text = f"{left.parenthesize(level)} {op} {right.parenthesize(level + 1)}"
        kind = "int" if whole else "double"
        return Code(text, kind, level, needs_of(left, right), partial=left.partial or right.partial)

    def _if(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        if len(args) != 3:
            raise Untranslatable("if() needs three arguments")
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
        raise Untranslatable("coalesce() is only supported with a field and one alternative")

    def _concat(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        parts = [self.as_text(arg, present) for arg in args]
        if not parts:
            raise Untranslatable("concat() has no arguments")
        text = " + ".join(part.parenthesize(SUM + (place > 0)) for place, part in enumerate(parts))
        return Code(text, "text", SUM if len(parts) > 1 else parts[0].level, needs_of(*parts))

    def as_text(self, node: Node, present: PresentFields) -> Code:
        """Translate to a text, which is empty if the answer is missing."""
        found = self.value(node, present)
        text = found.text if found.kind in TEXTS else f"string({found.text})"
        if found.kind not in (*TEXTS, *NUMBERS):
            raise Untranslatable("a value is used as a text that is not one")
        if missing := sorted(found.needs - present):
            if found.partial:
                raise Untranslatable("a part of a text might be missing")
            asked = " && ".join(presence(name) for name in missing)
            return Code(f"({asked} ? {text} : '')", "text", ATOM)
        return Code(text, "text", found.level if found.kind in TEXTS else ATOM, found.needs)

    def _length(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name),) if name in self.rows.inside:
                repeat = self.rows.inside[name][0]
                return Code(f"(answered.{repeat} ? size({repeat}) : 0)", "int", ATOM)
            case (Name(name),) if self.kind(name) in ("text", "choice", "choices", "rows"):
                size = Code(f"size({name})", "int", ATOM, frozenset({name}))
                return size if name in present else Code(f"({presence(name)} ? size({name}) : 0)", "int", ATOM)
        raise Untranslatable("the size of anything but an answer is not supported")

    def _text_length(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        match args:
            case (Name(name),) if self.kind(name) in ("text", "choice"):
                return self._length(args, present)
            case (inner,):
                return Code(f"size({self.as_text(inner, present).text})", "int", ATOM)
        raise Untranslatable("string-length() needs one argument")

    def _int(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = self._single_argument(args, present)
        return found if found.kind == "int" else self._conversion("int", found, "int")

    def _number(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = self._single_argument(args, present)
        return found if found.kind in NUMBERS else self._conversion("double", found, "double")

    def _string(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = self._single_argument(args, present)
        return found if found.kind in TEXTS else self._conversion("string", found, "text")

    def _single_argument(self, args: tuple[Node, ...], present: PresentFields) -> Code:
        if len(args) != 1:
            raise Untranslatable("a conversion needs one argument")
        return self.value(args[0], present)

    def _conversion(self, name: str, code: Code, kind: str) -> Code:
        if code.kind not in (*NUMBERS, "text", "choice"):
            raise Untranslatable("this value cannot be converted")
        return Code(f"{name}({code.text})", kind, ATOM, code.needs, partial=code.partial or code.kind in TEXTS)


def _value_if(asked: Code, value: Code) -> Code:
    """Write a value that is missing if a condition is false: the index of a list with one item is then out of range."""
    return Code(f"[{value.text}][{asked.parenthesize(OR)} ? 0 : 1]", value.kind, ATOM, value.needs, partial=True)


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
