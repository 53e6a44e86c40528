"""Circuit breaker and concurrency limit of a receiver, as pure functions of its results.

Concurrency follows AIMD: each success adds one place, each failure takes away a quarter. The breaker opens, and the
receiver is held, when half of its recent results are failures or ten in a row are. Then only probes go, one at a time:
the first after seconds, and each failed probe doubles the wait, up to an hour. A successful probe closes the breaker.
"""

from dataclasses import dataclass, replace

IN_FLIGHT = 10
HELD_AFTER = IN_FLIGHT
"""Failures in a row. A receiver that refuses 30 % at random reaches ten once in about 240,000 attempts."""
WINDOW = 64
"""Each result weighs 1/64 in the failure rate, an exponential moving average that starts at 0. At 30 % random failures
its standard deviation is 4 %, so it doesn't reach half by chance."""
WHOLE = 10_000
HELD_AT = WHOLE // 2
FIRST_HOLD_MS = 5_000
LONGEST_HOLD_MS = 3_600_000
TELL_AFTER_MS = 24 * 3_600_000
DISABLE_AFTER_MS = 120 * 3_600_000


@dataclass(frozen=True, slots=True)
class Health:
    """Times in milliseconds. `failures` counts those in a row; `places` is how many may be in flight; `failing` and
    `failed` are the first and the last failure since a success, `told` whether the owner knows. While it is held,
    `held` is when the next probe may go, `hold` for how long it was held. `failure_rate` is in parts of `WHOLE`."""

    failures: int = 0
    places: int = IN_FLIGHT
    held: int | None = None
    hold: int = 0
    failing: int | None = None
    failed: int | None = None
    told: int = 0
    failure_rate: int = 0

    def succeeded(self, started: int) -> "Health":
        """After a success of an attempt that began at `started`. A probe's success closes the breaker."""
        if self.held is not None and started < self.held:
            # Attempts under way when it was held don't close the breaker, but something has arrived.
            return replace(self, failures=0, failing=None, failed=None, told=0)
        rate = 0 if self.held is not None else self._rate(0)
        return Health(places=min(self.places + 1, IN_FLIGHT), failure_rate=rate)

    def failed_at(self, started: int, now: int, first_hold: int = FIRST_HOLD_MS) -> "Health":
        """After a failure of an attempt that began at `started`."""
        failing = started if self.failing is None else self.failing
        after = replace(self, failures=self.failures + 1, failing=failing, failed=now)
        if self.held is None:
            after = replace(after, places=self._fewer_places, failure_rate=self._rate(WHOLE))
            return after._held_for(first_hold, now) if after._opens_breaker else after
        # Attempts under way when it was held say nothing new: only a probe makes the hold longer.
        return after if started < self.held else after._held_for(min(2 * self.hold, LONGEST_HOLD_MS), now)

    def _held_for(self, hold: int, now: int) -> "Health":
        return replace(self, held=now + hold, hold=hold, places=1)

    def _rate(self, result: int) -> int:
        return self.failure_rate + (result - self.failure_rate) // WINDOW

    @property
    def _fewer_places(self) -> int:
        return max(1, self.places - max(1, self.places // 4))

    @property
    def _opens_breaker(self) -> bool:
        return self.failures >= HELD_AFTER or self.failure_rate >= HELD_AT

    @property
    def to_be_told(self) -> bool:
        """Whether its owner is to hear that it has been failing for a day."""
        return not self.told and self._failing_ms >= TELL_AFTER_MS

    @property
    def given_up(self) -> bool:
        """Whether it has been failing for so long that nothing more is sent."""
        return self._failing_ms >= DISABLE_AFTER_MS

    @property
    def _failing_ms(self) -> int:
        return 0 if self.failing is None or self.failed is None else self.failed - self.failing


WELL = Health()
OPENING = Health(places=1)
"""Of one that was disabled until now: nobody knows yet whether it takes anything."""
