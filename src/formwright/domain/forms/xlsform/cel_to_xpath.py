"""Translates rules from CEL to XPath, as far as XPath can express them.

In CEL, a rule that reads a missing answer fails and counts as false; in XPath, a missing answer is an empty text. Where
that would make the condition true, the XPath first tests whether the answer exists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from formwright.domain.forms.xlsform.rule_tables import RuleTables
from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARISON,
    LAST_SAVED_PREFIX,
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
    ListLiteral,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import (
    fails_only_if_missing,
    is_row_item,
    names_in_tree,
    never_fails,
    optional_equality,
    optional_items,
    point_text,
)
from formwright.domain.forms.xlsform.type_coercion import needs_of

_OPPOSITE = {"and": "or", "or": "and", "==": "!=", "!=": "=="}
_LEVELS = {"and": AND, "or": OR}
_OPERATORS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FUNCTIONS = {"contains": "contains", "startsWith": "starts-with", "endsWith": "ends-with", "matches": "regex"}
_CONVERSIONS = {"int": "int", "double": "number", "string": "string"}
_PLAIN = (*TEXTS, "int")
"""Kinds whose values XPath writes like CEL."""
_MEASURES = {"line": "distance", "area": "perimeter"}
_NUMBER_FUNCTIONS = ("round", "roundHalfUp", "abs", "pow", "sqrt", "daysBetween", "addDays")
_TEXT_FUNCTIONS = {"substring": "substr", "normalizeSpace": "normalize-space"}
_CHOICE_HEADINGS = frozenset(
    {
        "list_name",
        "name",
        "label",
        "image",
        "audio",
        "video",
        "media",
        "points",
        "value",
        "caption",
        "tag",
        "and",
        "or",
        "div",
        "mod",
    }
)
XPATH = "xpath of points"
"""The name of a call whose argument is the XPath of a number, which always has a value."""
PresentFields = frozenset[str]
RenamedOptions = Mapping[str, Mapping[str, str]]
"""New values of renamed options: by field, the new value for each old one."""


@dataclass(frozen=True, slots=True)
class RowPaths:
    """What rules know about repeats: the paths to the rows around the field by repeat, and the repeat and the kind of
    each field in other repeats, and of those in other rows of the repeats around it.
    """

    around: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    own: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class XPathTranslator:
    """Translates the rules of one field, `me`, which is `.` in the XPath of a constraint."""

    def __init__(
        self,
        kinds: Kinds,
        me: str | None,
        values: RenamedOptions,
        rows: RowPaths | None = None,
        tables: RuleTables | None = None,
    ) -> None:
        self._kinds, self._me, self._values, self._tables = kinds, me, values, tables
        self._rows = rows or RowPaths()

    def condition(self, node: Node, present: PresentFields = frozenset(), *, negated: bool = False) -> Code:
        """Translate a condition, or its opposite if `negated`. The XPath is false if an answer is missing."""
        match node:
            case Binary("and" | "or") if equal := optional_equality(node):
                a, op, b = equal
                sign = {"==": "=", "!=": "!="}[_OPPOSITE[op] if negated else op]
                return Code(f"{self._reference(a)} {sign} {self._reference(b)}", "bool", COMPARISON)
            case Boolean(given):
                return Code("true()" if given != negated else "false()", "bool", ATOM)
            case Binary("and" | "or" as op, left, right):
                return self._combine(_OPPOSITE[op] if negated else op, left, right, present, negated=negated)
            case Call("not", (inner,)):
                return self.condition(inner, present, negated=not negated)
            case Binary("==" | "!=" as op, Name() as name, Boolean(given)) if self._kind(name.name) == "bool":
                return self.condition(name, present, negated=negated ^ given ^ (op == "=="))
            case Call("answered", (Name(name),)):
                text = (
                    f"not({self._is_answered(name)})"
                    if negated and self._kind(name) == "rows"
                    else self._is_answered(name)
                )
                text = text.replace("!=", "=") if negated else text
                return Code(text, "bool", COMPARISON, proves=frozenset(() if negated else (name,)))
            case Call("if", (asked, then, other)):
                first = Binary("and", asked, Call("not", (then,)) if negated else then)
                second = Binary("and", Call("not", (asked,)), Call("not", (other,)) if negated else other)
                return self.condition(Binary("or", first, second), present)
        leaf, loose = self._translate_leaf(node)
        if negated:
            leaf = _require_complete(leaf)
            leaf = Code(f"not({leaf.text})", "bool", ATOM, leaf.needs)
        return self._guard(leaf, present) if loose or negated else leaf

    def value(self, node: Node, present: PresentFields = frozenset()) -> Code:
        """Translate an expression with a value. Its `needs` are the answers that must exist."""
        match node:
            case Name(name):
                return Code(self._reference(name), self._kind(name), ATOM, frozenset({name}))
            case Text(text):
                return Code(quote_xpath(text), "text", ATOM, literal=text)
            case Number(text):
                return Code(text, "double" if "." in text else "int", ATOM)
            case Binary("-" | "/") if found := self._decimal_date_time(node):
                return found
            case Binary("+" | "-" | "*" | "/" | "%" as op, left, right):
                return self._arithmetic(op, self.value(left, present), self.value(right, present))
            case Call("size", (Name(name),)):
                return self._size(name)
            case Call("size", (Call("words", (inner,)),)):
                on = _require_complete(self.value(inner, present))
                return Code(f"count-selected({on.text})", "int", ATOM, on.needs)
            case Call("size", (Call() | Binary() as inner,)) if self.value(inner, present).kind in TEXTS:
                on = _require_complete(self.value(inner, present))
                return Code(f"string-length({on.text})", "int", ATOM, on.needs)
            case Call("words", (inner,)):
                on = _require_complete(self.value(inner, present))
                return Code(on.text, "choices", on.level, on.needs)
            case Call("join", (Name(name), Text(" "))) if self._kind(name) == "choices":
                return Code(self._reference(name), "text", ATOM, frozenset({name}))
            case Call("substring", (Name(name), Number("0"), Number("10"))) if self._kind(name) == "datetime":
                return Code(f"date({self._reference(name)})", "date", ATOM, frozenset({name}))
            case Call("rowCount", (Name(repeat),)) if repeat in self._rows.around:
                return Code(f"count(${{{repeat}}})", "int", ATOM)
            case Call("_filled" | "_deep_count" | "_deep_filled" | "_deep_sum" as name, (Name(repeat), Name(column))):
                return self._count_rows(name, repeat, column)
            case Call("int", (Call("_deep_count" | "_deep_filled", _) as inner,)):
                return self.value(inner, present)
            case Call(name, (inner,)) if name in _CONVERSIONS:
                return self._conversion(name, self.value(inner, present))
            case Call("if", (Binary("<", number, _), Call("ceil", (one,)), Call("floor", (other,)))) if (
                number == one == other
            ):
                on = _require_complete(self.value(number, present))
                return Code(f"int({on.text})", "double", ATOM, on.needs)
            case Call("if", (_, row, _)) if is_row_item(node):
                return self.value(row, present)  # XPath reads the first row for the one before it.
            case Call("if", (Call("answered", (Name(name),)), then, other)) if found := self._if_answered(
                name, then, other
            ):
                return found
            case Call("if", (asked, then, other)):
                return self._if(asked, then, other, present)
            case Call("coordinate", (Name(name), Number(place))) if self._kind(name) == "place":
                text = f"number(selected-at({self._reference(name)}, {place}))"
                return Code(text, "double", ATOM, frozenset({name}))
            case Call("selected-at", (words, index)):
                return self._selected_at(words, index, present)
            case Call("number", (inner,)):
                on = _require_complete(self.value(inner, present))
                return Code(f"number({on.text})", "double", ATOM, on.needs)
            case Call("daysBetween", (Text("1970-01-01"), day)) if self.value(day, present).kind in (
                "date",
                "datetime",
            ):
                on = _require_complete(self.value(day, present))
                return Code(f"number({on.text})", "int", ATOM, on.needs)
            case Call(name, (Text(text),)) if name == XPATH:
                return Code(text, "double", SUM if " + " in text else ATOM)
            case Call("_table", (key, *texts)) if self._tables is not None:
                return self._look_up(key, texts, self._tables, present)
            case Call("random" | "uuid" as name, ()):
                return Code(f"{name}()", "double" if name == "random" else "text", ATOM)
            case Call("today" | "now" as name, ()):
                return Code(f"{name}()", "date" if name == "today" else "datetime", ATOM)
            case Call("position", (Name(repeat),)) if repeat in self._rows.around:
                return Code(f"position({self._rows.around[repeat]})", "int", ATOM)
            case Call("_item", (Name(name), Name(repeat), index)) if name in {**self._rows.inside, **self._rows.own}:
                return self._item(name, repeat, self.value(index, present))
            case Call("distance" | "perimeter" | "area" as name, (shape,)):
                return self._measure(name, shape, present)
            case Call("sum" | "min" | "max" | "join" as name, (rows, *rest)):
                return self._over_rows(name, rows, [self.value(one, present) for one in rest], present)
            case Call("replace", (inner, Text(before), Text(after))) if len(before) == 1 >= len(after):
                on = _require_complete(self.value(inner, present))
                return Code(
                    f"translate({on.text}, {quote_xpath(before)}, {quote_xpath(after)})", "text", ATOM, on.needs
                )
            case Call(name, args) if name in _NUMBER_FUNCTIONS or name in _TEXT_FUNCTIONS:
                return self._function(name, [_require_complete(self.value(one, present)) for one in args])
        return self._choose(node, Text("true"), Text("false"), present, "bool")

    def calculation(self, node: Node) -> str:
        """Translate a calculation. Its result is empty if an answer that it needs is missing."""
        if text := point_text(node):
            return self._reference(text)
        found = self.value(node)
        if not found.needs:
            return found.text
        return f"if({self._presence_test(found.needs)}, {found.text}, '')"

    def _combine(self, op: str, left: Node, right: Node, present: PresentFields, *, negated: bool) -> Code:
        first = self.condition(left, present, negated=negated)
        second = self.condition(right, present | first.proves if op == "and" else present, negated=negated)
        level = _LEVELS[op]
        text = f"{first.parenthesize(level)} {op} {second.parenthesize(level)}"
        return Code(text, "bool", level, proves=first.proves | second.proves if op == "and" else frozenset())

    def _translate_leaf(self, node: Node) -> tuple[Code, bool]:
        """Return the condition, and whether it might be true because an answer is missing."""
        match node:
            case Binary("in", Text(text), Name(name)) if self._kind(name) == "choices":
                option = quote_xpath(self._renamed_option(name, text))
                return Code(f"selected({self._reference(name)}, {option})", "bool", ATOM, frozenset({name})), False
            case Binary("in", Name(column), Name(name)) if (
                column.startswith("option.") or self._kind(column) == "choice"
            ) and self._kind(name) == "choices":
                text = f"selected({self._reference(name)}, {self._reference(column)})"
                needs = frozenset({name} if column.startswith("option.") else {name, column})
                return Code(text, "bool", ATOM, needs), len(needs) > 1
            case Binary("in", Text(text), Call("words", (inner,))) if text.split() == [text]:
                on = _require_complete(self.value(inner))
                return Code(f"selected({on.text}, {quote_xpath(text)})", "bool", ATOM, on.needs), False
            case Binary("in", Name(name), ListLiteral(values)) if values:
                parts = [self._translate_leaf(Binary("==", Name(name), one))[0].text for one in values]
                return Code(" or ".join(parts), "bool", OR if len(parts) > 1 else COMPARISON, frozenset({name})), False
            case Binary("==" | "!=" as op, Name(name), ListLiteral((Text(text),))) if self._kind(name) == "choices":
                text = f"{self._reference(name)} {_OPERATORS[op]} {quote_xpath(self._renamed_option(name, text))}"
                return Code(text, "bool", COMPARISON, frozenset({name})), op == "!="
            case Binary("==" | "!=" as op, Name(name), ListLiteral((Name(option),))) if (
                self._kind(name) == "choices" and self._kind(option) == "choice"
            ):
                text = f"{self._reference(name)} {_OPERATORS[op]} {self._reference(option)}"
                return Code(text, "bool", COMPARISON, frozenset({name, option})), True
            case Binary("==" | "!=" as op, Name(name), ListLiteral(several)) if (
                self._kind(name) == "choices" and several and all(isinstance(one, Text) for one in several)
            ):
                words = " ".join(self._renamed_option(name, one.value) for one in several if isinstance(one, Text))
                text = f"{self._reference(name)} {_OPERATORS[op]} {quote_xpath(words)}"
                return Code(text, "bool", COMPARISON, frozenset({name})), op == "!="
            case Binary(op, left, right) if op in _OPERATORS:
                return self._compare(op, left, right)
            case Call("matches", (inner, Text(pattern))):
                on = _require_complete(self.value(inner))
                return Code(f"regex({on.text}, {quote_xpath(to_full_match(pattern))})", "bool", ATOM, on.needs), True
            case Call(name, (inner, part)) if name in _FUNCTIONS and name != "matches":
                on, with_ = _require_complete(self.value(inner)), _require_complete(self.value(part))
                return Code(f"{_FUNCTIONS[name]}({on.text}, {with_.text})", "bool", ATOM, needs_of(on, with_)), True
            case Name(name) if self._kind(name) == "bool":
                truth = quote_xpath(self._renamed_option(name, "true"))
                return Code(f"{self._reference(name)} = {truth}", "bool", COMPARISON, frozenset({name})), False
        raise Untranslatable("XPath has no equivalent of this condition")

    def _compare(self, op: str, left: Node, right: Node) -> tuple[Code, bool]:
        left, right = self._rename_option(left, right), self._rename_option(right, left)
        first, second = self.value(left), self.value(right)
        if op == "!=" or not (is_row_item(left) or is_row_item(right)):
            first, second = _require_complete(first), _require_complete(second)
        if op not in ("==", "!="):
            first, second = _as_orderable(first, second), _as_orderable(second, first)
        elif "bool" in (first.kind, second.kind) and first.kind != second.kind:
            raise Untranslatable("a boolean is compared with another type of value")
        text = f"{first.parenthesize(COMPARISON + 1)} {_OPERATORS[op]} {second.parenthesize(COMPARISON + 1)}"
        needs = needs_of(first, second)
        sized = "string-length(" in text or "count" in text
        loose = (
            op == "!="
            or sized
            or "''" in (first.text, second.text)
            or len([name for name in needs if not name.startswith("option.")]) > 1
        )
        return Code(text, "bool", COMPARISON, needs, partial=first.partial or second.partial), loose

    def _rename_option(self, node: Node, beside: Node) -> Node:
        if isinstance(node, Text) and isinstance(beside, Name):
            return Text(self._renamed_option(beside.name, node.value))
        return node

    def _renamed_option(self, name: str, value: str) -> str:
        return self._values.get(name, {}).get(value, value)

    def _guard(self, leaf: Code, present: PresentFields) -> Code:
        missing = leaf.needs - present
        if not missing:
            return leaf
        return Code(f"{self._presence_test(missing)} and {leaf.parenthesize(AND)}", "bool", AND, proves=missing)

    def _presence_test(self, names: PresentFields) -> str:
        return " and ".join(self._is_answered(name) for name in sorted(names))

    def _is_answered(self, name: str) -> str:
        return f"count({self._reference(name)}) > 0" if self._kind(name) == "rows" else f"{self._reference(name)} != ''"

    def _reference(self, name: str) -> str:
        self._kind(name)
        if name.startswith("option."):
            column = name.partition(".")[2]
            return "name" if column == "value" else choice_column(column)
        if name.startswith(LAST_SAVED_PREFIX):
            return f"${{last-saved#{name.removeprefix(LAST_SAVED_PREFIX)}}}"
        return "." if name == self._me else f"${{{name}}}"

    def _kind(self, name: str) -> str:
        if name not in self._kinds:
            raise Untranslatable(f"{name} is not an answer that the rule can see")
        return self._kinds[name]

    def _arithmetic(self, op: str, left: Code, right: Code) -> Code:
        needs = needs_of(_require_complete(left), _require_complete(right))
        if left.kind in TEXTS and right.kind in TEXTS and op == "+":
            first = left.text[7:-1] if left.text.startswith("concat(") else left.text
            return Code(f"concat({first}, {right.text})", "text", ATOM, needs)
        if left.kind not in NUMBERS or right.kind not in NUMBERS:
            raise Untranslatable(f"XPath does not support {op} for these values")
        level = SUM if op in "+-" else PRODUCT
        sign = {"/": "div", "%": "mod"}.get(op, op)
        text = f"{left.parenthesize(level)} {sign} {right.parenthesize(level + 1)}"
        kind = "double" if "double" in (left.kind, right.kind) else "int"
        if op == "/" and kind == "int":
            return Code(f"int({text})", "int", ATOM, needs)
        return Code(text, kind, level, needs)

    def _size(self, name: str) -> Code:
        counted = {"choices": "count-selected", "rows": "count"}.get(self._kind(name), "string-length")
        if self._kind(name) not in (*TEXTS, "choices", "rows"):
            raise Untranslatable(f"XPath cannot determine the size of {name}")
        return Code(f"{counted}({self._reference(name)})", "int", ATOM, frozenset({name}))

    def _conversion(self, name: str, inner: Code) -> Code:
        inner, kind = _require_complete(inner), {"int": "int", "double": "double", "string": "text"}[name]
        if name == "double" and inner.kind in NUMBERS:
            return Code(inner.text, kind, inner.level, inner.needs)  # XPath has only this type of number.
        return Code(f"{_CONVERSIONS[name]}({inner.text})", kind, ATOM, inner.needs)

    def _if_answered(self, name: str, then: Node, other: Node) -> Code | None:
        """Translate the value of an answer if there is one, which XPath expresses in other ways."""
        if other == Text("") and then in (Name(name), Call("string", (Name(name),))) and self._kind(name) in _PLAIN:
            return Code(self._reference(name), "text", ATOM)
        if other == Text("") and then == Call("join", (Name(name), Text(" "))) and self._kind(name) == "choices":
            return Code(self._reference(name), "text", ATOM)
        if other == Text("") and isinstance(then, Call) and then.name == "_table" and then.args[0] == Name(name):
            return Code(self.value(then).text, "text", ATOM)  # No row has an empty key.
        if other == Number("0") and then == Call("size", (Name(name),)):
            return Code(self._size(name).text, "int", ATOM)
        if other == Number("0") and then == Call("size", (Call("words", (Name(name),)),)):
            return Code(f"count-selected({self._reference(name)})", "int", ATOM)
        if other == Number("0") and then == Number("1") and self._kind(name) == "choice":
            return Code(f"count-selected({self._reference(name)})", "int", ATOM)
        if other in (Number("0"), Number("0.0")) and (inner := _counted_rows(then)) is not None:
            return Code(self.value(inner).text, "int" if other == Number("0") else "double", ATOM)
        if other == Number("0.0") and then == Call(_MEASURES.get(self._kind(name), "area"), (Name(name),)):
            return Code(self._measure(then.name, Name(name), frozenset({name})).text, "double", ATOM)
        if other == Number("0.0") and then == Call("area", (Name(name),)):
            return Code(self._measure("area", Name(name), frozenset({name})).text, "double", ATOM)
        if isinstance(other, Text | Number) and then == Name(name) and self._kind(name) in _PLAIN:
            fallback = self.value(other).text
            return Code(f"coalesce({self._reference(name)}, {fallback})", self._kind(name), ATOM)
        return None

    def _selected_at(self, words: Node, index: Node, present: PresentFields) -> Code:
        on, at = self.value(words, present), _require_complete(self.value(index, present))
        if at.kind != "int" or (on.kind != "choices" and not isinstance(words, Text)):
            raise Untranslatable("it reads one item of an answer")
        return Code(f"selected-at({on.text}, {at.text})", "text", ATOM, needs_of(on, at))

    def _count_rows(self, name: str, repeat: str, column: str) -> Code:
        """Translate the number of rows or answers, or the sum of answers, also in rows of rows."""
        if self._kind(repeat) != "rows":
            raise Untranslatable(f"{repeat} is not a repeat")
        function = {"_deep_count": "count", "_deep_sum": "sum"}.get(name, "count-non-empty")
        kind = "double" if function == "sum" else "int"
        return Code(f"{function}(${{{column}}})", kind, ATOM, frozenset({repeat}))

    def _decimal_date_time(self, node: Node) -> Code | None:
        """Translate days since 1970 with the time of the day, or the difference of such numbers. None for others."""
        match node:
            case Binary("-", left, right):
                sides = self._decimal_date_time(left), self._decimal_date_time(right)
                return _subtract(*sides) if sides[0] and sides[1] else None
            case Call("double", (Call("daysBetween", (Text("1970-01-01"), day)),)):
                return self._decimal(day)
            case Binary("/", Call("double", (Binary("-", left, right),)), Number("86400.0")):
                return _subtract(self._decimal_seconds(left), self._decimal_seconds(right))
            case Binary("/", Call("double", (seconds,)), Number("86400.0")):
                return self._decimal_seconds(seconds)
        return None

    def _decimal_seconds(self, seconds: Node) -> Code | None:
        match seconds:
            case Call("int", (Call("timestamp", (Binary("+", Call("substring", (moment, *_)), Text("Z")),)),)):
                return self._decimal(moment)
            case Call("int", (Call("timestamp", (moment,)),)):
                return self._decimal(moment)
        return None

    def _decimal(self, date: Node) -> Code:
        on = _require_complete(self.value(date))
        return Code(f"decimal-date-time({on.text})", "double", ATOM, on.needs)

    def _function(self, name: str, args: list[Code]) -> Code:
        needs = needs_of(*args)
        if name in _TEXT_FUNCTIONS:
            text = f"{_TEXT_FUNCTIONS[name]}({', '.join(one.text for one in args)})"
            return Code(text, "text", ATOM, needs)
        if name == "daysBetween":
            start, end = (one.text for one in args)
            if "datetime" in (args[0].kind, args[1].kind):
                return Code(f"date({end}) - date({start})", "int", SUM, needs)
            return Code(f"round(decimal-date-time({end}) - decimal-date-time({start}))", "int", ATOM, needs)
        if name == "addDays":
            return Code(f"date({args[0].text} + {args[1].parenthesize(SUM + 1)})", "date", ATOM, needs)
        if name == "round" and not _is_positive(args[0]):
            # XPath rounds halves up.
            number, *digits = (one.text for one in args)
            above, below = (
                f"round({', '.join([one, *digits])})" for one in (number, f"0 - {args[0].parenthesize(SUM + 1)}")
            )
            return Code(f"if({args[0].parenthesize(SUM)} < 0, 0 - {below}, {above})", "double", ATOM, needs)
        kind = args[0].kind if name == "abs" else "double"
        name = "round" if name == "roundHalfUp" else name
        return Code(f"{name}({', '.join(one.text for one in args)})", kind, ATOM, needs)

    def _measure(self, name: str, shape: Node, present: PresentFields) -> Code:
        """Translate a length or an area. XPath adds the closing side of an area to its length."""
        points = shape.values if isinstance(shape, ListLiteral) else (shape,)
        found = [_require_complete(self.value(one, present)) for one in points]
        kinds = {"perimeter": ["area"], "area": ["area", "line"], "distance": ["line"]}[name]
        if isinstance(shape, ListLiteral):
            kinds = ["place"] if name == "distance" and len(found) > 1 else []
        if any(one.kind not in kinds for one in found):
            raise Untranslatable(f"XPath has no equivalent of this {name}")
        args = ", ".join(one.text for one in found)
        return Code(f"{'area' if name == 'area' else 'distance'}({args})", "double", ATOM, needs_of(*found))

    def _over_rows(self, name: str, rows: Node, rest: list[Code], present: PresentFields) -> Code:
        match rows:
            case Call("_rows", _) if name == "join":
                raise Untranslatable("XPath joins missing answers, too")
            case Call("_rows" | "_texts" as list_, (Name(repeat), Name(column))) if self._kind(repeat) == "rows" and (
                list_ == "_texts"
            ) == (name == "join"):
                args = [*(one.text for one in rest), f"${{{column}}}"]
                kind = "text" if name == "join" else "double"
                return Code(f"{name}({', '.join(args)})", kind, ATOM, frozenset({repeat}))
            case ListLiteral(values) if values:
                found = [*rest, *(_require_complete(self.value(one, present)) for one in values)]
                kind = "text" if name == "join" else "double"
                return Code(f"{name}({', '.join(one.text for one in found)})", kind, ATOM, needs_of(*found))
        if name in ("min", "max") and (optional := optional_items(rows)):
            # XPath ignores missing answers, too.
            texts = [_require_complete(self.value(one, present)).text for one in optional]
            return Code(f"{name}({', '.join(texts)})", "double", ATOM)
        raise Untranslatable(f"XPath has no equivalent of this {name}")

    def _look_up(self, key: Node, texts: Sequence[Node], tables: RuleTables, present: PresentFields) -> Code:
        """Translate a look-up in a table, which is empty in XPath for keys that the table does not have."""
        words = [text.value for text in texts if isinstance(text, Text)]
        found = self.value(key, present)
        if len(words) < len(texts) or found.kind not in TEXTS:
            raise Untranslatable("XPath only has tables of texts")
        pairs = tuple(zip(words[::2], words[1::2], strict=True))
        return Code(
            tables.write(key, found.text, pairs), "text", ATOM, found.needs, partial=not tables.covers(key, pairs)
        )

    def _item(self, name: str, repeat: str, index: Code) -> Code:
        around, kind = self._rows.inside.get(name) or self._rows.own[name]
        if around != repeat or kind not in (*_PLAIN, "double", "choices"):
            raise Untranslatable("it reads one item of an answer")
        text = f"indexed-repeat(${{{name}}}, ${{{repeat}}}, {index.text})"
        return Code(text, "text" if kind == "choices" else kind, ATOM, index.needs, partial=True)

    def _if(self, condition: Node, then: Node, other: Node, present: PresentFields) -> Code:
        kind = self.value(then, present).kind
        if kind == "bool":
            raise Untranslatable("the results of a condition are true and false")
        return self._choose(condition, then, other, present, kind)

    def _choose(self, condition: Node, then: Node, other: Node, present: PresentFields, kind: str) -> Code:
        """Translate `?:`. The result is empty if the condition, or the selected value, has no value."""
        if kind == "bool" and fails_only_if_missing(condition):
            first = self.condition(condition, present | names_in_tree(condition))
            return Code(f"if({first.text}, 'true', 'false')", kind, ATOM, names_in_tree(condition))
        first = self.condition(condition, present)
        yes, no = self._translate_outcome(then, present | first.proves), self._translate_outcome(other, present)
        if other == Text("") and kind not in TEXTS:
            return Code(f"if({first.text}, {yes}, '')", kind, ATOM, partial=True)
        if never_fails(condition, present):
            partial = any(self._may_be_missing(one, present | first.proves) for one in (then, other))
            return Code(f"if({first.text}, {yes}, {no})", kind, ATOM, partial=partial)
        against = self.condition(condition, present, negated=True).text
        return Code(f"if({first.text}, {yes}, if({against}, {no}, ''))", kind, ATOM, partial=True)

    def _may_be_missing(self, node: Node, present: PresentFields) -> bool:
        found = self.value(node, present)
        return found.partial or bool(found.needs - present)

    def _translate_outcome(self, node: Node, present: PresentFields) -> str:
        found = self.value(node, present)
        missing = found.needs - present
        return f"if({self._presence_test(missing)}, {found.text}, '')" if missing else found.text


def _subtract(left: Code | None, right: Code | None) -> Code | None:
    if not left or not right:
        return None
    return Code(f"{left.text} - {right.text}", "double", SUM, needs_of(left, right))


def _counted_rows(node: Node) -> Node | None:
    """Return a number of rows or answers, or a sum of them, which is 0 in XPath without rows. None for others."""
    match node:
        case Call("int", (Call("_deep_count" | "_deep_filled", _),)) | Call("_filled" | "_deep_sum", _):
            return node
    return None


def _is_positive(code: Code) -> bool:
    return code.text.startswith(("abs(", "distance(", "area(")) or code.text.replace(".", "").isdecimal()


def choice_column(name: str) -> str:
    """Return the heading of a column of options in the sheet `choices`, which uses some names itself."""
    return f"{name}_" if name.lower() in _CHOICE_HEADINGS else name


def quote_xpath(text: str) -> str:
    """Write a text as an XPath literal. There are no escapes, so a text with both kinds of quotes cannot be written."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    raise Untranslatable("XPath has no literal for a text with both kinds of quotes")


def to_full_match(pattern: str) -> str:
    """Convert a pattern that may match anywhere into one that must match the whole text."""
    if pattern.startswith("^(?:") and pattern.endswith(")$"):
        return pattern[4:-2]
    return f".*(?:{pattern}).*"


def _require_complete(code: Code) -> Code:
    """Return the code. Raises `Untranslatable` if it might have no value although the answers that it needs exist."""
    if code.partial:
        raise Untranslatable("the result of a condition, which may be missing, is used in an expression")
    return code


def _as_orderable(code: Code, other: Code) -> Code:
    """Return an operand of `<` or `>`, which XPath only defines for numbers and dates."""
    if code.kind in NUMBERS or (code.kind in ("date", "time") and other.kind == code.kind):
        return code
    if other.kind == "date" and code.literal is not None:
        return Code(f"date({code.text})", "date", ATOM)
    if code.kind == "date" and other.literal is not None:
        return code
    raise Untranslatable("XPath only orders numbers and dates")
