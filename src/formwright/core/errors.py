"""What can go wrong, in the domain's words. Each error has a code that is stable and never used for another meaning.

A floor above decides what becomes of one: the API makes a problem of it, a page a sentence, the worker a decision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

MOST_ERRORS = 100
"""How many errors a response lists: no request is worth more work than that."""
_LONGEST_STEP = 500


@dataclass(frozen=True, slots=True)
class ValidationFault:
    """One thing that is wrong with what was sent, and where.

    `pointer` is a JSON Pointer (RFC 6901) into the body, or the name of a query member with `?` before it.
    """

    pointer: str
    code: str
    detail: str


class DomainError(Exception):
    """The root of the tree. `detail` says what is wrong and, where it can, what to do."""

    code: ClassVar[str]
    detail: ClassVar[str]

    def __init__(self, detail: str | None = None) -> None:
        super().__init__(detail or self.detail)


class NotFound(DomainError):
    """It does not exist, or belongs to another account; the two are never told apart."""


class Conflict(DomainError):
    """It cannot be done in the state in which things are."""


class Denied(DomainError):
    """It may be seen, but this actor may not do it."""

    code = "access.denied"
    detail = "You may not do this."


class Unavailable(DomainError):
    """It can be done, but not now; the same request may succeed in a moment."""

    code = "service.unavailable"
    detail = "The service cannot do this right now. Try again in a moment."


class Invalid(DomainError):
    """What was sent cannot be accepted. Carries the first `most` faults; `more` tells that there may be others."""

    code = "request.invalid"
    detail = "The request has faults; `errors` names each of them."
    most: ClassVar[int] = MOST_ERRORS

    def __init__(self, faults: Sequence[ValidationFault], detail: str | None = None, *, more: bool = False) -> None:
        self.more = more or len(faults) > self.most
        self.faults = tuple(faults[: self.most])
        said = detail or type(self).detail
        if self.more:
            count = len(self.faults)
            said += f" Only the first {count} errors are listed." if count > 1 else " Only the first error is listed."
        super().__init__(said)

    @classmethod
    def at(cls, pointer: str, code: str, detail: str) -> "Invalid":
        """The error for a single fault."""
        return cls([ValidationFault(pointer, code, detail)])


def pointer(*steps: str | int) -> str:
    """A JSON Pointer (RFC 6901) to the member reached by `steps`. Names beyond 500 characters are cut short."""
    return "".join("/" + str(step)[:_LONGEST_STEP].replace("~", "~0").replace("/", "~1") for step in steps)
