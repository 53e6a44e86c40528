"""Times, which are integer milliseconds since 1970-01-01 UTC everywhere in the code."""

import re
import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAY_MS = 86_400_000
# A page of a list formats thousands of times. Assembling them from preformatted parts is much faster than strftime.
_MINUTES = [f"{hour:02}:{minute:02}:" for hour in range(24) for minute in range(60)]
_SECONDS = [f"{second:02}." for second in range(60)]
_PARTS = [f"{part:03}Z" for part in range(1000)]

EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
"""The first and the last millisecond that RFC 3339 can represent in UTC."""


class Clock(Protocol):
    """The source of the current time. Tests use one that they can set."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""


class SystemClock:
    """The system clock. It may be set back, so callers must not rely on increasing times."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


def rfc3339(ms: int) -> str:
    """Format a time as RFC 3339 in UTC with three decimals: `1614265330123` as `2021-02-25T15:02:10.123Z`."""
    day, rest = divmod(ms, _DAY_MS)
    seconds, part = divmod(rest, 1000)
    return _day(day) + _MINUTES[seconds // 60] + _SECONDS[seconds % 60] + _PARTS[part]


@lru_cache(maxsize=4096)
def _day(number: int) -> str:
    return (_EPOCH + timedelta(days=number)).date().isoformat() + "T"


def to_local(ms: int, zone: str) -> datetime:
    """Convert a time to a time zone; to UTC if the result would be outside the range of `datetime`.

    Times outside that range themselves become the first or last one in it.
    """
    # An answer of 0001-01-01T00:00+14:00 is in the year 0 in UTC.
    moment = _EPOCH + timedelta(milliseconds=min(max(ms, EARLIEST), LATEST))
    try:
        return moment.astimezone(ZoneInfo(zone))
    except OverflowError:
        return moment


def format_minute(ms: int, zone: str) -> str:
    """Format a time for people, to the minute: `29 Mar 2026, 14:30`."""
    at = to_local(ms, zone)
    return f"{at.day} {at:%b %Y, %H:%M}"


def start_of_day(day: date | None, zone: str) -> int | None:
    """Return the first millisecond of a day in a time zone; None for None."""
    if day is None:
        return None
    # In years 1 and 9999, the conversion to UTC could leave the range of datetime.
    tz = ZoneInfo(zone) if 1 < day.year < 9999 else UTC
    return to_milliseconds(datetime(day.year, day.month, day.day, tzinfo=tz))


def to_milliseconds(moment: datetime) -> int:
    """Convert an aware datetime to milliseconds, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def parse_timestamp(text: str) -> float | None:
    """Return a time with its offset (RFC 3339) in milliseconds since 1970; None if the text is not a valid time."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text, re.ASCII):
        return None
    try:
        # Round to the nearest millisecond, as SQLite does.
        return float(to_milliseconds(datetime.fromisoformat(text.upper()) + timedelta(microseconds=500)))
    except (ValueError, OverflowError):
        return None


def last_day(ms: int, zone: str) -> date | None:
    """Return the day that ends at this time in a time zone, or None if the time is not midnight.

    People read "until the 23rd" as including the 23rd.
    """
    at = to_local(ms, zone)
    begins = datetime(at.year, at.month, at.day, tzinfo=at.tzinfo)
    # There is no `date` before that of `EARLIEST`.
    return at.date() - timedelta(days=1) if to_milliseconds(begins) == ms != EARLIEST else None
