"""Database migrations: one Alembic script for both databases, run under a lock.

Alembic is only imported if the tables need an upgrade: the import takes half as long as the rest of the startup.
"""

import asyncio
import sqlite3
from functools import cache
from pathlib import Path

import asyncpg
import structlog

from formwright.core.db.interface import DatabaseUnreachable
from formwright.core.db.postgres import database_location
from formwright.core.db.sqlite import connect
from formwright.core.lazy_import import LazyModule
from formwright.settings import Settings

log = structlog.get_logger()
_upgrading = LazyModule("formwright.migrations.upgrading")

LOCK = 0x666F726D  # "form" in ASCII. Processes that start at the same time upgrade one after the other.
_REVISION = "SELECT version_num FROM alembic_version"


async def upgrade(settings: Settings) -> str:
    """Upgrade the tables to the newest revision in one transaction, and return that revision.

    Tables of a newer version are left alone: during a rolling upgrade, a process of the previous version may be
    restarted, and each version keeps everything that the previous one uses.
    """
    here, _ = await current(settings)
    if not needs_upgrade(here):
        return here or ""
    upgraded: str = await _upgrading.upgrade(settings)
    return upgraded


def needs_upgrade(here: str | None) -> bool:
    """Return whether tables at this revision need an upgrade. Logs a warning if they are of a newer version."""
    # Revisions have four digits, so they can be compared as texts.
    if here and here > newest_revision():
        log.warning("the tables are of a newer version", revision=here, known=newest_revision())
    return not here or here < newest_revision()


async def current(settings: Settings) -> tuple[str | None, str]:
    """Return the revision of the tables (None if there are no tables), and the newest one.

    Raises `DatabaseUnreachable`.
    """
    try:
        if settings.is_postgres:
            return await _postgres_revision(settings.database_url), newest_revision()
        return await asyncio.to_thread(_sqlite_revision, settings.sqlite_path), newest_revision()
    except (OSError, ValueError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise unreachable_error(settings, error) from error


def newest_revision() -> str:
    """Return the newest revision that this version knows."""
    return max(_known_revisions())


def is_known_revision(revision: str) -> bool:
    """Return whether this version can upgrade tables of that revision."""
    return revision in _known_revisions()


@cache
def _known_revisions() -> frozenset[str]:
    """Return all revisions. Each has a file named after it, such as `r0001_accounts.py`."""
    return frozenset(path.name[1:5] for path in (Path(__file__).parent / "versions").glob("r*.py"))


def unreachable_error(settings: Settings, error: Exception) -> DatabaseUnreachable:
    """Return the error for the operator if the database fails."""
    location = database_location(settings.database_url) if settings.is_postgres else settings.sqlite_path
    reason = " ".join(str(error).split())
    return DatabaseUnreachable(f"The database {location} cannot be reached or upgraded: {reason}")


def _sqlite_revision(path: Path) -> str | None:
    connection = connect(path)
    try:
        [(here,)] = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
        found = connection.execute(_REVISION).fetchone() if here else None
    finally:
        connection.close()
    return found and found[0]


async def _postgres_revision(url: str) -> str | None:
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        # In one transaction, because a pooler may use another connection for each statement.
        async with connection.transaction():
            here = await connection.fetchval("SELECT to_regclass('alembic_version')")
            return await connection.fetchval(_REVISION) if here else None
    finally:
        await connection.close()
