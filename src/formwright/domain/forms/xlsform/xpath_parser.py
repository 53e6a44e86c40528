"""XPath as XLSForm has it, read into a tree."""

import re
from collections.abc import Callable, Mapping

from formwright.domain.forms.xlsform import sheets
from formwright.domain.forms.xlsform.syntax_tree import (
    Call,
    Name,
    Node,
    Number,
    Pair,
    Text,
    Tokens,
    Truth,
    Untranslatable,
)

Resolve = Callable[[str], str]
"""From a name as the form writes it to the field's name; `Untranslatable` where there is none."""

_STEP = r"[A-Za-z_][\w.-]*"
_WORD = re.compile(
    rf"""'[^']*'|"[^"]*"|\$\{{[^}}]*\}}|(?:current\(\)/)?(?:\.\./)+{_STEP}(?:/{_STEP})*|(?:/{_STEP}){{2,}}"""
    rf"""|\d+(?:\.\d*)?|\.\d+|\.\.|\.|!=|<=|>=|[=<>+\-*|,()\[\]/]|{_STEP}(?::{_STEP})?""",
    re.ASCII,
)
_SAME = {"=": "==", "div": "/", "mod": "%"}
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))
_SMART: Mapping[int, str] = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


def read_xpath(text: str, resolve: Resolve, me: str) -> Node:
    """The expression; `me` is the field that `.` stands for. `Untranslatable` where it cannot be read."""
    if len(text) > sheets.MAX_XPATH:
        raise Untranslatable(f"it is longer than {sheets.MAX_XPATH} characters")
    words = Tokens.of(text.translate(_SMART), _WORD)
    tree = _level(words, 0, resolve, me)
    if words.next:
        raise Untranslatable(f"it cannot be read at {words.next!r}")
    return tree


def names_in_xpath(text: str) -> list[str]:
    """The names as written that it refers to with `${…}`."""
    return [name.strip() for name in re.findall(r"\$\{([^}]*)\}", text)]


def _level(words: Tokens, level: int, resolve: Resolve, me: str) -> Node:
    if level == len(_LEVELS):
        return _one(words, resolve, me)
    tree = _level(words, level + 1, resolve, me)
    while op := words.took(*_LEVELS[level]):
        tree = Pair(_SAME.get(op, op), tree, _level(words, level + 1, resolve, me))
    return tree


def _one(words: Tokens, resolve: Resolve, me: str) -> Node:
    word = words.take()
    match word[:1]:
        case "'" | '"':
            return Text(word[1:-1])
        case "$":
            return Name(resolve(word[2:-1].strip()))
        case "-":
            words.deeper()
            return _minus(_one(words, resolve, me))
        case "(":
            words.deeper()
            tree = _level(words, 0, resolve, me)
            words.need(")")
            words.depth -= 1
            return tree
        case "." | "/" | "c" if "/" in word:
            return Name(resolve(word.rpartition("/")[2]))
    if word == ".":
        return Name(me)
    if re.fullmatch(r"[\d.]*\d[\d.]*", word):
        return Number(word)
    if words.took("("):
        return _call(word, words, resolve, me)
    raise Untranslatable(f"{word!r} cannot be read here" if word else "it ends too early")


def _minus(tree: Node) -> Node:
    return Number(f"-{tree.text}") if isinstance(tree, Number) else Pair("-", Number("0"), tree)


def _call(name: str, words: Tokens, resolve: Resolve, me: str) -> Node:
    words.deeper()
    args = []
    while words.next != ")":
        args.append(_level(words, 0, resolve, me))
        if not words.took(","):
            break
    words.need(")")
    words.depth -= 1
    if name in ("true", "false") and not args:
        return Truth(name == "true")
    return Call(name, tuple(args))
