"""Converts the syntax tree of a rule to the operations of XPath. Loops over rows, as the import writes them, become one
operation each, such as `_filled(rows, price)` for the number of answers.
"""

from decimal import Decimal
from functools import reduce

from formwright.domain.forms.rules import syntax
from formwright.domain.forms.xlsform.syntax_tree import (
    LAST_SAVED_PREFIX,
    Binary,
    Boolean,
    Call,
    ListLiteral,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)

_OPERATORS = {"||": "or", "&&": "and"}
_PREFIXES = {"option": "option.", "lastSaved": LAST_SAVED_PREFIX}
"""What the names of properties of these variables begin with."""
_COORDINATES = {"latitude": "0", "longitude": "1"}
"""The places of the parts of a location in its text."""


def parse_cel(rule: str) -> Node:
    """Return the syntax tree. Raises `Untranslatable` for anything that XPath has no equivalent for."""
    return _convert(syntax.parse(rule))


def _convert(node: syntax.Node) -> Node:
    match node:
        case syntax.Node("name", name):
            return Name(name)
        case syntax.Node("string", text):
            return Text(text)
        case syntax.Node("value", text):
            return _convert_literal(text)
        case syntax.Node("!-", signs, (inner,)):
            return reduce(_apply_sign, reversed(signs), _convert(inner))
        case syntax.Node("select", name, (inner,)):
            return _convert_property(name, inner)
        case syntax.Node("index", _, (of, index)):
            return _convert_index(_convert(of), _convert(index))
        case syntax.Node("call", "has", (syntax.Node("select", name, (syntax.Node("name", "lastSaved"),)),)):
            return Call("answered", (Name(f"{LAST_SAVED_PREFIX}{name}"),))
        case syntax.Node("?:", _, (syntax.Node("call", "has", (asked,)), read, syntax.Node("value", "0.0"))) if (
            asked == read
        ):
            match read:
                case syntax.Node("select", "accuracy", (syntax.Node("name", name),)):
                    return Call("coordinate", (Name(name), Number("3")))
    # Before the parts are converted, most of which have no equivalent of their own in XPath.
    if found := _find_loop(node):
        name, *words = found
        return Call(name, tuple(map(Name, words)))
    if item := _find_item(node) or _find_item_text(node):
        name, repeat, number = item
        called = "_item_text" if node.op == "?:" else "_item"
        return Call(called, (Name(name), Name(repeat), _convert(number)))
    args = tuple(map(_convert, node.args))
    match node.op:
        case "list":
            return ListLiteral(args)
        case "call" | "method":
            return _convert_substring(*args) if node.text == "substring" else Call(node.text, args)
        case "map":
            return Call("_map", args)
        case "?:":
            return _text_after(*args) or _milliseconds(*args) or _whole_number(*args) or Call("if", args)
    return reduce(lambda left, right: Binary(_OPERATORS.get(node.op, node.op), left, right), args)


def _convert_literal(text: str) -> Node:
    if text in ("true", "false"):
        return Boolean(text == "true")
    if text == "null":
        raise Untranslatable("null is not supported here")
    if text[:2].lower() == "0x":
        return Number(str(int(text, 16)))
    if "e" not in text.lower():
        return Number(text)
    plain = f"{Decimal(text):f}"
    return Number(plain if "." in plain else f"{plain}.0")


def _apply_sign(node: Node, sign: str) -> Node:
    if sign == "!":
        return Call("not", (node,))
    return Number(f"-{node.text}") if isinstance(node, Number) else Binary("-", Number("0"), node)


def _convert_property(name: str, of: syntax.Node) -> Node:
    if of == syntax.Node("name", "answered"):
        return Call("answered", (Name(name),))
    if of.op == "name" and of.text not in _PREFIXES and name in _COORDINATES:
        return Call("coordinate", (Name(of.text), Number(_COORDINATES[name])))
    if of.op != "name" or of.text not in _PREFIXES:
        raise Untranslatable("it reads a part of an answer")
    return Name(f"{_PREFIXES[of.text]}{name}")


