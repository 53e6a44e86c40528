"""Connections of asyncpg's pool as context managers, whose errors are those of the database interface."""

from contextlib import suppress
from time import perf_counter
from types import TracebackType
from typing import Any

import asyncpg

from formwright.core.db.group_commit import record_wait
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.postgres_connection import CONNECTION_ERRORS

ACQUIRE_TIMEOUT_S = 20


class ConnectionPool:
    """Lends connections. Raises `DatabaseBusy` if none is free within `ACQUIRE_TIMEOUT_S`, or if one is lost."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def acquire(self) -> "PooledConnection":
        """Return a context manager that holds a connection."""
        return PooledConnection(self)

    async def checkout(self) -> Any:
        """Return an idle connection, a new one, or the next one that is released."""
        try:
            return await self._pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
        except TimeoutError as error:
            raise DatabaseBusy(f"The database gave no connection within {ACQUIRE_TIMEOUT_S} s.") from error
        except CONNECTION_ERRORS as error:
            raise DatabaseBusy() from error

    async def release(self, connection: Any) -> None:
        """Give the connection back. If it is in a transaction or was lost, the pool replaces it."""
        await self._pool.release(connection)

    async def close(self) -> None:
        """Close all connections, waiting for those in use."""
        await self._pool.close()


class PooledConnection:
    """Holds a connection for an `async with` block. A class, because a generator is slower on this hot path."""

    __slots__ = ("_connection", "_pool")

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def __aenter__(self) -> Any:
        start = perf_counter()
        self._connection = await self._pool.checkout()
        record_wait(start)
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, asyncpg.InternalClientError):
            # asyncpg would use it again as long as the connection stays open.
            self._connection.terminate()
        # Everything asked of the connection is done, so an error of its own return changes nothing.
        with suppress(*CONNECTION_ERRORS):
            await self._pool.release(self._connection)
        if isinstance(error, CONNECTION_ERRORS):
            raise DatabaseBusy() from error
