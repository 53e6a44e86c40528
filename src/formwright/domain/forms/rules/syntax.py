"""Parser for rules that the CEL library has accepted. The syntax tree is used to estimate the cost and to write XPath.

Parentheses and comments have no node, so the tree has the same nodes as the one in `static/fill/rule_costs.js`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from formwright.domain.forms.rules import dialect
from formwright.domain.forms.rules.dialect import Token

_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">=", "in"), ("+", "-"), ("*", "/", "%"))
_LOGICAL = 2
"""The first two levels join any number of operands in one node, because the library does not count them as depth."""
_PAIRS = frozenset({"||", "&&", "==", "!=", "<=", ">="})
_ESCAPE = re.compile(r"\\(?:(?:u(.{4})|U(.{8})|[xX](.{2}))|([0-7]{3})|(.))", re.DOTALL)
_ESCAPED = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_QUOTED = re.compile(r"""([bBrR]{0,2})('{3}|"{3}|'|")(.*)\2""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Node:
    """An operation. `text` is the name of a function, field or property, or the text of a literal.

    `op` is an operator, `!-` for consecutive signs before a value, or one of `value string name select index call
    method list map`. The first argument of a method is the value before the dot. The arguments of a map alternate
    between keys and values.
    """

    op: str
    text: str = ""
    args: tuple["Node", ...] = ()


def parse(rule: str) -> Node:
    """Parse a rule without syntax errors."""
    return _Parser(dialect.tokenize(rule)).expression()


class _Parser:
    """A recursive descent parser for the grammar of the CEL specification."""

    def __init__(self, line: Sequence[Token]) -> None:
        self._signs = list(_join_operators(line))
        self._at = 0

    def expression(self) -> Node:
        condition = self._binary(0)
        if not self._take("?"):
            return condition
        then = self.expression()
        self._take(":")
        return Node("?:", args=(condition, then, self.expression()))

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        if level < _LOGICAL:
            parts = [node]
            while self._take(*_LEVELS[level]):
                parts.append(self._binary(level + 1))
            return Node(_LEVELS[level][0], args=tuple(parts)) if len(parts) > 1 else node
        while op := self._take(*_LEVELS[level]):
            node = Node(op, args=(node, self._binary(level + 1)))
        return node

    def _unary(self) -> Node:
        signs = ""
        while op := self._take("!", "-"):
            signs += op
        node = self._postfix(self._primary())
        return Node("!-", signs, (node,)) if signs else node

    def _postfix(self, node: Node) -> Node:
        while op := self._take(".", "["):
            if op == "[":
                node = Node("index", args=(node, *self._arguments("]")))
                continue
            name = self._next().text
            called = self._take("(")
            node = Node("method", name, (node, *self._arguments(")"))) if called else Node("select", name, (node,))
        return node

    def _primary(self) -> Node:
        token = self._next()
        match token.kind, token.text:
            case _, "(":
                node = self.expression()
                self._take(")")
                return node
            case _, "[":
                return Node("list", args=self._arguments("]"))
            case _, "{":
                return Node("map", args=self._arguments("}"))
            case "name", name:
                return Node("call", name, self._arguments(")")) if self._take("(") else Node("name", name)
            case "text", literal:
                return Node("string", _unquote(literal))
        return Node("value", token.text)

    def _arguments(self, end: str) -> tuple[Node, ...]:
        """Parse arguments up to and including `end`, separated by commas, or by the colons of a map."""
        found: list[Node] = []
        while not self._take(end):
            found.append(self.expression())
            self._take(",", ":")
        return tuple(found)

    def _next(self) -> Token:
        self._at += 1
        return self._signs[self._at - 1]

    def _take(self, *texts: str) -> str:
        """Return and consume the next token if it is one of these, else return an empty string."""
        if self._at == len(self._signs) or self._signs[self._at].kind == "text":
            return ""
        text = self._signs[self._at].text
        self._at += text in texts
        return text if text in texts else ""


def _join_operators(line: Sequence[Token]) -> list[Token]:
    """Return the tokens with operators of two characters joined."""
    found: list[Token] = []
    for token in line:
        if found and found[-1].kind == token.kind == "sign" and found[-1].text + token.text in _PAIRS:
            found[-1] = Token("sign", found[-1].text + token.text, found[-1].column)
        else:
            found.append(token)
    return found


def _unquote(literal: str) -> str:
    found = _QUOTED.fullmatch(literal)
    if found is None:
        return literal
    return found[3] if "r" in found[1].lower() else _ESCAPE.sub(_unescape, found[3])


def _unescape(match: re.Match[str]) -> str:
    *hexadecimal, octal, character = match.groups()
    if character:
        return _ESCAPED.get(character, character)
    return chr(int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16))
