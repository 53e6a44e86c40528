"""Retry schedule, timeouts and the meaning of response statuses, as pure functions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import Enum

from formwright.domain.webhooks.health import FIRST_PAUSE_MS

SCHEDULE_S: tuple[float, ...] = (0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
"""The wait before each attempt, in seconds; about 75 hours in total."""

JITTER = 0.2
"""By which part waits vary, so that deliveries that failed together are not all sent again together."""
MAX_ATTEMPTS = 50
MAX_WAIT_S = 30 * 86400
MAX_RETRY_AFTER_S = 2 * 86400
RETRY_AFTER_STATUSES = frozenset({429, 502, 503, 504})
"""The statuses for which `Retry-After` is honoured."""


class Verdict(Enum):
    """What a response status means: delivered, try again, or stop delivering to this receiver."""

    SUCCESS = "success"
    RETRY = "retry"
    GONE = "gone"


def classify_status(status: int) -> Verdict:
    """Classify 2xx as success and 410 as gone. All other statuses, including redirects, are retried."""
    if 200 <= status <= 299:
        return Verdict.SUCCESS
    return Verdict.GONE if status == 410 else Verdict.RETRY


def next_attempt_time(
    attempts_made: int,
    *,
    now_ms: int,
    schedule_s: Sequence[float] = SCHEDULE_S,
    jitter: Callable[[], float],
    retry_after_s: int | None = None,
) -> int | None:
    """Return the time of the next attempt in milliseconds, or None if the schedule has ended.

    The wait varies by ±20 % (`jitter` returns 0 to 1). The receiver's `Retry-After` is honoured up to twice the wait.
    """
    if attempts_made >= len(schedule_s):
        return None
    step = schedule_s[attempts_made]
    wait = step * (1 - JITTER + 2 * JITTER * jitter())
    if retry_after_s is not None:
        wait = min(max(wait, retry_after_s), 2 * step)
    return now_ms + round(wait * 1000)


def parse_schedule(text: str) -> tuple[float, ...]:
    """Return the wait before each attempt in seconds, from text such as `"0, 5, 300"`.

    Raises ValueError with a text that says which part is wrong and what is allowed.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MAX_ATTEMPTS:
        raise ValueError(f"has {len(parts)} waits; at most {MAX_ATTEMPTS} are allowed.")
    return tuple(_parse_wait(number, part) for number, part in enumerate(parts, 1))


def _parse_wait(number: int, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MAX_WAIT_S:  # false for NaN too
        raise ValueError(f"wait {number} must be 0 to {MAX_WAIT_S} seconds, not {text!r}; write them as 0,5,300.")
    return seconds


def parse_retry_after(value: str | None, now_s: float) -> int | None:
    """Return the seconds of a `Retry-After` header, between 0 and two days; None if it is not valid (RFC 9110).

    `now_s` is the current time in seconds since the epoch.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        # `int` raises an error for more than 4,300 digits.
        return min(int(text), MAX_RETRY_AFTER_S) if len(text) <= 10 else MAX_RETRY_AFTER_S
    try:
        date = parsedate_to_datetime(text)
        # The oldest of the three date formats (asctime) has no time zone and is in UTC.
        at_s = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(math.ceil(at_s - now_s), 0), MAX_RETRY_AFTER_S)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The operator's settings in seconds: the wait before each attempt, an attempt's timeout and the first pause."""

    schedule_s: Sequence[float] = SCHEDULE_S
    attempt_timeout_s: int = 15
    first_pause_s: int = FIRST_PAUSE_MS // 1000

    @property
    def lease_ms(self) -> int:
        """How long a claim is valid: twice the timeout, so that no other worker claims a running attempt."""
        return 2 * self.attempt_timeout_s * 1000

    @property
    def first_pause_ms(self) -> int:
        return self.first_pause_s * 1000

    @property
    def max_wait_ms(self) -> int:
        """The longest possible wait: `Retry-After` can double the longest step, and a lease may expire on top."""
        return round(2 * max(self.schedule_s) * 1000) + self.lease_ms


DEFAULT_POLICY = RetryPolicy()
