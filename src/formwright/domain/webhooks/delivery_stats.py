"""How deliveries to a subscriber went during the last day, and what waits for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.webhooks import stats_store

DAY_MS = 24 * 3_600_000
DELAYED_AFTER_MS = 30 * 60_000
"""A receiver is not well if an event has been waiting for it for this time, whatever its last attempts say."""
MAX_BACKLOG = 10_000
_MIN_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class DeliveryStats:
    """Figures of a subscriber; times in milliseconds.

    `backlog` counts waiting deliveries up to `MAX_BACKLOG` + 1, and `oldest` is when the oldest of them was created.
    `attempts`, `successes` and `p95_ms`, the response time, are those of the newest 500 deliveries of the last day;
    `p95_ms` is None without attempts.
    """

    backlog: int
    oldest: int | None
    last_success: int | None
    attempts: int
    successes: int
    p95_ms: int | None

    @property
    def success_rate(self) -> float | None:
        """The share of successful attempts; None without attempts."""
        return self.successes / self.attempts if self.attempts else None

    @property
    def is_unreliable(self) -> bool:
        """Whether fewer than half of at least ten attempts succeeded."""
        return self.attempts >= _MIN_ATTEMPTS and 2 * self.successes < self.attempts

    def is_delayed(self, now: int) -> bool:
        """Whether a delivery has been waiting for half an hour."""
        return self.oldest is not None and now - self.oldest >= DELAYED_AFTER_MS


async def load_stats(
    tx: ReadTransaction, actor: Actor, subscriber_ids: Sequence[str], *, now: int
) -> dict[str, DeliveryStats]:
    """Return the figures of these subscribers by id. The caller has found them in the account."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    found = {}
    for subscriber_id in subscriber_ids:
        backlog, oldest = await stats_store.measure_backlog(tx, scope, subscriber_id, MAX_BACKLOG + 1)
        results = await stats_store.list_results(tx, scope, subscriber_id, now - DAY_MS)
        durations = sorted(duration for duration, _ in results)
        found[subscriber_id] = DeliveryStats(
            backlog=backlog,
            oldest=oldest,
            last_success=await stats_store.find_last_success(tx, scope, subscriber_id),
            attempts=len(results),
            successes=sum(is_success for _, is_success in results),
            p95_ms=durations[ceil(0.95 * len(durations)) - 1] if durations else None,
        )
    return found
