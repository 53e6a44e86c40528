"""How often a key may ask: a bucket of as many requests as it has a minute, filled again all the time.

The bucket is in the database, so that all processes draw from the same one. A process draws several at once and serves
from those, so that it asks the database about once a second for a busy key, and never for one whose limit is off.
"""

import asyncio
from dataclasses import dataclass

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import Database, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.lru_cache import LRUCache
from formwright.domain.api_keys import rate_limit_store

UNKNOWN_PER_MINUTE = 60
_ADDRESSES = 10_000
_MINUTE_MS = 60_000
_MAX_DRAW_FRACTION = 60
"""A process draws at most this part of what a key has a minute, and a quarter of what is left."""


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """What a key may still ask: of `limit` a minute `left`. None left and `wait_s`: this request is one too many."""

    limit: int
    left: int
    wait_s: int = 0


class _LocalBucket:
    """What this process has drawn for a key and not served yet, and what was left for everybody after that."""

    def __init__(self) -> None:
        self.available, self.left = 0, 0
        self.lock = asyncio.Lock()


class RateLimiter:
    """The limit of each key, as one process keeps to it. `limit` is in requests a minute; 0 is none."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.unknown = UnknownKeys()
        self._buckets: dict[tuple[str, str], _LocalBucket] = {}

    def consume(self, actor: Actor) -> RateLimitStatus | None:
        """Count a request of this key; None where `draw` has to be asked."""
        drawn = self._bucket(actor)
        if drawn.available == 0:
            return None
        drawn.available -= 1
        return RateLimitStatus(self.limit, drawn.left + drawn.available)

    async def refill(self, db: Database, actor: Actor) -> RateLimitStatus:
        """Draw some more, and count a request. Not to be called within a transaction: it needs one of its own."""
        drawn = self._bucket(actor)
        async with drawn.lock:
            if drawn.available == 0:
                try:
                    async with db.writing() as tx:
                        part, left = await self._draw(tx, actor)
                except Unavailable:
                    # No database takes changes just now: who only reads is served all the same.
                    part, left = max(1, self.limit // _MAX_DRAW_FRACTION), 0
                # Only now, and this request first: what was handed out while the commit ran would be missing here.
                drawn.available, drawn.left = part, left
            return self.consume(actor) or RateLimitStatus(self.limit, 0, max(1, -(-_MINUTE_MS // self.limit // 1000)))

    def _bucket(self, actor: Actor) -> _LocalBucket:
        return self._buckets.setdefault((actor.customer_id, actor.id), _LocalBucket())

    async def _draw(self, tx: WriteTransaction, actor: Actor) -> tuple[int, int]:
        """How many were drawn, and how many are left for everybody.

        Levels are kept in sixty-thousandths of a request: as many are filled in each millisecond as the limit says.

        A clock that is set back fills nothing until it has caught up with itself.
        """
        now, full = tx.now(), self.limit * _MINUTE_MS
        level, at = await rate_limit_store.lock_bucket(tx, actor.customer_id, actor.id, full, now)
        level = min(full, level + max(0, now - at) * self.limit)
        whole = level // _MINUTE_MS
        part = min(whole, max(1, min(self.limit // _MAX_DRAW_FRACTION, whole // 4)))
        await rate_limit_store.save_bucket(tx, actor.customer_id, actor.id, level - part * _MINUTE_MS, max(now, at))
        return part, whole - part


class UnknownKeys:
    """How often each address came with a key that opens nothing, within the minute that runs.

    Counted by each process for itself: whoever guesses is slowed, however his guesses fall among them.
    """

    def __init__(self) -> None:
        self._counts = LRUCache[str, tuple[int, int]](_ADDRESSES)

    def record(self, address: str, now: int) -> bool:
        """One more; answers whether it was one too many."""
        minute = now // _MINUTE_MS
        began, count = self._counts.get(address) or (minute, 0)
        count = count + 1 if began == minute else 1
        self._counts.keep(address, (minute, count))
        return count > UNKNOWN_PER_MINUTE
