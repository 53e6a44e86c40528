"""Circuit breaker and concurrency limit of a receiver, as pure functions of its results.

Concurrency follows AIMD: each success adds one place, each failure takes away a quarter. The breaker opens, and the
receiver is held, when half of its recent results are failures or ten in a row are. Then only probes go, one at a time:
the first after seconds, and each failed probe doubles the wait, up to an hour. A successful probe closes the breaker.
"""

from dataclasses import dataclass, replace

MAX_IN_FLIGHT = 10
PAUSE_AFTER_FAILURES = MAX_IN_FLIGHT
"""Failures in a row. A receiver that refuses 30 % at random reaches ten once in about 240,000 attempts."""
FAILURE_WINDOW = 64
"""Each result weighs 1/64 in the failure rate, an exponential moving average that starts at 0. At 30 % random failures
its standard deviation is 4 %, so it doesn't reach half by chance."""
FULL_RATE = 10_000
PAUSE_AT_RATE = FULL_RATE // 2
FIRST_PAUSE_MS = 5_000
MAX_PAUSE_MS = 3_600_000
ALERT_AFTER_MS = 24 * 3_600_000
DISABLE_AFTER_MS = 120 * 3_600_000


@dataclass(frozen=True, slots=True)
class Health:
    """Times in milliseconds. `failures` counts those in a row; `places` is how many may be in flight; `failing` and
    `failed` are the first and the last failure since a success, `told` whether the owner knows. While it is held,
    `held` is when the next probe may go, `hold` for how long it was held. `failure_rate` is in parts of `WHOLE`."""

    failures: int = 0
    max_in_flight: int = MAX_IN_FLIGHT
    paused_until: int | None = None
    pause_ms: int = 0
    failing_since: int | None = None
    last_failure: int | None = None
    alerted: int = 0
    failure_rate: int = 0

    def after_success(self, started: int) -> "Health":
        """After a success of an attempt that began at `started`. A probe's success closes the breaker."""
        if self.paused_until is not None and started < self.paused_until:
            # Attempts under way when it was held don't close the breaker, but something has arrived.
            return replace(self, failures=0, failing_since=None, last_failure=None, alerted=0)
        rate = 0 if self.paused_until is not None else self._next_rate(0)
        return Health(max_in_flight=min(self.max_in_flight + 1, MAX_IN_FLIGHT), failure_rate=rate)

    def after_failure(self, started: int, now: int, first_pause_ms: int = FIRST_PAUSE_MS) -> "Health":
        """After a failure of an attempt that began at `started`."""
        failing = started if self.failing_since is None else self.failing_since
        after = replace(self, failures=self.failures + 1, failing_since=failing, last_failure=now)
        if self.paused_until is None:
            after = replace(after, max_in_flight=self._reduced_limit, failure_rate=self._next_rate(FULL_RATE))
            return after._pause(first_pause_ms, now) if after._opens_breaker else after
        # Attempts under way when it was held say nothing new: only a probe makes the hold longer.
        return after if started < self.paused_until else after._pause(min(2 * self.pause_ms, MAX_PAUSE_MS), now)

    def _pause(self, hold: int, now: int) -> "Health":
        return replace(self, paused_until=now + hold, pause_ms=hold, max_in_flight=1)

    def _next_rate(self, result: int) -> int:
        return self.failure_rate + (result - self.failure_rate) // FAILURE_WINDOW

    @property
    def _reduced_limit(self) -> int:
        return max(1, self.max_in_flight - max(1, self.max_in_flight // 4))

    @property
    def _opens_breaker(self) -> bool:
        return self.failures >= PAUSE_AFTER_FAILURES or self.failure_rate >= PAUSE_AT_RATE

    @property
    def needs_alert(self) -> bool:
        """Whether its owner is to hear that it has been failing for a day."""
        return not self.alerted and self._failing_ms >= ALERT_AFTER_MS

    @property
    def should_disable(self) -> bool:
        """Whether it has been failing for so long that nothing more is sent."""
        return self._failing_ms >= DISABLE_AFTER_MS

    @property
    def _failing_ms(self) -> int:
        return 0 if self.failing_since is None or self.last_failure is None else self.last_failure - self.failing_since


HEALTHY = Health()
SLOW_START = Health(max_in_flight=1)
"""Of one that was disabled until now: nobody knows yet whether it takes anything."""
