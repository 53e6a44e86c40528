"""How a receiver's results open and close its circuit breaker, and how many deliveries it may have in flight."""

import random
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.webhooks.health import (
    FIRST_PAUSE_MS,
    HEALTHY,
    MAX_IN_FLIGHT,
    MAX_PAUSE_MS,
    PAUSE_AFTER_FAILURES,
    SLOW_START,
    DeliveryHealth,
)

SECOND, HOUR = 1000, 3_600_000
HELD = HEALTHY
for _ in range(PAUSE_AFTER_FAILURES):
    HELD = HELD.after_failure(1, 1)


class Simulation:
    """A receiver with deliveries always waiting, served by a worker that follows `Health`. Times in milliseconds."""

    def __init__(self, failing_share: float, *, answers_in: int = 10, seed: int = 1) -> None:
        self.health, self.now = HEALTHY, 0
        self.failing_share, self._answers_in = failing_share, answers_in
        self._random = random.Random(seed)
        self._in_flight: list[tuple[int, int]] = []
        self.attempts = self.successes = self.holds = self.most_in_flight = 0

    def run(self, until: int, *, until_successes: float = float("inf")) -> None:
        while self.now < until and self.successes < until_successes:
            self._claim()
            if not self._in_flight:
                assert self.health.paused_until is not None
                self.now = self.health.paused_until
                continue
            self.now, started = heappop(self._in_flight)
            was_held = self.health.paused_until is not None
            if self._random.random() < self.failing_share:
                self.health = self.health.after_failure(started, self.now)
            else:
                self.health, self.successes = self.health.after_success(started), self.successes + 1
            self.holds += self.health.paused_until is not None and not was_held

    def _claim(self) -> None:
        while (self.health.paused_until is None or self.health.paused_until <= self.now) and len(
            self._in_flight
        ) < self.health.max_in_flight:
            # Never two responses at the same time, so that their order is deterministic.
            heappush(self._in_flight, (self.now + self._answers_in + len(self._in_flight), self.now))
            self.attempts += 1
            self.most_in_flight = max(self.most_in_flight, len(self._in_flight))


@pytest.mark.parametrize("seed", range(3))
def test_a_flaky_receiver_is_rarely_paused(seed: int) -> None:
    flaky, well = Simulation(0.3, seed=seed), Simulation(0, seed=seed)
    flaky.run(30 * SECOND)
    well.run(30 * SECOND)
    assert flaky.holds <= 1
    assert flaky.successes > 0.4 * well.successes, "it fails 30 %, and keeps most of its slots"


@pytest.mark.parametrize("answers_in", [10, 15_000])
def test_a_receiver_that_is_down_gets_a_wave_of_attempts_and_then_only_probes(answers_in: int) -> None:
    down = Simulation(1, answers_in=answers_in)
    down.run(24 * HOUR)
    doubling = 10  # 5 s, 10 s … 2,560 s come before the first pause of an hour.
    assert down.attempts <= MAX_IN_FLIGHT + doubling + 24
    assert down.holds == 1


@pytest.mark.parametrize("outage_s", [1, 60, 600, 3600, 86_400])
def test_recovery_is_detected_within_the_duration_of_the_outage_and_an_hour(outage_s: int) -> None:
    receiver = Simulation(1)
    receiver.run(outage_s * SECOND)
    receiver.failing_share, receiver.successes = 0, 0
    latest = outage_s * SECOND + min(MAX_PAUSE_MS, FIRST_PAUSE_MS + outage_s * SECOND) + SECOND
    receiver.run(latest, until_successes=10 * MAX_IN_FLIGHT)
    assert receiver.health.max_in_flight == MAX_IN_FLIGHT
    assert receiver.successes == 10 * MAX_IN_FLIGHT


def test_half_of_the_recent_results_open_the_breaker() -> None:
    """Also if failures and successes alternate, so that there are never two failures in a row."""
    health, results = HEALTHY, 0
    while health.paused_until is None and results < 1000:
        health, results = health.after_failure(results, results).after_failure(results, results), results + 3
        health = health if health.paused_until else health.after_success(results)
    assert health.failures < PAUSE_AFTER_FAILURES
    assert 64 <= results <= 256


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 60_000)), max_size=400))
def test_the_limits_hold_for_any_results(results: list[tuple[bool, int]]) -> None:
    health, now = HEALTHY, 0
    for ok, later in results:
        now += later
        before = health
        health = health.after_success(now) if ok else health.after_failure(now, now)
        assert 1 <= health.max_in_flight <= MAX_IN_FLIGHT
        assert health.max_in_flight <= before.max_in_flight + 1
        assert 0 <= health.pause_ms <= MAX_PAUSE_MS
        assert health.paused_until is None or health.paused_until <= now + MAX_PAUSE_MS
        assert (health.failing_since is None) == (health.last_failure is None)
        assert not ok or health.failing_since is None


def test_ten_consecutive_failures_pause_a_receiver_and_nine_do_not() -> None:
    nine = HEALTHY
    for at in range(1, PAUSE_AFTER_FAILURES):
        nine = nine.after_failure(at, at)
    assert (nine.paused_until, nine.failing_since, nine.last_failure) == (None, 1, PAUSE_AFTER_FAILURES - 1)
    ten = nine.after_failure(PAUSE_AFTER_FAILURES, PAUSE_AFTER_FAILURES)
    assert (ten.paused_until, ten.pause_ms, ten.max_in_flight) == (
        PAUSE_AFTER_FAILURES + FIRST_PAUSE_MS,
        FIRST_PAUSE_MS,
        1,
    )


def test_deliveries_in_flight_neither_prolong_nor_end_a_pause() -> None:
    after = HELD.after_failure(1, 15_000).after_failure(2, 15_000).after_success(3)
    assert (after.paused_until, after.pause_ms, after.max_in_flight) == (HELD.paused_until, HELD.pause_ms, 1)
    assert after.failing_since is None, "something has arrived"


def test_a_successful_probe_resets_the_failures() -> None:
    assert HELD.paused_until is not None
    assert HELD.after_success(HELD.paused_until) == DeliveryHealth(max_in_flight=2)


@pytest.mark.parametrize("first_s", [1, 5, 60, 3600])
def test_each_failed_probe_doubles_the_pause_up_to_an_hour(first_s: int) -> None:
    health, holds = HEALTHY, []
    for _ in range(PAUSE_AFTER_FAILURES + 14):
        health = health.after_failure(health.paused_until or 1, health.paused_until or 1, first_s * SECOND)
        holds.append(health.pause_ms)
    expected = [min(first_s * 2**number * SECOND, MAX_PAUSE_MS) for number in range(15)]
    assert holds == [0] * (PAUSE_AFTER_FAILURES - 1) + expected


def test_concurrency_doubles_with_each_wave_of_successes() -> None:
    health, waves = SLOW_START, []
    for _ in range(5):
        waves.append(health.max_in_flight)
        for _ in range(health.max_in_flight):
            health = health.after_success(1)
    assert waves == [1, 2, 4, 8, 10]
    assert health == HEALTHY


def test_a_single_old_failure_is_not_a_day_of_failures() -> None:
    once = HEALTHY.after_failure(5, 5)
    assert not once.needs_alert
    assert once.after_failure(5 + 24 * HOUR, 5 + 24 * HOUR).needs_alert
