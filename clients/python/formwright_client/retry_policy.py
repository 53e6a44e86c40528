"""Which requests are repeated, and after which delay."""

import json
import random
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

_RETRIED_STATUSES = frozenset((429, 502, 503, 504))
_UNKNOWN_OUTCOMES = frozenset(("database.outcome_unknown", "request.timeout"))
"""Codes of responses after which the change may have been made."""
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 20.0
_FORM = re.compile(r".*/forms/customer/[^/]+/forms/[^/]+")


def can_retry_response(response: httpx.Response, code: str) -> bool:
    """Return whether a rejected request may succeed if it is repeated, and has no effect twice.

    A gateway may respond with 502 or 504 after the server has made the change.
    """
    is_unknown = response.status_code in (502, 504) or code in _UNKNOWN_OUTCOMES
    if is_unknown and not _is_repeatable(response.request):
        return False
    return response.status_code in _RETRIED_STATUSES or code == "idempotency.running"


def can_retry_error(error: httpx.TransportError, request: httpx.Request) -> bool:
    """Return whether a request without a response can be repeated without having an effect twice."""
    return isinstance(error, _NOT_SENT) or _is_repeatable(request)


def _is_repeatable(request: httpx.Request) -> bool:
    """Return whether repeating a request that may have arrived is harmless.

    The server recognises a POST by its key. The condition of a PUT may no longer be met the second time, and a PUT that
    publishes a form creates another version each time.
    """
    if request.method == "PUT":
        return "if-match" not in request.headers and not _publishes_form(request)
    return request.method in ("GET", "POST")


def _publishes_form(request: httpx.Request) -> bool:
    return _FORM.fullmatch(request.url.path) is not None and json.loads(request.content).get("publish") is True


def backoff_delay(attempt: int) -> float:
    """Return the seconds to wait after this attempt: doubled each time, with jitter, at most 20."""
    return min(_FIRST_DELAY * 2.0 ** (attempt - 1), _LONGEST_DELAY) * random.uniform(0.5, 1)  # noqa: S311  no secret


def parse_retry_after(response: httpx.Response) -> float | None:
    """Return the seconds in `Retry-After`, which is a number or a date; None if there is no valid one."""
    value = response.headers.get("retry-after", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
