"""Token buckets: the arithmetic of rate limits and quotas."""

from dataclasses import dataclass

from formwright.core.lru_cache import LRUCache


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket of `capacity` tokens that fills from empty to full within `period_ms`.

    Levels are integers: tokens multiplied by `period_ms`. So a level rises by exactly `capacity` per millisecond.
    """

    capacity: int
    period_ms: int

    @property
    def full(self) -> int:
        """The level of a full bucket."""
        return self.capacity * self.period_ms

    def level(self, level: int, at: int, now: int) -> int:
        """Return the level at `now`, given the level at the time `at`. A clock that is set back adds nothing."""
        return min(self.full, level + max(0, now - at) * self.capacity)

    def tokens(self, level: int) -> int:
        """Return the number of whole tokens at this level."""
        return level // self.period_ms

    def wait_s(self, level: int, tokens: int) -> int:
        """Return the seconds until a bucket at this level has so many tokens: at least 1, at most the period."""
        missing = tokens * self.period_ms - level
        return max(1, min(-(-missing // self.capacity // 1000), self.period_ms // 1000))


class LocalBuckets:
    """A token bucket for each of the most recently used keys. Each process has its own, in memory."""

    def __init__(self, bucket: Bucket, max_keys: int = 10_000) -> None:
        self._bucket = bucket
        self._levels = LRUCache[str, tuple[int, int]](max_keys)

    def take(self, key: str, now: int) -> int:
        """Take a token for this key. Returns 0, or the seconds to wait if there is none."""
        bucket = self._bucket
        level = bucket.level(*(self._levels.get(key) or (bucket.full, now)), now)
        if bucket.tokens(level) < 1:
            return bucket.wait_s(level, 1)
        self._levels.put(key, (level - bucket.period_ms, now))
        return 0
