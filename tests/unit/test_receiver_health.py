"""How a receiver's results open and close its circuit breaker, and how many deliveries it may have in flight."""

import random
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.webhooks.health import (
    FIRST_HOLD_MS,
    HELD_AFTER,
    IN_FLIGHT,
    LONGEST_HOLD_MS,
    OPENING,
    WELL,
    Health,
)

SECOND, HOUR = 1000, 3_600_000
HELD = WELL
for _ in range(HELD_AFTER):
    HELD = HELD.failed_at(1, 1)


class Simulation:
    """A receiver with deliveries always waiting, served by a worker that follows `Health`. Times in milliseconds."""

    def __init__(self, failing_share: float, *, answers_in: int = 10, seed: int = 1) -> None:
        self.health, self.now = WELL, 0
        self.failing_share, self._answers_in = failing_share, answers_in
        self._random = random.Random(seed)
        self._in_flight: list[tuple[int, int]] = []
        self.attempts = self.successes = self.holds = self.most_in_flight = 0

    def run(self, until: int) -> None:
        while self.now < until:
            self._claim()
            if not self._in_flight:
                assert self.health.held is not None
                self.now = self.health.held
                continue
            self.now, started = heappop(self._in_flight)
            was_held = self.health.held is not None
            if self._random.random() < self.failing_share:
                self.health = self.health.failed_at(started, self.now)
            else:
                self.health, self.successes = self.health.succeeded(started), self.successes + 1
            self.holds += self.health.held is not None and not was_held

    def _claim(self) -> None:
        while (self.health.held is None or self.health.held <= self.now) and len(self._in_flight) < self.health.places:
            # Never two answers at the same moment, so that they come back in a fixed order.
            heappush(self._in_flight, (self.now + self._answers_in + len(self._in_flight), self.now))
            self.attempts += 1
            self.most_in_flight = max(self.most_in_flight, len(self._in_flight))


@pytest.mark.parametrize("seed", range(3))
def test_one_that_fails_now_and_then_is_hardly_ever_held(seed: int) -> None:
    flaky, well = Simulation(0.3, seed=seed), Simulation(0, seed=seed)
    flaky.run(30 * SECOND)
    well.run(30 * SECOND)
    assert flaky.holds <= 1
    assert flaky.successes > 0.4 * well.successes, "it fails 30 %, and keeps most of its places meanwhile"


@pytest.mark.parametrize("answers_in", [10, 15_000])
def test_one_that_is_down_gets_a_wave_of_attempts_and_then_only_probes(answers_in: int) -> None:
    down = Simulation(1, answers_in=answers_in)
    down.run(24 * HOUR)
    doubling = 10  # 5 s, 10 s … 2,560 s come before the first pause of an hour.
    assert down.attempts <= IN_FLIGHT + doubling + 24
    assert down.holds == 1


@pytest.mark.parametrize("outage_s", [1, 60, 600, 3600, 86_400])
def test_it_is_found_well_again_no_later_than_its_outage_took_and_within_an_hour(outage_s: int) -> None:
    receiver = Simulation(1)
    receiver.run(outage_s * SECOND)
    receiver.failing_share, receiver.successes = 0, 0
    receiver.run(outage_s * SECOND + min(LONGEST_HOLD_MS, FIRST_HOLD_MS + outage_s * SECOND) + SECOND)
    assert receiver.health.places == IN_FLIGHT
    assert receiver.successes > IN_FLIGHT


def test_half_of_the_recent_results_open_the_breaker() -> None:
    """Also where failures and successes alternate, so that never two are in a row."""
    health, results = WELL, 0
    while health.held is None and results < 1000:
        health, results = health.failed_at(results, results).failed_at(results, results), results + 3
        health = health if health.held else health.succeeded(results)
    assert health.failures < HELD_AFTER
    assert 64 <= results <= 256


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 60_000)), max_size=400))
def test_whatever_comes_back_the_limits_hold(results: list[tuple[bool, int]]) -> None:
    health, now = WELL, 0
    for ok, later in results:
        now += later
        before = health
        health = health.succeeded(now) if ok else health.failed_at(now, now)
        assert 1 <= health.places <= IN_FLIGHT
        assert health.places <= before.places + 1
        assert 0 <= health.hold <= LONGEST_HOLD_MS
        assert health.held is None or health.held <= now + LONGEST_HOLD_MS
        assert (health.failing is None) == (health.failed is None)
        assert not ok or health.failing is None


def test_ten_failures_in_a_row_hold_it_and_nine_do_not() -> None:
    nine = WELL
    for at in range(1, HELD_AFTER):
        nine = nine.failed_at(at, at)
    assert (nine.held, nine.failing, nine.failed) == (None, 1, HELD_AFTER - 1)
    ten = nine.failed_at(HELD_AFTER, HELD_AFTER)
    assert (ten.held, ten.hold, ten.places) == (HELD_AFTER + FIRST_HOLD_MS, FIRST_HOLD_MS, 1)


def test_what_was_under_way_when_it_was_held_neither_prolongs_nor_ends_the_hold() -> None:
    after = HELD.failed_at(1, 15_000).failed_at(2, 15_000).succeeded(3)
    assert (after.held, after.hold, after.places) == (HELD.held, HELD.hold, 1)
    assert after.failing is None, "something has arrived"


def test_a_successful_probe_forgets_the_failures_before() -> None:
    assert HELD.held is not None
    assert HELD.succeeded(HELD.held) == Health(places=2)


@pytest.mark.parametrize("first_s", [1, 5, 60, 3600])
def test_each_probe_that_fails_doubles_the_hold_up_to_an_hour(first_s: int) -> None:
    health, holds = WELL, []
    for _ in range(HELD_AFTER + 14):
        health = health.failed_at(health.held or 1, health.held or 1, first_s * SECOND)
        holds.append(health.hold)
    expected = [min(first_s * 2**number * SECOND, LONGEST_HOLD_MS) for number in range(15)]
    assert holds == [0] * (HELD_AFTER - 1) + expected


def test_places_double_with_each_wave_of_successes() -> None:
    health, waves = OPENING, []
    for _ in range(5):
        waves.append(health.places)
        for _ in range(health.places):
            health = health.succeeded(1)
    assert waves == [1, 2, 4, 8, 10]
    assert health == WELL


def test_a_failure_alone_is_no_day_of_failing_however_long_ago() -> None:
    once = WELL.failed_at(5, 5)
    assert not once.to_be_told
    assert once.failed_at(5 + 24 * HOUR, 5 + 24 * HOUR).to_be_told
