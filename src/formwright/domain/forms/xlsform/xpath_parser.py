"""Parses the XPath expressions of XLSForm."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

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
Find = Callable[[str, str], str]
"""Returns the field at a path such as `../group/name` from a field, or an empty text if there is none."""

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
    rf"""'[^']*'|"[^"]*"|\$\{{[^}}]*\}}|(?:current\(\)/)?(?:\.\.?/)+{_STEP}(?:/{_STEP})*|(?:/{_STEP}){{2,}}"""
    rf"""|current\(\)/\.(?!\.)|\d+(?:\.\d*)?|\.\d+|\.\.|\.|!=|<=|>=|[=<>+\-*|,()\[\]/]|{_STEP}(?:/{_STEP})+|{_STEP}(?::{_STEP})?""",
    re.ASCII,
)
_WORD, _WORDS = re.compile(_STEP, re.ASCII), ("or", "and", "div", "mod")
_GLUED = re.compile(r"(or|and|div|mod)(.+)")
"""An operator without a space after it. A name cannot follow an operand."""
_RELATIVE = ("./", "../")
_CURRENT = ("current", "(", ")", "/")
_NOWHERE = ""
"""The value of a path to a question that does not exist. A word without quotes is one to a child of the question."""
_NO_COLUMN = "''"
_OPERATORS = {"=": "==", "div": "/", "mod": "%"}
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))
_CURLY_QUOTES: Mapping[int, str] = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


def parse_xpath(
    text: str, resolve: Resolve, me: str, columns: Collection[str] = (), *, find: Find | None = None
) -> Node:
    """Return the syntax tree. `me` is the field that `.` refers to, from which `find` follows paths. Raises
    `Untranslatable` for invalid expressions.

    In a filter of choices, words without `${}` are `columns` of the choices: they become names such as
    `option.country`.
    """
    if len(text) > sheets.MAX_XPATH_LENGTH:
        raise Untranslatable(f"it is longer than {sheets.MAX_XPATH_LENGTH} characters")
    words = TokenStream.tokenize(text.translate(_CURLY_QUOTES), _TOKEN)
    words.tokens = list(_split_operators(words.tokens))
    if columns:
        words.tokens = [
            _column_token(word, words.tokens[place + 1 : place + 2], columns) for place, word in enumerate(words.tokens)
        ]
    tree = _parse_binary(words, 0, _Names(resolve, find or _find_none, me))
    if words.peek:
        raise Untranslatable(f"{words.peek!r} is not supported here")
    return tree


@dataclass(frozen=True, slots=True)
class _Names:
    """What the names and paths in an expression of the field `me` refer to."""

    resolve: Resolve
    find: Find
    me: str


def _find_none(_me: str, path: str) -> str:
    if "/" in path:
        raise Untranslatable(f"{path!r} is not supported here")
    return _NOWHERE


def _split_operators(tokens: list[str]) -> Iterator[str]:
    """Yield the tokens, with operators split from what follows them without a space, as in `. < 0 or. > 5`."""
    before = ""
    for token in tokens:
        ends_operand = before[-1:] in ("'", '"', "}", ")", "]", ".") or bool(re.search(r"\w$", before, re.ASCII))
        if ends_operand and before not in _WORDS and token not in _WORDS and (glued := _GLUED.fullmatch(token)):
            yield from (glued[1], *_split_operators(TokenStream.tokenize(glued[2], _TOKEN).tokens))
        else:
            yield token
        before = token


def _column_token(word: str, following: list[str], columns: Collection[str]) -> str:
    """Return a token for a column of the choices, which may be the same word as an operator or a function."""
    if following == ["("]:
        return word
    if word == "name":
        return f"{OPTION_PREFIX}value"
    if word in columns:
        return f"{OPTION_PREFIX}{column_name(word)}"
    if word.startswith(_RELATIVE):
        raise Untranslatable(f"{word!r} starts at the choice here")
    # A column that the choices do not have is empty for all of them.
    return _NO_COLUMN if _WORD.fullmatch(word) and word not in _WORDS else word


def names_in_xpath(text: str) -> list[str]:
    """Return the names in `${…}`, as they are written."""
    return [name.strip() for name in re.findall(r"\$\{([^}]*)\}", text)]


def _parse_binary(words: TokenStream, level: int, names: _Names) -> Node:
    if level == len(_LEVELS):
        return _parse_primary(words, names)
    tree = _parse_binary(words, level + 1, names)
    while op := words.accept(*_LEVELS[level]):
        tree = Binary(_OPERATORS.get(op, op), tree, _parse_binary(words, level + 1, names))
    return tree


