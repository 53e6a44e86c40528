"""How many requests a minute the fill pages answer: for one address, and for one link.

Each process counts for itself, in its memory. What bounds the disk is the quota (`service.py`), which all share.
"""

from formwright.core.buckets import Bucket
from formwright.core.lru_cache import LRUCache
from formwright.core.networks import is_local, to_network
from formwright.domain.quotas.models import TooManyFills

LINK_SHARE = 4
"""A link may receive this many times what one address may send: many people use it at once."""
_MINUTE_MS = 60_000
_MAX_KEYS = 10_000


class RequestLimits:
    """The limits of one process. `limit` is requests a minute from one address; 0 is none."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._addresses = _Buckets(Bucket(limit, _MINUTE_MS))
        self._links = _Buckets(Bucket(limit * LINK_SHARE, _MINUTE_MS))

    def count(self, address: str, token: str, now: int) -> None:
        """Count a request; `TooManyFills` if it is one too many. Loopback has no limit of its own: it is a proxy."""
        if not self._limit:
            return
        wait_s = 0 if is_local(address) else self._addresses.count(to_network(address), now)
        if wait_s := wait_s or self._links.count(token, now):
            raise TooManyFills(wait_s)


class _Buckets:
    """The buckets of the keys that were used last."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._levels = LRUCache[str, tuple[int, int]](_MAX_KEYS)

    def count(self, key: str, now: int) -> int:
        """Take one token of this key: 0, or the seconds to wait if there is none."""
        bucket = self._bucket
        level = bucket.level(*(self._levels.get(key) or (bucket.full, now)), now)
        if bucket.tokens(level) < 1:
            return bucket.wait_s(level, 1)
        self._levels.put(key, (level - bucket.period_ms, now))
        return 0
