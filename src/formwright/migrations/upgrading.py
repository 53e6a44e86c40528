"""Runs Alembic: on one connection, in one transaction, under a lock."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from formwright.core.db.sqlite import connect
from formwright.migrations import LOCK, needs_upgrade, unreachable_error
from formwright.settings import Settings

T = TypeVar("T")


async def upgrade(settings: Settings) -> str:
    """Upgrade the tables to the newest revision, and return their revision."""

    def work(connection: Connection) -> str:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        if needs_upgrade(_revision(connection)):  # Another process may have upgraded them before this one got the lock.
            command.upgrade(alembic_config(connection), "head")
        return _revision(connection) or ""

    return await run_in_transaction(settings, work)


def alembic_config(connection: Connection | None) -> Config:
    """Return the configuration of Alembic: the location of the script, and its connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


async def run_in_transaction(settings: Settings, work: Callable[[Connection], T]) -> T:
    """Run `work` in one SQLAlchemy transaction, and return its result. Raises `DatabaseUnreachable`."""
    try:
        if settings.is_postgres:
            return await _on_postgres(settings.database_url, work)
        return await asyncio.to_thread(_on_sqlite, settings.sqlite_path, work)
    except (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise unreachable_error(settings, error) from error


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


async def _on_postgres(url: str, work: Callable[[Connection], T]) -> T:
    async def open_connection() -> Any:
        return await asyncpg.connect(url, timeout=10, statement_cache_size=0)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=open_connection, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _on_sqlite(path: Path, work: Callable[[Connection], T]) -> T:
    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
    with engine.connect() as connection:
        # A process that starts at the same time waits here. After a deferred BEGIN, its first write would fail instead,
        # if another process had written since it read.
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        result = work(connection)
        # After an error, closing the connection rolls the transaction back.
        connection.exec_driver_sql("COMMIT")
    return result
