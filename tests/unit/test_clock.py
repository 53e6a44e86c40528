"""Times: milliseconds in the code, RFC 3339 in the API."""

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.core.clock import EARLIEST, LATEST, SystemClock, last_day, rfc3339, to_local, to_milliseconds


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_614_265_330_123, "2021-02-25T15:02:10.123Z"),
        (1_614_265_330_000, "2021-02-25T15:02:10.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (EARLIEST, "0001-01-01T00:00:00.000Z"),
        (LATEST, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_as_text(ms: int, text: str) -> None:
    assert rfc3339(ms) == text
    assert to_milliseconds(datetime.fromisoformat(text)) == ms


@given(st.integers(EARLIEST, LATEST))
def test_formatting_and_parsing_round_trip(ms: int) -> None:
    assert to_milliseconds(datetime.fromisoformat(rfc3339(ms))) == ms


def test_offsets_are_applied() -> None:
    summer = timezone(timedelta(hours=2))
    assert to_milliseconds(datetime(2026, 3, 29, 14, 30, tzinfo=summer)) == to_milliseconds(
        datetime(2026, 3, 29, 12, 30, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("ms", "zone", "text"),
    [
        (0, "Asia/Tokyo", "1970-01-01T09:00:00+09:00"),
        (1_614_265_330_123, "Europe/Berlin", "2021-02-25T16:02:10.123000+01:00"),
        (LATEST, "America/New_York", "9999-12-31T18:59:59.999000-05:00"),
        (LATEST, "Asia/Tokyo", "9999-12-31T23:59:59.999000+00:00"),
        (EARLIEST, "America/New_York", "0001-01-01T00:00:00+00:00"),
    ],
)
def test_times_outside_the_range_of_a_zone_stay_in_utc(ms: int, zone: str, text: str) -> None:
    assert to_local(ms, zone).isoformat() == text
    assert to_milliseconds(to_local(ms, zone)) == ms


def test_fractions_of_a_millisecond_are_rounded_down() -> None:
    assert to_milliseconds(datetime(1970, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC)) == 999


def test_the_system_clock_returns_milliseconds() -> None:
    assert abs(SystemClock().now() - time.time() * 1000) < 1000


@pytest.mark.parametrize(
    ("text", "zone", "day"),
    [
        ("2026-12-23T23:00:00Z", "Europe/Berlin", date(2026, 12, 23)),
        ("2026-06-23T22:00:00Z", "Europe/Berlin", date(2026, 6, 23)),
        ("2026-06-23T23:00:00Z", "Europe/Berlin", None),
        ("2026-12-23T23:00:00.001Z", "Europe/Berlin", None),
        # There the clock goes from 00:00 to 01:00 on that day.
        ("2026-03-28T22:00:00Z", "Asia/Beirut", date(2026, 3, 28)),
        ("9999-12-31T23:59:59.999Z", "Europe/Berlin", None),
        ("0001-01-01T00:00:00Z", "America/New_York", None),
    ],
)
def test_the_last_day_of_a_period_that_ends_at_midnight(text: str, zone: str, day: date | None) -> None:
    assert last_day(to_milliseconds(datetime.fromisoformat(text)), zone) == day


@pytest.mark.parametrize(("ms", "year"), [(EARLIEST - 14 * 3_600_000, 1), (LATEST + 14 * 3_600_000, 9999)])
def test_a_time_outside_the_calendar_becomes_its_first_or_last(ms: int, year: int) -> None:
    for zone in ("UTC", "America/St_Johns", "Pacific/Kiritimati"):
        assert to_local(ms, zone).year == year
