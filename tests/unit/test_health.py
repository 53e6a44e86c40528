"""How a receiver's failures and successes count."""

from formwright.domain.webhooks.health import IN_FLIGHT, OPENING, WELL, Health

MINUTE = 60_000


def fail(health: Health, *moments: int) -> Health:
    for at in moments:
        health = health.failed_at(at, at)
    return health


def test_three_failures_hold_nothing_and_a_success_forgets_them() -> None:
    ailing = fail(WELL, 1, 2, 3)
    assert (ailing.held, ailing.places, ailing.failing, ailing.failed) == (None, IN_FLIGHT, 1, 3)
    assert ailing.succeeded() == WELL


def test_what_was_under_way_when_it_was_held_makes_the_hold_no_longer() -> None:
    held = fail(WELL, 1, 1, 1, 1)
    after = held.failed_at(1, 15_000).failed_at(2, 15_000)
    assert (after.held, after.hold) == (held.held, held.hold) == (1 + MINUTE, MINUTE)


def test_each_probe_that_fails_doubles_the_hold_up_to_an_hour() -> None:
    health, holds = fail(WELL, 1, 1, 1, 1), []
    for _ in range(8):
        assert health.held is not None
        health = health.failed_at(health.held, health.held)
        holds.append(health.hold // MINUTE)
    assert holds == [2, 4, 8, 16, 32, 60, 60, 60]


def test_an_operator_s_first_hold_bounds_the_longest() -> None:
    health, holds = WELL, []
    for _ in range(12):
        health = health.failed_at(health.held or 1, health.held or 1, 1000)
        holds.append(health.hold // 1000)
    assert holds == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_places_double_with_each_wave_of_successes() -> None:
    health, waves = OPENING, []
    for _ in range(5):
        waves.append(health.places)
        for _ in range(health.places):
            health = health.succeeded()
    assert waves == [1, 2, 4, 8, 10]
    assert health == WELL


def test_while_it_opens_four_failures_hold_it_again() -> None:
    assert fail(OPENING.succeeded(), 1, 2, 3).held is None
    assert fail(OPENING.succeeded(), 1, 2, 3, 4).held == 4 + MINUTE


def test_a_failure_alone_is_no_day_of_failing_however_long_ago() -> None:
    once = fail(WELL, 5)
    assert not once.to_be_told
    assert fail(once, 5 + 24 * 60 * MINUTE).to_be_told
