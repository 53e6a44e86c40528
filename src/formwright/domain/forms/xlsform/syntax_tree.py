"""What an answer is in an expression, by the kind of its field.

What an expression says, apart from the tongue it is written in: one tree for XPath and for CEL.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

VALUE_KINDS = {
    "text": "text", "textarea": "text", "email": "text", "phone": "text", "url": "text", "barcode": "text",
    "lookup": "text", "signature": "text", "integer": "int", "rating": "int", "slider": "int", "decimal": "double",
    "boolean": "bool", "choice": "choice", "choices": "choices", "date": "date", "time": "time",
    "datetime": "datetime", "photo": "files", "file": "files", "location": "place", "repeat": "rows",
}  # fmt: skip
NUMBERS = ("int", "double")
TEXTS = ("text", "choice", "date", "time", "datetime")
"""Kinds whose answer is a CEL string."""

Kinds = Mapping[str, str]
"""Of each answer that a rule can see, what it is."""


OR, AND, COMPARISON, SUM, PRODUCT, SIGN, NOT, ATOM = range(1, 9)
"""How tightly things bind: the same order in CEL and in XPath."""


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of an expression, translated.

    `level` says how tightly it binds. `needs` are the answers without which it has no value; `partial`, that it may
    have none for other reasons too, or one even so. `proves` are those that are surely there where it is true.
    `literal` is the text that it is, if it is no more.
    """

    text: str
    kind: str
    level: int
    needs: frozenset[str] = frozenset()
    proves: frozenset[str] = frozenset()
    partial: bool = False
    literal: str | None = None

    def parenthesize(self, level: int) -> str:
        """The text, in brackets if it binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


MAX_DEPTH = 60
"""Brackets within brackets; people stay under ten."""

TOO_LONG = "it joins more than can be followed"
"""Said where Python goes no deeper: of hundreds that are joined each is one deeper than the one before."""


class Untranslatable(ValueError):
    """The other tongue cannot say it; the text says what."""


@dataclass(frozen=True, slots=True)
class Name:
    """The answer of a field. The one asked about, `.` in XPath, has its own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is, without quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """A list."""

    values: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of some arguments, `not` and `if` among them."""

    name: str
    args: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Binary:
    """Two sides: `or and == != < <= > >= in + - * / %`."""

    op: str
    left: "Node"
    right: "Node"


Node = Name | Text | Number | Boolean | ListLiteral | Call | Binary


@dataclass(slots=True)
class TokenStream:
    """The words of an expression, read one after another."""

    tokens: list[str]
    position: int = 0
    depth: int = 0

    @classmethod
    def tokenize(cls, text: str, pattern: re.Pattern[str]) -> "TokenStream":
        """The words that the pattern finds; `Untranslatable` where something stands between them."""
        words, end = [], 0
        for found in pattern.finditer(text):
            if text[end : found.start()].strip():
                break
            words.append(found[0])
            end = found.end()
        if rest := text[end:].strip():
            raise Untranslatable(f"it cannot be read from {rest[:30]!r} on")
        return cls(words)

    @property
    def peek(self) -> str:
        """The word to come; empty at the end."""
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        """The word to come, behind us then."""
        word = self.peek
        self.position += 1
        return word

    def accept(self, *words: str) -> str:
        """Takes the word to come if it is one of these; empty if not."""
        return self.take() if self.peek in words and self.peek else ""

    def expect(self, word: str) -> None:
        """Takes this very word."""
        if not self.accept(word):
            raise Untranslatable(f"{word!r} is missing before {self.peek or 'its end'!r}")

    def enter(self) -> None:
        """One bracket more."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Untranslatable("it is nested too deeply")
