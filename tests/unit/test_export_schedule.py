"""When scheduled exports run, across changes of the clocks."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from formwright.core.clock import to_local, to_milliseconds
from formwright.domain.exports.models import ExportInterval, Schedule

BERLIN = "Europe/Berlin"
HOURLY, DAILY, WEEKLY, MONTHLY = ExportInterval

CASES = [
    (Schedule(HOURLY, minute=15), "2026-03-29 01:20", ["2026-03-29 03:15", "2026-03-29 04:15"]),
    (Schedule(HOURLY, minute=15), "2026-10-25 01:20", ["2026-10-25 02:15", "2026-10-25 02:15", "2026-10-25 03:15"]),
    (Schedule(DAILY, 2, 30), "2026-03-28 02:30", ["2026-03-29 03:30", "2026-03-30 02:30"]),
    (Schedule(DAILY, 2, 30), "2026-10-24 02:30", ["2026-10-25 02:30", "2026-10-26 02:30"]),
    (Schedule(WEEKLY, weekday=7), "2026-11-21 12:00", ["2026-11-22 06:00", "2026-11-29 06:00"]),
    (Schedule(MONTHLY, day=31), "2027-01-31 06:00", ["2027-02-28 06:00", "2027-03-31 06:00", "2027-04-30 06:00"]),
]


@pytest.mark.parametrize(("schedule", "after", "expected"), CASES)
def test_the_next_times_are_in_local_time(schedule: Schedule, after: str, expected: list[str]) -> None:
    at = to_milliseconds(datetime.fromisoformat(after).replace(tzinfo=ZoneInfo(BERLIN)))
    for text in expected:
        following = schedule.next_time(at, BERLIN)
        assert following > at
        at = following
        assert f"{to_local(at, BERLIN):%Y-%m-%d %H:%M}" == text


def test_an_hourly_export_follows_zones_with_half_hours() -> None:
    at = to_milliseconds(datetime(2026, 1, 1, 12, 10, tzinfo=ZoneInfo("Asia/Kathmandu")))
    assert f"{to_local(Schedule(HOURLY).next_time(at, 'Asia/Kathmandu'), 'Asia/Kathmandu'):%H:%M}" == "13:00"
