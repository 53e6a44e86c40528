"""Translates rules from CEL to XPath, as far as XPath can express them.

In CEL, a rule that reads a missing answer fails and counts as false; in XPath, a missing answer is an empty text. Where
that would make the condition true, the XPath first tests whether the answer exists.
"""

from collections.abc import Mapping, Sequence

from formwright.domain.forms.xlsform.rule_tables import RuleTables
from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARISON,
    LAST_SAVED_PREFIX,
    OR,
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
    counted_rows,
    fails_only_if_missing,
    is_row_item,
    is_word,
    names_in_tree,
    never_fails,
    optional_equality,
    point_text,
    tests_item,
    tests_presence,
)
from formwright.domain.forms.xlsform.type_coercion import needs_of
from formwright.domain.forms.xlsform.xpath_dates import translate_date_part, translate_decimal_date
from formwright.domain.forms.xlsform.xpath_literals import choice_column, quote_xpath, to_full_match
from formwright.domain.forms.xlsform.xpath_operations import (
    CONVERSIONS,
    NUMBER_FUNCTIONS,
    TEXT_FUNCTIONS,
    calculate,
    call_function,
    convert,
    require_complete,
    require_order,
)
from formwright.domain.forms.xlsform.xpath_rows import PLAIN, PresentFields, RowPaths, RowTranslator

