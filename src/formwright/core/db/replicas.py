"""PostgreSQL read replicas for lists and exports, which include everything committed before the request.

A replica lags behind its primary by milliseconds. So the primary is asked for its current log position first, and a
replica gets a moment to catch up. If a replica lags, is down, or cancels the query because of a recovery conflict,
the primary answers instead, unnoticed by the caller.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg
import structlog

from formwright.core.db.interface import DatabaseBusy, ReadTransaction, Row, Statement, WriteTransaction
from formwright.core.db.postgres import PostgresDatabase, create_pool, database_location
from formwright.core.db.postgres_connection import Statements
from formwright.core.metrics import Metrics

_FAILED = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_INTERRUPTED = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.InsufficientResourcesError,
)
_POLL_DELAYS_S = (0, 0.002, 0.005, 0.01, 0.03)
"""Delays before each check whether the replica has caught up: 47 ms in total."""
_CONNECT_S = 2
_PAUSE_S = 5
_WARN_EVERY_S = 60

T = TypeVar("T")
log = structlog.get_logger()


class Replica:
    """A read replica. It is connected on first use, so the application starts even if it is down."""

    def __init__(self, url: str, *, pooled: bool) -> None:
        self._url, self._pooled, self._location = url, pooled, database_location(url)
        self._pool: Any = None
        self._paused_until = self._warned_at = 0.0

    @property
    def is_paused(self) -> bool:
        """Whether the replica failed recently and is not used for now."""
        return time.monotonic() < self._paused_until

    def pause(self, error: BaseException) -> None:
        """Stop using the replica for a few seconds after an error."""
        self._paused_until = time.monotonic() + _PAUSE_S
        log.warning("replica paused", replica=self._location, seconds=_PAUSE_S, error=str(error) or repr(error))

    @asynccontextmanager
    async def reading(self, position: str) -> AsyncIterator[ReadTransaction | None]:
        """Yield a transaction that includes the log up to `position`, or None if the replica cannot provide it."""
        async with AsyncExitStack() as stack:
            tx: ReadTransaction | None = None
            try:
                connection = await self._connection(stack)
                tx = (
                    Statements(connection, pooled=self._pooled)
                    if await self._has_reached(connection, position)
                    else None
                )
            except _FAILED as error:
                self.pause(error)
            yield tx

    async def _connection(self, stack: AsyncExitStack) -> Any:
        if self._pool is None:
            self._pool = create_pool(self._url, pooled=self._pooled, least=0)
        await self._pool  # Awaiting the pool again is a no-op.
        connection = await self._pool.acquire(timeout=_CONNECT_S)
        stack.push_async_callback(self._give_back, connection)
        if self._pooled:
            # A transaction keeps the pooler on the same server for the position check and the query.
            transaction = connection.transaction(readonly=True)
            await transaction.start()
            stack.push_async_callback(_ignore_errors, transaction.rollback)
        return connection

    async def _give_back(self, connection: Any) -> None:
        await _ignore_errors(self._pool.release, connection)

    async def _has_reached(self, connection: Any, position: str) -> bool:
        for wait in _POLL_DELAYS_S:
            await asyncio.sleep(wait)
            if await connection.fetchval("SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn", position):
                return True
        if time.monotonic() > self._warned_at + _WARN_EVERY_S:
            self._warned_at = time.monotonic()
            log.warning("replica lags behind, or is not a replica", replica=self._location)
        return False

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await _ignore_errors(self._pool.close)


async def _ignore_errors(work: Callable[..., Awaitable[object]], *args: object) -> None:
    """Run a cleanup whose connection may already be broken."""
    with suppress(*_FAILED):
        await work(*args)


class ReplicatedDatabase:
    """A primary with read replicas for lists and exports."""

    def __init__(self, primary: PostgresDatabase, replicas: Sequence[Replica], metrics: Metrics) -> None:
        self._primary, self._replicas, self._metrics = primary, list(replicas), metrics

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
        for replica in [one for one in self._replicas if not one.is_paused]:
            position = position or await self._position()
            if tx := await stack.enter_async_context(replica.reading(position)):
                self._metrics.record_list("replica")
                return _ReplicaTransaction(tx, lambda error, of=replica: self._move_to_primary(stack, of, error))  # type: ignore[misc]
        self._metrics.record_list("primary")
        return await stack.enter_async_context(self._primary.reading())

    async def _position(self) -> str:
        """Return the current log position of the primary, which is after everything committed so far."""
        async with self._primary.reading() as tx:
            # The flushed position: commits are flushed before they are acknowledged, and replicas receive nothing else.
            row = await tx.fetch_one("SELECT pg_current_wal_flush_lsn()::text")
        return str(row[0]) if row else ""

    async def _move_to_primary(self, stack: AsyncExitStack, replica: Replica, error: BaseException) -> ReadTransaction:
        if isinstance(error, asyncpg.TransactionRollbackError):
            log.info(
                "list query moved to the primary", error=str(error)
            )  # A recovery conflict: the replica itself is healthy.
        else:
            replica.pause(error)
        self._metrics.record_list("moved")
        return await stack.enter_async_context(self._primary.reading())

    def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        return self._primary.writing(account=account, prefetch=prefetch)

    async def close(self) -> None:
        for replica in self._replicas:
            await replica.close()
        await self._primary.close()


class _ReplicaTransaction:
    """Reads from a replica, and from the primary after an interruption. Each statement is answered by one of them."""

    is_distributed = False

    def __init__(self, tx: ReadTransaction, move: Callable[[BaseException], Awaitable[ReadTransaction]]) -> None:
        self._tx, self._move = tx, move
        self._move_to_primary = False

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
        except _INTERRUPTED as error:
            if begun or self._move_to_primary:
                # Rows were already yielded, and another server could not continue at the same row.
                raise DatabaseBusy() from error
            await self._switch(error)
            async for row in self._tx.stream(sql, *args):
                yield row

    async def _ask(self, work: Callable[[ReadTransaction], Awaitable[T]]) -> T:
        try:
            return await work(self._tx)
        except _INTERRUPTED as error:
            if self._move_to_primary:
                raise
            await self._switch(error)
        return await work(self._tx)

    async def _switch(self, error: BaseException) -> None:
        self._tx, self._move_to_primary = await self._move(error), True
