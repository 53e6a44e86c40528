"""The connections of a pool, lent to one transaction after another without a way back in between.

To take a connection out of asyncpg's pool and put it back costs as much as a short statement: a task, a future and a
proxy each time. So what nobody waits for is kept here, and goes back once a minute: there the pool ends connections
that were idle for long, and renews those that are old.
"""

import asyncio
from time import perf_counter
from types import TracebackType
from typing import Any

import asyncpg

from formwright.core.kernel import spent
from formwright.core.kernel.errors import DomainError
from formwright.core.storage.connection import LOST
from formwright.core.storage.database import DatabaseBusy

WAIT_S = 20
_KEEP_S = 60


class Lender:
    """Lends connections; `DatabaseBusy` where there is none within `WAIT_S`, or the one that was lent is lost."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._kept: list[Any] = []
        self._waiting = 0
        self._keeps = True
        self._timer: asyncio.TimerHandle | None = None

    def lend(self) -> "Loan":
        """A connection, for the time of an `async with`."""
        return Loan(self)

    async def take(self) -> Any:
        """One that is kept, else one of the pool's."""
        while self._kept:
            connection = self._kept.pop()
            if _lives(connection):
                return connection
            await self._pool.release(connection)
        self._waiting += 1
        try:
            # A time limit costs more than to take a connection that is idle: only who has to wait gets one.
            return await self._pool.acquire(timeout=None if self._pool.get_idle_size() else WAIT_S)
        except TimeoutError as error:
            raise DatabaseBusy(f"The database gave no connection within {WAIT_S} s.") from error
        finally:
            self._waiting -= 1

    async def give_back(self, connection: Any, *, sound: bool) -> None:
        """Keep it, where it is `sound` and nobody waits for it; the pool looks after all others."""
        if self._waiting or not (sound and self._keeps) or not _lives(connection) or connection.is_in_transaction():
            await self._pool.release(connection)
            return
        self._kept.append(connection)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_KEEP_S, self._tidy)

    def _tidy(self) -> None:
        self._timer = None
        self._tidying = asyncio.ensure_future(self._release())

    async def _release(self) -> None:
        kept, self._kept = self._kept, []
        for connection in kept:
            await self._pool.release(connection)

    async def close(self) -> None:
        """Give back every connection, once it is no longer lent."""
        self._keeps = False
        if self._timer:
            self._timer.cancel()
        await self._release()
        await self._pool.close()


class Loan:
    """A class and no generator, for it is entered with every request."""

    __slots__ = ("_connection", "_lender")

    def __init__(self, lender: Lender) -> None:
        self._lender = lender

    async def __aenter__(self) -> Any:
        start = perf_counter()
        try:
            self._connection = await self._lender.take()
        except LOST as error:
            raise DatabaseBusy() from error
        spent.waited(perf_counter() - start)
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After anything that nobody foresaw, as the end of a statement's time, the pool has to see to its state.
        sound = error is None or isinstance(error, DomainError)
        try:
            await self._lender.give_back(self._connection, sound=sound)
        except LOST as lost:
            raise DatabaseBusy() from (error or lost)
        if isinstance(error, LOST):
            raise DatabaseBusy() from error


def _lives(connection: Any) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:
        # Its end was noticed, and the pool took it back already.
        return False
