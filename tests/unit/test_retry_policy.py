"""When a delivery is retried, and what the status of a response means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.webhooks.retry_policy import (
    RETRY_AFTER_STATUSES,
    SCHEDULE_S,
    Verdict,
    classify_status,
    next_attempt_time,
    parse_retry_after,
    parse_schedule,
)

NOW = 1_700_000_000_000


def wait_s(tries_done: int, *, jitter: float = 0.5, retry_after_s: int | None = None) -> float | None:
    due = next_attempt_time(tries_done, now_ms=NOW, jitter=lambda: jitter, retry_after_s=retry_after_s)
    return None if due is None else (due - NOW) / 1000


def test_the_schedule_has_ten_attempts_in_about_75_hours() -> None:
    waits = [wait_s(done) for done in range(11)]
    assert waits == [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, None]
    assert sum(SCHEDULE_S) / 3600 == pytest.approx(75.6, abs=0.1)


def test_there_are_no_attempts_after_the_last() -> None:
    assert wait_s(99, retry_after_s=5) is None
    assert next_attempt_time(0, now_ms=NOW, schedule_s=(), jitter=lambda: 0) is None


def test_jitter_is_20_percent() -> None:
    assert wait_s(2, jitter=0) == 240
    assert wait_s(2, jitter=1 - 2**-53) == pytest.approx(360, abs=0.001)


@pytest.mark.parametrize(
    ("asked", "waits"), [(0, 240), (250, 250), (300, 300), (301, 301), (599, 599), (600, 600), (601, 600), (9999, 600)]
)
def test_retry_after_is_limited_to_twice_the_step(asked: int, waits: float) -> None:
    assert wait_s(2, jitter=0, retry_after_s=asked) == waits


@given(st.integers(0, 9), st.floats(0, 1, exclude_max=True), st.none() | st.integers(0, 10**9))
def test_waits_stay_within_their_bounds(done: int, jitter: float, asked: int | None) -> None:
    wait, step = wait_s(done, jitter=jitter, retry_after_s=asked), SCHEDULE_S[done]
    assert wait is not None
    assert 0.8 * step - 0.001 <= wait <= (1.2 if asked is None else 2) * step + 0.001


def test_a_schedule_is_parsed() -> None:
    assert parse_schedule("0, 0.5 ,300") == (0, 0.5, 300)
    assert parse_schedule(",".join(str(step) for step in SCHEDULE_S)) == SCHEDULE_S


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "wait 1 "),
        ("0,,5", "wait 2 "),
        ("0,five", "wait 2 .*'five'"),
        ("0,5,-1", "wait 3 "),
        ("nan", "wait 1 "),
        ("0,inf", "wait 2 "),
        ("1e9", "wait 1 .*2592000"),
        ("0;5", "0,5,300"),
        ("1," * 50 + "1", "51 waits; at most 50"),
    ],
)
def test_an_invalid_schedule_is_explained(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_schedule(text)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 120 ", 120),
        ("172801", 172800),
        ("9" * 5000, 172800),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 10),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 10),
        ("Sun Nov  6 08:49:37 1994", 10),
        ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:00 GMT", 172800),
        (None, None),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37 +9999", None),
    ],
)
def test_retry_after_is_parsed_in_all_formats(value: str | None, seconds: int | None) -> None:
    assert parse_retry_after(value, 784_111_767) == seconds


@given(st.text(max_size=60))
def test_any_retry_after_is_parsed_or_ignored(value: str) -> None:
    seconds = parse_retry_after(value, 0)
    assert seconds is None or 0 <= seconds <= 172_800


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_success(status: int) -> None:
    assert classify_status(status) is Verdict.SUCCESS


@pytest.mark.parametrize("status", [100, 101, 199, 300, 301, 308, 400, 401, 404, 409, 411, 429, 500, 503, 599])
def test_retried_statuses(status: int) -> None:
    assert classify_status(status) is Verdict.RETRY


def test_gone_disables() -> None:
    assert classify_status(410) is Verdict.GONE


def test_retry_after_counts_for_four_statuses() -> None:
    assert {429, 502, 503, 504} == RETRY_AFTER_STATUSES
