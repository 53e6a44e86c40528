"""The keys that were used last, kept in the process, and what makes sure of each of them at every request.

What is kept is never believed alone: until when a secret works is asked in the same statement that reads what the
request is for. So a key that was revoked or has ended opens nothing from that commit on, in any process, and costs no
statement of its own.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from formwright.core import crypto
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction, Row, Statement
from formwright.core.lru_cache import LRUCache
from formwright.domain.api_keys import service, store
from formwright.domain.api_keys.models import KeyExpired, KeyUnknown

_cache = LRUCache[str, Actor](10_000)


@dataclass(slots=True)
class AuthenticatedTransaction:
    """Reads for the holder of a key; `KeyUnknown` or `KeyEnded` from the first statement where it opens nothing.

    Whoever answers without a statement calls `make_sure`.
    """

    actor: Actor
    _hash: str
    _now: int
    _tx: ReadTransaction | None
    verified: bool = False

    @property
    def statement(self) -> Statement:
        """What `make_sure` will ask for."""
        return store.identity_statement(self._hash)

    @property
    def _transaction(self) -> ReadTransaction:
        assert self._tx is not None  # noqa: S101 - who recalled a key has a transaction of its own
        return self._tx

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self.verify()
        return await self._transaction.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_and_verify(self._transaction.fetch_one, sql, args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_and_verify(self._transaction.fetch_by_key, sql, args)

    async def _fetch_and_verify(
        self, fetch: Callable[..., Awaitable[Row | None]], sql: str, args: tuple[object, ...]
    ) -> Row | None:
        asked = None if self.verified else store.with_expiry(sql, len(args) + 1)
        row = await fetch(asked or sql, *args, *((self.actor.customer_id, self._hash) if asked else ()))
        if asked is None or row is None:
            await self.verify()
            return row
        self._set_expiry(row[0])
        return row[1:]

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_and_verify(self._transaction.fetch_cached, sql, args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        await self.verify()
        async for row in self._transaction.stream(sql, *args):
            yield row

    async def verify(self, tx: ReadTransaction | None = None) -> None:
        """Ask for the key alone, unless that was answered already; in `tx`, where it is another by now.

        In a transaction that others share it is asked for once: whoever ends a key waits for the account's order, too.
        """
        if not self.verified:
            known = await store.find_identity(tx or self._transaction, self._hash)
            self._set_expiry(None if known is None else known.ends or 0)

    def _set_expiry(self, ends: int | None) -> None:
        """`ends` is when the secret stops working, 0 for never; None where it opens nothing."""
        if ends is None or 0 < ends <= self._now:
            _cache.drop(self._hash)
            raise KeyUnknown() if ends is None else KeyExpired()
        self.verified = True


def find_cached(text: str, now: int, tx: ReadTransaction | None = None) -> AuthenticatedTransaction | None:
    """Who held this text when it was last looked up: to be made sure of with the first statement, or in another
    transaction. None where it is not kept."""
    key_hash = crypto.fingerprint(text)
    actor = _cache.get(key_hash)
    return AuthenticatedTransaction(actor, key_hash, now, tx) if actor else None


async def authenticate_key(tx: ReadTransaction, text: str, now: int) -> AuthenticatedTransaction:
    """Who holds this text; `KeyUnknown` where nobody does."""
    if kept := find_cached(text, now, tx):
        return kept
    actor = await service.authenticate(tx, text, now)
    if actor is None:
        raise KeyUnknown()
    key_hash = crypto.fingerprint(text)
    return AuthenticatedTransaction(_cache.keep(key_hash, actor), key_hash, now, tx, True)
