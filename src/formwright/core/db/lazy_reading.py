"""A read transaction that opens itself."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial

from formwright.core.db.interface import Database, ReadTransaction, Row


class LazyReadTransaction:
    """A read transaction that begins with its first statement, and again with the first one after `end`.

    Unless it `stays`, each statement has its own, so that a request that reads and writes in turn holds no connection
    while it writes.
    """

    def __init__(self, db: Database, *, stays: bool, long: bool = False, listing: bool = False) -> None:
        self._stays, self._begin = stays, partial(db.reading, long=long, listing=listing)
        self._reading: AbstractAsyncContextManager[ReadTransaction] | None = None
        self.current: ReadTransaction | None = None
        """The transaction that has begun."""

    async def end(self) -> None:
        """End the transaction, which gives its connection back."""
        reading, self._reading, self.current = self._reading, None, None
        if reading:
            await reading.__aexit__(None, None, None)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ReadTransaction]:
        if not self._stays:
            async with self._begin() as tx:
                yield tx
            return
        if self.current is None:
            self._reading = self._begin()
            self.current = await self._reading.__aenter__()
        yield self.current

    @property
    def is_distributed(self) -> bool:
        return self.current is not None and self.current.is_distributed

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        async with self._open() as tx:
            return await tx.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        async with self._open() as tx:
            return await tx.fetch_one(sql, *args)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        async with self._open() as tx:
            return await tx.fetch_cached(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        async with self._open() as tx:
            return await tx.fetch_by_key(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        async with self._open() as tx, aclosing(tx.stream(sql, *args)) as rows:
            async for row in rows:
                yield row
