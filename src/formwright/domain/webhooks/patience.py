"""How long a try may take, when the next one comes, and for how long a receiver that fails is left alone. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.domain.webhooks.health import FIRST_HOLD_MS
from formwright.domain.webhooks.schedule import SCHEDULE_S


@dataclass(frozen=True, slots=True)
class Patience:
    """What an operator may set of it, in seconds: the wait before each try, the end of a try, the first hold."""

    schedule_s: Sequence[float] = SCHEDULE_S
    try_s: int = 15
    hold_s: int = FIRST_HOLD_MS // 1000

    @property
    def lease_ms(self) -> int:
        """For how long a delivery is its worker's own: twice what a try may take, so that no live one is overtaken."""
        return 2 * self.try_s * 1000

    @property
    def hold_ms(self) -> int:
        """How long the first hold is."""
        return self.hold_s * 1000

    @property
    def longest_wait_ms(self) -> int:
        """Nothing waits longer than this for its next try: receivers may ask for twice the wait, and no more."""
        return round(2 * max(self.schedule_s) * 1000) + self.lease_ms


USUAL = Patience()
