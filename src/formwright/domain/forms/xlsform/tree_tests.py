"""Questions about syntax trees of CEL: which answers they need, and which patterns of the import they are."""

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
    return True


def names_in_tree(node: Node) -> frozenset[str]:
    """Return the names of all fields in the tree."""
    match node:
        case Name(name):
            return frozenset({name})
        case Binary(_, left, right):
            return names_in_tree(left) | names_in_tree(right)
        case Call("position" | "rowCount", _):
            return frozenset()  # They name a repeat, but read no answer.
        case Call(_, args) | ListLiteral(args):
            return frozenset[str]().union(*map(names_in_tree, args))
    return frozenset()


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
    match node:
        case Call("random" | "uuid", _):
            return True
        case Call(_, args):
            return any(map(draws_chance, args))
        case Binary(_, left, right):
            return draws_chance(left) or draws_chance(right)
    return False


def finds_row_by(node: Node, name: str) -> bool:
    """Whether an expression reads a column of the row that the answer of a field identifies."""
    match node:
        case Call(called, (_, _, value, _)) if called == ROW_COLUMN:
            return name in names_in_tree(value)
        case Call(_, args):
            return any(finds_row_by(arg, name) for arg in args)
        case Binary(_, left, right):
            return finds_row_by(left, name) or finds_row_by(right, name)
    return False


def calls_uuid(node: Node) -> bool:
    return replace_uuid(node, Text("")) != node


def replace_uuid(node: Node, by: Node) -> Node:
    match node:
        case Call("uuid", ()):
            return by
        case Call(called, args):
            return Call(called, tuple(replace_uuid(arg, by) for arg in args))
        case Binary(op, left, right):
            return Binary(op, replace_uuid(left, by), replace_uuid(right, by))
    return node


def joins_texts(node: Node) -> bool:
    """Whether an expression has an operand of `+` that is a literal text, and no number."""
    match node:
        case Binary("+", left, right) if any(
            isinstance(side, Text) and not is_number(side.value) for side in (left, right)
        ):
            return True
        case Binary(_, left, right):
            return joins_texts(left) or joins_texts(right)
        case Call(_, args):
            return any(map(joins_texts, args))
    return False


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
