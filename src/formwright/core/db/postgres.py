"""PostgreSQL 15 or newer through asyncpg, for several processes and machines."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from formwright.core.clock import Clock
from formwright.core.db import account_lock, due_work
from formwright.core.db.connection_pool import ConnectionPool, PooledConnection
from formwright.core.db.group_commit import CommitHooks, WriteQueue, record_commit
from formwright.core.db.interface import (
    AccountLock,
    CommitOutcomeUnknown,
    DatabaseBusy,
    DatabaseUnreachable,
    ReadTransaction,
    Row,
    Statement,
    WriteTransaction,
)
from formwright.core.db.node_limits import LimitedPooledConnection, NodeLimits
from formwright.core.db.postgres_connection import (
    CONNECTION_ERRORS,
    ROLLED_BACK_ERRORS,
    PostgresTransaction,
    Statements,
)
from formwright.core.db.read_coalescing import ReadCoalescer
from formwright.core.ids import Ids

MIN_VERSION = 150000
_PROBE_SQL = (
    "CREATE TEMPORARY TABLE disk_probe ON COMMIT DROP AS"
    " SELECT repeat(md5(i::text), 60) AS filler FROM generate_series(1, 512) AS i"
)
"""Writes a mebibyte: the default tablespace has to grow for it, and shrinks again at the commit."""


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is not reset on release, because nothing here changes session state."""

    def get_reset_query(self) -> str:
        return ""


class _Reading(Statements):
    """A read transaction that acquires a connection for the first statement that needs its own.

    A class, because a generator is slower on this hot path.
    """

    def __init__(
        self,
        pooled_connection: PooledConnection,
        coalescer: ReadCoalescer | None,
        *,
        pooled: bool,
        distributed: bool,
    ) -> None:
        super().__init__(None, pooled=pooled)
        self.is_distributed = distributed
        self._pooled_connection, self._coalescer = pooled_connection, coalescer

    async def __aenter__(self) -> ReadTransaction:
        return self

    async def __aexit__(self, *raised: Any) -> None:
        if self._connection:
            await self._pooled_connection.__aexit__(*raised)

    async def _ensure_connection(self) -> Any:
        if not self._connection:
            self._connection = await self._pooled_connection.__aenter__()
        return self._connection

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self._ensure_connection()
        return await super().fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        await self._ensure_connection()
        return await super().fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        # With a connection at hand, never wait for another: if all transactions did, none would ever be free.
        if self._coalescer is None or self._connection:
            return await self.fetch_one(sql, *args)
        return await self._coalescer.fetch_one(sql, args)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_by_key(sql, *args)


class _AccountQueues:
    """Write queues of single accounts whose lock is held elsewhere, for as long as they have writers."""

    def __init__(self, new_queue: Callable[[], WriteQueue]) -> None:
        self._new_queue = new_queue
        self._queues: dict[str, WriteQueue] = {}
        self._writers: Counter[str] = Counter()

    def __contains__(self, account: str) -> bool:
        return account in self._queues

    @asynccontextmanager
    async def writing(self, account: str, prefetch: Sequence[Statement]) -> AsyncIterator[WriteTransaction]:
        """Join the queue of this account. It is removed with its last writer; later ones use the shared queue again."""
        if account not in self._queues:
            self._queues[account] = self._new_queue()
        self._writers[account] += 1
        try:
            async with self._queues[account].writing(account, prefetch) as tx:
                yield tx
        finally:
            self._writers[account] -= 1
            if not self._writers[account]:
                del self._writers[account], self._queues[account]


class _GroupedTransaction:
    """A transaction with an account lock.

    It joins the shared queue or, if another process holds the lock, a queue of the account's own.

    A class, because a generator is slower on this hot path.
    """

    def __init__(
        self, account: str, prefetch: Sequence[Statement], queue: WriteQueue | None, account_queues: _AccountQueues
    ) -> None:
        self._account, self._prefetch, self._queue, self._account_queues = account, prefetch, queue, account_queues

    async def __aenter__(self) -> WriteTransaction:
        if self._queue and self._account not in self._account_queues:
            self._tx = self._queue.writing(self._account, self._prefetch)
            with suppress(account_lock.AccountLockUnavailable):
                return await self._tx.__aenter__()
        self._tx = self._account_queues.writing(self._account, self._prefetch)
        return await self._tx.__aenter__()

    async def __aexit__(self, *raised: Any) -> bool | None:
        return await self._tx.__aexit__(*raised)


