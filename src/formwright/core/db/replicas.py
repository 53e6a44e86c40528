"""Read replicas of PostgreSQL: lists and exports come from them, and show all that was committed when they were asked
for.

A replica follows its primary by milliseconds. So the primary is asked first how far its log is, and a replica is
given a moment to be as far. One that is behind, down, or breaks off because its primary cleared away what was being
read leaves the question to the primary; who asked does not notice.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg
import structlog

from formwright.core.db.interface import DatabaseBusy, ReadTransaction, Row, Statement, WriteTransaction
from formwright.core.db.postgres import PostgresDatabase, place_of, pool_of
from formwright.core.db.postgres_connection import Statements
from formwright.core.metrics import Metrics

_FAILED = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_BROKEN_OFF = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.InsufficientResourcesError,
)
_LOOKS_S = (0, 0.002, 0.005, 0.01, 0.03)
"""The waits before each look whether it is as far: 47 ms together."""
_CONNECT_S = 2
_REST_S = 5
_SAID_S = 60

T = TypeVar("T")
log = structlog.get_logger()


class Replica:
    """One of them. It is opened when it is first asked, so that a house stands also while it is down."""

    def __init__(self, url: str, *, pooled: bool) -> None:
        self._url, self._pooled, self._place = url, pooled, place_of(url)
        self._pool: Any = None
        self._rests_until = self._said = 0.0

    @property
    def rests(self) -> bool:
        """Whether it failed a moment ago, and is not asked again yet."""
        return time.monotonic() < self._rests_until

    def rest(self, error: BaseException) -> None:
        """It failed: ask others for a while."""
        self._rests_until = time.monotonic() + _REST_S
        log.warning("a replica is left alone", replica=self._place, seconds=_REST_S, why=str(error) or repr(error))

    @asynccontextmanager
    async def reading(self, position: str) -> AsyncIterator[ReadTransaction | None]:
        """A transaction on it, as far as `position` of the primary's log at least; None where it is not to be had."""
        async with AsyncExitStack() as stack:
            tx: ReadTransaction | None = None
            try:
                connection = await self._connection(stack)
                tx = Statements(connection, pooled=self._pooled) if await self._is_at(connection, position) else None
            except _FAILED as error:
                self.rest(error)
            yield tx

    async def _connection(self, stack: AsyncExitStack) -> Any:
        if self._pool is None:
            self._pool = pool_of(self._url, pooled=self._pooled, least=0)
        await self._pool  # Once is enough, and more do no harm.
        connection = await self._pool.acquire(timeout=_CONNECT_S)
        stack.push_async_callback(self._give_back, connection)
        if self._pooled:
            # So that the pooler asks the same server for the position and for what is read.
            transaction = connection.transaction(readonly=True)
            await transaction.start()
            stack.push_async_callback(_quietly, transaction.rollback)
        return connection

    async def _give_back(self, connection: Any) -> None:
        await _quietly(self._pool.release, connection)

    async def _is_at(self, connection: Any, position: str) -> bool:
        for wait in _LOOKS_S:
            await asyncio.sleep(wait)
            if await connection.fetchval("SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn", position):
                return True
        if time.monotonic() > self._said + _SAID_S:
            self._said = time.monotonic()
            log.warning("a replica is behind, or is none", replica=self._place)
        return False

    async def close(self) -> None:
        """Give back every connection."""
        if self._pool is not None:
            await _quietly(self._pool.close)


async def _quietly(work: Callable[..., Awaitable[object]], *args: object) -> None:
    """What is put away may be broken already."""
    with suppress(*_FAILED):
        await work(*args)


class Replicated:
    """The primary, with replicas beside it for lists and exports."""

    def __init__(self, primary: PostgresDatabase, replicas: Sequence[Replica], meter: Metrics) -> None:
        self._primary, self._replicas, self._meter = primary, list(replicas), meter

    @asynccontextmanager
    async def reading(self, *, long: bool = False, listing: bool = False) -> AsyncIterator[ReadTransaction]:
        async with AsyncExitStack() as stack:
            if listing:
                yield await self._listing(stack)
            else:
                yield await stack.enter_async_context(self._primary.reading(long=long))

    async def _listing(self, stack: AsyncExitStack) -> ReadTransaction:
        position = ""
        self._replicas.append(self._replicas.pop(0))
        for replica in [one for one in self._replicas if not one.rests]:
            position = position or await self._position()
            if tx := await stack.enter_async_context(replica.reading(position)):
                self._meter.listed("replica")
                return _Listing(tx, lambda error, of=replica: self._moved(stack, of, error))  # type: ignore[misc]
        self._meter.listed("primary")
        return await stack.enter_async_context(self._primary.reading())

    async def _position(self) -> str:
        """How far the log is: behind all that was committed by now."""
        async with self._primary.reading() as tx:
            row = await tx.fetch_one("SELECT pg_current_wal_flush_lsn()::text")
        return str(row[0]) if row else ""

    async def _moved(self, stack: AsyncExitStack, replica: Replica, error: BaseException) -> ReadTransaction:
        if isinstance(error, asyncpg.TransactionRollbackError):
            log.info("a list is read from the primary", why=str(error))  # The replica is well: it has to go on.
        else:
            replica.rest(error)
        self._meter.listed("moved")
        return await stack.enter_async_context(self._primary.reading())

    def writing(
        self, *, account: str = "", ahead: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        return self._primary.writing(account=account, ahead=ahead)

    async def close(self) -> None:
        for replica in self._replicas:
            await replica.close()
        await self._primary.close()


class _Listing:
    """Reads from a replica, and on from the primary once that breaks off. Each statement is answered by one of them."""

    def __init__(self, tx: ReadTransaction, move: Callable[[BaseException], Awaitable[ReadTransaction]]) -> None:
        self._tx, self._move = tx, move
        self._moved = False

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await self._ask(lambda tx: tx.fetch(sql, *args))

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        return await self._ask(lambda tx: tx.fetch_one(sql, *args))

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        begun = False
        try:
            async for row in self._tx.stream(sql, *args):
                begun = True
                yield row
        except _BROKEN_OFF as error:
            if begun or self._moved:
                # Where it broke off cannot be said to another: what was read so far is no part of its answer.
                raise DatabaseBusy() from error
            await self._on(error)
            async for row in self._tx.stream(sql, *args):
                yield row

    async def _ask(self, work: Callable[[ReadTransaction], Awaitable[T]]) -> T:
        try:
            return await work(self._tx)
        except _BROKEN_OFF as error:
            if self._moved:
                raise
            await self._on(error)
        return await work(self._tx)

    async def _on(self, error: BaseException) -> None:
        self._tx, self._moved = await self._move(error), True