def _convert_index(tree: Node, index: Node) -> Node:
    """Convert an index, which the import uses for `selected-at()`, `if()` without an alternative, and tables."""
    match tree, index:
        case Name("answered"), Text(name):
            return Call("answered", (Name(name),))
        case Name() | Call("words", _), _:
            return Call("selected-at", (tree, index))
        case Call("_map", pairs), _:
            return Call("_table", (index, *pairs))
        case ListLiteral((value,)), Call("if", (asked, Number("0"), Number("1"))):
            return Call("if", (asked, value, Text("")))
        case ListLiteral(values), _ if words := [one.value for one in values if isinstance(one, Text)]:
            if len(words) == len(values) and all(word.split() == [word] for word in words):
                return Call("selected-at", (Text(" ".join(words)), index))
    raise Untranslatable("it reads one item of an answer")


def _convert_substring(text: Node, *bounds: Node) -> Node:
    """Convert a part of a text. Negative positions are before its start in CEL, and counted from its end in XPath."""
    match bounds:
        case (Number("0"), Call("indexOf", (same, part))) if same == text:
            return Call("substring-before", (text, part))
    return Call("substring", (text, *(_convert_bound(text, one) for one in bounds)))


def _convert_bound(text: Node, bound: Node) -> Node:
    size = Call("size", (text,))
    match bound:
        case Number(digits):
            return Number("0" if digits.startswith("-") else digits)
        case Binary("-", left, Number(digits)) if left == size:
            return Number(f"-{digits}")
        case Call("if", (Binary("<", one, Number("0")), Binary("+", left, other), same)) if left == size:
            return one if one == other == same else bound
        case Binary("+", Call("indexOf", _), Call("size", _)) | Call("size", _):
            return bound
    return Call("if", (Binary("<", bound, Number("0")), Number("0"), bound))


def _text_after(asked: Node, then: Node, other: Node) -> Node | None:
    """Return `substring-after()` for what the import writes for it. None for other cases."""
    match asked, then, other:
        case (
            Call("contains", (text, part)),
            Call("substring", (of, Binary("+", Call("indexOf", at), Call("size", size)))),
            Text(""),
        ) if at == (of, part) == (text, part) and size == (part,):
            return Call("substring-after", (text, part))
    return None


def _whole_number(asked: Node, then: Node, other: Node) -> Node | None:
    """Return the whole number of one that may be NaN, or 0. None for other cases."""
    match asked, then, other:
        case Binary("==", one, same), Call("int", (number,)), Number("0") if one == same == number:
            return Call("int", (Call("if", (asked, number, other)),))
    return None


def _milliseconds(asked: Node, then: Node, other: Node) -> Node | None:
    """Return the call for what the import writes for the milliseconds of a time. None for other cases."""
    match asked, then, other:
        case Binary("==", Call("substring", (time, *_)), Text(".")), Call("substring", (same, *_)), Text("000") if (
            time == same
        ):
            return Call("_milliseconds", (time,))
    return None


def _find_loop(node: syntax.Node) -> tuple[str, str, str] | None:
    """Return the operation for a loop over the rows of a repeat, with the repeat and the field. None for others."""
    match node:
        case syntax.Node("call", "size", (rows,)) if (found := _answered_rows(rows)) and found[0].op == "name":
            return "_filled", found[0].text, found[1]
        case syntax.Node("call", "sum", (syntax.Node("method", "map", (rows, syntax.Node("name", row), inner)),)) if (
            found := _answered_rows(rows)
        ) and (deep := _find_inner_loop(inner, row, found[1])):
            return deep[0], found[0].text, deep[1]
        case syntax.Node("method", "map", (syntax.Node("name", repeat), syntax.Node("name", row), text)) if (
            column := _text_column(text, row)
        ):
            return "_texts", repeat, column
    if (found := _answers(node)) and found[0].op == "name":
        return "_rows", found[0].text, found[1]
    return None


