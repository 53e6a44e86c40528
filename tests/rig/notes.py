"""A database of notes, with an event for each: as little as it takes to see what becomes of writers."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from formwright.core.kernel.clock import SystemClock
from formwright.core.kernel.ids import Ids
from formwright.core.storage import order
from formwright.core.storage.database import Database, Hooks, Told, Writing
from formwright.core.storage.postgres import open_postgres
from formwright.core.storage.sqlite import SqliteDatabase, connect

ACCOUNTS = ("one", "two", "three")
INSERT = "INSERT INTO notes (customer_id, text, stamp) VALUES ($1, $2, $3)"
REFUSED = (sqlite3.IntegrityError, asyncpg.UniqueViolationError)
"""What says that there is such a note already."""
_TABLES = (
    "CREATE TABLE account_order (customer_id text PRIMARY KEY, stamp bigint NOT NULL, sequence bigint NOT NULL)",
    "CREATE TABLE notes (customer_id text, text text PRIMARY KEY, stamp bigint)",
    "CREATE TABLE events (customer_id text, sequence bigint, text text, stamp bigint, UNIQUE (customer_id, sequence))",
)
_EMPTY = (
    "DELETE FROM account_order",
    "DELETE FROM notes",
    "DELETE FROM events",
    *(f"INSERT INTO account_order VALUES ('{account}', 0, 0)" for account in ACCOUNTS),
)


async def relay(tx: Writing, told: Sequence[Told]) -> None:
    """An event for each note, in the order of its account."""
    for one in told:
        note: Any
        for note in one.notes:
            account, text = note
            sequence, _ = await order.number(tx, account, 1)
            await tx.later(
                "INSERT INTO events (customer_id, sequence, text, stamp) VALUES ($1, $2, $3, $4)",
                [(account, sequence, text, one.stamps[account])],
            )


async def write(tx: Writing, text: str, account: str = "one", *, later: bool = True) -> None:
    """A note and its event; put off to the commit, or at once."""
    row = (account, text, await order.stamp(tx, account))
    await (tx.later(INSERT, [row]) if later else tx.execute(INSERT, *row))
    tx.note((account, text))  # type: ignore[arg-type]


class Other(Protocol):
    """What another process sees and does."""

    async def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows."""

    async def execute(self, sql: str) -> None:
        """Run a statement, at once or within a transaction."""

    async def begin(self) -> None:
        """Begin a transaction that changes something, and lock out all others that a process can."""

    async def commit(self) -> None:
        """End it."""

    async def close(self) -> None:
        """Leave."""


class _OtherOnSqlite:
    def __init__(self, path: Path) -> None:
        self._connection = connect(path)

    async def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql).fetchall()

    async def execute(self, sql: str) -> None:
        await asyncio.to_thread(self._connection.execute, sql)

    async def begin(self) -> None:
        await self.execute("BEGIN IMMEDIATE")

    async def commit(self) -> None:
        await self.execute("COMMIT")

    async def close(self) -> None:
        self._connection.close()


class _OtherOnPostgres:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._connection.fetch(sql)]

    async def execute(self, sql: str) -> None:
        await self._connection.execute(sql)

    async def begin(self) -> None:
        await self.execute("BEGIN")

    async def commit(self) -> None:
        await self.execute("COMMIT")

    async def close(self) -> None:
        await self._connection.close()


class Notes:
    """The database in a file, or at an address."""

    def __init__(self, place: Path | str) -> None:
        self._place = place

    @property
    def postgres(self) -> bool:
        return isinstance(self._place, str)

    async def other(self) -> Other:
        """Another process, which finds the tables and no note in them."""
        if isinstance(self._place, Path):
            return _OtherOnSqlite(self._place)
        return _OtherOnPostgres(await asyncpg.connect(self._place))

    async def empty(self) -> None:
        """Tables with nothing in them."""
        other = await self.other()
        there = "to_regclass('notes')" if self.postgres else "(SELECT 1 FROM sqlite_master WHERE name = 'notes')"
        made = (await other.fetch(f"SELECT {there} IS NOT NULL"))[0][0]
        for statement in (*(() if made else _TABLES), *_EMPTY):
            await other.execute(statement)
        await other.close()

    async def open(self, hooks: Hooks | None = None) -> Database:
        """A process' way to it."""
        if hooks is None:
            hooks = Hooks()
            hooks.before_commit = relay
        clock = SystemClock()
        if isinstance(self._place, Path):
            return SqliteDatabase(self._place, clock, Ids(clock), hooks)
        return await open_postgres(self._place, clock, Ids(clock), hooks)
