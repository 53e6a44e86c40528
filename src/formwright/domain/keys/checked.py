"""The keys that were used last, kept in the process, and what makes sure of each of them at every request.

What is kept is never believed alone: until when a secret works is asked in the same statement that reads what the
request is for. So a key that was revoked or has ended opens nothing from that commit on, in any process, and costs no
statement of its own.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from formwright.core.access.actor import Actor
from formwright.core.kernel import secrets
from formwright.core.storage.database import Reading, Row
from formwright.domain.keys import service, store
from formwright.domain.keys.model import KeyEnded, KeyUnknown

_MOST = 10_000
_kept: OrderedDict[str, Actor] = OrderedDict()


@dataclass(slots=True)
class Checked:
    """Reads for the holder of a key; `KeyUnknown` or `KeyEnded` from the first statement where it opens nothing.

    Whoever answers without a statement calls `make_sure`.
    """

    actor: Actor
    _tx: Reading
    _hash: str
    _now: int
    _sure: bool = False

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self.make_sure()
        return await self._tx.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        asked = None if self._sure else store.with_ends(sql, len(args) + 1)
        row = await self._tx.fetch_one(asked or sql, *args, *((self.actor.customer_id, self._hash) if asked else ()))
        if asked is None or row is None:
            await self.make_sure()
            return row
        self._told(row[0])
        return row[1:]

    async def fetch_steady(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncIterator[Row]:
        await self.make_sure()
        async for row in self._tx.stream(sql, *args):
            yield row

    async def make_sure(self) -> None:
        """Ask for the key alone, unless that was answered already."""
        if not self._sure:
            known = await store.known(self._tx, self._hash)
            self._told(None if known is None else known.ends or 0)

    def _told(self, ends: int | None) -> None:
        """`ends` is when the secret stops working, 0 for never; None where it opens nothing."""
        if ends is None or 0 < ends <= self._now:
            _kept.pop(self._hash, None)
            raise KeyUnknown() if ends is None else KeyEnded()
        self._sure = True


async def check(tx: Reading, text: str, now: int) -> Checked:
    """Who holds this text. What was kept of it is checked with the first statement; else it is looked up here."""
    of = secrets.fingerprint(text)
    if of in _kept:
        _kept.move_to_end(of)
        return Checked(_kept[of], tx, of, now)
    actor = await service.authenticate(tx, text, now)
    if actor is None:
        raise KeyUnknown()
    _kept[of] = actor
    if len(_kept) > _MOST:
        _kept.popitem(last=False)
    return Checked(actor, tx, of, now, True)
