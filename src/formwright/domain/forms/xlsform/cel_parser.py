"""CEL read into a tree, as far as XPath could say it."""

import re
from decimal import Decimal

from formwright.domain.forms.xlsform.syntax_tree import (
    Call,
    Items,
    Name,
    Node,
    Number,
    Pair,
    Text,
    Tokens,
    Truth,
    Untranslatable,
)

_WORD = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\|\||&&|==|!=|<=|>=|[<>+\-*/%!?:.,()\[\]]""",
    re.ASCII,
)
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">=", "in"), ("+", "-"), ("*", "/", "%"))
_SAME = {"||": "or", "&&": "and"}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?"}


def read_cel(text: str) -> Node:
    """The expression; `Untranslatable` where XPath has nothing like it."""
    words = Tokens.of(text, _WORD)
    tree = _whole(words)
    if words.next:
        raise Untranslatable(f"it cannot be read at {words.next!r}")
    return tree


def _whole(words: Tokens) -> Node:
    words.deeper()
    tree = _level(words, 0)
    if words.took("?"):
        then = _whole(words)
        words.need(":")
        tree = Call("if", (tree, then, _whole(words)))
    words.depth -= 1
    return tree


def _level(words: Tokens, level: int) -> Node:
    if level == len(_LEVELS):
        return _signed(words)
    tree = _level(words, level + 1)
    while op := words.took(*_LEVELS[level]):
        tree = Pair(_SAME.get(op, op), tree, _level(words, level + 1))
    return tree


def _signed(words: Tokens) -> Node:
    if words.took("!"):
        words.deeper()
        return Call("not", (_signed(words),))
    if words.took("-"):
        words.deeper()
        tree = _signed(words)
        return Number(f"-{tree.text}") if isinstance(tree, Number) else Pair("-", Number("0"), tree)
    return _methods(words, _one(words))


def _methods(words: Tokens, tree: Node) -> Node:
    while words.took("."):
        name = words.take()
        if tree == Name("answered"):
            tree = Call("answered", (Name(name),))
        elif words.took("("):
            tree = Call(name, (tree, *_args(words, ")")))
        else:
            raise Untranslatable("it looks inside an answer")
    if words.next == "[":
        raise Untranslatable("it takes one item of an answer")
    return tree


def _one(words: Tokens) -> Node:
    word = words.take()
    if word == "(":
        tree = _whole(words)
        words.need(")")
        return tree
    if word == "[":
        return Items(_args(words, "]"))
    if word[:1] in ("'", '"') and word:
        return Text(re.sub(r"\\(.)", _unescaped, word[1:-1]))
    if word[:1].isdecimal():
        return Number(word if "e" not in word.lower() else f"{Decimal(word):f}")
    if word in ("true", "false"):
        return Truth(word == "true")
    if not re.fullmatch(r"[A-Za-z_]\w*", word):
        raise Untranslatable(f"{word!r} cannot be read here" if word else "it ends too early")
    return Call(word, _args(words, ")")) if words.took("(") else Name(word)


def _args(words: Tokens, end: str) -> tuple[Node, ...]:
    args = []
    while words.next != end:
        args.append(_whole(words))
        if not words.took(","):
            break
    words.need(end)
    return tuple(args)


def _unescaped(found: re.Match[str]) -> str:
    if found[1] not in _ESCAPES:
        raise Untranslatable(f"the escape {found[0]} is not read here")
    return _ESCAPES[found[1]]
