"""PostgreSQL 15 or newer, through asyncpg: for many processes and many machines."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from formwright.core.clock import Clock
from formwright.core.db import account_lock
from formwright.core.db.connection_pool import ConnectionPool, PooledConnection
from formwright.core.db.group_commit import WriteQueue
from formwright.core.db.interface import (
    AccountLock,
    CommitHooks,
    DatabaseBusy,
    DatabaseUnreachable,
    ReadTransaction,
    Row,
    Statement,
    WriteTransaction,
)
from formwright.core.db.postgres_connection import LOST, REFUSED, OnConnection, Statements
from formwright.core.db.read_coalescing import ReadCoalescer
from formwright.core.db.shared_transaction import AccountReadCache
from formwright.core.ids import Ids

OLDEST = 150000
_MEBIBYTE = (
    "CREATE TEMPORARY TABLE disk_probe ON COMMIT DROP AS"
    " SELECT repeat(md5(i::text), 60) AS filler FROM generate_series(1, 512) AS i"
)
"""The database's default tablespace has to grow for it, and shrinks again at the commit."""
_UNKNOWN = (
    "The database went away while the change was being committed: it was written, or it was not. Look, or send it again"
    " with the Idempotency-Key that it had."
)


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is not reset when it goes back to the pool: nothing here changes a session's state."""

    def get_reset_query(self) -> str:
        return ""


class _Reading(Statements):
    """Borrows a connection for the first statement that needs one of its own. A class and no generator, for it is
    entered with every request."""

    def __init__(self, loan: PooledConnection, together: ReadCoalescer | None, *, pooled: bool) -> None:
        super().__init__(None, pooled=pooled)
        self._loan, self._together = loan, together

    async def __aenter__(self) -> ReadTransaction:
        return self

    async def __aexit__(self, *raised: Any) -> None:
        if self._connection:
            await self._loan.__aexit__(*raised)

    async def _lent(self) -> Any:
        if not self._connection:
            self._connection = await self._loan.__aenter__()
        return self._connection

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self._lent()
        return await super().fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        await self._lent()
        return await super().fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        # Who has a connection waits for no other: as many as there are could, and none would ever be free.
        if self._together is None or self._connection:
            return await self.fetch_one(sql, *args)
        return await self._together.fetch_one(sql, args)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_by_key(sql, *args)


class _OwnWays:
    """The lines of those accounts that go their own way, while they have writers."""

    def __init__(self, line: Callable[[], WriteQueue]) -> None:
        self._new = line
        self._lines: dict[str, WriteQueue] = {}
        self._writers: Counter[str] = Counter()

    def __contains__(self, account: str) -> bool:
        return account in self._lines

    @asynccontextmanager
    async def writing(self, account: str, ahead: Sequence[Statement]) -> AsyncIterator[WriteTransaction]:
        """With those of this account alone. With the last of them goes the line: who comes next stands in that of
        all."""
        if account not in self._lines:
            self._lines[account] = self._new()
        self._writers[account] += 1
        try:
            async with self._lines[account].writing(account, ahead) as tx:
                yield tx
        finally:
            self._writers[account] -= 1
            if not self._writers[account]:
                del self._writers[account], self._lines[account]


class _Sharing:
    """A transaction with the order of an account: together with all others, or, where somebody else holds the order
    right now, behind that one and with those of the account alone. A class for it is entered with every submission."""

    def __init__(self, account: str, ahead: Sequence[Statement], together: WriteQueue | None, own: _OwnWays) -> None:
        self._account, self._ahead, self._together, self._own = account, ahead, together, own

    async def __aenter__(self) -> WriteTransaction:
        if self._together and self._account not in self._own:
            self._tx = self._together.writing(self._account, self._ahead)
            with suppress(account_lock.AccountLockUnavailable):
                return await self._tx.__aenter__()
        self._tx = self._own.writing(self._account, self._ahead)
        return await self._tx.__aenter__()

    async def __aexit__(self, *raised: Any) -> bool | None:
        return await self._tx.__aexit__(*raised)


