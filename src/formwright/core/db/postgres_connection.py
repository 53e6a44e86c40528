"""SQL on one connection to PostgreSQL, through asyncpg."""

import re
from collections.abc import AsyncGenerator, Awaitable, Iterable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any, TypeVar

import asyncpg

from formwright.core.auth.request_context import current_caller
from formwright.core.clock import Clock
from formwright.core.db.group_commit import wait_until_done
from formwright.core.db.interface import EventRecorder, Row, for_postgres
from formwright.core.ids import Ids

_CHUNK = 1000
_INSERTED_TOGETHER = 50
"""Rows per INSERT on Citus, whose planner takes longer per row the more there are."""
_COPIED = 100
"""Rows from which on COPY is faster than executing the same INSERT for each."""
_INSERT = re.compile(r"(INSERT INTO \w+ \([^()]*\) VALUES )(\([^()]*\$[^()]*\))([^$]*)")
_PLAIN_INSERT = re.compile(r"INSERT INTO (\w+) \(([^()]*)\) VALUES \(([^()]*)\)")
_PARAMETER = re.compile(r"\$(\d+)")
ROLLED_BACK_ERRORS = (
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    asyncpg.DiskFullError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""Errors with which the server reports that it rolled a statement or a commit back."""
CONNECTION_ERRORS = (
    *ROLLED_BACK_ERRORS,
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    # The server has ended the session, but the end of the connection has not arrived yet.
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
"""Errors that mean the server is unavailable or, after a failover, read-only."""

T = TypeVar("T")


async def _timed(statement: Awaitable[Any]) -> Any:
    start = perf_counter()
    try:
        return await statement
    finally:
        record_statement(start)


def record_statement(start: float) -> None:
    """Add a statement that began at `start` (`perf_counter`) to the database time of the current request."""
    if caller := current_caller.get():
        caller.database_s += perf_counter() - start
        caller.statements += 1


class Statements:
    """Runs SQL on a single connection."""

    is_distributed = False

    def __init__(self, connection: Any, *, pooled: bool) -> None:
        self._connection, self._pooled = connection, pooled

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        rows: Sequence[Row] = await _timed(self._connection.fetch(for_postgres(sql), *args))
        return rows

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        row: Row | None = await _timed(self._connection.fetchrow(for_postgres(sql), *args))
        return row

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        # The rows of all parameter sets arrive in one sequence, so each row carries the number of its set.
        asked = [(*row, number) for number, row in enumerate(rows)]
        found: list[list[Row]] = [[] for _ in rows]
        for row in await _timed(self._connection.fetchmany(_numbered(sql, len(rows[0]) + 1), asked)):
            found[row[0]].append(row[1:])
        return found

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        connection = await self._ensure_connection()
        async with connection.transaction(readonly=True):
            # A cursor needs a named statement; behind a pooler the name would remain when the server process is reused.
            source = await connection.prepare(for_postgres(sql)) if self._pooled else None
            rows = source.cursor(*args, prefetch=_CHUNK) if source else self._cursor(sql, *args)
            async for row in rows:
                yield row

    async def _ensure_connection(self) -> Any:
        """Return the connection; subclasses may acquire it here."""
        return self._connection

    def _cursor(self, sql: str, *args: object) -> Any:
        return self._connection.cursor(for_postgres(sql), *args, prefetch=_CHUNK)


class PostgresTransaction(Statements, EventRecorder):
    """A write transaction on one connection."""

    def __init__(self, connection: Any, clock: Clock, ids: Ids, *, pooled: bool, distributed: bool) -> None:
        Statements.__init__(self, connection, pooled=pooled)
        EventRecorder.__init__(self, clock.now, ids.new)
        self.is_distributed = distributed

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        del long  # Waiting for the server never blocks the event loop.
        if not (own := for_postgres(sql)):
            return 0
        status: str = await _timed(self._connection.execute(own, *args))
        # The status of commands such as SAVEPOINT has no count.
        return int(status.rpartition(" ")[2]) if status[-1:].isdigit() else 0

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await (self.execute(sql, *rows[0]) if len(rows) == 1 else self.execute_many(sql, rows))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        text = for_postgres(sql)
        if isinstance(rows, list) and len(rows) >= _COPIED and not self.is_distributed and (into := _copy_target(text)):
            await self.copy(*into, rows)
            return
        if not (self.is_distributed and _repeat_values(text, 1)):
            await _timed(self._connection.executemany(text, rows))
            return
        # PostgreSQL receives all rows in one round trip, but the coordinator of Citus would send each one on its own.
        values = list(rows)
        for start in range(0, len(values), _INSERTED_TOGETHER):
            chunk = values[start : start + _INSERTED_TOGETHER]
            await self.execute(_repeat_values(text, len(chunk)), *(value for row in chunk for value in row))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await _timed(self._connection.copy_records_to_table(table, columns=columns, records=rows))

    async def run_to_completion(self, work: Awaitable[T]) -> T:
        return await wait_until_done(work)

    async def save(self, *, again: bool) -> None:
        await self.execute("RELEASE SAVEPOINT writer; SAVEPOINT writer" if again else "SAVEPOINT writer")

    async def rollback_to_savepoint(self) -> None:
        await self.execute("ROLLBACK TO SAVEPOINT writer")

    def is_aborted_by(self, error: BaseException, *, saved: bool) -> bool:
        # After any error, PostgreSQL rejects all statements until a rollback, to a savepoint if there is one.
        return isinstance(error, (*CONNECTION_ERRORS, asyncpg.PostgresError)) and not saved


@lru_cache(maxsize=512)
def _repeat_values(sql: str, count: int) -> str:
    """Return the INSERT for `count` rows; an empty text if it is not an INSERT or uses parameters outside of VALUES."""
    found = _INSERT.fullmatch(sql)
    if not found:
        return ""
    into, row, rest = found.groups()
    width = max(int(number) for number in _PARAMETER.findall(row))
    rows = (_PARAMETER.sub(lambda p, n=n: f"${int(p[1]) + n * width}", row) for n in range(count))
    return f"{into}{', '.join(rows)}{rest}"


@lru_cache(maxsize=512)
def _copy_target(sql: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the table and the columns of an INSERT that only takes its parameters, in their order; otherwise None."""
    found = _PLAIN_INSERT.fullmatch(sql)
    if not found:
        return None
    columns, values = (tuple(part.split(", ")) for part in found.groups()[1:])
    return (found[1], columns) if values == tuple(f"${n}" for n in range(1, len(columns) + 1)) else None


@lru_cache(maxsize=512)
def _numbered(sql: str, place: int) -> str:
    """Return the SELECT with the parameter number `place` as its first column."""
    return for_postgres(sql).replace("SELECT ", f"SELECT ${place}::int, ", 1)
