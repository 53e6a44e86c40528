"""Rate limits of the fill pages: requests per minute from one address, and for one link.

Each process counts its own requests, in memory. The quotas in `service`, which all processes share, limit disk usage.
"""

from formwright.core.buckets import Bucket, LocalBuckets
from formwright.core.networks import is_local, to_network
from formwright.domain.quotas.models import TooManyFills

LINK_SHARE = 4
"""The limit of a link is this multiple of the limit of an address, because many people use the same link."""
_MINUTE_MS = 60_000


class RequestLimits:
    """The limits of one process. `limit` is the number of requests per minute from one address; 0 means unlimited."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._addresses = LocalBuckets(Bucket(limit, _MINUTE_MS))
        self._links = LocalBuckets(Bucket(limit * LINK_SHARE, _MINUTE_MS))

    def count(self, address: str, token: str, now: int) -> None:
        """Count a request. Raises `TooManyFills` if it exceeds a limit."""
        if not self._limit:
            return
        # Requests from loopback come through a proxy that hides the addresses of all its clients.
        wait_s = 0 if is_local(address) else self._addresses.take(to_network(address), now)
        if wait_s := wait_s or self._links.take(token, now):
            raise TooManyFills(wait_s)
