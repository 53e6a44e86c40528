"""Rate limits of API keys: a token bucket with the requests of one minute, which refills continuously.

The bucket is in the database, so all processes share it. A process draws several tokens at once and uses them up, so a
busy key takes about one statement per second and process. Without a limit, the database is not used.
"""

import asyncio
from dataclasses import dataclass

from formwright.core.auth.actor import Actor
from formwright.core.buckets import Bucket, LocalBuckets
from formwright.core.db.interface import Database, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.domain.api_keys import rate_limit_store

UNKNOWN_PER_MINUTE = 60
_MINUTE_MS = 60_000
_MAX_DRAW_FRACTION = 60
"""A process draws at most 1/60 of the limit, and at most a quarter of the remaining tokens."""


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """The state of a key's rate limit after a request.

    `limit` is the number of requests per minute, and `remaining` how many of them are left. If the request is rejected,
    `wait_s` is the number of seconds until the next one is allowed.
    """

    limit: int
    remaining: int
    wait_s: int = 0


class _LocalBucket:
    """The tokens of a key that this process has drawn and not used yet, and those that were left in the database."""

    def __init__(self) -> None:
        self.available, self.remaining = 0, 0
        self.lock = asyncio.Lock()


class RateLimiter:
    """The rate limits of all keys in this process.

    `limit` applies to keys without a rate limit of their own, in requests per minute; 0 means no limit.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.unknown = LocalBuckets(Bucket(UNKNOWN_PER_MINUTE, _MINUTE_MS))
        """Counts requests with unknown keys per network address, to slow down guessing."""
        self._buckets: dict[tuple[str, str], _LocalBucket] = {}

    def limit_of(self, own: int | None) -> int:
        """Return the limit of a key whose own limit is `own`; 0 means no limit."""
        return self.limit if own is None else own

    def consume(self, actor: Actor, limit: int) -> RateLimitStatus | None:
        """Count a request of this key, whose limit is not 0; returns None if `refill` has to be called."""
        drawn = self._bucket(actor)
        if drawn.available == 0:
            return None
        drawn.available -= 1
        return RateLimitStatus(limit, drawn.remaining + drawn.available)

    async def refill(self, db: Database, actor: Actor, limit: int) -> RateLimitStatus:
        """Draw tokens from the database and count a request. Must not be called in a transaction: it starts its own."""
        drawn = self._bucket(actor)
        async with drawn.lock:
            if drawn.available == 0:
                try:
                    async with db.writing() as tx:
                        count, left = await self._draw_tokens(tx, actor, limit)
                except Unavailable:
                    # The database accepts no changes at the moment. Allow reads by this process all the same.
                    count, left = max(1, limit // _MAX_DRAW_FRACTION), 0
                # Set these only after the commit: tokens that other requests use while it runs must not be restored.
                drawn.available, drawn.remaining = count, left
            return self.consume(actor, limit) or RateLimitStatus(limit, 0, max(1, -(-_MINUTE_MS // limit // 1000)))

    def _bucket(self, actor: Actor) -> _LocalBucket:
        return self._buckets.setdefault((actor.customer_id, actor.id), _LocalBucket())

    async def _draw_tokens(self, tx: WriteTransaction, actor: Actor, limit: int) -> tuple[int, int]:
        """Draw tokens from the bucket in the database. Returns the drawn and the remaining number.

        If the clock is set back, the bucket does not refill until it has reached the stored time again.
        """
        now, bucket = tx.now(), Bucket(limit, _MINUTE_MS)
        level, at = await rate_limit_store.lock_bucket(tx, actor.customer_id, actor.id, bucket.full, now)
        level = bucket.level(level, at, now)
        tokens = bucket.tokens(level)
        count = min(tokens, max(1, min(limit // _MAX_DRAW_FRACTION, tokens // 4)))
        await rate_limit_store.save_bucket(tx, actor.customer_id, actor.id, level - count * _MINUTE_MS, max(now, at))
        return count, tokens - count
