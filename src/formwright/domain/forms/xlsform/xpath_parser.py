"""Parses the XPath expressions of XLSForm."""

import re
from collections.abc import Callable, Collection, Mapping

from formwright.domain.forms.xlsform import sheets
from formwright.domain.forms.xlsform.choices_sheet import column_name
from formwright.domain.forms.xlsform.syntax_tree import (
    LAST_SAVED_PREFIX,
    Binary,
    Boolean,
    Call,
    Name,
    Node,
    Number,
    Text,
    TokenStream,
    Untranslatable,
)

Resolve = Callable[[str], str]
"""Returns the field for a name in the survey. Raises `Untranslatable` if there is none."""

OPTION_PREFIX = "option."
LAST_SAVED = "last-saved#"
"""Comes before the name in `${last-saved#town}`."""
ROW_COLUMN = "column of row"
"""The name of a call for a column of a row, which cannot be written in a workbook: the list, the column that identifies
the row, the value in it, and the wanted column. `instance()` and `pulldata()` are parsed to it."""
CHOSEN_COLUMN = "column of chosen rows"
"""The name of a call for a column of the chosen rows: the list, the multiple choice, and the column."""
_ITEMS = "/root/item"
_STEP = r"[A-Za-z_][\w.-]*"
_TOKEN = re.compile(
    rf"""'[^']*'|"[^"]*"|\$\{{[^}}]*\}}|(?:current\(\)/)?(?:\.\./)+{_STEP}(?:/{_STEP})*|(?:/{_STEP}){{2,}}"""
    rf"""|\d+(?:\.\d*)?|\.\d+|\.\.|\.|!=|<=|>=|[=<>+\-*|,()\[\]/]|{_STEP}(?::{_STEP})?""",
    re.ASCII,
)
_WORD, _WORDS = re.compile(_STEP, re.ASCII), ("or", "and", "div", "mod")
_NO_CHILD = ""
"""A word without quotes is a path to a child of the question, which has none, so it is empty."""
_NO_COLUMN = "''"
_OPERATORS = {"=": "==", "div": "/", "mod": "%"}
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))
_CURLY_QUOTES: Mapping[int, str] = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


def parse_xpath(text: str, resolve: Resolve, me: str, columns: Collection[str] = (), *, is_group: bool = False) -> Node:
    """Return the syntax tree. `me` is the field that `.` refers to; `is_group`: it contains questions. Raises
    `Untranslatable` for invalid expressions.

    In a filter of choices, words without `${}` are `columns` of the choices: they become names such as
    `option.country`.
    """
    if len(text) > sheets.MAX_XPATH_LENGTH:
        raise Untranslatable(f"it is longer than {sheets.MAX_XPATH_LENGTH} characters")
    words = TokenStream.tokenize(text.translate(_CURLY_QUOTES), _TOKEN)
    if is_group and (bare := _bare_words(words.tokens)):
        raise Untranslatable(f"{bare[0]!r} may be a question in it. Write ${{{bare[0]}}}")
    if columns:
        words.tokens = [
            _column_token(word, words.tokens[place + 1 : place + 2], columns) for place, word in enumerate(words.tokens)
        ]
    tree = _parse_binary(words, 0, resolve, me)
    if words.peek:
        raise Untranslatable(f"{words.peek!r} is not supported here")
    return tree


def _column_token(word: str, following: list[str], columns: Collection[str]) -> str:
    """Return a token for a column of the choices, which may be the same word as an operator or a function."""
    if following == ["("]:
        return word
    if word == "name":
        return f"{OPTION_PREFIX}value"
    if word in columns:
        return f"{OPTION_PREFIX}{column_name(word)}"
    # A column that the choices do not have is empty for all of them.
    return _NO_COLUMN if _WORD.fullmatch(word) and word not in _WORDS else word


def _bare_words(tokens: list[str]) -> list[str]:
    """Return the words that are neither operators nor names of functions."""
    followed = zip(tokens, [*tokens[1:], ""], strict=True)
    return [word for word, after in followed if _WORD.fullmatch(word) and word not in _WORDS and after != "("]


def names_in_xpath(text: str) -> list[str]:
    """Return the names in `${…}`, as they are written."""
    return [name.strip() for name in re.findall(r"\$\{([^}]*)\}", text)]


