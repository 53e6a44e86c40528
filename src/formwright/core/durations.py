"""ISO 8601 durations such as `P1D` and `PT2H30M`, without years and months. A day has 24 hours."""

import re

PATTERN = r"^P(?=[0-9T])([0-9]{1,4}W)?([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,6}M)?([0-9]{1,8}S)?)?$"
_PARTS = re.compile(PATTERN)
_SECONDS = {"W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1}


def parse_duration_ms(text: str) -> int:
    """Parse a duration to milliseconds. Raises `ValueError`."""
    match = _PARTS.fullmatch(text)
    if match is None:
        raise ValueError(text)
    parts = (match[number] for number in (1, 2, 4, 5, 6))
    return 1000 * sum(int(part[:-1]) * _SECONDS[part[-1]] for part in parts if part)


def format_duration(ms: int) -> str:
    """Format milliseconds as days, hours, minutes and seconds, rounded down to seconds."""
    days, rest = divmod(ms // 1000, _SECONDS["D"])
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    time = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if n)
    return f"P{f'{days}D' if days else ''}{f'T{time}' if time else ''}" if ms >= 1000 else "PT0S"