def _parse_primary(words: TokenStream, names: _Names) -> Node:
    word = words.take()
    match word[:1]:
        case "'" | '"':
            return Text(word[1:-1])
        case "$":
            found = _parse_reference(word[2:-1].strip(), names.resolve)
            return _parse_item(found, words, names) if words.accept("[") else found
        case "-":
            words.enter()
            return _negate(_parse_primary(words, names))
        case "(":
            words.enter()
            tree = _parse_binary(words, 0, names)
            words.expect(")")
            words.depth -= 1
            return tree
    if word in (".", "current()/."):
        return Name(names.me)
    if "/" in word[:-1]:
        return _parse_path(word, names)
    if word.startswith(OPTION_PREFIX):
        return Name(word)
    if re.fullmatch(r"[\d.]*\d[\d.]*", word):
        return Number(word)
    if words.accept("("):
        call = _parse_call(word, words, names)
        return _parse_row(call, words, names) if words.accept(_ITEMS) else _as_row(call)
    if _WORD.fullmatch(word) and words.peek[:1] in ("$", "/"):
        words.take()  # `and and ${a}`: the second one is the name of a question, at which a path begins.
        return Text(_NOWHERE)
    if _WORD.fullmatch(word) and words.peek not in ("/", "["):
        return _parse_path(word, names)
    raise Untranslatable(f"{word!r} is not supported here" if word else "it is incomplete")


def _parse_path(path: str, names: _Names) -> Node:
    found = names.find(names.me, path)
    return Name(found) if found else Text(_NOWHERE)


def _parse_reference(written: str, resolve: Resolve) -> Name:
    """Parse the name in `${…}`, which may be that of an answer of the last response."""
    if written.startswith(LAST_SAVED):
        return Name(f"{LAST_SAVED_PREFIX}{resolve(written.removeprefix(LAST_SAVED).strip())}")
    return Name(resolve(written))


def _parse_item(rows: Node, words: TokenStream, names: _Names) -> Node:
    """Parse the rest of `${rows}[position() = 2]/group/name`. JavaRosa finds no row with `${rows}[2]`."""
    number = _parse_binary(words, 0, names)
    words.expect("]")
    path = words.take()
    path = f"./{words.take()}" if path == "/" else f".{path}"
    match number:
        case Binary("==", Call("position", ()), wanted) | Binary("==", wanted, Call("position", ())):
            number = wanted
        case _:
            raise Untranslatable("rows are only found by their position")
    if not isinstance(rows, Name) or not (found := names.find(rows.name, path)):
        raise Untranslatable(f"{path!r} is not supported here")
    return Call("indexed-repeat", (Name(found), rows, number))


def _parse_levels(words: TokenStream) -> Node:
    """Parse `..`, `../..` and so on, also after `current()/`. Returns how many levels that is up."""
    for part in _CURRENT if words.peek == _CURRENT[0] else ():
        words.expect(part)
    levels = 0
    while words.accept(".."):
        levels += 1
        words.accept("/")
    return Number(str(levels))


def _negate(tree: Node) -> Node:
    return Number(f"-{tree.text}") if isinstance(tree, Number) else Binary("-", Number("0"), tree)


def _parse_call(name: str, words: TokenStream, names: _Names) -> Call | Boolean:
    words.enter()
    args: list[Node] = []
    if name == "position" and words.peek in ("..", _CURRENT[0]):
        args.append(_parse_levels(words))
    while words.peek != ")":
        args.append(_parse_binary(words, 0, names))
        if not words.accept(","):
            break
    words.expect(")")
    words.depth -= 1
    if name in ("true", "false") and not args:
        return Boolean(name == "true")
    return Call(name, tuple(args))


def _parse_row(call: Node, words: TokenStream, names: _Names) -> Node:
    """Parse the rest of `instance('towns')/root/item[name = ${town}]/region`."""
    match call:
        case Call("instance", (Text() as of,)):
            words.expect("[")
            if words.accept("selected"):
                return _parse_chosen(of, words, names)
            key = words.take()
            words.expect("=")
            # Only sums and what binds tighter: a comparison or `and` would be another condition of the row.
            value = _parse_binary(words, _LEVELS.index(("+", "-")), names)
            words.expect("]")
            words.expect("/")
            return Call(ROW_COLUMN, (of, Text(key), value, Text(words.take())))
    raise Untranslatable(f"{_ITEMS!r} is not supported here")


def _parse_chosen(of: Text, words: TokenStream, names: _Names) -> Node:
    """Parse the rest of `instance('towns')/root/item[selected(${towns}, name)]/region`."""
    words.expect("(")
    value = _parse_primary(words, names)
    for sign in (",", "name", ")", "]", "/"):
        words.expect(sign)
    return Call(CHOSEN_COLUMN, (of, value, Text(words.take())))


def _as_row(call: Node) -> Node:
    """Return a call of `pulldata()` as one for a column of a row, and other calls as they are."""
    match call:
        case Call("pulldata", (Text(of), Text() as wanted, Text() as key, value)) if not of.startswith("@"):
            return Call(ROW_COLUMN, (Text(of.removesuffix(".csv")), key, value, wanted))
    return call
