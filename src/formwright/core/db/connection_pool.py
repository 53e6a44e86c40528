"""The connections of a pool, lent to one transaction after another without a way back in between.

To take a connection out of asyncpg's pool and put it back costs as much as a short statement: a task, a future and a
proxy each time. So what nobody waits for is kept here, and where transactions wait one hands it to the next. Once a
minute each goes back: in the pool it is ended where it was idle for long, and renewed where it is old.
"""

import asyncio
from collections import deque
from time import perf_counter
from types import TracebackType
from typing import Any

import asyncpg

from formwright.core import db_timing
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.postgres_connection import LOST
from formwright.core.errors import DomainError

WAIT_S = 20
_KEEP_S = 60


class ConnectionPool:
    """Lends connections; `DatabaseBusy` where there is none within `WAIT_S`, or the one that was lent is lost."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._out = 0
        """How many are out of the pool: lent, kept, or promised to who waits."""
        self._kept: list[Any] = []
        self._lent: set[Any] = set()
        self._old: set[Any] = set()
        self._queue: deque[asyncio.Future[Any]] = deque()
        """Who waits, each for a connection, or for None: a place in the pool to take one from."""
        self._keeps = True
        self._timer: asyncio.TimerHandle | None = None

    def lend(self) -> "PooledConnection":
        """A connection, for the time of an `async with`."""
        return PooledConnection(self)

    async def take(self) -> Any:
        """One that is kept, else one of the pool's, else the next that is given back."""
        connection = await self._kept_one()
        if connection is None and self._out >= self._pool.get_max_size():
            connection = await self._wait()
        elif connection is None:
            self._out += 1
        connection = connection or await self._acquire()
        self._lent.add(connection)
        return connection

    async def _kept_one(self) -> Any:
        while self._kept:
            connection = self._kept.pop()
            if _lives(connection):
                return connection
            await self._return(connection)
        return None

    async def _wait(self) -> Any:
        loop = asyncio.get_running_loop()
        place = loop.create_future()
        self._queue.append(place)
        # A time limit of asyncio's own costs more than the rest of this.
        timer = loop.call_later(WAIT_S, _give_up, place)
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and not place.exception():
                await self._pass_on(place.result())
            raise
        finally:
            timer.cancel()

    async def _pass_on(self, connection: Any) -> None:
        if connection is None:
            self._leave()
        else:
            await self.give_back(connection, sound=True)

    async def _acquire(self) -> Any:
        try:
            return await self._pool.acquire(timeout=WAIT_S)
        except BaseException as error:
            self._leave()
            if isinstance(error, TimeoutError):
                raise _too_late() from error
            raise

    async def give_back(self, connection: Any, *, sound: bool) -> None:
        """Hand it on, or keep it, where it is `sound`; the pool looks after all others."""
        self._lent.discard(connection)
        if not sound or connection in self._old or not _lives(connection) or connection.is_in_transaction():
            await self._return(connection)
        elif not self._hand(connection):
            if self._keeps:
                self._kept.append(connection)
            else:
                await self._return(connection)
        if self._timer is None and self._keeps:
            self._timer = asyncio.get_running_loop().call_later(_KEEP_S, self._tidy)

    def _hand(self, connection: Any) -> bool:
        """To who waits longest; False where nobody waits."""
        while self._queue:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(connection)
                return True
        return False

    async def _return(self, connection: Any) -> None:
        self._old.discard(connection)
        try:
            await self._pool.release(connection)
        finally:
            self._leave()

    def _leave(self) -> None:
        """One fewer is out: who waits may take it from the pool."""
        if not self._hand(None):
            self._out -= 1

    def _tidy(self) -> None:
        self._timer = None
        self._old |= self._lent
        self._tidying = asyncio.ensure_future(self._release())

    async def _release(self) -> None:
        kept, self._kept = self._kept, []
        # One that cannot be given back keeps no other from it.
        await asyncio.gather(*(self._return(connection) for connection in kept), return_exceptions=True)

    async def close(self) -> None:
        """Give back every connection, once it is no longer lent."""
        self._keeps = False
        if self._timer:
            self._timer.cancel()
        await self._release()
        await self._pool.close()


class PooledConnection:
    """A class and no generator, for it is entered with every request."""

    __slots__ = ("_connection", "_lender")

    def __init__(self, lender: ConnectionPool) -> None:
        self._lender = lender

    async def __aenter__(self) -> Any:
        start = perf_counter()
        try:
            self._connection = await self._lender.take()
        except LOST as error:
            raise DatabaseBusy() from error
        db_timing.waited(perf_counter() - start)
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


def _give_up(place: "asyncio.Future[Any]") -> None:
    if not place.done():
        place.set_exception(_too_late())


def _too_late() -> DatabaseBusy:
    return DatabaseBusy(f"The database gave no connection within {WAIT_S} s.")