class PostgresDatabase:
    """A PostgreSQL database.

    `pooled`: connections go through a pooler in transaction mode, so each transaction may use another server process.
    `distributed`: Citus keeps accounts on several machines, so no transaction may span accounts.
    """

    def __init__(
        self, pool: Any, clock: Clock, ids: Ids, hooks: CommitHooks, *, pooled: bool, distributed: bool = False
    ) -> None:
        self._pool, self._clock, self._ids, self._hooks = ConnectionPool(pool), clock, ids, hooks
        # Half of the connections remain for the accounts of the other machines.
        self._limits = NodeLimits(max(1, pool.get_max_size() // 2)) if distributed else None
        self.pooled = pooled
        # A transaction-mode pooler may switch the server process between the steps of a shared round trip.
        self._coalescer = None if pooled or distributed else ReadCoalescer(self._pool)
        self._account_queues = _AccountQueues(
            lambda: WriteQueue(self._transaction, clock, ids, hooks, CONNECTION_ERRORS, _acquire_one)
        )
        self._queue = None if distributed else WriteQueue(self._transaction, clock, ids, hooks, CONNECTION_ERRORS)

    def reading(self, *, long: bool = False, listing: bool = False) -> _Reading:
        del long, listing  # Waiting for the server never blocks the event loop.
        return _Reading(self._acquire(), self._coalescer, pooled=self.pooled, distributed=self._limits is not None)

    def _acquire(self) -> PooledConnection:
        return LimitedPooledConnection(self._pool, self._limits) if self._limits else self._pool.acquire()

    def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        if not account:
            return self._write_alone()
        return _GroupedTransaction(account, prefetch, self._queue, self._account_queues)

    @asynccontextmanager
    async def _write_alone(self) -> AsyncIterator[WriteTransaction]:
        try:
            async with self._transaction() as tx:
                yield tx
                await self._hooks.run_before_commit(tx, tx.transaction_events)
                if tx.scheduled:
                    await due_work.save(tx, tx.scheduled)
        except BaseException as error:
            self._hooks.report_failure(error)
            raise
        record_commit()
        self._hooks.run_after_commit(tx.scheduled, self._clock.now())

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[PostgresTransaction]:
        committing = False
        try:
            async with self._acquire() as connection, connection.transaction():
                yield PostgresTransaction(
                    connection, self._clock, self._ids, pooled=self.pooled, distributed=self._queue is None
                )
                # A COMMIT that cannot even be sent saves nothing.
                committing = not connection.is_closed()
        except DatabaseBusy as error:
            if committing and not isinstance(error.__cause__, ROLLED_BACK_ERRORS):
                raise CommitOutcomeUnknown() from error
            raise

    async def probe_disk(self) -> None:
        """Write a mebibyte to a temporary table; raises `DatabaseBusy` if the server's disk is full."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute(_PROBE_SQL)

    async def close(self) -> None:
        await self._pool.close()


async def _acquire_one(tx: WriteTransaction, accounts: Sequence[str]) -> dict[str, AccountLock]:
    return await account_lock.acquire(tx, accounts[0])


async def open_postgres(
    url: str, clock: Clock, ids: Ids, hooks: CommitHooks, *, pooler: str = "", connections: int = 10
) -> PostgresDatabase:
    """Connect and return the database. Raises `DatabaseUnreachable` with the reason, in one line without the password.

    `pooler` is "transaction" or "session", the mode of a pooler such as PgBouncer; if empty, it is detected.
    """
    place = database_location(url)
    try:
        version, pooled, distributed = await _inspect_server(url)
        pooled = pooler == "transaction" or (pooled and pooler != "session")
        pool = await create_pool(url, pooled=pooled, connections=connections)
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnreachable(f"The database at {place} cannot be reached: {_one_line(error)}.") from error
    if version < MIN_VERSION:
        await pool.close()
        raise DatabaseUnreachable(f"The database at {place} is PostgreSQL {version // 10000}; 15 or newer is needed.")
    return PostgresDatabase(pool, clock, ids, hooks, pooled=pooled, distributed=distributed)


def create_pool(url: str, *, pooled: bool, least: int = 1, connections: int = 10) -> Any:
    """Return an asyncpg pool, to be awaited. `pooled` disables prepared statements, for poolers in transaction mode."""
    return asyncpg.create_pool(
        url,
        min_size=least,
        max_size=connections,
        timeout=10,
        connection_class=_Connection,
        command_timeout=60,
        # Behind a pooler in transaction mode, SET would change a server process that other clients use, too.
        **({"statement_cache_size": 0} if pooled else {"init": _disable_jit}),
    )


async def _disable_jit(connection: Any) -> None:
    """Turn off JIT compilation.

    Statements here use an index and take milliseconds. The server would compile those that it expects to read millions
    of rows, which takes a hundred times as long.
    """
    await connection.execute("SET jit = off")


async def _inspect_server(url: str) -> tuple[int, bool, bool]:
    """Return the server's version number, whether a pooler is in between, and whether the database uses Citus.

    A pooler reports process ids of its own, which differ from the server's.
    """
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        row = await connection.fetchrow(
            "SELECT current_setting('server_version_num')::int, pg_backend_pid(), to_regclass('pg_dist_partition')"
        )
        return row[0], row[1] != connection.get_server_pid(), row[2] is not None
    finally:
        await connection.close()


def database_location(url: str) -> str:
    """Return host, port and name of a database for messages, without user and password."""
    try:
        where = urlsplit(url)
        return f"{where.hostname or 'localhost'}:{where.port or 5432}{where.path}"
    except ValueError:
        # The message of urllib may contain a part of the password.
        raise DatabaseUnreachable(
            "The address of the database must be like postgresql://user:password@host:5432/name,"
            " with % and two digits for what is special in the password."
        ) from None


def _one_line(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")
