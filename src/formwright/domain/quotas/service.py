"""Takes what comes in through fill links out of the day's quotas.

A quota is a token bucket in the database. It fills again all day long, so nobody has to wait for midnight. A process
takes a share of it at once and serves from that, so it asks the database only now and then. When a quota is used up,
the process remembers the level that it saw: until enough has come back, it refuses without asking.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.buckets import Bucket
from formwright.core.clock import Clock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.quotas import store
from formwright.domain.quotas.models import DAY_MS, DailyQuota, LinkSource, QuotaExceeded, Unit

ACCOUNT = "account"
"""The holder of the quota that all links of an account share; other holders are forms."""
_SHARE = 60
"""A process takes at most this part of a quota at once, and a quarter of what is left."""
_DAY_S = 24 * 3600


@dataclass(slots=True)
class _Share:
    """What this process has taken of one quota and not used yet."""

    bucket: Bucket
    here: int = 0
    seen: tuple[int, int] | None = None
    """The level and the time when there was not enough."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def least(self) -> int:
        """What is taken at least: what comes back within a second, so that a full bucket is asked once a second."""
        return max(1, self.bucket.capacity // _DAY_S)


class Quotas:
    """The quotas as one process keeps to them."""

    def __init__(self, daily: Mapping[Unit, DailyQuota], clock: Clock) -> None:
        self._daily, self._clock = daily, clock
        self._shares: dict[tuple[str, str, Unit], _Share] = {}

    async def take(self, db: Database, source: LinkSource, unit: Unit, amount: int) -> None:
        """Take so many units of the link's and of the account's quota; `QuotaExceeded` if either has less.

        Not to be called within a transaction: it may need one of its own.
        """
        taken: list[_Share] = []
        for holder in _holders(source):
            share = self._share(source.customer_id, holder, unit)
            if share is None or not amount:
                continue
            if wait_s := await self._take(db, share, (source.customer_id, holder, unit), amount):
                for other in taken:
                    other.here += amount
                raise QuotaExceeded(wait_s)
            taken.append(share)

    def refund(self, source: LinkSource, unit: Unit, amount: int) -> None:
        """What was taken was not needed."""
        for holder in _holders(source):
            if share := self._share(source.customer_id, holder, unit):
                share.here += amount

    def _share(self, customer_id: str, holder: str, unit: Unit) -> _Share | None:
        daily = self._daily[unit]
        capacity = daily.account if holder == ACCOUNT else daily.link
        if not capacity:
            return None
        return self._shares.setdefault((customer_id, holder, unit), _Share(Bucket(capacity, DAY_MS)))

    async def _take(self, db: Database, share: _Share, whose: tuple[str, str, Unit], amount: int) -> int:
        """0, or the seconds to wait."""
        async with share.turn:
            if share.here < amount:
                if wait_s := self._refused(share, amount):
                    return wait_s
                async with db.writing() as tx:
                    level = await _draw(tx, share, whose, amount - share.here)
                # Only now: until the commit it was not ours.
                share.here += level
            if share.here < amount:
                return self._refused(share, amount) or 1
            share.here -= amount
            return 0

    def _refused(self, share: _Share, amount: int) -> int:
        """The seconds to wait, as far as this process knows. Others only take from the level that it saw."""
        if share.seen is None:
            return 0
        wanted = max(amount - share.here, share.least)
        level = share.bucket.level(*share.seen, self._clock.now())
        return share.bucket.wait_s(level, wanted) if share.bucket.tokens(level) < wanted else 0


def _holders(source: LinkSource) -> list[str]:
    return [ACCOUNT] if source.form_id is None else [source.form_id, ACCOUNT]


async def _draw(tx: WriteTransaction, share: _Share, key: tuple[str, str, Unit], amount: int) -> int:
    """Take `amount` units or more out of the bucket in the database; 0 if it holds less. The first time in a day that
    it does, the account is told."""
    bucket, now = share.bucket, tx.now()
    level, at, notified = await store.lock_level(tx, *key, bucket.full, now)
    level, now = bucket.level(level, at, now), max(now, at)
    required, available = max(amount, share.least), bucket.tokens(level)
    if available < required:
        share.seen = (level, now)
        if notified is None or now - notified >= DAY_MS:
            await store.save_notified(tx, *key, now)
            tx.audit(_limit_note(*key))
        return 0
    share.seen = None
    drawn = max(required, min(bucket.capacity // _SHARE, available // 4))
    await store.save_level(tx, *key, level - drawn * bucket.period_ms, now)
    return drawn


def _limit_note(customer_id: str, holder: str, unit: Unit) -> AuditNote:
    if holder == ACCOUNT:
        return AuditNote(customer_id, "customer.limit_reached", customer_id, unit)
    return AuditNote(customer_id, "form.limit_reached", holder, unit)


async def find_reached_limits(tx: ReadTransaction, actor: Actor, now: int) -> set[str]:
    """The forms whose link reached a limit within a day; `ACCOUNT` is among them if the account did."""
    scope = allow(actor, Permission.FORMS_READ)
    return await store.find_notified_holders(tx, scope.customer_id, now - DAY_MS)