class PostgresDatabase:
    """A pool of connections to one server. `pooled`: they go through a pooler, which gives them others in between.
    `distributed`: accounts lie on several machines, so no transaction is of more than one."""

    def __init__(
        self, pool: Any, clock: Clock, ids: Ids, hooks: CommitHooks, *, pooled: bool, distributed: bool = False
    ) -> None:
        self._lender, self._clock, self._ids, self._hooks = ConnectionPool(pool), clock, ids, hooks
        self.pooled, self._distributed = pooled, distributed
        # A pooler would take the connection away between the steps of a way that several share.
        self._by_key = None if pooled or distributed else ReadCoalescer(self._lender)
        unmoved = AccountReadCache()
        self._own = _OwnWays(lambda: WriteQueue(self._transaction, clock, ids, hooks, LOST, unmoved, _take_one))
        self._together = None if distributed else WriteQueue(self._transaction, clock, ids, hooks, LOST, unmoved)

    def reading(self, *, long: bool = False, listing: bool = False) -> _Reading:
        del long, listing  # Waiting for the server never holds the event loop.
        return _Reading(self._lender.lend(), self._by_key, pooled=self.pooled)

    def writing(
        self, *, account: str = "", ahead: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        if not account:
            return self._alone()
        return _Sharing(account, ahead, self._together, self._own)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[WriteTransaction]:
        async with self._transaction() as tx:
            yield tx
            await self._hooks.before(tx, tx.told)
        self._hooks.after(tx)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[OnConnection]:
        committing = False
        try:
            async with self._lender.lend() as connection, connection.transaction():
                yield OnConnection(
                    connection, self._clock, self._ids, pooled=self.pooled, distributed=self._distributed
                )
                committing = True
        except DatabaseBusy as error:
            if committing and not isinstance(error.__cause__, REFUSED):
                raise DatabaseBusy(_UNKNOWN) from error
            raise

    async def probe_disk(self) -> None:
        """Write a mebibyte and forget it; `DatabaseBusy` if the server has no room for it."""
        async with self._lender.lend() as connection, connection.transaction():
            await connection.execute(_MEBIBYTE)

    async def close(self) -> None:
        await self._lender.close()


async def _take_one(tx: WriteTransaction, accounts: Sequence[str]) -> dict[str, AccountLock]:
    return await account_lock.acquire(tx, accounts[0])


async def open_postgres(
    url: str, clock: Clock, ids: Ids, hooks: CommitHooks, *, pooler: str = "", connections: int = 10
) -> PostgresDatabase:
    """Connect; `DatabaseUnreachable` says why that is not possible, in one line without the password.

    `pooler`: "transaction" where a pooler is in between that gives each transaction another connection, "session"
    where statements may stay prepared; where nothing is said, it is looked whether there is one.
    """
    place = place_of(url)
    try:
        version, pooled, distributed = await _look(url)
        pooled = pooler == "transaction" or (pooled and pooler != "session")
        pool = await pool_of(url, pooled=pooled, connections=connections)
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnreachable(f"The database at {place} cannot be reached: {_one_line(error)}.") from error
    if version < OLDEST:
        await pool.close()
        raise DatabaseUnreachable(f"The database at {place} is PostgreSQL {version // 10000}; 15 or newer is needed.")
    return PostgresDatabase(pool, clock, ids, hooks, pooled=pooled, distributed=distributed)


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


async def _look(url: str) -> tuple[int, bool, bool]:
    """The server's version; whether a pooler is in between, which gives out numbers of processes of its own; and
    whether the database has Citus."""
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        row = await connection.fetchrow(
            "SELECT current_setting('server_version_num')::int, pg_backend_pid(), to_regclass('pg_dist_partition')"
        )
        return row[0], row[1] != connection.get_server_pid(), row[2] is not None
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
