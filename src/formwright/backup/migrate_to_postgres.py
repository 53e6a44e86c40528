"""Copies an installation from SQLite to PostgreSQL: all tables, in one transaction, with a comparison at the end."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import asyncpg
import msgspec

from formwright import migrations
from formwright.backup.database_dump import open_sqlite_snapshot
from formwright.backup.database_lock import open_exclusively
from formwright.backup.models import BackupError, ProgressCallback
from formwright.core.db.postgres import database_location
from formwright.settings import Settings

_BATCH = 1000
_REVISION_TABLE = "alembic_version"
_encode = msgspec.json.Encoder(order="deterministic").encode
_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
_POSTGRES_COLUMNS = (
    "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns AS c"
    " JOIN information_schema.tables AS t USING (table_schema, table_name)"
    " WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.ordinal_position"
)


@dataclass(frozen=True, slots=True)
class DatabaseTable:
    """A table in both databases. `json`: the indexes of JSON columns, whose order of properties is irrelevant."""

    name: str
    columns: tuple[str, ...]
    json: tuple[int, ...]

    @property
    def select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"  # noqa: S608 - names of the schema


@dataclass(slots=True)
class TableChecksum:
    """The number of rows in a table, and a checksum of their content that does not depend on their order."""

    rows: int = 0
    digest: int = 0
    json: tuple[int, ...] = field(default=(), compare=False)

    def add(self, row: Sequence[Any]) -> None:
        values = list(row)
        for index in self.json:
            values[index] = None if values[index] is None else _normalise(msgspec.json.decode(values[index]))
        digest = hashlib.blake2b(_encode(values), digest_size=16).digest()
        # A sum and not XOR, with which two equal rows would cancel each other out.
        self.rows, self.digest = self.rows + 1, (self.digest + int.from_bytes(digest)) % 2**128


def _normalise(value: Any) -> Any:
    """Return a JSON value in which equal numbers are equal however they are written: PostgreSQL stores 1e2 as 100."""
    if isinstance(value, dict):
        return {name: _normalise(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_normalise(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        value = int(Decimal(repr(value)))
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


async def copy_to_postgres(
    settings: Settings, url: str, progress: ProgressCallback, *, rehearsal: bool = False
) -> dict[str, int]:
    """Copy all tables, and return the number of rows of each. Raises `BackupError` if nothing was copied.

    Nobody else may have the source open, so that no later changes are lost. A rehearsal copies the current state while
    others keep writing.
    """
    source = replace(settings, database_url="")
    target = replace(settings, database_url=url)
    with _open_source(source, rehearsal=rehearsal) as connection:
        await _check_current(connection, source)
        await migrations.upgrade(target)
        try:
            return await _copy_tables(connection, url, progress)
        except (OSError, TimeoutError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            message = f"Copying to {database_location(url)} failed: {reason}. Nothing was copied."
            raise BackupError(message) from error


def _open_source(source: Settings, *, rehearsal: bool) -> AbstractContextManager[sqlite3.Connection]:
    if not source.sqlite_path.exists():
        raise BackupError(f"There is no database {source.sqlite_path}. Set the data folder with --data-dir.")
    return open_sqlite_snapshot(source.sqlite_path) if rehearsal else open_exclusively(source.sqlite_path)


async def _check_current(connection: sqlite3.Connection, source: Settings) -> None:
    try:
        here = connection.execute(f"SELECT version_num FROM {_REVISION_TABLE}").fetchone()  # noqa: S608 - a constant
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source.sqlite_path} is not a Formwright database: {error}.") from error
    newest = migrations.newest_revision()
    if here != (newest,):
        raise BackupError(
            f"The tables of {source.sqlite_path} have revision {here and here[0]}, but the newest is {newest}. Run"
            " `formwright db upgrade` on it first."
        )


async def _copy_tables(source: sqlite3.Connection, url: str, progress: ProgressCallback) -> dict[str, int]:
    target = await asyncpg.connect(url, timeout=10)
    try:
        tables = await _common_tables(source, target)
        async with target.transaction():
            await _check_empty(target, tables, url)
            rows = {table.name: await _copy_table(source, target, table, progress) for table in tables}
        # Gives the query planner statistics for the first queries.
        progress("statistics", 0, 0)
        await target.execute("ANALYZE")
        return rows
    finally:
        await target.close()


async def _common_tables(source: sqlite3.Connection, target: Any) -> list[DatabaseTable]:
    """Return all tables. Raises `BackupError` if the databases do not have the same tables and columns."""
    target_columns: dict[str, dict[str, str]] = {}
    for table, column, kind in await target.fetch(_POSTGRES_COLUMNS):
        target_columns.setdefault(table, {})[column] = kind
    names = [name for (name,) in source.execute(_SQLITE_TABLES)]
    source_columns = {name: [row[1] for row in source.execute(f"PRAGMA table_info({name})")] for name in names}
    different = sorted(
        name
        for name in source_columns.keys() | target_columns.keys()
        if set(source_columns.get(name, ())) != target_columns.get(name, {}).keys()
    )
    if different:
        raise BackupError(f"These tables differ between the databases: {', '.join(different)}. Nothing was copied.")
    return [_table(name, source_columns[name], target_columns[name]) for name in names if name != _REVISION_TABLE]


def _table(name: str, columns: Sequence[str], types: dict[str, str]) -> DatabaseTable:
    return DatabaseTable(
        name, tuple(columns), tuple(index for index, column in enumerate(columns) if types[column] == "jsonb")
    )


async def _check_empty(target: Any, tables: Sequence[DatabaseTable], url: str) -> None:
    """Lock the tables against other writers until the transaction ends. Raises `BackupError` unless they are empty."""
    await target.execute(f"LOCK TABLE {', '.join(table.name for table in tables)} IN EXCLUSIVE MODE")
    for table in tables:
        if await target.fetchrow(f"SELECT 1 FROM {table.name} LIMIT 1"):  # noqa: S608 - names of the schema
            raise BackupError(
                f"The database {database_location(url)} is not empty ({table.name}). Create a new one with createdb."
            )


async def _copy_table(source: sqlite3.Connection, target: Any, table: DatabaseTable, progress: ProgressCallback) -> int:
    """Copy a table, read the copy, and compare the two. Returns the number of rows."""
    [(total,)] = source.execute(f"SELECT count(*) FROM {table.name}").fetchall()  # noqa: S608 - names of the schema
    sent, received = TableChecksum(json=table.json), TableChecksum(json=table.json)
    rows = _rows(source, table, sent, progress, total)
    await target.copy_records_to_table(table.name, columns=table.columns, records=rows)
    async for row in target.cursor(table.select, prefetch=_BATCH):
        received.add(row)
        if received.rows % _BATCH == 0:
            progress(f"comparing {table.name}", received.rows, total)
    if sent != received or received.rows != total:
        raise BackupError(
            f"The copy of {table.name} differs from the original: {sent.rows} rows were sent, {received.rows} received."
            " Nothing was copied."
        )
    return received.rows


def _rows(
    source: sqlite3.Connection, table: DatabaseTable, checksum: TableChecksum, progress: ProgressCallback, total: int
) -> Iterator[Sequence[Any]]:
    cursor = source.execute(table.select)
    while rows := cursor.fetchmany(_BATCH):
        for row in rows:
            checksum.add(row)
            yield row
        progress(table.name, checksum.rows, total)
