"""When a delivery is tried again, and what an answer means for it. Pure.

How long a try may take, when the next one comes, and for how long a receiver that fails is left alone. Pure.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import Enum

from formwright.domain.webhooks.health import FIRST_PAUSE_MS

SCHEDULE_S: tuple[float, ...] = (0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
"""The wait before each try, in seconds: about 75 h in all."""

JITTER = 0.2
MAX_ATTEMPTS = 50
MAX_WAIT_S = 30 * 86400
MAX_RETRY_AFTER_S = 2 * 86400
RETRY_AFTER_STATUSES = frozenset({429, 502, 503, 504})
"""The statuses whose `Retry-After` counts."""


class Verdict(Enum):
    """What a status means: done, to be tried again, or never to be sent there again."""

    SUCCESS = "success"
    RETRY = "retry"
    GONE = "gone"


def classify_status(status: int) -> Verdict:
    """2xx is success, 410 gone; all else, redirects too, is tried again."""
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
    """When the next try is due, in milliseconds; None when there is none left.

    The step is spread by ±20 % (`jitter` gives 0 up to 1). What the receiver asked for counts up to twice the step.
    """
    if attempts_made >= len(schedule_s):
        return None
    step = schedule_s[attempts_made]
    wait = step * (1 - JITTER + 2 * JITTER * jitter())
    if retry_after_s is not None:
        wait = min(max(wait, retry_after_s), 2 * step)
    return now_ms + round(wait * 1000)


def parse_schedule(text: str) -> tuple[float, ...]:
    """`"0, 5, 300"`: the seconds before each try. ValueError says which part is wrong and what it should be."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MAX_ATTEMPTS:
        raise ValueError(f"has {len(parts)} waits; at most {MAX_ATTEMPTS} are possible.")
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
    """The seconds that a `Retry-After` asks for, 0 to two days. None if it is neither form of RFC 9110.

    `now_s`: seconds since the epoch.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(int(text), MAX_RETRY_AFTER_S) if len(text) <= 10 else MAX_RETRY_AFTER_S
    try:
        moment = parsedate_to_datetime(text)
        # A date without a zone is in UTC: the oldest of the three forms has none.
        at_s = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(math.ceil(at_s - now_s), 0), MAX_RETRY_AFTER_S)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """What an operator may set of it, in seconds: the wait before each try, the end of a try, the first hold."""

    schedule_s: Sequence[float] = SCHEDULE_S
    attempt_timeout_s: int = 15
    first_pause_s: int = FIRST_PAUSE_MS // 1000

    @property
    def lease_ms(self) -> int:
        """For how long a delivery is its worker's own: twice what a try may take, so that no live one is overtaken."""
        return 2 * self.attempt_timeout_s * 1000

    @property
    def first_pause_ms(self) -> int:
        """How long the first hold is."""
        return self.first_pause_s * 1000

    @property
    def max_wait_ms(self) -> int:
        """Nothing waits longer than this for its next try: receivers may ask for twice the wait, and no more."""
        return round(2 * max(self.schedule_s) * 1000) + self.lease_ms


DEFAULT_POLICY = RetryPolicy()
