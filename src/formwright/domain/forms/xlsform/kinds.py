"""What an answer is in an expression, by the kind of its field."""

from collections.abc import Mapping
from dataclasses import dataclass

KIND_OF = {
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


OR, AND, COMPARED, SUM, PRODUCT, SIGN, NOT, ATOM = range(1, 9)
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

    def within(self, level: int) -> str:
        """The text, in brackets if it binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"
