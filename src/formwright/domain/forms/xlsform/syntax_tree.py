"""Syntax trees of expressions, which are the same for XPath and CEL, and the kinds of values in them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

NUMBERS = ("int", "double")
TEXTS = ("text", "choice", "date", "time", "datetime")
"""Kinds whose values are CEL strings."""

Kinds = Mapping[str, str]
"""The kinds of the answers that a rule can read, by field name."""


LAST_SAVED_PREFIX = "lastSaved."
"""Begins the name of the answer that the device submitted last, such as `lastSaved.town`."""

TEST_PREFIX = "~"
"""Begins a condition among the answers that an expression needs, such as `~1 < size(tools)`. It sorts after names."""

OR, AND, COMPARISON, SUM, PRODUCT, SIGN, NOT, ATOM = range(1, 9)
"""Operator precedence, which is the same in CEL and XPath. Higher levels bind more tightly."""


@dataclass(frozen=True, slots=True)
class Code:
    """A translated expression.

    `level` is its precedence. `needs` are the answers without which it has no value, and tests (`TEST_PREFIX`) without
    which it has none either; if `partial` is set, it may also have no value for other reasons, or have one without
    them. `proves` are the answers that exist if it is true.
    `literal` is its text if it is a literal.
    """

    text: str
    kind: str
    level: int
    needs: frozenset[str] = frozenset()
    proves: frozenset[str] = frozenset()
    partial: bool = False
    literal: str | None = None

    def parenthesize(self, level: int) -> str:
        """Return the text, in parentheses if its precedence is lower than `level`."""
        return self.text if self.level >= level else f"({self.text})"


MAX_DEPTH = 60
"""The maximum nesting of parentheses. Real forms have fewer than ten levels."""

TOO_LONG = "it has too many operands"
"""The explanation if Python's recursion limit is exceeded, because each of hundreds of operands is one level deeper."""


class Untranslatable(ValueError):
    """The expression has no equivalent in the other language. The message says why."""


@dataclass(frozen=True, slots=True)
class Name:
    """The answer of a field. `.` in XPath is the name of the field itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text literal without its quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written in the source."""

    text: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """A boolean literal."""

    value: bool


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """A list literal."""

    values: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """A function call. `not` and `if` are also represented as calls."""

    name: str
    args: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary operation: `or and == != < <= > >= in + - * / %`."""

    op: str
    left: "Node"
    right: "Node"


Node = Name | Text | Number | Boolean | ListLiteral | Call | Binary


@dataclass(slots=True)
class TokenStream:
    """A cursor over the tokens of an expression."""

    tokens: list[str]
    position: int = 0
    depth: int = 0

    @classmethod
    def tokenize(cls, text: str, pattern: re.Pattern[str]) -> "TokenStream":
        """Split a text with the pattern. Raises `Untranslatable` for text between two matches."""
        words, end = [], 0
        for found in pattern.finditer(text):
            if text[end : found.start()].strip():
                break
            words.append(found[0])
            end = found.end()
        if rest := text[end:].strip():
            raise Untranslatable(f"{rest[:30]!r} is not supported")
        return cls(words)

    @property
    def peek(self) -> str:
        """The next token, or an empty string at the end."""
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        """Consume and return the next token."""
        word = self.peek
        self.position += 1
        return word

    def accept(self, *words: str) -> str:
        """Consume and return the next token if it is one of these, else return an empty string."""
        return self.take() if self.peek in words and self.peek else ""

    def expect(self, word: str) -> None:
        """Consume this token. Raises `Untranslatable` if the next one is different."""
        if not self.accept(word):
            raise Untranslatable(f"{word!r} is missing before {self.peek or 'the end'!r}")

    def enter(self) -> None:
        """Enter a nested expression. Raises `Untranslatable` if it is nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Untranslatable("it is nested too deeply")
