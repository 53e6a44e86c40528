"""SQLite: the embedded database.

WAL with `synchronous=FULL`: what was acknowledged survives a power cut. There is one writer; transactions enter it one
after another and share the commit of their group, so that many waiting writes cost one fsync. Between processes
SQLite's own lock decides.
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

from formwright.core import db_timing
from formwright.core.clock import Clock
from formwright.core.data_folder import make_private_folder
from formwright.core.db.group_commit import WriteQueue
from formwright.core.db.interface import (
    CommitHooks,
    DatabaseBusy,
    DatabaseUnreachable,
    EventRecorder,
    ReadTransaction,
    Row,
    Statement,
    WriteTransaction,
    finished,
    for_sqlite,
)
from formwright.core.db.shared_transaction import AccountReadCache, PutOff
from formwright.core.ids import Ids

OLDEST = (3, 38, 0)
_BUSY_SECONDS = 20
_CHUNK = 1000
_WAL_PAGES = 4000
"""Of 4 KiB: so long the log gets, 16 MB, before its pages are put into the file, where a page that was written again
and again is then put once. SQLite's own 1,000 cost submissions of many accounts a fifth of their rate."""
_READER_KIB = 4000
"""Each reader has a cache of its own, and there are as many as read at once."""

T = TypeVar("T")


def connect(path: Path, cache_kib: int = 16_000) -> sqlite3.Connection:
    """A connection as the platform uses it; `DatabaseUnreachable` says why there is none."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise DatabaseUnreachable(f"SQLite {sqlite3.sqlite_version} is too old: 3.38 or newer is needed.")
    try:
        make_private_folder(path.parent)
        # SQLite would let every user of the machine read it; what it puts beside it is readable to the same.
        if not path.exists():
            path.touch(mode=0o600)
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


class _Statements:
    """Runs SQL on one connection: on the event loop, or in a thread where it may take long."""

    def __init__(self, connection: sqlite3.Connection, *, in_thread: bool) -> None:
        self._connection = connection
        self._in_thread = in_thread
        self._streams: list[sqlite3.Cursor] = []

    async def _run(self, work: Callable[[], T]) -> T:
        start = perf_counter()
        try:
            return await self._beside(work) if self._in_thread else work()
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        finally:
            db_timing.statement(perf_counter() - start)

    async def _beside(self, work: Callable[[], T]) -> T:
        """In a thread. Where nobody waits for it any more it is stopped, and the connection is free for the next."""
        given_up = False

        def stop() -> None:
            nonlocal given_up
            given_up = True
            self._connection.interrupt()

        def begin() -> T:
            if given_up:  # Before there was a thread for it.
                raise sqlite3.OperationalError("interrupted")
            return work()

        return await finished(asyncio.to_thread(begin), stop)

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
            db_timing.statement(perf_counter() - start)

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
        """Nobody reads on. What is left open would hold the connection to what the database was when it began."""
        for cursor in self._streams:
            cursor.close()


class _Reading:
    """Lends a reader. A class and no generator, for it is entered with every request."""

    def __init__(self, readers: list[sqlite3.Connection], path: Path, *, in_thread: bool) -> None:
        self._readers, self._path, self._in_thread = readers, path, in_thread

    async def __aenter__(self) -> ReadTransaction:
        self._reader = self._readers.pop() if self._readers else connect(self._path, _READER_KIB)
        self._statements = _Statements(self._reader, in_thread=self._in_thread)
        return self._statements

    async def __aexit__(self, *_: object) -> None:
        self._statements.end()
        self._readers.append(self._reader)


class _Thread:
    """The writer's own: in that of all, those that read long would hold up its commits."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="writer")

    async def finish(self, work: Callable[[], T]) -> T:
        """Do it to its end."""
        return await finished(asyncio.get_running_loop().run_in_executor(self._pool, copy_context().run, work))

    def close(self) -> None:
        self._pool.shutdown()


