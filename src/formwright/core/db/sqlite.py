"""SQLite: the embedded database.

WAL with `synchronous=FULL`: acknowledged changes survive a power loss. There is one writer per process; transactions
run on it one after another and share the commit of their group, so many waiting writes cost one fsync. Between
processes, SQLite's own lock decides.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from formwright.core.auth.request_context import current_caller
from formwright.core.clock import Clock
from formwright.core.data_folder import make_private_folder
from formwright.core.db.group_commit import CommitHooks, WriteQueue, wait_until_done
from formwright.core.db.interface import (
    CommitOutcomeUnknown,
    DatabaseBusy,
    DatabaseUnreachable,
    EventRecorder,
    ReadTransaction,
    Row,
    Statement,
    WriteTransaction,
    for_sqlite,
)
from formwright.core.ids import Ids

MIN_VERSION = (3, 38, 0)
"""The first version with the operators `->` and `->>` for JSON."""
_BUSY_SECONDS = 20
_CHUNK = 1000
_WAL_PAGES = 4000
"""Size of the WAL before a checkpoint: 16 MB in pages of 4 KiB. A page written repeatedly is then copied only once.
SQLite's default of 1,000 pages reduces the submission rate across many accounts by a fifth."""
_UNWRITTEN = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_ERROR)
"""Errors of a COMMIT that did not reach the WAL. After others, such as that of an fsync, a crash may bring it back."""
_READER_KIB = 4000
"""Page cache per reader in KiB. There are as many readers as concurrent reads."""

T = TypeVar("T")


def connect(path: Path, cache_kib: int = 16_000) -> sqlite3.Connection:
    """Open a configured connection; raises `DatabaseUnreachable` with the reason if that fails."""
    if sqlite3.sqlite_version_info < MIN_VERSION:
        raise DatabaseUnreachable(f"SQLite {sqlite3.sqlite_version} is too old: 3.38 or newer is needed.")
    try:
        make_private_folder(path.parent)
        # SQLite would create it world-readable. The WAL files beside it get the same mode.
        if not path.exists():
            path.touch(mode=0o600)
        # Without an isolation level, the module begins no transactions by itself. The writer is used in the event loop
        # and in its own thread, never in both at once.
        connection = sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA cache_size=-{cache_kib}")
    except (sqlite3.Error, OSError) as error:
        raise DatabaseUnreachable(f"The database {path} cannot be opened: {error}.") from error
    return connection


def _record_statement(start: float) -> None:
    if caller := current_caller.get():
        caller.database_s += perf_counter() - start
        caller.statements += 1