def _parse_binary(words: TokenStream, level: int, resolve: Resolve, me: str) -> Node:
    if level == len(_LEVELS):
        return _parse_primary(words, resolve, me)
    tree = _parse_binary(words, level + 1, resolve, me)
    while op := words.accept(*_LEVELS[level]):
        tree = Binary(_OPERATORS.get(op, op), tree, _parse_binary(words, level + 1, resolve, me))
    return tree


def _parse_primary(words: TokenStream, resolve: Resolve, me: str) -> Node:
    word = words.take()
    match word[:1]:
        case "'" | '"':
            return Text(word[1:-1])
        case "$":
            return _parse_reference(word[2:-1].strip(), resolve)
        case "-":
            words.enter()
            return _negate(_parse_primary(words, resolve, me))
        case "(":
            words.enter()
            tree = _parse_binary(words, 0, resolve, me)
            words.expect(")")
            words.depth -= 1
            return tree
        case "." | "/" | "c" if "/" in word:
            return Name(resolve(word.rpartition("/")[2]))
    if word == ".":
        return Name(me)
    if word.startswith(OPTION_PREFIX):
        return Name(word)
    if re.fullmatch(r"[\d.]*\d[\d.]*", word):
        return Number(word)
    if words.accept("("):
        call = _parse_call(word, words, resolve, me)
        return _parse_row(call, words, resolve, me) if words.accept(_ITEMS) else _as_row(call)
    if _WORD.fullmatch(word) and word not in _WORDS and words.peek not in ("/", "["):
        return Text(_NO_CHILD)
    raise Untranslatable(f"{word!r} is not supported here" if word else "it is incomplete")


def _parse_reference(written: str, resolve: Resolve) -> Name:
    """Parse the name in `${…}`, which may be that of an answer of the last response."""
    if written.startswith(LAST_SAVED):
        return Name(f"{LAST_SAVED_PREFIX}{resolve(written.removeprefix(LAST_SAVED).strip())}")
    return Name(resolve(written))


def _parse_levels(words: TokenStream) -> Node:
    """Parse `..`, `../..` and so on. Returns how many levels that is up."""
    levels = 0
    while words.accept(".."):
        levels += 1
        words.accept("/")
    return Number(str(levels))


def _negate(tree: Node) -> Node:
    return Number(f"-{tree.text}") if isinstance(tree, Number) else Binary("-", Number("0"), tree)


def _parse_call(name: str, words: TokenStream, resolve: Resolve, me: str) -> Call | Boolean:
    words.enter()
    args: list[Node] = []
    if name == "position" and words.peek == "..":
        args.append(_parse_levels(words))
    while words.peek != ")":
        args.append(_parse_binary(words, 0, resolve, me))
        if not words.accept(","):
            break
    words.expect(")")
    words.depth -= 1
    if name in ("true", "false") and not args:
        return Boolean(name == "true")
    return Call(name, tuple(args))


def _parse_row(call: Node, words: TokenStream, resolve: Resolve, me: str) -> Node:
    """Parse the rest of `instance('towns')/root/item[name = ${town}]/region`."""
    match call:
        case Call("instance", (Text() as of,)):
            words.expect("[")
            if words.accept("selected"):
                return _parse_chosen(of, words, resolve, me)
            key = words.take()
            words.expect("=")
            value = _parse_binary(words, _LEVELS.index(("+", "-")), resolve, me)
            words.expect("]")
            words.expect("/")
            return Call(ROW_COLUMN, (of, Text(key), value, Text(words.take())))
    raise Untranslatable(f"{_ITEMS!r} is not supported here")


def _parse_chosen(of: Text, words: TokenStream, resolve: Resolve, me: str) -> Node:
    """Parse the rest of `instance('towns')/root/item[selected(${towns}, name)]/region`."""
    words.expect("(")
    value = _parse_primary(words, resolve, me)
    for sign in (",", "name", ")", "]", "/"):
        words.expect(sign)
    return Call(CHOSEN_COLUMN, (of, value, Text(words.take())))


def _as_row(call: Node) -> Node:
    """Return a call of `pulldata()` as one for a column of a row, and other calls as they are."""
    match call:
        case Call("pulldata", (Text(of), Text() as wanted, Text() as key, value)):
            return Call(ROW_COLUMN, (Text(of.removesuffix(".csv")), key, value, wanted))
    return call
