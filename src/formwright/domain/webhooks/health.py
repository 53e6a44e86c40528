"""Circuit breaker and concurrency limit of a receiver, as pure functions of its results.

Concurrency follows AIMD: each success raises the limit of deliveries in flight by one, and each failure lowers it by a
quarter. The breaker opens, and deliveries to the receiver pause, when half of its recent results or ten in a row are
failures. After a pause of seconds, a single delivery is sent as a probe. Each failed probe doubles the pause, up to an
hour. A successful probe closes the breaker.
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
class DeliveryHealth:
    """Health of a receiver; times in milliseconds. The order of the fields is that of the columns in `store`.

    `failures` counts consecutive failures. `failing_since` and `last_failure` are the first and the last failure since
    the last success, and `alerted` is 1 if an alert was recorded since then. While deliveries are paused,
    `paused_until` is the time of the next probe and `pause_ms` the length of the pause. `failure_rate` is in parts of
    `FULL_RATE`.
    """

    failures: int = 0
    max_in_flight: int = MAX_IN_FLIGHT
    paused_until: int | None = None
    pause_ms: int = 0
    failing_since: int | None = None
    last_failure: int | None = None
    alerted: int = 0
    failure_rate: int = 0

    def after_success(self, started: int) -> "DeliveryHealth":
        """Return the health after a successful attempt that started at `started`."""
        if self.paused_until is not None and started < self.paused_until:
            # This attempt was in flight when the breaker opened, so it is not a probe and doesn't close the breaker.
            return replace(self, failures=0, failing_since=None, last_failure=None, alerted=0)
        rate = 0 if self.paused_until is not None else self._next_rate(0)
        return DeliveryHealth(max_in_flight=min(self.max_in_flight + 1, MAX_IN_FLIGHT), failure_rate=rate)

    def after_failure(self, started: int, now: int, first_pause_ms: int = FIRST_PAUSE_MS) -> "DeliveryHealth":
        """Return the health after a failed attempt that started at `started`."""
        since = started if self.failing_since is None else self.failing_since
        after = replace(self, failures=self.failures + 1, failing_since=since, last_failure=now)
        if self.paused_until is None:
            after = replace(after, max_in_flight=self._reduced_limit, failure_rate=self._next_rate(FULL_RATE))
            return after._pause(first_pause_ms, now) if after._opens_breaker else after
        # Attempts that were in flight when the breaker opened say nothing new: only a probe extends the pause.
        return after if started < self.paused_until else after._pause(min(2 * self.pause_ms, MAX_PAUSE_MS), now)

    def _pause(self, pause_ms: int, now: int) -> "DeliveryHealth":
        return replace(self, paused_until=now + pause_ms, pause_ms=pause_ms, max_in_flight=1)

    def _next_rate(self, result: int) -> int:
        # `//` rounds down, so that the rate gets back to 0 after enough successes.
        return self.failure_rate + (result - self.failure_rate) // FAILURE_WINDOW

    @property
    def _reduced_limit(self) -> int:
        return max(1, self.max_in_flight - max(1, self.max_in_flight // 4))

    @property
    def _opens_breaker(self) -> bool:
        return self.failures >= PAUSE_AFTER_FAILURES or self.failure_rate >= PAUSE_AT_RATE

    @property
    def needs_alert(self) -> bool:
        """Whether it has been failing for a day and no alert has been recorded yet."""
        return not self.alerted and self._failing_ms >= ALERT_AFTER_MS

    @property
    def should_disable(self) -> bool:
        """Whether it has been failing for five days."""
        return self._failing_ms >= DISABLE_AFTER_MS

    @property
    def _failing_ms(self) -> int:
        return 0 if self.failing_since is None or self.last_failure is None else self.last_failure - self.failing_since


HEALTHY = DeliveryHealth()
SLOW_START = DeliveryHealth(max_in_flight=1)
"""Health of a receiver after it was enabled or its URL changed: one delivery at first, as its state is unknown."""
