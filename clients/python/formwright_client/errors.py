"""The exceptions of the client."""

from dataclasses import dataclass
from typing import Any


class FormwrightError(Exception):
    """The base class of all exceptions of the client."""


@dataclass(frozen=True)
class ErrorDetail:
    """One validation error of a request.

    Attributes:
        pointer: The invalid value: a JSON Pointer into the body, or `?name` for a parameter of the query.
        code: A stable code, for programs.
        detail: An explanation, for people.
    """

    pointer: str
    code: str
    detail: str


class ApiError(FormwrightError):
    """The server rejected the request, or failed.

    Attributes:
        status: The HTTP status.
        code: A stable code, for programs. If the response is not from Formwright but from a proxy, it is `http.` and
            the status.
        detail: An explanation, for people.
        request_id: The id of the request in the server's log.
        errors: The validation errors.
        retry_after: The number of seconds after which you can retry, if the server says so.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.code = str(problem.get("code", f"http.{status}"))
        self.detail = str(problem.get("detail", "The response is not from Formwright."))
        self.request_id = str(problem.get("requestId", ""))
        self.errors = [ErrorDetail(one["pointer"], one["code"], one["detail"]) for one in problem.get("errors", ())]
        self.retry_after = retry_after
        super().__init__(self._message())

    def _message(self) -> str:
        head = f"{self.status} {self.code}: {self.detail}"
        details = "".join(f"\n  {one.pointer}: {one.code}: {one.detail}" for one in self.errors)
        return head + (f" ({self.request_id})" if self.request_id else "") + details


class NoResponseError(FormwrightError):
    """No response arrived. The server may have processed the request nevertheless.

    Attributes:
        idempotency_key: The key of a POST: send the POST again with it, and it takes effect once. None for other
            requests.
    """

    def __init__(self, message: str, idempotency_key: str | None = None) -> None:
        self.idempotency_key = idempotency_key
        super().__init__(message)


class EventsExpiredError(FormwrightError):
    """Events you have not read have expired. Read the resources themselves, then continue from the oldest event.

    If you requested only some types, the expired events may or may not include any of them.

    Attributes:
        after: The sequence after which you requested events.
        oldest_available: The sequence of the oldest event that is still stored.
    """

    def __init__(self, after: int, oldest_available: int) -> None:
        self.after, self.oldest_available = after, oldest_available
        super().__init__(f"Events after {after} were requested, but the oldest stored event is {oldest_available}.")


class InvalidSignatureError(FormwrightError):
    """A webhook message is not from Formwright, was changed on its way, or is too old. Respond with 401."""