def _find_inner_loop(inner: syntax.Node, row: str, repeat: str) -> tuple[str, str] | None:
    """Return the operation for the rows of a repeat in a row, and what it counts or adds up."""
    rows = syntax.Node("select", repeat, (syntax.Node("name", row),))
    match inner:
        case syntax.Node("call", "size", (counted,)) if counted == rows:
            return "_deep_count", repeat
        case syntax.Node("call", "size", (counted,)) if (found := _answered_rows(counted)) and found[0] == rows:
            return "_deep_filled", found[1]
        case syntax.Node("call", "sum", (added,)) if (found := _answers(added)) and found[0] == rows:
            return "_deep_sum", found[1]
    return None


def _answers(node: syntax.Node) -> tuple[syntax.Node, str] | None:
    """Return rows and a field for `rows.filter(r, has(r.field)).map(r, r.field)`."""
    match node:
        case syntax.Node("method", "map", (rows, syntax.Node("name", row), read)) if found := _answered_rows(rows):
            return found if _column(read, row) == found[1] else None
    return None


def _answered_rows(node: syntax.Node) -> tuple[syntax.Node, str] | None:
    """Return rows and a field for `rows.filter(r, has(r.field))`."""
    match node:
        case syntax.Node("method", "filter", (of, syntax.Node("name", row), syntax.Node("call", "has", (read,)))):
            return (of, column) if (column := _column(read, row)) else None
    return None


def _text_column(node: syntax.Node, row: str) -> str:
    """Return the field for `has(r.field) ? r.field : ''`, whose answer may be converted to a text."""
    match node:
        case syntax.Node("?:", _, (syntax.Node("call", "has", (asked,)), read, syntax.Node("string", ""))):
            match read:
                case syntax.Node("call", "string", (inner,)) | syntax.Node(
                    "method", "join", (inner, syntax.Node("string", " "))
                ):
                    read = inner
                case syntax.Node("method", "substring", (inner, syntax.Node("value", "0"), syntax.Node("value", "10"))):
                    read = inner
            return _column(read, row) if read == asked else ""
    return ""


def _find_item(node: syntax.Node) -> tuple[str, str, syntax.Node] | None:
    """Return field, repeat and number for an answer in one row: `int(rows[position(rows) - 1].price)`, or
    `rows[1 - 1].tools.join(' ')` for a multiple choice.
    """
    match node:
        case syntax.Node("call", "int" | "double" | "bool" | "string", (read,)):
            pass
        case syntax.Node("method", "join", (read, syntax.Node("string", " "))):
            pass
        case _:
            return None
    match read:
        case syntax.Node("select", name, (syntax.Node("index", _, (syntax.Node("name", repeat), index)),)):
            match index:
                case syntax.Node("-", _, (number, syntax.Node("value", "1"))):
                    return name, repeat, number
                case syntax.Node("?:", _, (_, syntax.Node("-", _, (number, _)), syntax.Node("value", "0"))):
                    return name, repeat, number  # XPath reads the first row for numbers below 1.
    return None


def _find_item_text(node: syntax.Node) -> tuple[str, str, syntax.Node] | None:
    """Return the same for an answer in one row as a text, which is empty if there is none."""
    match node:
        case syntax.Node("?:", _, (asked, read, syntax.Node("string", ""))):
            asked = _before_own_row(asked.args[-1] if asked.op == "&&" else asked)
            read = _before_own_row(read.args[0]) if read.text == "string" and read.args[0].op != "select" else read
        case _:
            return None
    match asked:
        case syntax.Node("method", "exists", (syntax.Node("list", _, (row,)), syntax.Node("name", each), test)):
            match test:
                case syntax.Node("call", "has", (answer,)) if name := _column(answer, each):
                    same = syntax.Node("call", "int", (syntax.Node("select", name, (row,)),))
                    return item if (item := _find_item(_before_own_row(read))) == _find_item(same) else None
    return None


def _before_own_row(node: syntax.Node) -> syntax.Node:
    """Return what is read in the row before, which the first row does not have."""
    match node:
        case syntax.Node("?:", _, (syntax.Node(">", _, (syntax.Node("call", "position"), _)), before, _)):
            return before
    return node


def _column(node: syntax.Node, row: str) -> str:
    """Return the name of the field if this is the answer in a row, or an empty text."""
    match node:
        case syntax.Node("select", name, (syntax.Node("name", of),)) if of == row:
            return name
    return ""
