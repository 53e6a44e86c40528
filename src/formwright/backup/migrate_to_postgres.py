"""Moves an installation from SQLite to PostgreSQL: every table, in one transaction, compared at its end."""

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
_REVISION = "alembic_version"
_encode = msgspec.json.Encoder(order="deterministic").encode
_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
_POSTGRES_COLUMNS = (
    "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns AS c"
    " JOIN information_schema.tables AS t USING (table_schema, table_name)"
    " WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.ordinal_position"
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table that both databases have. `json`: the places of columns that hold JSON, in which order is nothing."""

    name: str
    columns: tuple[str, ...]
    json: tuple[int, ...]

    @property
    def select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"  # noqa: S608 - names of the schema


@dataclass(slots=True)
class TableChecksum:
    """How many rows there are, and what they hold, in whatever order."""

    rows: int = 0
    digest: int = 0
    json: tuple[int, ...] = field(default=(), compare=False)

    def take(self, row: Sequence[Any]) -> None:
        values = list(row)
        for at in self.json:
            values[at] = None if values[at] is None else _plain(msgspec.json.decode(values[at]))
        digest = hashlib.blake2b(_encode(values), digest_size=16).digest()
        self.rows, self.digest = self.rows + 1, (self.digest + int.from_bytes(digest)) % 2**128


def _plain(value: Any) -> Any:
    """A number is the same however it is written: PostgreSQL keeps 1e2 as 100."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value.is_integer():
        value = int(Decimal(repr(value)))
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


async def copy_to_postgres(
    settings: Settings, url: str, tell: ProgressCallback, *, rehearsal: bool = False
) -> dict[str, int]:
    """Copy everything; answers how many rows each table has. `BackupError` says why not; then nothing was copied.

    Nobody else may have the source open, so nothing is written that would be left behind. A rehearsal copies what
    is there at this moment, while others go on.
    """
    source = replace(settings, database_url="")
    target = replace(settings, database_url=url)
    with _opened(source, rehearsal=rehearsal) as connection:
        await _check_current(connection, source)
        await migrations.upgrade(target)
        try:
            return await _filled(connection, url, tell)
        except (OSError, TimeoutError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise BackupError(f"Not copied to {database_location(url)}: {words}. It holds nothing of it.") from error


def _opened(source: Settings, *, rehearsal: bool) -> AbstractContextManager[sqlite3.Connection]:
    if not source.sqlite_path.exists():
        raise BackupError(f"There is no database {source.sqlite_path}: name the data folder with --data-dir.")
    return open_sqlite_snapshot(source.sqlite_path) if rehearsal else open_exclusively(source.sqlite_path)


async def _check_current(connection: sqlite3.Connection, source: Settings) -> None:
    try:
        here = connection.execute(f"SELECT version_num FROM {_REVISION}").fetchone()  # noqa: S608 - a name of ours
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source.sqlite_path} holds no database of Formwright: {error}.") from error
    newest = migrations.newest_revision()
    if here != (newest,):
        raise BackupError(
            f"The tables of {source.sqlite_path} are at revision {here and here[0]}, the newest is {newest}: run"
            " `formwright db upgrade` on it first."
        )


async def _filled(source: sqlite3.Connection, url: str, tell: ProgressCallback) -> dict[str, int]:
    target = await asyncpg.connect(url, timeout=10)
    try:
        tables = await _tables(source, target)
        async with target.transaction():
            await _check_empty(target, tables, url)
            rows = {table.name: await _copied(source, target, table, tell) for table in tables}
        # So that the first queries already know how much there is.
        tell("statistics", 0, 0)
        await target.execute("ANALYZE")
        return rows
    finally:
        await target.close()


async def _tables(source: sqlite3.Connection, target: Any) -> list[Table]:
    """Every table, as both databases describe it; `BackupError` where they do not agree."""
    there: dict[str, dict[str, str]] = {}
    for table, column, kind in await target.fetch(_POSTGRES_COLUMNS):
        there.setdefault(table, {})[column] = kind
    names = [name for (name,) in source.execute(_SQLITE_TABLES)]
    here = {name: [row[1] for row in source.execute(f"PRAGMA table_info({name})")] for name in names}
    odd = sorted(name for name in here.keys() | there.keys() if set(here.get(name, ())) != there.get(name, {}).keys())
    if odd:
        raise BackupError(f"These tables are not the same in both databases: {', '.join(odd)}. Nothing was copied.")
    return [_table(name, here[name], there[name]) for name in names if name != _REVISION]


def _table(name: str, columns: Sequence[str], kinds: dict[str, str]) -> Table:
    return Table(name, tuple(columns), tuple(at for at, column in enumerate(columns) if kinds[column] == "jsonb"))


async def _check_empty(target: Any, tables: Sequence[Table], url: str) -> None:
    """From here on nobody else writes to them, until all is copied or none of it."""
    await target.execute(f"LOCK TABLE {', '.join(table.name for table in tables)} IN EXCLUSIVE MODE")
    for table in tables:
        if await target.fetchrow(f"SELECT 1 FROM {table.name} LIMIT 1"):  # noqa: S608 - names of the schema
            raise BackupError(
                f"The database {database_location(url)} is not empty ({table.name}): make a new one with createdb."
            )


async def _copied(source: sqlite3.Connection, target: Any, table: Table, tell: ProgressCallback) -> int:
    """Copy a table, read it again where it is now, and compare."""
    [(total,)] = source.execute(f"SELECT count(*) FROM {table.name}").fetchall()  # noqa: S608 - names of the schema
    sent, kept = TableChecksum(json=table.json), TableChecksum(json=table.json)
    rows = _rows(source, table, sent, tell, total)
    await target.copy_records_to_table(table.name, columns=table.columns, records=rows)
    async for row in target.cursor(table.select, prefetch=_BATCH):
        kept.take(row)
        if kept.rows % _BATCH == 0:
            tell(f"comparing {table.name}", kept.rows, total)
    if sent != kept or kept.rows != total:
        raise BackupError(
            f"{table.name} is not the same after it was copied: {sent.rows} rows were sent, {kept.rows} arrived."
            " Nothing was copied."
        )
    return kept.rows


def _rows(
    source: sqlite3.Connection, table: Table, sent: TableChecksum, tell: ProgressCallback, total: int
) -> Iterator[Sequence[Any]]:
    cursor = source.execute(table.select)
    while rows := cursor.fetchmany(_BATCH):
        for row in rows:
            sent.take(row)
            yield row
        tell(table.name, sent.rows, total)
