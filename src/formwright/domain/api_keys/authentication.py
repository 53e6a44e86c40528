"""Authentication of API keys, with a cache in each process that is verified on every request.

The cache saves a statement, but is never trusted alone. The first statement of a request also reads when the key
expires, so a revoked or expired key stops working as soon as that is committed, in every process.
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
    """A read transaction that verifies an API key with its first statement.

    That statement raises `KeyUnknown` if the key was revoked, and `KeyExpired`. A request that needs no statement, or
    that uses another transaction, has to call `verify`.
    """

    actor: Actor
    _hash: str
    _now: int
    _tx: ReadTransaction | None
    verified: bool = False

    @property
    def statement(self) -> Statement:
        """The statement that `verify` runs, so that it can be prefetched."""
        return store.identity_statement(self._hash)

    @property
    def _transaction(self) -> ReadTransaction:
        assert self._tx is not None  # noqa: S101 - only missing if the caller uses its own transaction
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
        combined = None if self.verified else store.with_expiry(sql, len(args) + 1)
        row = await fetch(combined or sql, *args, *((self.actor.customer_id, self._hash) if combined else ()))
        if combined is None or row is None:
            # No row means that the key's expiry is unknown, too.
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
        """Verify the key with a statement of its own, unless it is verified already; `tx` is another transaction.

        Once is enough in a transaction that holds the account lock: revoking a key waits for that lock.
        """
        if not self.verified:
            identity = await store.find_identity(tx or self._transaction, self._hash)
            self._set_expiry(None if identity is None else identity.ends or 0)

    def _set_expiry(self, ends: int | None) -> None:
        """Raise if the key does not work. `ends` is when its secret expires, 0 for never; None if it is unknown."""
        if ends is None or 0 < ends <= self._now:
            _cache.drop(self._hash)
            raise KeyUnknown() if ends is None else KeyExpired()
        self.verified = True


def find_cached(text: str, now: int, tx: ReadTransaction | None = None) -> AuthenticatedTransaction | None:
    """Return the cached actor of a key, which still has to be verified; None if it is not in the cache."""
    key_hash = crypto.fingerprint(text)
    actor = _cache.get(key_hash)
    return AuthenticatedTransaction(actor, key_hash, now, tx) if actor else None


async def authenticate_key(tx: ReadTransaction, text: str, now: int) -> AuthenticatedTransaction:
    """Authenticate a key from the cache or the database. Raises `KeyUnknown` or `KeyExpired`.

    If it was in the cache, it is verified by the first statement of the returned transaction.
    """
    if cached := find_cached(text, now, tx):
        return cached
    actor = await service.authenticate(tx, text, now)
    if actor is None:
        raise KeyUnknown()
    key_hash = crypto.fingerprint(text)
    return AuthenticatedTransaction(_cache.keep(key_hash, actor), key_hash, now, tx, True)
