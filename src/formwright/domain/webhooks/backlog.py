"""Metrics of the delivery queue, over all accounts."""

from dataclasses import dataclass

from formwright.core.db.interface import ReadTransaction
from formwright.domain.webhooks.models import SubscriberStatus

MAX_COUNTED = 100_000
"""Counting stops here, so that a long queue does not make the metrics slow."""
_DUE = (
    "SELECT count(*), min(due) FROM (SELECT d.due AS due FROM subscribers s JOIN deliveries d"
    " ON d.customer_id = s.customer_id AND d.subscriber_id = s.id AND d.due <= $2 WHERE s.status = $1"
    f" AND {{pause}} LIMIT {MAX_COUNTED}) AS waiting"
)
_READY = _DUE.format(pause="(s.held IS NULL OR s.held <= $2)")
_PAUSED = _DUE.format(pause="s.held > $2")


@dataclass(frozen=True, slots=True)
class Backlog:
    """Numbers of due deliveries: `ready` to be claimed, the oldest of them due for `oldest_ms`; and `paused`, because
    their receiver is failing."""

    ready: int
    oldest_ms: int
    paused: int


async def measure_backlog(tx: ReadTransaction, now: int) -> Backlog:
    """Return the current backlog, without deliveries to disabled subscribers."""
    ready = await tx.fetch_one(_READY, SubscriberStatus.ACTIVE, now)
    paused = await tx.fetch_one(_PAUSED, SubscriberStatus.ACTIVE, now)
    count, oldest = ready or (0, None)
    return Backlog(int(count), now - int(oldest) if oldest is not None else 0, int(paused[0]) if paused else 0)
