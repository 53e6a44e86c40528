"""How much waits to be delivered, in all accounts together: figures for the operator."""

from dataclasses import dataclass

from formwright.core.db.interface import ReadTransaction
from formwright.domain.webhooks.models import SubscriberStatus

MAX_COUNTED = 100_000
"""No more are counted: that there are so many says enough, and costs little."""
_DUE = (
    "SELECT count(*), min(due) FROM (SELECT d.due AS due FROM subscribers s JOIN deliveries d"
    " ON d.customer_id = s.customer_id AND d.subscriber_id = s.id AND d.due <= $2 WHERE s.status = $1"
    f" AND {{held}} LIMIT {MAX_COUNTED}) AS waiting"
)
_READY = _DUE.format(held="(s.held IS NULL OR s.held <= $2)")
_HELD = _DUE.format(held="s.held > $2")


@dataclass(frozen=True, slots=True)
class Backlog:
    """`ready`: due, and to be taken by a worker at once, the oldest since so many milliseconds. `held`: due, but its
    receiver fails and is left in peace for a while."""

    ready: int
    oldest_ms: int
    paused: int


async def measure_backlog(tx: ReadTransaction, now: int) -> Backlog:
    """What is due now; nothing of disabled subscribers."""
    ready = await tx.fetch_one(_READY, SubscriberStatus.ACTIVE, now)
    held = await tx.fetch_one(_HELD, SubscriberStatus.ACTIVE, now)
    count, oldest = ready or (0, None)
    return Backlog(int(count), now - int(oldest) if oldest is not None else 0, int(held[0]) if held else 0)
