"""The entries of the error catalogue. Their texts are Markdown without `|`; links are relative to docs/reference/."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """The `code` of an error response: its HTTP status, what it means, and what to do."""

    code: str
    status: int
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ValidationErrorCode:
    """A `code` within `errors`: what it means, and what to do."""

    code: str
    meaning: str
    remedy: str


def conflict(code: str, meaning: str, remedy: str) -> ProblemCode:
    """Return the entry of an error with status 409."""
    return ProblemCode(code, 409, meaning, remedy)


def not_found(code: str, meaning: str, remedy: str) -> ProblemCode:
    """Return the entry of an error with status 404."""
    return ProblemCode(code, 404, meaning, remedy)
