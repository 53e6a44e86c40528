"""SQL on one connection to PostgreSQL, through asyncpg."""

from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from time import perf_counter
from typing import Any

import asyncpg

from formwright.core.kernel import spent
from formwright.core.kernel.clock import Clock
from formwright.core.kernel.ids import Ids
from formwright.core.storage.database import Notebook, Row, for_postgres

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

    async def fetch_steady(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncIterator[Row]:
        async with self._connection.transaction(readonly=True):
            # A cursor names its statement, and the name would stay in the server when the pooler hands it to others.
            source = await self._connection.prepare(for_postgres(sql)) if self._pooled else None
            rows = source.cursor(*args, prefetch=_CHUNK) if source else self._cursor(sql, *args)
            async for row in rows:
                yield row

    def _cursor(self, sql: str, *args: object) -> Any:
        return self._connection.cursor(for_postgres(sql), *args, prefetch=_CHUNK)


class OnConnection(Statements, Notebook):
    """A transaction that writes, on one connection."""

    def __init__(self, connection: Any, clock: Clock, ids: Ids, *, pooled: bool) -> None:
        Statements.__init__(self, connection, pooled=pooled)
        Notebook.__init__(self, clock, ids)

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        del long  # Waiting for the server never holds the event loop.
        if not (own := for_postgres(sql)):
            return 0
        status: str = await _timed(self._connection.execute(own, *args))
        return int(status.rpartition(" ")[2]) if status[-1:].isdigit() else 0

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await (self.execute(sql, *rows[0]) if len(rows) == 1 else self.execute_many(sql, rows))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await _timed(self._connection.executemany(for_postgres(sql), rows))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await _timed(self._connection.copy_records_to_table(table, columns=columns, records=rows))
