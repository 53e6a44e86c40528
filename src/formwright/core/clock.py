"""Time as the whole platform counts it: integer milliseconds since 1970-01-01 UTC."""

import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAY_MS = 86_400_000
# A page of a list writes thousands of times: they are put together of parts that were written before.
_MINUTES = [f"{hour:02}:{minute:02}:" for hour in range(24) for minute in range(60)]
_SECONDS = [f"{second:02}." for second in range(60)]
_PARTS = [f"{part:03}Z" for part in range(1000)]

EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
"""The first and the last millisecond that RFC 3339 can write in UTC."""


class Clock(Protocol):
    """Tells the time; a test hands in one that stands still."""

    def now(self) -> int:
        """Milliseconds since the epoch."""


class SystemClock:
    """The machine's clock, which may be set back: nothing may count on it to rise."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


def rfc3339(ms: int) -> str:
    """`1614265330123` as `2021-02-25T15:02:10.123Z` (RFC 3339, UTC, always three decimals)."""
    day, rest = divmod(ms, _DAY_MS)
    seconds, part = divmod(rest, 1000)
    return _day(day) + _MINUTES[seconds // 60] + _SECONDS[seconds % 60] + _PARTS[part]


@lru_cache(maxsize=4096)
def _day(number: int) -> str:
    return (_EPOCH + timedelta(days=number)).date().isoformat() + "T"


def to_local(ms: int, zone: str) -> datetime:
    """A time as a zone has it; as UTC has it at the ends of time, where the zone has none. Its `tzinfo` says which."""
    moment = _EPOCH + timedelta(milliseconds=ms)
    try:
        return moment.astimezone(ZoneInfo(zone))
    except OverflowError:
        return moment


def to_milliseconds(moment: datetime) -> int:
    """An aware time as milliseconds; parts of a millisecond are dropped."""
    return (moment - _EPOCH) // _MILLISECOND


def last_day(ms: int, zone: str) -> date | None:
    """The day that ends there at this moment, for people to whom "until the 23rd" is the whole of it; None in a day."""
    at = to_local(ms, zone)
    begins = datetime(at.year, at.month, at.day, tzinfo=at.tzinfo)
    return at.date() - timedelta(days=1) if to_milliseconds(begins) == ms != EARLIEST else None
