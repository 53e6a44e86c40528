"""The record of an alert, and when it is due."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from formwright.core.clock import to_local, to_milliseconds

EVERY_MS = 60_000
_MORNING = time(7)


class AlertFrequency(StrEnum):
    """How often a user gets an email. `IMMEDIATE`: at most every minute. `DAILY`: at 7:00, in the account's zone."""

    IMMEDIATE = "IMMEDIATE"
    DAILY = "DAILY"


@dataclass(frozen=True, slots=True)
class Alert:
    """A user's request for emails about the new submissions of a form.

    The user has been emailed about submissions until `since`, and the next check is at `due` (both in milliseconds).
    """

    customer_id: str
    user_id: str
    form_id: str
    frequency: AlertFrequency
    since: int
    due: int


def next_due(frequency: AlertFrequency, now: int, zone: str) -> int:
    """Return when to look for new submissions after this time, in milliseconds."""
    if frequency is AlertFrequency.IMMEDIATE:
        return now + EVERY_MS
    local = to_local(now, zone)
    today = datetime.combine(local.date(), _MORNING, ZoneInfo(zone))
    return to_milliseconds(today if today > local else today + timedelta(days=1))
