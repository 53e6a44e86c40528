"""The tables, and how they came to be: one Alembic script for both databases, run under a lock."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from formwright.core.storage.database import DatabaseUnreachable
from formwright.core.storage.postgres import place_of
from formwright.core.storage.sqlite import connect
from formwright.settings import Settings

T = TypeVar("T")
log = structlog.get_logger()

LOCK = 0x666F726D  # "form": two processes that start at once upgrade one after the other.


async def upgrade(settings: Settings) -> str:
    """Bring the tables to the newest revision, all or nothing; answers that revision.

    Tables of a newer version are left as they are: during a rolling upgrade a process of the version before may be
    started once more, and a version leaves in place what the one before it uses.
    """

    def work(connection: Connection) -> str:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        here = _revision(connection)
        if here and here > newest():
            log.warning("the tables are of a newer version", revision=here, known=newest())
            return here
        command.upgrade(_config(connection), "head")
        return _revision(connection) or ""

    return await _on_connection(settings, work)


async def current(settings: Settings) -> tuple[str | None, str]:
    """The revision the tables are at (None: no tables yet), and the newest there is."""
    return await _on_connection(settings, _revision), newest()


def newest() -> str:
    """The newest revision that this version knows."""
    return ScriptDirectory.from_config(_config(None)).get_current_head() or ""


def knows(revision: str) -> bool:
    """Whether this version can bring tables of that revision up to date."""
    try:
        return ScriptDirectory.from_config(_config(None)).get_revision(revision) is not None
    except CommandError:
        return False


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


async def _on_connection(settings: Settings, work: Callable[[Connection], T]) -> T:
    place = place_of(settings.database_url) if settings.is_postgres else settings.sqlite_path
    try:
        if settings.is_postgres:
            return await _on_postgres(settings.database_url, work)
        return await asyncio.to_thread(_on_sqlite, settings.sqlite_path, work)
    except (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        line = " ".join(str(error).split())
        raise DatabaseUnreachable(f"The database {place} cannot be reached or brought up to date: {line}") from error


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
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        answer = work(connection)
        connection.exec_driver_sql("COMMIT")
    return answer
