"""A connection pool on top of asyncpg's, which passes connections directly from one transaction to the next.

To acquire a connection from asyncpg's pool and release it costs as much as a short statement: a task, a future and a
proxy each time. So idle connections are kept here, and a released one goes straight to the next waiting transaction.
Once a minute each connection returns to asyncpg's pool, which closes it if it was idle for long or is too old.
"""

import asyncio
from collections import deque
from time import perf_counter
from types import TracebackType
from typing import Any

import asyncpg

from formwright.core.db.group_commit import record_wait
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.postgres_connection import CONNECTION_ERRORS
from formwright.core.errors import DomainError

ACQUIRE_TIMEOUT_S = 20
_RECYCLE_S = 60


class ConnectionPool:
    """Lends connections. Raises `DatabaseBusy` if none is free within `ACQUIRE_TIMEOUT_S`, or if one is lost."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._open_count = 0
        """How many connections are out of asyncpg's pool: in use, idle here, or promised to a waiter."""
        self._idle: list[Any] = []
        self._in_use: set[Any] = set()
        self._to_recycle: set[Any] = set()
        self._queue: deque[asyncio.Future[Any]] = deque()
        """Waiters. Each receives a connection, or None: it may then acquire one from asyncpg's pool."""
        self._keeps_idle = True
        self._timer: asyncio.TimerHandle | None = None

    def acquire(self) -> "PooledConnection":
        """Return a context manager that holds a connection."""
        return PooledConnection(self)

    async def checkout(self) -> Any:
        """Return an idle connection, a new one, or the next one that is released."""
        connection = await self._pop_idle()
        if connection is None and self._open_count >= self._pool.get_max_size():
            connection = await self._wait()
        elif connection is None:
            self._open_count += 1
        connection = connection or await self._acquire()
        self._in_use.add(connection)
        return connection

    async def _pop_idle(self) -> Any:
        while self._idle:
            connection = self._idle.pop()
            if _is_open(connection):
                return connection
            await self._return(connection)
        return None

    async def _wait(self) -> Any:
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self._queue.append(waiter)
        # `asyncio.timeout` costs more than everything else in this method.
        timer = loop.call_later(ACQUIRE_TIMEOUT_S, _fail_waiter, waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and not waiter.exception():
                await self._pass_on(waiter.result())
            raise
        finally:
            timer.cancel()

    async def _pass_on(self, connection: Any) -> None:
        if connection is None:
            self._free_slot()
        else:
            await self.give_back(connection, sound=True)

    async def _acquire(self) -> Any:
        try:
            return await self._pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
        except BaseException as error:
            self._free_slot()
            if isinstance(error, TimeoutError):
                raise _timeout_error() from error
            raise

    async def give_back(self, connection: Any, *, sound: bool) -> None:
        """Pass a `sound` connection on or keep it idle; return any other to asyncpg's pool, which checks it."""
        self._in_use.discard(connection)
        if not sound or connection in self._to_recycle or not _is_open(connection) or connection.is_in_transaction():
            await self._return(connection)
        elif not self._hand_over(connection):
            if self._keeps_idle:
                self._idle.append(connection)
            else:
                await self._return(connection)
        if self._timer is None and self._keeps_idle:
            self._timer = asyncio.get_running_loop().call_later(_RECYCLE_S, self._recycle)

    def _hand_over(self, connection: Any) -> bool:
        """Give the connection to the longest waiter; returns False if nobody waits."""
        while self._queue:
            waiter = self._queue.popleft()
            if not waiter.done():
                waiter.set_result(connection)
                return True
        return False

    async def _return(self, connection: Any) -> None:
        self._to_recycle.discard(connection)
        try:
            await self._pool.release(connection)
        finally:
            self._free_slot()

    def _free_slot(self) -> None:
        """Give the slot of a returned connection to the next waiter, if any."""
        if not self._hand_over(None):
            self._open_count -= 1

    def _recycle(self) -> None:
        self._timer = None
        self._to_recycle |= self._in_use
        self._recycling = asyncio.ensure_future(self._release())

    async def _release(self) -> None:
        kept, self._idle = self._idle, []
        # A connection that fails to return must not keep the others from returning.
        await asyncio.gather(*(self._return(connection) for connection in kept), return_exceptions=True)

    async def close(self) -> None:
        """Close all connections, waiting for those in use."""
        self._keeps_idle = False
        if self._timer:
            self._timer.cancel()
        await self._release()
        await self._pool.close()


class PooledConnection:
    """Holds a connection for an `async with` block. A class, because a generator is slower on this hot path."""

    __slots__ = ("_connection", "_pool")

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def __aenter__(self) -> Any:
        start = perf_counter()
        try:
            self._connection = await self._pool.checkout()
        except CONNECTION_ERRORS as error:
            raise DatabaseBusy() from error
        record_wait(start)
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an unexpected error, such as a statement timeout, asyncpg's pool has to check the connection's state.
        sound = error is None or isinstance(error, DomainError)
        try:
            await self._pool.give_back(self._connection, sound=sound)
        except CONNECTION_ERRORS as lost:
            raise DatabaseBusy() from (error or lost)
        if isinstance(error, CONNECTION_ERRORS):
            raise DatabaseBusy() from error


def _is_open(connection: Any) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:
        # The connection was lost, and asyncpg's pool has already taken it back.
        return False


def _fail_waiter(waiter: "asyncio.Future[Any]") -> None:
    if not waiter.done():
        waiter.set_exception(_timeout_error())


def _timeout_error() -> DatabaseBusy:
    return DatabaseBusy(f"The database gave no connection within {ACQUIRE_TIMEOUT_S} s.")