_OPPOSITE = {"and": "or", "or": "and", "==": "!=", "!=": "=="}
_LEVELS = {"and": AND, "or": OR}
_OPERATORS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FUNCTIONS = {"contains": "contains", "startsWith": "starts-with", "endsWith": "ends-with", "matches": "regex"}
_DATES = ("date", "datetime")
_MEASURES = {"line": "distance", "area": "perimeter"}
XPATH = "xpath of points"
"""The name of a call whose argument is the XPath of a number, which always has a value."""
RenamedOptions = Mapping[str, Mapping[str, str]]
"""New values of renamed options: by field, the new value for each old one."""


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
        self._rows = RowTranslator(rows or RowPaths(), self._kind, self.value)

    def condition(self, node: Node, present: PresentFields = frozenset(), *, negated: bool = False) -> Code:
        """Translate a condition, or its opposite if `negated`. The XPath is false if an answer is missing."""
        match node:
            # Before other conditions with these operators: together, its parts are one comparison in XPath.
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
            leaf = require_complete(leaf)
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
            case Binary("-" | "/") if found := translate_decimal_date(node, self.value):
                return found
            case Binary("+" | "-" | "*" | "/" | "%" as op, left, right):
                return calculate(op, self.value(left, present), self.value(right, present))
            case Call("if", (asked, then, other)):
                return self._if(node, asked, then, other, present)
            case Call():
                for translate in (self._text_value, self._rows.translate, self._function_value):
                    if found := translate(node, present):
                        return found
        return self._choose(node, Text("true"), Text("false"), present, "bool")

    def _text_value(self, node: Call, present: PresentFields) -> Code | None:
        """Translate texts and their sizes, and words of texts. None for others."""
        match node:
            case Call("size", (Name(name),)):
                return self._size(name)
            case Call("size", (Call("words", (inner,)),)):
                return self._apply("count-selected({})", "int", inner, present)
            case Call("size", (Call() | Binary() as inner,)) if self.value(inner, present).kind in TEXTS:
                return self._apply("string-length({})", "int", inner, present)
            case Call("words", (inner,)):
                on = require_complete(self.value(inner, present))
                return Code(on.text, "choices", on.level, on.needs)
            case Call("join", (Name(name), Text(" "))) if self._kind(name) == "choices":
                return Code(self._reference(name), "text", ATOM, frozenset({name}))
            case Call("substring" | "_milliseconds") if found := translate_date_part(node, self.value):
                return found
            case Call("coordinate", (Name(name), Number(place))) if self._kind(name) == "place":
                text = f"number(selected-at({self._reference(name)}, {place}))"
                return Code(text, "double", ATOM, frozenset({name}))
            case Call("selected-at", (words, index)):
                return self._selected_at(words, index, present)
            case Call("_table", (key, *texts)) if self._tables is not None:
                return self._look_up(key, texts, self._tables, present)
            case Call("replace", (inner, Text(before), Text(after))) if len(before) == 1 >= len(after):
                on = require_complete(self.value(inner, present))
                text = f"translate({on.text}, {quote_xpath(before)}, {quote_xpath(after)})"
                return Code(text, "text", ATOM, on.needs)
        return None

    def _function_value(self, node: Call, present: PresentFields) -> Code | None:
        """Translate other functions that XPath has. None for others."""
        match node:
            case Call(name, (inner,)) if name in CONVERSIONS:
                return convert(name, self.value(inner, present))
            case Call("number", (inner,)):
                return self._apply("number({})", "double", inner, present)
            case Call("daysBetween", (Text("1970-01-01"), day)) if self.value(day, present).kind in _DATES:
                return self._apply("number({})", "int", day, present)
            case Call(name, (Text(text),)) if name == XPATH:
                return Code(text, "double", SUM if " + " in text else ATOM)
            case Call("random" | "uuid" as name, ()):
                return Code(f"{name}()", "double" if name == "random" else "text", ATOM)
            case Call("today" | "now" as name, ()):
                return Code(f"{name}()", "date" if name == "today" else "datetime", ATOM)
            case Call("remainder", (value, divisor)):
                return calculate("%", self.value(value, present), self.value(divisor, present))
            case Call(name, args) if name in NUMBER_FUNCTIONS or name in TEXT_FUNCTIONS:
                return call_function(name, [require_complete(self.value(one, present)) for one in args])
        return None

    def _apply(self, call: str, kind: str, argument: Node, present: PresentFields) -> Code:
        """Return a call of an XPath function, such as `number({})`, with an argument that always has a value."""
        on = require_complete(self.value(argument, present))
        return Code(call.format(on.text), kind, ATOM, on.needs)

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
            case Binary("in", word, Call("words", (inner,))) if is_word(word):
                on, one = require_complete(self.value(inner)), self.value(word)
                return Code(f"selected({on.text}, {one.text})", "bool", ATOM, on.needs), False
            case Binary("in", Name(name), ListLiteral(values)) if values:
                parts = [self._translate_leaf(Binary("==", Name(name), one))[0].text for one in values]
                return Code(" or ".join(parts), "bool", OR if len(parts) > 1 else COMPARISON, frozenset({name})), False
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
                on = require_complete(self.value(inner))
                return Code(f"regex({on.text}, {quote_xpath(to_full_match(pattern))})", "bool", ATOM, on.needs), True
            case Call(name, (inner, part)) if name in _FUNCTIONS and name != "matches":
                on, with_ = require_complete(self.value(inner)), require_complete(self.value(part))
                return Code(f"{_FUNCTIONS[name]}({on.text}, {with_.text})", "bool", ATOM, needs_of(on, with_)), True
            case Name(name) if self._kind(name) == "bool":
                truth = quote_xpath(self._renamed_option(name, "true"))
                return Code(f"{self._reference(name)} = {truth}", "bool", COMPARISON, frozenset({name})), False
        raise Untranslatable("XPath has no equivalent of this condition")

    def _compare(self, op: str, left: Node, right: Node) -> tuple[Code, bool]:
        left, right = self._rename_option(left, right), self._rename_option(right, left)
        first, second = self.value(left), self.value(right)
        if op == "!=" or not (is_row_item(left) or is_row_item(right)):
            first, second = require_complete(first), require_complete(second)
        if op not in ("==", "!="):
            first, second = require_order(first, second), require_order(second, first)
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

    def _size(self, name: str) -> Code:
        counted = {"choices": "count-selected", "rows": "count"}.get(self._kind(name), "string-length")
        if self._kind(name) not in (*TEXTS, "choices", "rows"):
            raise Untranslatable(f"XPath cannot determine the size of {name}")
        return Code(f"{counted}({self._reference(name)})", "int", ATOM, frozenset({name}))

    def _if_answered(self, name: str, then: Node, other: Node) -> Code | None:
        """Translate the value of an answer if there is one, which XPath expresses in other ways."""
        kind, here = self._kind(name), self._reference(name)
        words = Call("join", (Name(name), Text(" ")))
        if other == Text("") and (
            (then in (Name(name), Call("string", (Name(name),))) and kind in PLAIN)
            or (then == words and kind == "choices")
        ):
            return Code(here, "text", ATOM)
        if other == Text("") and isinstance(then, Call) and then.name == "_table" and then.args[0] == Name(name):
            return Code(self.value(then).text, "text", ATOM)  # No row has an empty key.
        if other == Number("0") and then == Call("size", (Name(name),)):
            return Code(self._size(name).text, "int", ATOM)
        is_one = then == Number("1") and kind == "choice"
        if other == Number("0") and (is_one or then == Call("size", (Call("words", (Name(name),)),))):
            return Code(f"count-selected({here})", "int", ATOM)
        if other in (Number("0"), Number("0.0")) and (inner := counted_rows(then)) is not None:
            return Code(self.value(inner).text, "int" if other == Number("0") else "double", ATOM)
        measures = [Call(measure, (Name(name),)) for measure in ("area", _MEASURES.get(kind, "area"))]
        if other == Number("0.0") and then in measures:
            return Code(self.value(then).text, "double", ATOM)
        if isinstance(other, Text | Number) and then == Name(name) and kind in PLAIN:
            fallback = self.value(other).text
            return Code(f"coalesce({here}, {fallback})", kind, ATOM)
        return None

    def _selected_at(self, words: Node, index: Node, present: PresentFields) -> Code:
        on, at = self.value(words, present), require_complete(self.value(index, present))
        if at.kind != "int" or (on.kind != "choices" and not isinstance(words, Text)):
            raise Untranslatable("it reads one item of an answer")
        return Code(f"selected-at({on.text}, {at.text})", "text", ATOM, needs_of(on, at))

    def _look_up(self, key: Node, texts: Sequence[Node], tables: RuleTables, present: PresentFields) -> Code:
        """Translate a look-up in a table, which is empty in XPath for keys that the table does not have."""
        found = self.value(key, present)
        rows = {key.value: text for key, text in zip(texts[::2], texts[1::2], strict=True) if isinstance(key, Text)}
        if 2 * len(rows) < len(texts) or found.kind not in TEXTS:
            raise Untranslatable("XPath only has tables of texts")
        fixed = tuple((value, text.value) for value, text in rows.items() if isinstance(text, Text))
        labels = tables.write_labels(key, found.text, rows)
        xpath = labels or (tables.write(key, found.text, fixed) if fixed else "''")
        for value, text in rows.items():
            if not isinstance(text, Text) and not labels:
                if self.value(text, present).kind != "text":
                    raise Untranslatable("XPath only has tables of texts")
                asked = f"{found.text} = {quote_xpath(tables.value_of(key, value))}"
                xpath = f"if({asked}, {self._translate_outcome(text, present)}, {xpath})"
        return Code(xpath, "text", ATOM, found.needs, partial=not tables.covers(key, rows.keys()))

    def _if(self, node: Node, asked: Node, then: Node, other: Node, present: PresentFields) -> Code:
        """Translate `?:`, and what XPath writes in another way."""
        match asked, then, other:
            case Binary("<", number, _), Call("ceil", (one,)), Call("floor", (another,)) if number == one == another:
                return self._apply("int({})", "double", number, present)
            case _, Call("selected-at", (words, index)), Text("") if tests_item(asked, words, index):
                return Code(self._selected_at(words, index, present).text, "text", ATOM)
            case Binary("=="), _, _ if tests_presence(asked, then) and isinstance(other, Number):
                return Code(f"coalesce({self.value(then, present).text}, {other.text})", "double", ATOM)
            case _ if is_row_item(node):
                return self.value(then, present)  # XPath reads the first row for the one before it.
            case Call("answered", (Name(name),)), _, _ if found := self._if_answered(name, then, other):
                return found
        kind = self.value(then, present).kind
        if kind == "bool":
            raise Untranslatable("the results of a condition are true and false")
        return self._choose(asked, then, other, present, kind)

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
