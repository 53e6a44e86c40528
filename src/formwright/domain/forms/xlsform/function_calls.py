"""What functions of XPath need to be translated: the arguments, the answers that exist, and the rows around them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from formwright.domain.forms.xlsform.syntax_tree import ATOM, Code, Node, Untranslatable
from formwright.domain.forms.xlsform.type_coercion import needs_of, presence

PresentFields = frozenset[str]
RowKinds = Mapping[str, tuple[str, str]]
"""The repeat and the kind of each field in a repeat."""


@dataclass(frozen=True, slots=True)
class RowNode:
    """A question, group or repeat as `count()` sees it: the repeats around it, itself included if it is one, without
    those that also contain the rule. `is_around`: it is a repeat that contains the rule.
    """

    repeats: tuple[str, ...]
    kind: str
    is_around: bool = False


@dataclass(frozen=True, slots=True)
class RowScope:
    """The fields in repeats that a rule can read: those in rows `inside` repeats, seen from outside, and its `own`, in
    other rows of the repeats around it. If it is evaluated row by row, it sees the rows before its own only. `nodes`
    are what it can count; `is_initial`: it is evaluated once, for an initial answer.
    """

    inside: RowKinds = field(default_factory=dict)
    own: RowKinds = field(default_factory=dict)
    is_row_by_row: bool = False
    nodes: Mapping[str, "RowNode"] = field(default_factory=dict)
    is_initial: bool = False


class Translator(Protocol):
    """Translates the arguments of a function."""

    rows: RowScope

    def condition(self, node: Node, present: PresentFields, *, safe: bool) -> Code:
        """Translate a condition. If `safe` is set, it does not fail for missing answers."""

    def value(self, node: Node, present: PresentFields) -> Code:
        """Translate an expression with a value."""

    def as_text(self, node: Node, present: PresentFields) -> Code:
        """Translate to a text, which is empty if the answer is missing."""

    def number(self, node: Node, present: PresentFields) -> Code:
        """Translate to a number. A text that is none, or missing, becomes NaN."""

    def kind(self, name: str) -> str:
        """Return the kind of a field. Raises `Untranslatable` if it has no answer."""


Function = Callable[[Translator, tuple[Node, ...], PresentFields], Code]


def call(name: str, kind: str, *args: Code) -> Code:
    """Return the call of a function."""
    text = f"{name}({', '.join(one.text for one in args)})"
    return Code(text, kind, ATOM, needs_of(*args), partial=any(one.partial for one in args))


def expect(holds: bool, reason: str) -> None:
    """Raise `Untranslatable` unless this holds."""
    if not holds:
        raise Untranslatable(reason)


def translate_position(translator: Translator, node: Node, present: PresentFields) -> Code:
    """Translate a whole number for a position. That of a missing answer, or of a text that is no number, is 0."""
    found = translator.number(node, present)
    text = found.text if found.kind == "int" else f"int({found.text})"
    tests = [presence(name) for name in sorted(found.needs - present)]
    tests += [f"{found.text} == {found.text}"] if "number(" in found.text else []  # NaN does not equal itself.
    if tests:
        return Code(f"({' && '.join(tests)} ? {text} : 0)", "int", ATOM, partial=found.partial)
    return Code(text, "int", found.level if found.kind == "int" else ATOM, found.needs, partial=found.partial)