class _Statements:
    """Runs SQL on one connection, on the event loop or, for long queries, in a thread."""

    is_distributed = False

    def __init__(self, connection: sqlite3.Connection, *, in_thread: bool) -> None:
        self._connection = connection
        self._in_thread = in_thread
        self._streams: list[sqlite3.Cursor] = []

    async def _run(self, work: Callable[[], T]) -> T:
        start = perf_counter()
        try:
            return await self._run_in_thread(work) if self._in_thread else work()
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        finally:
            _record_statement(start)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread. If the caller is cancelled, the statement is interrupted and the connection freed."""
        given_up = False

        def stop() -> None:
            nonlocal given_up
            given_up = True
            self._connection.interrupt()

        def begin() -> T:
            if given_up:  # Cancelled before the thread started.
                raise sqlite3.OperationalError("interrupted")
            return work()

        return await wait_until_done(asyncio.to_thread(begin), stop)

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        if self._in_thread:
            return await self._run(lambda: self._fetch(sql, args))
        return self._fetch_here(sql, args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args) if self._in_thread else self._fetch_here(sql, args)
        return rows[0] if rows else None

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    def _fetch_here(self, sql: str, args: Sequence[object]) -> Sequence[Row]:
        start = perf_counter()
        try:
            return self._fetch(sql, args)
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        finally:
            _record_statement(start)

    def _fetch(self, sql: str, args: Sequence[object]) -> Sequence[Row]:
        return self._connection.execute(for_sqlite(sql), args).fetchall()

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        cursor = await self._run(lambda: self._connection.execute(for_sqlite(sql), args))
        self._streams.append(cursor)
        try:
            while rows := await self._run(lambda: cursor.fetchmany(_CHUNK)):
                for row in rows:
                    yield row
        finally:
            cursor.close()

    def end(self) -> None:
        """Close unfinished streams: an open cursor would pin the connection to an old snapshot of the database."""
        for cursor in self._streams:
            cursor.close()


class _Reading:
    """Lends a reader connection. A class, because a generator is slower on this hot path."""

    def __init__(self, readers: list[sqlite3.Connection], path: Path, *, in_thread: bool) -> None:
        self._readers, self._path, self._in_thread = readers, path, in_thread

    async def __aenter__(self) -> ReadTransaction:
        self._reader = self._readers.pop() if self._readers else connect(self._path, _READER_KIB)
        self._statements = _Statements(self._reader, in_thread=self._in_thread)
        return self._statements

    async def __aexit__(self, *_: object) -> None:
        self._statements.end()
        self._readers.append(self._reader)


class _WriterThread:
    """The writer's own thread: in the shared thread pool, long reads would delay its commits."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="writer")

    async def finish(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread and wait until it is done, even if the caller is cancelled."""
        return await wait_until_done(asyncio.get_running_loop().run_in_executor(self._pool, copy_context().run, work))

    def close(self) -> None:
        self._pool.shutdown()


class _SqliteTransaction(_Statements, EventRecorder):
    def __init__(self, connection: sqlite3.Connection, thread: _WriterThread, clock: Clock, ids: Ids) -> None:
        _Statements.__init__(self, connection, in_thread=False)
        EventRecorder.__init__(self, clock.now, ids.new)
        self._thread = thread

    def _check(self) -> None:
        """Raise `DatabaseBusy` if SQLite rolled back (disk full), because further statements would autocommit."""
        if not self._connection.in_transaction:
            raise DatabaseBusy("The database rolled the transaction back.")

    def _fetch(self, sql: str, args: Sequence[object]) -> Sequence[Row]:
        self._check()
        return super()._fetch(sql, args)

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        self._check()

        def work() -> int:
            return self._connection.execute(for_sqlite(sql), args).rowcount

        return await (self._thread.finish(work) if long else self._run(work))

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await (self.execute(sql, *rows[0]) if len(rows) == 1 else self.execute_many(sql, rows))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self._check()
        work = partial(self._connection.executemany, for_sqlite(sql), rows)
        start = perf_counter()
        try:
            # A generator may produce many rows, which must not block the event loop.
            if isinstance(rows, list):
                work()
            else:
                await self._thread.finish(work)
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        finally:
            _record_statement(start)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        marks = ", ".join("?" * len(columns))
        await self.execute_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608

    async def run_to_completion(self, work: Awaitable[T]) -> T:
        # The work on SQLite is never interrupted half-way, so no shielding is needed.
        return await work

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        return [self._fetch_here(sql, args) for args in rows]

    async def save(self, *, again: bool) -> None:
        if again:
            await self.execute("RELEASE writer")
        await self.execute("SAVEPOINT writer")

    async def rollback_to_savepoint(self) -> None:
        await self.execute("ROLLBACK TO writer")

    def is_aborted_by(self, error: BaseException, *, saved: bool) -> bool:
        del error, saved  # SQLite undoes a failed statement by itself.
        return not self._connection.in_transaction


class SqliteDatabase:
    """A SQLite file with one writer and any number of readers."""

    def __init__(self, path: Path, clock: Clock, ids: Ids, hooks: CommitHooks) -> None:
        self._path, self._clock, self._ids = path, clock, ids
        self._writer, self._thread = connect(path), _WriterThread()
        # `_begin` runs in the event loop, so it must fail at once if another process is writing. The thread waits.
        self._writer.execute("PRAGMA busy_timeout=0")
        self._queue = WriteQueue(self._transaction, clock, ids, hooks, (sqlite3.OperationalError,))
        self._readers: list[sqlite3.Connection] = []

    def reading(self, *, long: bool = False, listing: bool = False) -> "_Reading":
        del listing  # SQLite has no replicas.
        return _Reading(self._readers, self._path, in_thread=long)

    def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        return self._queue.writing(account, prefetch)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[_SqliteTransaction]:
        await self._begin()
        try:
            yield _SqliteTransaction(self._writer, self._thread, self._clock, self._ids)
            await self._commit()
        finally:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    async def _commit(self) -> None:
        try:
            # In the thread, because the fsync would block the event loop.
            await self._thread.finish(lambda: self._writer.execute("COMMIT"))
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) in _UNWRITTEN:
                raise DatabaseBusy(f"The database could not write: {error}.") from error
            raise CommitOutcomeUnknown() from error

    async def _begin(self) -> None:
        try:
            # Usually no other process is writing, and then a thread switch would cost more than this statement.
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            await self._wait_and_begin()

    async def _wait_and_begin(self) -> None:
        """Wait in the thread for another process that is writing, then begin."""
        try:
            await self._thread.finish(lambda: _begin_with_timeout(self._writer))
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        except asyncio.CancelledError:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise

    async def close(self) -> None:
        # A transaction that is being written or committed must end first.
        async with self._queue.turn:
            for connection in (self._writer, *self._readers):
                connection.close()
            self._readers.clear()
        self._thread.close()


def _begin_with_timeout(writer: sqlite3.Connection) -> None:
    writer.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")
    try:
        writer.execute("BEGIN IMMEDIATE")
    finally:
        writer.execute("PRAGMA busy_timeout=0")
