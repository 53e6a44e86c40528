"""How a receiver has been doing, and what that lets it have in flight. Pure.

After four failures in a row it is held: nothing goes there but one delivery at a time, first after a minute, then
after twice as long each, up to sixty times that. Successes open it again, for one, two, four … at a time.
"""

from dataclasses import dataclass, replace

IN_FLIGHT = 10
HELD_AFTER = 4
FIRST_HOLD_MS = 60_000
LONGEST_HOLDS = 60
TELL_AFTER_MS = 24 * 3_600_000
DISABLE_AFTER_MS = 120 * 3_600_000


@dataclass(frozen=True, slots=True)
class Health:
    """Times in milliseconds. `places` is how many may be in flight; `failing` and `failed` are the first and the
    last failure since a success, `told` whether the owner knows. While it is held, `held` is when the next probe may
    go, `hold` for how long it was held."""

    failures: int = 0
    places: int = IN_FLIGHT
    held: int | None = None
    hold: int = 0
    failing: int | None = None
    failed: int | None = None
    told: int = 0

    def succeeded(self) -> "Health":
        """After a success: all is forgotten but for how wide it has opened so far.

        One place more for each, so that there are twice as many once all that were under way have arrived.
        """
        return Health(places=min(self.places + 1, IN_FLIGHT))

    def failed_at(self, started: int, now: int, first_hold: int = FIRST_HOLD_MS) -> "Health":
        """After a failure of a try that began at `started`."""
        failing = started if self.failing is None else self.failing
        after = replace(self, failures=self.failures + 1, failing=failing, failed=now)
        if self.held is None:
            return after if after.failures < HELD_AFTER else after._for(first_hold, now)
        # Those that were under way when it was held say nothing new: only a probe makes the hold longer.
        return after if started < self.held else after._for(min(2 * self.hold, LONGEST_HOLDS * first_hold), now)

    def _for(self, hold: int, now: int) -> "Health":
        return replace(self, held=now + hold, hold=hold, places=1)

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
