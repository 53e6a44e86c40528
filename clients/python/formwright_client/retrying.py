"""When a request is sent once more, and how long before."""

import json
import random
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

_TRY_AGAIN = frozenset((429, 502, 503, 504))
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_FIRST_S, _LONGEST_S = 0.5, 20.0
_FORM = re.compile(r".*/forms/customer/[^/]+/forms/[^/]+")


def worth_a_retry(answer: httpx.Response, code: str) -> bool:
    """Whether the same request may be answered otherwise in a moment, and changes nothing twice.

    What a gateway says for the server may come after the change.
    """
    if answer.status_code in (502, 504) and not _harmless(answer.request):
        return False
    return answer.status_code in _TRY_AGAIN or code == "idempotency.running"


def may_be_sent_again(error: httpx.TransportError, request: httpx.Request) -> bool:
    """Whether a request without an answer can be sent again without doing anything twice."""
    return isinstance(error, _NOT_SENT) or _harmless(request)


def _harmless(request: httpx.Request) -> bool:
    """A POST has a key by which the server knows it; of what has a condition, the second try may not meet it.

    A PUT that publishes a form makes another version each time.
    """
    if request.method == "PUT":
        return "if-match" not in request.headers and not _publishes(request)
    return request.method in ("GET", "POST")


def _publishes(request: httpx.Request) -> bool:
    return _FORM.fullmatch(request.url.path) is not None and json.loads(request.content).get("publish") is True


def pause_s(tries: int) -> float:
    """Seconds before the next try where the server names none: twice as long each time, and never quite the same."""
    return min(_FIRST_S * 2.0 ** (tries - 1), _LONGEST_S) * random.uniform(0.5, 1)  # noqa: S311  no secret


def retry_after_s(answer: httpx.Response) -> float | None:
    """The seconds that `Retry-After` asks for, as a number or a date; None where it does not."""
    said = answer.headers.get("retry-after", "")
    if said.isdigit():
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
