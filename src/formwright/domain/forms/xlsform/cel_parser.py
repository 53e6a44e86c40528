"""Parses the part of CEL that can be translated to XPath."""

import re
from decimal import Decimal

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
    TokenStream,
    Untranslatable,
)

_TOKEN = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\|\||&&|==|!=|<=|>=|[<>+\-*/%!?:.,()\[\]{}]""",
    re.ASCII,
)
_ROWS = re.compile(r"\b([A-Za-z]\w*)\.filter\(r, has\(r\.(\w+)\)\)\.map\(r, r\.\2\)", re.ASCII)
"""All answers of a field in a repeat, as the import writes them."""
_FILLED = re.compile(r"\bsize\(([A-Za-z]\w*)\.filter\(r, has\(r\.(\w+)\)\)\)", re.ASCII)
"""The number of answers to a field in a repeat."""
_TEXTS = re.compile(
    r"\b([A-Za-z]\w*)\.map\(r, has\(r\.(\w+)\) \? (?:r\.\2|string\(r\.\2\)|r\.\2\.substring\(0, 10\)) : ''\)", re.ASCII
)
"""All answers of a field in a repeat as texts, which are empty if they are missing."""
_DEEP = re.compile(
    r"\bsum\(([A-Za-z]\w*)\.filter\(r, has\(r\.(\w+)\)\)\.map\(r, (?:(size)\(r\.\2\)"
    r"|(sum|size)\(r\.\2\.filter\(s, has\(s\.(\w+)\)\)(?:\.map\(s, s\.\5\))?\))\)\)",
    re.ASCII,
)
"""The number of rows, of answers, or the sum of the answers in rows of rows."""
_ITEM = re.compile(
    r"\b(?:int|double|bool|string)\(([A-Za-z]\w*)\[((?:position\(\w+\)|[^\[\]()])+) - 1\]\.(\w+)\)", re.ASCII
)
"""An answer in one row of a repeat, as the import writes it."""
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">=", "in"), ("+", "-"), ("*", "/", "%"))
_OPERATORS = {"||": "or", "&&": "and"}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?"}


def parse_cel(text: str) -> Node:
    """Return the syntax tree. Raises `Untranslatable` for anything that XPath has no equivalent for."""
    text = _TEXTS.sub(r"_texts(\1, \2)", _DEEP.sub(_name_deep, _FILLED.sub(r"_filled(\1, \2)", text)))
    text = _ITEM.sub(r"_item(\3, \1, \2)", _ROWS.sub(r"_rows(\1, \2)", text))
    words = TokenStream.tokenize(text, _TOKEN)
    tree = _parse_expression(words)
    if words.peek:
        raise Untranslatable(f"{words.peek!r} is not supported here")
    return tree


def _name_deep(found: re.Match[str]) -> str:
    outer, inner, _, function, name = found.groups()
    if not function:
        return f"_deep_count({outer}, {inner})"
    return f"_deep_{'sum' if function == 'sum' else 'filled'}({outer}, {name})"


def _parse_expression(words: TokenStream) -> Node:
    words.enter()
    tree = _parse_binary(words, 0)
    if words.accept("?"):
        then = _parse_expression(words)
        words.expect(":")
        tree = Call("if", (tree, then, _parse_expression(words)))
    words.depth -= 1
    return tree


def _parse_binary(words: TokenStream, level: int) -> Node:
    if level == len(_LEVELS):
        return _parse_unary(words)
    tree = _parse_binary(words, level + 1)
    while op := words.accept(*_LEVELS[level]):
        tree = Binary(_OPERATORS.get(op, op), tree, _parse_binary(words, level + 1))
    return tree


def _parse_unary(words: TokenStream) -> Node:
    if words.accept("!"):
        words.enter()
        return Call("not", (_parse_unary(words),))
    if words.accept("-"):
        words.enter()
        tree = _parse_unary(words)
        return Number(f"-{tree.text}") if isinstance(tree, Number) else Binary("-", Number("0"), tree)
    return _parse_postfix(words, _parse_primary(words))


def _parse_postfix(words: TokenStream, tree: Node) -> Node:
    while words.accept("."):
        name = words.take()
        if tree == Name("option") and words.peek != "(":
            tree = Name(f"option.{name}")
        elif tree == Name("lastSaved"):
            tree = Name(f"{LAST_SAVED_PREFIX}{name}")
        elif tree == Name("answered"):
            tree = Call("answered", (Name(name),))
        elif words.accept("("):
            tree = Call(name, (tree, *_parse_arguments(words, ")")))
        else:
            raise Untranslatable("it reads a part of an answer")
    return _parse_index(words, tree) if words.accept("[") else tree


def _parse_index(words: TokenStream, tree: Node) -> Node:
    """Parse an index, which the import uses for `selected-at()`, `if()` without an alternative, and tables."""
    index = _parse_expression(words)
    words.expect("]")
    match tree, index:
        case Name() | Call("words", _), _:
            return Call("selected-at", (tree, index))
        case Call("_map", pairs), _:
            return Call("_table", (index, *pairs))
        case ListLiteral((value,)), Call("if", (asked, Number("0"), Number("1"))):
            return Call("if", (asked, value, Text("")))
    raise Untranslatable("it reads one item of an answer")


def _parse_primary(words: TokenStream) -> Node:
    word = words.take()
    if word == "(":
        tree = _parse_expression(words)
        words.expect(")")
        return tree
    if word == "{":
        return Call("_map", _parse_pairs(words))
    if word == "[":
        return ListLiteral(_parse_arguments(words, "]"))
    if word[:1] in ("'", '"') and word:
        return Text(re.sub(r"\\(.)", _unescape, word[1:-1]))
    if word[:1].isdecimal():
        return Number(word if "e" not in word.lower() else f"{Decimal(word):f}")
    if word in ("true", "false"):
        return Boolean(word == "true")
    if not re.fullmatch(r"[A-Za-z_]\w*", word):
        raise Untranslatable(f"{word!r} is not supported here" if word else "it is incomplete")
    if not words.accept("("):
        return Name(word)
    match word, _parse_arguments(words, ")"):
        case "has", (Name(name),) if name.startswith(LAST_SAVED_PREFIX):
            return Call("answered", (Name(name),))
        case _, args:
            return Call(word, args)


def _parse_pairs(words: TokenStream) -> tuple[Node, ...]:
    """Parse the keys of a map, each followed by its value."""
    found: list[Node] = []
    while words.peek != "}":
        found.append(_parse_expression(words))
        words.expect(":")
        found.append(_parse_expression(words))
        if not words.accept(","):
            break
    words.expect("}")
    return tuple(found)


def _parse_arguments(words: TokenStream, end: str) -> tuple[Node, ...]:
    args = []
    while words.peek != end:
        args.append(_parse_expression(words))
        if not words.accept(","):
            break
    words.expect(end)
    return tuple(args)


def _unescape(match: re.Match[str]) -> str:
    if match[1] not in _ESCAPES:
        raise Untranslatable(f"the escape {match[0]} is not supported")
    return _ESCAPES[match[1]]