class _Writing(_Statements, EventRecorder):
    def __init__(self, connection: sqlite3.Connection, thread: _Thread, clock: Clock, ids: Ids) -> None:
        _Statements.__init__(self, connection, in_thread=False)
        EventRecorder.__init__(self, clock, ids)
        self._thread = thread

    def _check(self) -> None:
        """`DatabaseBusy` where SQLite gave the transaction up (disk full): what comes now would be committed alone."""
        if not self._connection.in_transaction:
            raise DatabaseBusy("The database gave the transaction up.")

    def _fetch(self, sql: str, args: Sequence[object]) -> Sequence[Row]:
        self._check()
        return super()._fetch(sql, args)

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        self._check()

        def work() -> int:
            return self._connection.execute(for_sqlite(sql), args).rowcount

        return await (self._thread.finish(work) if long else self._run(work))

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await (self.execute(sql, *rows[0]) if len(rows) == 1 else self.execute_many(sql, rows))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self._check()
        work = partial(self._connection.executemany, for_sqlite(sql), rows)
        start = perf_counter()
        try:
            # Rows that are made while they are written are many: they must not hold up the event loop.
            if isinstance(rows, list):
                work()
            else:
                await self._thread.finish(work)
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        finally:
            db_timing.statement(perf_counter() - start)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        marks = ", ".join("?" * len(columns))
        await self.execute_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608

    async def whole(self, work: Awaitable[T]) -> T:
        # Nothing that is waited for here breaks off in the middle.
        return await work

    async def run(self, put_off: PutOff) -> None:
        for sql in list(put_off):
            await self.later(sql, put_off.pop(sql))

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        return [self._fetch_here(sql, args) for args in rows]

    async def fetch_per_account(self, sql: str, accounts: Sequence[str]) -> Sequence[Row]:
        return [row for account in accounts for row in self._fetch_here(sql, (account,))]

    async def save(self, *, again: bool) -> None:
        if again:
            await self.execute("RELEASE writer")
        await self.execute("SAVEPOINT writer")

    async def back(self) -> None:
        await self.execute("ROLLBACK TO writer")

    def lost(self, error: BaseException, *, saved: bool) -> bool:
        del error, saved  # A statement that fails is undone by itself.
        return not self._connection.in_transaction


class SqliteDatabase:
    """One file, one writer, any number of readers."""

    def __init__(self, path: Path, clock: Clock, ids: Ids, hooks: CommitHooks) -> None:
        self._path, self._clock, self._ids = path, clock, ids
        self._writer, self._thread = connect(path), _Thread()
        self._writer.execute("PRAGMA busy_timeout=0")
        self._line = WriteQueue(self._transaction, clock, ids, hooks, (sqlite3.OperationalError,), AccountReadCache())
        self._readers: list[sqlite3.Connection] = []

    def reading(self, *, long: bool = False, listing: bool = False) -> "_Reading":
        del listing  # There is one file.
        return _Reading(self._readers, self._path, in_thread=long)

    def writing(
        self, *, account: str = "", ahead: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        return self._line.writing(account, ahead)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[_Writing]:
        await self._begin()
        try:
            yield _Writing(self._writer, self._thread, self._clock, self._ids)
            await self._commit()
        finally:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    async def _commit(self) -> None:
        try:
            await self._thread.finish(lambda: self._writer.execute("COMMIT"))
        except sqlite3.Error as error:
            raise DatabaseBusy(f"The database could not write: {error}.") from error

    async def _begin(self) -> None:
        try:
            # Mostly no other process is writing, and then the way to a thread and back costs more than this.
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            await self._begin_behind()

    async def _begin_behind(self) -> None:
        """Begin behind another process that is writing: wait for it, but not on the event loop."""
        try:
            await self._thread.finish(lambda: _begin_patiently(self._writer))
        except sqlite3.OperationalError as error:
            raise DatabaseBusy(f"The database answered: {error}.") from error
        except asyncio.CancelledError:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise

    async def close(self) -> None:
        async with self._line.turn:
            for connection in (self._writer, *self._readers):
                connection.close()
            self._readers.clear()
        self._thread.close()


def _begin_patiently(writer: sqlite3.Connection) -> None:
    writer.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")
    try:
        writer.execute("BEGIN IMMEDIATE")
    finally:
        writer.execute("PRAGMA busy_timeout=0")
