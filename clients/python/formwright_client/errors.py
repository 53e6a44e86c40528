"""What can go wrong, as exceptions."""

from dataclasses import dataclass
from typing import Any


class FormwrightError(Exception):
    """Every error of this library."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a request. `pointer` leads into the body; `?name` names a member of the query."""

    pointer: str
    code: str
    detail: str


class ApiError(FormwrightError):
    """The server refused. `code` is stable and for programs; `detail` and the text are for people.

    Where something between refused, which answers no problem, `code` is `http.` and the status.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after_s: float | None = None) -> None:
        self.status = status
        self.code = str(problem.get("code", f"http.{status}"))
        self.detail = str(problem.get("detail", "The answer is not one of Formwright's."))
        self.request_id = str(problem.get("requestId", ""))
        self.errors = [Fault(one["pointer"], one["code"], one["detail"]) for one in problem.get("errors", ())]
        self.retry_after_s = retry_after_s
        super().__init__(self._text())

    def _text(self) -> str:
        head = f"{self.status} {self.code}: {self.detail}"
        faults = "".join(f"\n  {one.pointer}: {one.code}: {one.detail}" for one in self.errors)
        return head + (f" ({self.request_id})" if self.request_id else "") + faults


class Unreachable(FormwrightError):
    """No answer came. A POST may nevertheless have been done: send it again with the same `idempotency_key`.

    `idempotency_key` is the one that was sent; None for what is no POST.
    """

    def __init__(self, words: str, idempotency_key: str | None = None) -> None:
        self.idempotency_key = idempotency_key
        super().__init__(words)


class EventsGone(FormwrightError):
    """Events after `after` have expired: read the resources themselves, then continue from the oldest event.

    `oldest_available` is the sequence of the oldest stored event. If you requested only some types, the expired events
    may or may not include any of them.
    """

    def __init__(self, after: int, oldest_available: int) -> None:
        self.after, self.oldest_available = after, oldest_available
        super().__init__(f"Events after {after} were asked for, and the log begins at {oldest_available}.")


class BadSignature(FormwrightError):
    """A message is not from Formwright, was changed on its way, or is too old. Answer 401 and leave it."""
