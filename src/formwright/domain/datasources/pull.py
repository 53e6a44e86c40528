"""Pulls: rows that are fetched from a URL, again and again."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.kernel.errors import Conflict
from formwright.domain.datasources.tables.model import BadRow

MINUTE_S, HOUR_S, DAY_S, WEEK_S = 60, 3600, 86400, 604800
SHORTEST_S, LONGEST_S = 15 * MINUTE_S, WEEK_S
MAX_HEADERS = 20

_DURATION = re.compile(r"P(?:(\d{1,3})W|(?=[\dT])(?:(\d{1,3})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?)", re.ASCII)


class PullStatus(StrEnum):
    """How the last pull went; `UNCHANGED`: all was well, and nothing was new."""

    RUNNING = "RUNNING"
    DONE = "DONE"
    UNCHANGED = "UNCHANGED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull and the state of its last try, without its secrets: `headers` are names. Times in milliseconds.

    `rows` are those of the last pull that succeeded; `detail` and `bad` say why the last one failed.
    """

    url: str
    headers: tuple[str, ...]
    every_s: int
    due: int | None
    """When it is pulled next; None while it runs."""
    status: PullStatus | None
    started: int | None
    ended: int | None
    took: int | None
    rows: int | None
    detail: str
    bad: Sequence[BadRow]


@dataclass(frozen=True, slots=True)
class PullWish:
    """What is asked of a pull. None leaves what is there; a header of None keeps the value that is there."""

    url: str | None = None
    headers: Mapping[str, str | None] | None = None
    every: str | None = None


class DatasourceNotPulled(Conflict):
    """It has no pull."""

    code = "datasource.not_pulled"
    detail = "This datasource is not pulled from anywhere. Give it a `pull` first."


def seconds_of(text: str) -> int:
    """`PT15M`, `P1D`, `P1W` (ISO 8601 without years, months and seconds); ValueError where it is none."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    weeks, days, hours, minutes = (int(part or 0) for part in found.groups())
    return weeks * WEEK_S + days * DAY_S + hours * HOUR_S + minutes * MINUTE_S


def duration_of(seconds: int) -> str:
    """Whole minutes as ISO 8601."""
    days, rest = divmod(seconds, DAY_S)
    hours, rest = divmod(rest, HOUR_S)
    time = (f"{hours}H" if hours else "") + (f"{rest // MINUTE_S}M" if rest else "")
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "")
