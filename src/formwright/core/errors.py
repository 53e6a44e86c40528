"""Domain errors. Each has a stable code that is never reused for another meaning.

The layers above translate them: the API into problem details, pages into messages, the worker into decisions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

T = TypeVar("T")
MAX_ERRORS = 100
"""Maximum number of errors in a response, which bounds the work per request."""
_MAX_STEP_LENGTH = 500


@dataclass(frozen=True, slots=True)
class ValidationFault:
    """A validation error and its location.

    `pointer` is a JSON Pointer (RFC 6901) into the body, or the name of a query parameter after a `?`.
    """

    pointer: str
    code: str
    detail: str


class DomainError(Exception):
    """Base of all domain errors. `detail` says what is wrong and, if possible, how to fix it."""

    code: ClassVar[str]
    detail: ClassVar[str]

    def __init__(self, detail: str | None = None) -> None:
        super().__init__(detail or self.detail)

    @property
    def text(self) -> str:
        """What is wrong, for people who see one text only."""
        return str(self)


class NotFound(DomainError):
    """It does not exist or belongs to another account; both look the same to the caller."""


class Conflict(DomainError):
    """The current state does not allow it. `existing_id` is the id of the resource that it conflicts with, if known."""

    existing_id: str | None = None


class Denied(DomainError):
    """The actor lacks a permission."""

    code = "access.denied"
    detail = "You do not have permission to do this."


class Unavailable(DomainError):
    """Temporarily impossible; the same request may succeed later."""

    code = "service.unavailable"
    detail = "The service cannot do this right now. Try again in a moment."


class Invalid(DomainError):
    """The input is invalid. Has the first `max_errors` validation errors; `more` means that there may be others."""

    code = "request.invalid"
    detail = "The request is invalid; see `errors`."
    max_errors: ClassVar[int] = MAX_ERRORS

    def __init__(self, faults: Sequence[ValidationFault], detail: str | None = None, *, more: bool = False) -> None:
        self.more = more or len(faults) > self.max_errors
        self.faults = tuple(faults[: self.max_errors])
        text = detail or type(self).detail
        if self.more:
            count = len(self.faults)
            text += f" Only the first {count} errors are listed." if count > 1 else " Only the first error is listed."
        super().__init__(text)

    @property
    def text(self) -> str:
        """What is wrong, for people who see one text only."""
        return " ".join(fault.detail for fault in self.faults) or super().text

    @classmethod
    def at(cls, pointer: str, code: str, detail: str) -> "Invalid":
        """Return the error for a single validation error."""
        return cls([ValidationFault(pointer, code, detail)])


def require(found: T | None, error: type[DomainError]) -> T:
    """Return what was found. Raises the error if it is None."""
    if found is None:
        raise error()
    return found


def pointer(*steps: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) of the value at `steps`. Names are truncated after 500 characters."""
    return "".join("/" + str(step)[:_MAX_STEP_LENGTH].replace("~", "~0").replace("/", "~1") for step in steps)


def split_pointer(text: str) -> list[str]:
    """Return the steps of a JSON Pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:]]
