"""CEL into XPath, for what the two share.

In CEL a rule that asks for an answer that is not there fails, and so is false; in XPath the answer is an empty text.
Where that would make the XPath true, it first asks whether the answer is there.
"""

from collections.abc import Mapping

from formwright.domain.forms.xlsform.syntax_tree import (
    AND,
    ATOM,
    COMPARED,
    NUMBERS,
    OR,
    PRODUCT,
    SUM,
    TEXTS,
    Call,
    Code,
    Items,
    Kinds,
    Name,
    Node,
    Number,
    Pair,
    Text,
    Truth,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import needs_of

_OPPOSITE = {"and": "or", "or": "and"}
_LEVELS = {"and": AND, "or": OR}
_SIGNS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_ASKED = {"contains": "contains", "startsWith": "starts-with", "endsWith": "ends-with", "matches": "regex"}
_CONVERSIONS = {"int": "int", "double": "number", "string": "string"}
Known = frozenset[str]
Values = Mapping[str, Mapping[str, str]]
"""Of choices whose options had to be renamed: by field, the new value for the old."""


class ToXPath:
    """Turns rules of one field, `me`, which XPath calls `.` in a constraint."""

    def __init__(self, kinds: Kinds, me: str | None, values: Values) -> None:
        self._kinds, self._me, self._values = kinds, me, values

    def condition(self, node: Node, known: Known = frozenset(), *, turned: bool = False) -> Code:
        """What is true when the node is, or, `turned`, when its opposite is: false where an answer is missing."""
        match node:
            case Truth(given):
                return Code("true()" if given != turned else "false()", "bool", ATOM)
            case Pair("and" | "or" as op, left, right):
                return self._joined(_OPPOSITE[op] if turned else op, left, right, known, turned=turned)
            case Call("not", (inner,)):
                return self.condition(inner, known, turned=not turned)
            case Pair("==" | "!=" as op, Name() as name, Truth(given)) if self._kind(name.name) == "bool":
                return self.condition(name, known, turned=turned ^ given ^ (op == "=="))
            case Call("answered", (Name(name),)):
                text = f"not({self._there(name)})" if turned and self._kind(name) == "rows" else self._there(name)
                text = text.replace("!=", "=") if turned else text
                return Code(text, "bool", COMPARED, proves=frozenset(() if turned else (name,)))
            case Call("if", (asked, then, other)):
                first = Pair("and", asked, Call("not", (then,)) if turned else then)
                second = Pair("and", Call("not", (asked,)), Call("not", (other,)) if turned else other)
                return self.condition(Pair("or", first, second), known)
        leaf, loose = self._leaf(node)
        if turned:
            leaf = Code(f"not({leaf.text})", "bool", ATOM, leaf.needs)
        return self._guarded(leaf, known) if loose or turned else leaf

    def value(self, node: Node, known: Known = frozenset()) -> Code:
        """What it comes to; `needs` are the answers that have to be there."""
        match node:
            case Name(name):
                return Code(self._name(name), self._kind(name), ATOM, frozenset({name}))
            case Text(text):
                return Code(quoted(text), "text", ATOM, literal=text)
            case Number(text):
                return Code(text, "double" if "." in text else "int", ATOM)
            case Pair("+" | "-" | "*" | "/" | "%" as op, left, right):
                return self._sum(op, self.value(left, known), self.value(right, known))
            case Call("size", (Name(name),)):
                return self._size(name)
            case Call(name, (inner,)) if name in _CONVERSIONS:
                return self._converted(name, self.value(inner, known))
            case Call("if", (asked, then, other)):
                return self._if(asked, then, other, known)
        return self._chosen(node, Text("true"), Text("false"), known, "bool")

    def calculation(self, node: Node) -> str:
        """The whole of a calculated answer: none where one that it needs is missing."""
        found = self.value(node)
        if not found.needs:
            return found.text
        return f"if({self._presence(found.needs)}, {found.text}, '')"

    def _joined(self, op: str, left: Node, right: Node, known: Known, *, turned: bool) -> Code:
        first = self.condition(left, known, turned=turned)
        second = self.condition(right, known | first.proves if op == "and" else known, turned=turned)
        level = _LEVELS[op]
        text = f"{first.within(level)} {op} {second.within(level)}"
        return Code(text, "bool", level, proves=first.proves | second.proves if op == "and" else frozenset())

    def _leaf(self, node: Node) -> tuple[Code, bool]:
        """The condition, and whether it might be true for want of an answer."""
        match node:
            case Pair("in", Text(text), Name(name)) if self._kind(name) == "choices":
                option = quoted(self._option(name, text))
                return Code(f"selected({self._name(name)}, {option})", "bool", ATOM, frozenset({name})), False
            case Pair("in", Name(name), Items(values)) if values:
                parts = [self._leaf(Pair("==", Name(name), one))[0].text for one in values]
                return Code(" or ".join(parts), "bool", OR if len(parts) > 1 else COMPARED, frozenset({name})), False
            case Pair("==" | "!=" as op, Name(name), Items((Text(text),))) if self._kind(name) == "choices":
                text = f"{self._name(name)} {_SIGNS[op]} {quoted(self._option(name, text))}"
                return Code(text, "bool", COMPARED, frozenset({name})), op == "!="
            case Pair(op, left, right) if op in _SIGNS:
                return self._compared(op, left, right)
            case Call("matches", (inner, Text(pattern))):
                on = _whole(self.value(inner))
                return Code(f"regex({on.text}, {quoted(in_whole(pattern))})", "bool", ATOM, on.needs), True
            case Call(name, (inner, part)) if name in _ASKED and name != "matches":
                on, with_ = _whole(self.value(inner)), _whole(self.value(part))
                return Code(f"{_ASKED[name]}({on.text}, {with_.text})", "bool", ATOM, needs_of(on, with_)), True
            case Name(name) if self._kind(name) == "bool":
                return Code(f"{self._name(name)} = 'true'", "bool", COMPARED, frozenset({name})), False
        raise Untranslatable("XPath has no such condition")

    def _compared(self, op: str, left: Node, right: Node) -> tuple[Code, bool]:
        left, right = self._options(left, right), self._options(right, left)
        first, second = _whole(self.value(left)), _whole(self.value(right))
        if op not in ("==", "!="):
            first, second = _in_order(first, second), _in_order(second, first)
        elif "bool" in (first.kind, second.kind) and first.kind != second.kind:
            raise Untranslatable("yes or no is compared with something else")
        text = f"{first.within(COMPARED + 1)} {_SIGNS[op]} {second.within(COMPARED + 1)}"
        needs = needs_of(first, second)
        sized = "string-length(" in text or "count" in text
        loose = op == "!=" or sized or "''" in (first.text, second.text) or len(needs) > 1
        return Code(text, "bool", COMPARED, needs), loose

    def _options(self, node: Node, beside: Node) -> Node:
        if isinstance(node, Text) and isinstance(beside, Name):
            return Text(self._option(beside.name, node.value))
        return node

    def _option(self, name: str, value: str) -> str:
        return self._values.get(name, {}).get(value, value)

    def _guarded(self, leaf: Code, known: Known) -> Code:
        missing = leaf.needs - known
        if not missing:
            return leaf
        return Code(f"{self._presence(missing)} and {leaf.within(AND)}", "bool", AND, proves=missing)

    def _presence(self, names: Known) -> str:
        return " and ".join(self._there(name) for name in sorted(names))

    def _there(self, name: str) -> str:
        return f"count({self._name(name)}) > 0" if self._kind(name) == "rows" else f"{self._name(name)} != ''"

    def _name(self, name: str) -> str:
        self._kind(name)
        return "." if name == self._me else f"${{{name}}}"

    def _kind(self, name: str) -> str:
        if name not in self._kinds:
            raise Untranslatable(f"{name} is no answer that XPath could see")
        return self._kinds[name]

    def _sum(self, op: str, left: Code, right: Code) -> Code:
        needs = needs_of(_whole(left), _whole(right))
        if left.kind in TEXTS and right.kind in TEXTS and op == "+":
            first = left.text[7:-1] if left.text.startswith("concat(") else left.text
            return Code(f"concat({first}, {right.text})", "text", ATOM, needs)
        if left.kind not in NUMBERS or right.kind not in NUMBERS:
            raise Untranslatable(f"{op} is about things that XPath does not add")
        level = SUM if op in "+-" else PRODUCT
        sign = {"/": "div", "%": "mod"}.get(op, op)
        text = f"{left.within(level)} {sign} {right.within(level + 1)}"
        kind = "double" if "double" in (left.kind, right.kind) else "int"
        if op == "/" and kind == "int":
            return Code(f"int({text})", "int", ATOM, needs)
        return Code(text, kind, level, needs)

    def _size(self, name: str) -> Code:
        counted = {"choices": "count-selected", "rows": "count"}.get(self._kind(name), "string-length")
        if self._kind(name) not in (*TEXTS, "choices", "rows"):
            raise Untranslatable(f"the size of {name} is nothing that XPath knows")
        return Code(f"{counted}({self._name(name)})", "int", ATOM, frozenset({name}))

    def _converted(self, name: str, inner: Code) -> Code:
        inner, kind = _whole(inner), {"int": "int", "double": "double", "string": "text"}[name]
        if name == "double" and inner.kind in NUMBERS:
            return Code(inner.text, kind, inner.level, inner.needs)  # XPath's numbers are all of this kind.
        return Code(f"{_CONVERSIONS[name]}({inner.text})", kind, ATOM, inner.needs)

    def _if(self, asked: Node, then: Node, other: Node, known: Known) -> Code:
        kind = self.value(then, known).kind
        if kind == "bool":
            raise Untranslatable("one of two truths is calculated")
        return self._chosen(asked, then, other, known, kind)

    def _chosen(self, asked: Node, then: Node, other: Node, known: Known, kind: str) -> Code:
        """One or the other; none where the condition, or the one that is taken, comes to nothing."""
        if kind == "bool" and is_plain(asked):
            first = self.condition(asked, known | needed(asked))
            return Code(f"if({first.text}, 'true', 'false')", kind, ATOM, needed(asked))
        first = self.condition(asked, known)
        yes, no = self._outcome(then, known | first.proves), self._outcome(other, known)
        if _sure(asked, known):
            return Code(f"if({first.text}, {yes}, {no})", kind, ATOM, partial=True)
        against = self.condition(asked, known, turned=True).text
        return Code(f"if({first.text}, {yes}, if({against}, {no}, ''))", kind, ATOM, partial=True)

    def _outcome(self, node: Node, known: Known) -> str:
        found = self.value(node, known)
        missing = found.needs - known
        return f"if({self._presence(missing)}, {found.text}, '')" if missing else found.text


def needed(node: Node) -> Known:
    """All answers that it names."""
    match node:
        case Name(name):
            return frozenset({name})
        case Pair(_, left, right):
            return needed(left) | needed(right)
        case Call(_, args) | Items(args):
            return frozenset[str]().union(*map(needed, args))
    return frozenset()


def quoted(text: str) -> str:
    """The text as XPath writes it; it knows no escapes, so one that holds both quotes cannot be written."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    raise Untranslatable("XPath cannot write a text that holds both kinds of quotes")


def in_whole(pattern: str) -> str:
    """A pattern that may match anywhere, for one that has to match the whole text."""
    if pattern.startswith("^(?:") and pattern.endswith(")$"):
        return pattern[4:-2]
    return f".*(?:{pattern}).*"


def _whole(code: Code) -> Code:
    """What is there whenever the answers that it needs are."""
    if code.partial:
        raise Untranslatable("one of two outcomes, which may be missing, is used further")
    return code


def _in_order(code: Code, other: Code) -> Code:
    """A side of `<` or `>`, which XPath has for numbers and days alone."""
    if code.kind in NUMBERS or (code.kind in ("date", "time") and other.kind == code.kind):
        return code
    if other.kind == "date" and code.literal is not None:
        return Code(f"date({code.text})", "date", ATOM)
    if code.kind == "date" and other.literal is not None:
        return code
    raise Untranslatable("XPath orders numbers and days alone")


def _sure(node: Node, known: Known) -> bool:
    """Whether a condition comes to something whatever is missing, beside what is `known` to be there."""
    match node:
        case Call("answered", _):
            return True
        case Pair("and", left, right):
            return _sure(left, known) and _sure(right, known | _proves(left))
        case Pair("or", left, right):
            return _sure(left, known) and _sure(right, known)
        case Call("not", (inner,)):
            return _sure(inner, known)
    return needed(node) <= known


def _proves(node: Node) -> Known:
    match node:
        case Call("answered", (Name(name),)):
            return frozenset({name})
        case Pair("and", left, right):
            return _proves(left) | _proves(right)
    return frozenset()


def is_plain(node: Node) -> bool:
    """Whether a condition fails exactly where one of the answers it names is missing."""
    match node:
        case Pair("and" | "or", _, _) | Call("answered" | "if", _):
            return False
        case Call("not", (inner,)):
            return is_plain(inner)
    return True
