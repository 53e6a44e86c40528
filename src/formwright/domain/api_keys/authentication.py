"""Authentication of requests by API key.

Recently used keys are recognised without a query. That alone is never trusted: the first statement of the request also
reads when the secret ends, and the key's revision. So a key that was revoked or has expired stops working, and changed
limits apply, from that commit on in any process, and verifying a key costs no round trip of its own.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import TracebackType

from formwright.core import crypto
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import Database, ReadTransaction, Row, Statement
from formwright.core.errors import require
from formwright.core.lru_cache import LRUCache
from formwright.domain.api_keys import limits, service, store
from formwright.domain.api_keys.models import KeyExpired, KeyIdentity, KeyUnknown

_known = LRUCache[str, tuple[KeyIdentity, Actor]](10_000)
"""The identities and actors of recently used keys, by the hash of the secret.

Keys that are limited to folders are not among them, because moving a folder changes what they may do.
"""


class KeyChanged(Exception):
    """The key was changed since it was cached. Nothing was done yet: authenticate the request again.

    Not a `DomainError`, because no operation may handle it.
    """


@dataclass(slots=True)
class Credential:
    """The API key of a request. Until it is `verified`, it may have been revoked or changed, or have expired."""

    actor: Actor
    key_hash: str
    now: int
    identity: KeyIdentity
    verified: bool = False

    @property
    def prefetch(self) -> list[Statement]:
        """The statement that `verify` will run."""
        return [] if self.verified else [store.identity_statement(self.key_hash)]

    async def verify(self, tx: ReadTransaction) -> None:
        """Verify the key unless that is done; raises `KeyUnknown`, `KeyExpired` or `KeyChanged`.

        The transactions of a commit group share the result: revoking a key waits for the account's lock, too.
        """
        if not self.verified:
            identity = await store.find_identity(tx, self.key_hash)
            self.check((identity.ends or 0, identity.revision) if identity else None)

    def check(self, validity: tuple[int, int] | None) -> None:
        """Verify the key by the time at which its secret ends, 0 for never, and its revision; None if it is unknown."""
        ends, revision = validity or (0, 0)
        if validity and revision == self.identity.revision and not 0 < ends <= self.now:
            self.verified = True
            return
        _known.discard(self.key_hash)
        if validity is None:
            raise KeyUnknown()
        raise KeyExpired() if 0 < ends <= self.now else KeyChanged()


class VerifyingRead:
    """A read transaction whose first statement also verifies the key, as `Credential.verify` does."""

    def __init__(self, transaction: AbstractAsyncContextManager[ReadTransaction], credential: Credential) -> None:
        self._transaction, self._credential = transaction, credential

    @property
    def is_distributed(self) -> bool:
        return self._tx.is_distributed

    async def __aenter__(self) -> ReadTransaction:
        self._tx = await self._transaction.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._transaction.__aexit__(kind, error, trace)

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self._credential.verify(self._tx)
        return await self._tx.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_verifying(self._tx.fetch_one, sql, args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_verifying(self._tx.fetch_by_key, sql, args)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self._fetch_verifying(self._tx.fetch_cached, sql, args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        await self._credential.verify(self._tx)
        async for row in self._tx.stream(sql, *args):
            yield row

    async def _fetch_verifying(
        self, fetch: Callable[..., Awaitable[Row | None]], sql: str, args: tuple[object, ...]
    ) -> Row | None:
        key = self._credential
        # A join with the table of keys, which is on the coordinator, takes longer than a statement of its own.
        verifying = None if key.verified or self._tx.is_distributed else store.with_validity(sql, len(args) + 1)
        if verifying is None:
            await key.verify(self._tx)
            return await fetch(sql, *args)
        row = await fetch(verifying, *args, key.actor.customer_id, key.key_hash)
        if row is None:
            # Without a row, the statement did not return the validity of the secret either.
            await key.verify(self._tx)
            return None
        key.check(store.parse_validity(row[0]) if row[0] is not None else None)
        return row[1:]


def recognise(text: str, now: int) -> Credential | None:
    """Return the credential of a key that was used recently, not verified; None if there is none."""
    key_hash = crypto.fingerprint(text)
    known = _known.get(key_hash)
    return Credential(known[1], key_hash, now, known[0]) if known else None


async def look_up(tx: ReadTransaction, text: str, now: int) -> Credential:
    """Return the verified credential of this key; raises `KeyUnknown` or `KeyExpired`."""
    identity = require(await service.identify(tx, text, now), KeyUnknown)
    key_hash, actor = crypto.fingerprint(text), await limits.load_actor(tx, identity)
    if identity.limits is None or not identity.limits.folder_ids:
        _known.put(key_hash, (identity, actor))
    return Credential(actor, key_hash, now, identity, verified=True)


async def authenticate(tx: ReadTransaction, text: str, now: int) -> Credential:
    """Return the verified credential of this key, cached if possible; raises `KeyUnknown` or `KeyExpired`."""
    if credential := recognise(text, now):
        try:
            await credential.verify(tx)
        except KeyChanged:
            return await look_up(tx, text, now)
        return credential
    return await look_up(tx, text, now)


class KeyUsage:
    """Records in memory when each key was last used; `flush` saves it from time to time."""

    def __init__(self) -> None:
        self._uses: dict[tuple[str, str], int] = {}

    def record(self, actor: Actor, now: int) -> None:
        """Record that a key was used."""
        self._uses[actor.customer_id, actor.id] = now

    async def flush(self, db: Database) -> None:
        """Save the uses since the last call. If that fails, they are kept for the next call."""
        uses, self._uses = self._uses, {}
        try:
            if uses:
                async with db.writing() as tx:
                    await store.save_last_used(
                        tx, [(customer, key, at) for (customer, key), at in sorted(uses.items())]
                    )
        except BaseException:
            # Uses that were recorded during the attempt are newer.
            self._uses = uses | self._uses
            raise
