"""The date and time on the device of a person, which rules see with `today()` and `now()`."""

import re
from datetime import UTC, datetime

from formwright.core.clock import to_local
from formwright.domain.forms.rules.dialect import CLOCK

PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$(?!\n)"
"""The format: RFC 3339 without fractions of seconds, always with an offset in hours and minutes."""
_PATTERN = re.compile(PATTERN, re.ASCII)


def clock_variables(device_time: str) -> dict[str, str]:
    """Return the values of the variables that stand for `today()` and `now()`."""
    return {CLOCK["today"]: device_time[:10], CLOCK["now"]: device_time}


def is_device_time(text: str) -> bool:
    """Whether a text is a date and time in the format of `PATTERN`."""
    if not _PATTERN.fullmatch(text):
        return False
    try:
        return datetime.fromisoformat(text).utcoffset() is not None
    except ValueError:
        return False


def device_time_at(ms: int, zone: str = "UTC") -> str:
    """Return what a device in this time zone shows at that time, for submissions without a device."""
    moment = to_local(ms, zone)
    # Before time zones were introduced, offsets had seconds.
    text = moment.replace(microsecond=0).isoformat()
    return text if is_device_time(text) else moment.astimezone(UTC).replace(microsecond=0).isoformat()
