"""PostgreSQL 15 or newer, through asyncpg: for many processes and many machines."""

from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from formwright.core.kernel import spent
from formwright.core.kernel.clock import Clock
from formwright.core.kernel.ids import Ids
from formwright.core.storage.database import (
    DatabaseBusy,
    DatabaseUnreachable,
    Hooks,
    Notebook,
    Reading,
    Row,
    Writing,
    for_postgres,
)

OLDEST = 150000
_WAIT_S = 20
_CHUNK = 1000
LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.TooManyConnectionsError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.DeadlockDetectedError,
    asyncpg.DiskFullError,
)
"""What says that the server cannot be had right now."""


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is not reset when it goes back to the pool: nothing here changes a session's state."""

    def get_reset_query(self) -> str:
        return ""


async def _timed(statement: Awaitable[Any]) -> Any:
    start = perf_counter()
    try:
        return await statement
    finally:
        spent.statement(perf_counter() - start)


class Statements:
    """Runs SQL on one connection."""

    def __init__(self, connection: Any, *, pooled: bool) -> None:
        self._connection, self._pooled = connection, pooled

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        rows: Sequence[Row] = await _timed(self._connection.fetch(for_postgres(sql), *args))
        return rows

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        row: Row | None = await _timed(self._connection.fetchrow(for_postgres(sql), *args))
        return row

    async def stream(self, sql: str, *args: object) -> AsyncIterator[Row]:
        async with self._connection.transaction(readonly=True):
            # A cursor names its statement, and the name would stay in the server when the pooler hands it to others.
            source = await self._connection.prepare(for_postgres(sql)) if self._pooled else None
            rows = source.cursor(*args, prefetch=_CHUNK) if source else self._cursor(sql, *args)
            async for row in rows:
                yield row

    def _cursor(self, sql: str, *args: object) -> Any:
        return self._connection.cursor(for_postgres(sql), *args, prefetch=_CHUNK)


class _Writing(Statements, Notebook):
    def __init__(self, connection: Any, clock: Clock, ids: Ids, *, pooled: bool) -> None:
        Statements.__init__(self, connection, pooled=pooled)
        Notebook.__init__(self, clock, ids)

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        del long  # Waiting for the server never holds the event loop.
        if not (own := for_postgres(sql)):
            return 0
        status: str = await _timed(self._connection.execute(own, *args))
        return int(status.rpartition(" ")[2]) if status[-1:].isdigit() else 0

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await _timed(self._connection.executemany(for_postgres(sql), rows))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await _timed(self._connection.copy_records_to_table(table, columns=columns, records=rows))


class PostgresDatabase:
    """A pool of connections to one server. `pooled`: they go through a pooler, which gives them others in between."""

    def __init__(self, pool: Any, clock: Clock, ids: Ids, hooks: Hooks, *, pooled: bool) -> None:
        self._pool, self._clock, self._ids, self._hooks, self.pooled = pool, clock, ids, hooks, pooled

    @asynccontextmanager
    async def reading(self, *, long: bool = False, listing: bool = False) -> AsyncIterator[Reading]:
        del long, listing  # Waiting for the server never holds the event loop.
        async with self._connection() as connection:
            yield Statements(connection, pooled=self.pooled)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Writing]:
        async with self._connection() as connection:
            tx = _Writing(connection, self._clock, self._ids, pooled=self.pooled)
            async with connection.transaction():
                yield tx
                await self._hooks.before(tx)
        self._hooks.after(tx)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        try:
            # A time limit costs more than to take a connection that is idle: only who has to wait gets one.
            limit = None if self._pool.get_idle_size() else _WAIT_S
            start = perf_counter()
            async with self._pool.acquire(timeout=limit) as connection:
                spent.waited(perf_counter() - start)
                yield connection
        except TimeoutError as error:
            raise DatabaseBusy(f"The database gave no connection within {_WAIT_S} s.") from error
        except LOST as error:
            raise DatabaseBusy() from error

    async def close(self) -> None:
        await self._pool.close()


async def open_postgres(
    url: str, clock: Clock, ids: Ids, hooks: Hooks, *, pooler: str = "", connections: int = 10
) -> PostgresDatabase:
    """Connect; `DatabaseUnreachable` says why that is not possible, in one line without the password.

    `pooler`: "transaction" where a pooler is in between that gives each transaction another connection, "session"
    where statements may stay prepared; where nothing is said, it is looked whether there is one.
    """
    place = place_of(url)
    try:
        version, pooled = await _look(url)
        pooled = pooler == "transaction" or (pooled and pooler != "session")
        pool = await pool_of(url, pooled=pooled, connections=connections)
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnreachable(f"The database at {place} cannot be reached: {_one_line(error)}.") from error
    if version < OLDEST:
        await pool.close()
        raise DatabaseUnreachable(f"The database at {place} is PostgreSQL {version // 10000}; 15 or newer is needed.")
    return PostgresDatabase(pool, clock, ids, hooks, pooled=pooled)


def pool_of(url: str, *, pooled: bool, least: int = 1, connections: int = 10) -> Any:
    """A pool of connections to the server, to be awaited; `pooled`: a pooler is in between."""
    return asyncpg.create_pool(
        url,
        min_size=least,
        max_size=connections,
        timeout=10,
        connection_class=_Connection,
        command_timeout=60,
        **({"statement_cache_size": 0} if pooled else {"init": _without_jit}),
    )


async def _without_jit(connection: Any) -> None:
    """Statements here read by an index and are over within milliseconds. To compile one, which the server does where it
    thinks that it reads millions of rows, takes a hundred times as long."""
    await connection.execute("SET jit = off")


async def _look(url: str) -> tuple[int, bool]:
    """The server's version, and whether a pooler is in between: it gives out numbers of processes of its own."""
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        row = await connection.fetchrow("SELECT current_setting('server_version_num')::int, pg_backend_pid()")
        return row[0], row[1] != connection.get_server_pid()
    finally:
        await connection.close()


def place_of(url: str) -> str:
    """Host, port and name of a database, for people to read: never the user and the password."""
    try:
        where = urlsplit(url)
        return f"{where.hostname or 'localhost'}:{where.port or 5432}{where.path}"
    except ValueError:
        # What urllib says may hold a part of the password.
        raise DatabaseUnreachable(
            "The address of the database must be like postgresql://user:password@host:5432/name,"
            " with % and two digits for what is special in the password."
        ) from None


def _one_line(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")
