"""Rate limits of the fill pages: requests per minute from one address, and for one link.

Each process counts its own requests, in memory. The quotas in `service`, which all processes share, limit disk usage.
"""

from formwright.core.buckets import Bucket
from formwright.core.lru_cache import LRUCache
from formwright.core.networks import is_local, to_network
from formwright.domain.quotas.models import TooManyFills

LINK_SHARE = 4
"""The limit of a link is this multiple of the limit of an address, because many people use the same link."""
_MINUTE_MS = 60_000
_MAX_KEYS = 10_000


class RequestLimits:
    """The limits of one process. `limit` is the number of requests per minute from one address; 0 means unlimited."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._addresses = _Buckets(Bucket(limit, _MINUTE_MS))
        self._links = _Buckets(Bucket(limit * LINK_SHARE, _MINUTE_MS))

    def count(self, address: str, token: str, now: int) -> None:
        """Count a request. Raises `TooManyFills` if it exceeds a limit."""
        if not self._limit:
            return
        # Requests from loopback come through a proxy that hides the addresses of all its clients.
        wait_s = 0 if is_local(address) else self._addresses.count(to_network(address), now)
        if wait_s := wait_s or self._links.count(token, now):
            raise TooManyFills(wait_s)


class _Buckets:
    """A token bucket for each of the most recently used keys."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._levels = LRUCache[str, tuple[int, int]](_MAX_KEYS)

    def count(self, key: str, now: int) -> int:
        """Take a token for this key. Returns 0, or the seconds to wait if there is none."""
        bucket = self._bucket
        level = bucket.level(*(self._levels.get(key) or (bucket.full, now)), now)
        if bucket.tokens(level) < 1:
            return bucket.wait_s(level, 1)
        self._levels.put(key, (level - bucket.period_ms, now))
        return 0
