"""Counts submissions through fill links against the daily quotas.

A quota is a token bucket in the database. It refills continuously, so nobody has to wait for midnight. A process draws
a share of the tokens at once and serves requests from it, so that most requests need no database access. When a quota
is used up, the process remembers the level and rejects requests without a query until enough tokens have been refilled.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.buckets import Bucket
from formwright.core.clock import Clock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.quotas import store
from formwright.domain.quotas.models import DAY_MS, DailyQuota, LinkSource, QuotaExceeded, Unit

ACCOUNT = "account"
"""The holder of the quota that all links of an account share. The other holders are form ids."""
_SHARE = 60
"""A process draws at most this fraction (1/60) of a quota at once, and a quarter of the remaining tokens."""
_DAY_S = 24 * 3600


@dataclass(slots=True)
class _Share:
    """The tokens that this process has drawn from a quota and not used yet."""

    bucket: Bucket
    available: int = 0
    exhausted_at: tuple[int, int] | None = None
    """The level and the time (ms) when the bucket had too few tokens."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def min_draw(self) -> int:
        """The smallest number of tokens to draw: as many as refill per second, to query at most once per second."""
        return max(1, self.bucket.capacity // _DAY_S)


class Quotas:
    """Enforces the quotas in one process."""

    def __init__(self, daily: Mapping[Unit, DailyQuota], clock: Clock) -> None:
        self._daily, self._clock = daily, clock
        self._shares: dict[tuple[str, str, Unit], _Share] = {}

    async def consume(self, db: Database, source: LinkSource, unit: Unit, amount: int) -> None:
        """Take units from the quotas of the link and of the account. Raises `QuotaExceeded` if either has too few.

        Do not call this within a transaction, because it may open one.
        """
        taken: list[_Share] = []
        for holder in _holders(source):
            share = self._share(source.customer_id, holder, unit)
            if share is None or not amount:
                continue
            if wait_s := await self._consume_share(db, share, (source.customer_id, holder, unit), amount):
                for other in taken:
                    other.available += amount
                raise QuotaExceeded(wait_s)
            taken.append(share)

    def refund(self, source: LinkSource, unit: Unit, amount: int) -> None:
        """Return units that were taken but not used."""
        for holder in _holders(source):
            if share := self._share(source.customer_id, holder, unit):
                share.available += amount

    def _share(self, customer_id: str, holder: str, unit: Unit) -> _Share | None:
        daily = self._daily[unit]
        capacity = daily.account if holder == ACCOUNT else daily.link
        if not capacity:
            return None
        return self._shares.setdefault((customer_id, holder, unit), _Share(Bucket(capacity, DAY_MS)))

    async def _consume_share(self, db: Database, share: _Share, key: tuple[str, str, Unit], amount: int) -> int:
        """Return 0, or the seconds to wait if there are too few tokens."""
        async with share.lock:
            if share.available < amount:
                if wait_s := self._known_wait_s(share, amount):
                    return wait_s
                async with db.writing() as tx:
                    drawn = await _draw_tokens(tx, share, key, amount - share.available)
                # Only after the commit, because a failed transaction draws nothing.
                share.available += drawn
            if share.available < amount:
                return self._known_wait_s(share, amount) or 1
            share.available -= amount
            return 0

    def _known_wait_s(self, share: _Share, amount: int) -> int:
        """Return the seconds to wait according to the remembered level, which is an upper bound of the level."""
        if share.exhausted_at is None:
            return 0
        required = max(amount - share.available, share.min_draw)
        level = share.bucket.level(*share.exhausted_at, self._clock.now())
        return share.bucket.wait_s(level, required) if share.bucket.tokens(level) < required else 0


def _holders(source: LinkSource) -> list[str]:
    return [ACCOUNT] if source.form_id is None else [source.form_id, ACCOUNT]


async def _draw_tokens(tx: WriteTransaction, share: _Share, key: tuple[str, str, Unit], amount: int) -> int:
    """Draw at least `amount` tokens from the bucket in the database; return how many, or 0 if it has too few.

    The first time in a day that it has too few, an audit entry records that the limit was reached.
    """
    bucket, now = share.bucket, tx.now()
    level, at, notified = await store.lock_level(tx, *key, bucket.full, now)
    level, now = bucket.level(level, at, now), max(now, at)
    required, available = max(amount, share.min_draw), bucket.tokens(level)
    if available < required:
        share.exhausted_at = (level, now)
        if notified is None or now - notified >= DAY_MS:
            await store.save_notified(tx, *key, now)
            tx.audit(_limit_note(*key))
        return 0
    share.exhausted_at = None
    drawn = max(required, min(bucket.capacity // _SHARE, available // 4))
    await store.save_level(tx, *key, level - drawn * bucket.period_ms, now)
    return drawn


def _limit_note(customer_id: str, holder: str, unit: Unit) -> AuditNote:
    if holder == ACCOUNT:
        return AuditNote(customer_id, "customer.limit_reached", customer_id, unit)
    return AuditNote(customer_id, "form.limit_reached", holder, unit)


async def find_reached_limits(tx: ReadTransaction, actor: Actor, now: int) -> set[str]:
    """Return the ids of the forms whose links reached a limit within a day, and `ACCOUNT` if the account did."""
    scope = allow(actor, Permission.FORMS_READ)
    return await store.find_notified_holders(tx, scope.customer_id, now - DAY_MS)
