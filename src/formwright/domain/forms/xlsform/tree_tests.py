"""Questions about syntax trees of CEL: which answers they need, and which patterns of the import they are."""

from collections.abc import Callable

from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, ListLiteral, Name, Node, Number, Text
from formwright.domain.forms.xlsform.type_coercion import is_number
from formwright.domain.forms.xlsform.xpath_parser import ROW_COLUMN

ARITHMETIC = ("+", "-", "*", "/", "%")


def optional_items(node: Node) -> list[Node]:
    """Return the items of lists that are added, each of them empty if its answer is missing. Nothing for others."""
    match node:
        case Binary("+", left, right):
            first, second = optional_items(left), optional_items(right)
            return [*first, *second] if first and second else []
        case Call("if", (asked, ListLiteral((value,)), ListLiteral(()))) if tests_presence(asked, value):
            return [value]
        case ListLiteral((value,)):
            return [value]
    return []


def tests_presence(asked: Node, value: Node) -> bool:
    """Whether a condition only tests that answers exist, and that a value is not NaN."""
    match asked:
        case Call("answered", _):
            return True
        case Binary("==", left, right):
            return left == right == value
        case Binary("and", left, right):
            return tests_presence(left, value) and tests_presence(right, value)
    return False


def tests_item(asked: Node, words: Node, index: Node) -> bool:
    """Whether a condition only tests that there is an item with this index, which `selected-at()` does not need."""
    match asked:
        case Call("answered", (Name(name),)):
            return name in names_in_tree(words)  # With a missing number, XPath returns the first item.
        case Binary(">=", left, Number("0")):
            return left == index
        case Binary("<", left, Call("size", (right,))):
            return left == index and (right == words or isinstance(words, Text))
        case Binary("and", left, right):
            return tests_item(left, words, index) and tests_item(right, words, index)
    return False


def is_row_item(node: Node) -> bool:
    """Whether this is an answer in one row of a repeat. If it is missing, comparisons with it are false, as in CEL."""
    match node:
        case Call("_item", _):
            return True
        case Call("if", (Binary(">", Call("position", _), Number("1")), Call("_item", (item, *_)), other)):
            return item == other
    return False


def optional_equality(node: Node) -> tuple[str, str, str] | None:
    """Return the operands and the operator if two answers are compared that may both be missing, and are then equal."""
    match node:
        case Binary("and", Binary("==", Call("answered", (Name(a),)), Call("answered", (Name(b),))), rest):
            same = Binary("or", Call("not", (Call("answered", (Name(a),)),)), Binary("==", Name(a), Name(b)))
            return (a, "==", b) if rest == same else None
        case Binary("or", Binary("!=", Call("answered", (Name(a),)), Call("answered", (Name(b),))), rest):
            different = Binary("and", Call("answered", (Name(a),)), Binary("!=", Name(a), Name(b)))
            return (a, "!=", b) if rest == different else None
    return None


def never_fails(node: Node, present: frozenset[str]) -> bool:
    """Whether a condition has a value whichever answers are missing, given that those in `present` exist."""
    if optional_equality(node):
        return True
    match node:
        case Call("answered", _):
            return True
        case Binary("and", left, right):
            return never_fails(left, present) and never_fails(right, present | proves(left))
        case Binary("or", left, right):
            return never_fails(left, present) and never_fails(right, present)
        case Call("not", (inner,)):
            return never_fails(inner, present)
    return names_in_tree(node) <= present


def proves(node: Node) -> frozenset[str]:
    match node:
        case Call("answered", (Name(name),)):
            return frozenset({name})
        case Binary("and", left, right):
            return proves(left) | proves(right)
    return frozenset()


def fails_only_if_missing(node: Node) -> bool:
    """Whether a condition fails if and only if an answer that it names is missing."""
    match node:
        case Binary("and" | "or", _, _) | Call("answered" | "if", _):
            return False
        case Call("not", (inner,)):
            return fails_only_if_missing(inner)
    return not contains(node, lambda part: isinstance(part, Call) and part.name in ("answered", "if"))


def names_in_tree(node: Node) -> frozenset[str]:
    """Return the names of all fields in the tree."""
    match node:
        case Name(name):
            return frozenset({name})
        case Call("position" | "rowCount", _):
            return frozenset()  # They name a repeat, but read no answer.
    return frozenset[str]().union(*map(names_in_tree, parts_of(node)))


def point_text(node: Node) -> str:
    """Return the field with the coordinates if this is a point that is read from a text, or an empty text."""
    match node:
        case Call("_map", (_, Call("number", (Call("selected-at", (Call("words", (Name(name),)), _)),)), *_)):
            return name if node == _read_point(name) else ""
    return ""


def _read_point(name: str) -> Node:
    words = Call("words", (Name(name),))
    latitude, longitude = (Call("number", (Call("selected-at", (words, Number(place))),)) for place in ("0", "1"))
    return Call("_map", (Text("latitude"), latitude, Text("longitude"), longitude))


def draws_chance(node: Node) -> bool:
    """Whether an expression has another value each time."""
    return contains(node, lambda part: isinstance(part, Call) and part.name in ("random", "uuid", "once"))


def finds_row_by(node: Node, name: str) -> bool:
    """Whether an expression reads a column of the row that the answer of a field identifies."""
    return contains(
        node, lambda part: isinstance(part, Call) and part.name == ROW_COLUMN and name in names_in_tree(part.args[2])
    )


def joins_texts(node: Node) -> bool:
    """Whether an expression has an operand of `+` that is a literal text, and no number."""
    return contains(node, lambda part: isinstance(part, Binary) and part.op == "+" and _has_word(part))


def _has_word(node: Node) -> bool:
    return any(isinstance(part, Text) and not is_number(part.value) for part in parts_of(node))


def calls_function(node: Node, name: str) -> bool:
    return contains(node, lambda part: isinstance(part, Call) and part.name == name)


def replace_calls(node: Node, name: str, by: Callable[[tuple[Node, ...]], Node]) -> Node:
    """Return the tree with other expressions instead of the calls of a function. `by` returns them by the arguments."""
    return replace_parts(node, lambda part: by(part.args) if isinstance(part, Call) and part.name == name else None)


def replace_parts(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return the tree with what `change` returns instead of its parts, the innermost first, unless that is None."""
    match node:
        case Call(name, args):
            node = Call(name, tuple(replace_parts(arg, change) for arg in args))
        case Binary(op, left, right):
            node = Binary(op, replace_parts(left, change), replace_parts(right, change))
    changed = change(node)
    return node if changed is None else changed


def contains(node: Node, test: Callable[[Node], bool]) -> bool:
    """Whether a test holds for any part of the tree."""
    return test(node) or any(contains(part, test) for part in parts_of(node))


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the operands, arguments or items."""
    match node:
        case Call(_, args) | ListLiteral(args):
            return args
        case Binary(_, left, right):
            return left, right
    return ()


def is_numeric(node: Node) -> bool:
    return isinstance(node, Number) or (isinstance(node, Binary) and node.op in ARITHMETIC)


def counted_rows(node: Node) -> Node | None:
    """Return a number of rows or answers, or a sum of them, which is 0 in XPath without rows. None for others."""
    match node:
        case Call("int", (Call("_deep_count" | "_deep_filled", _),)) | Call("_filled" | "_deep_sum", _):
            return node
    return None


def is_word(node: Node) -> bool:
    """Whether this is a column of choices, or a text that is a single word."""
    return (isinstance(node, Name) and node.name.startswith("option.")) or (
        isinstance(node, Text) and node.value.split() == [node.value]
    )
