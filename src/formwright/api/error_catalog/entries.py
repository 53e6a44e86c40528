"""How a code is told of. Texts are Markdown, without a bar; links are as seen from docs/."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """The `code` of an answer that is an error: its HTTP status, what it means, and what is to be done."""

    code: str
    status: int
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class FaultCode:
    """A `code` within `errors`: what it means, and what is to be done."""

    code: str
    meaning: str
    remedy: str
