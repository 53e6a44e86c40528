"""The tables, and how they came to be: one Alembic script for both databases, run under a lock.

Where the tables are up to date Alembic is not even read: that takes as long as half of what a start takes otherwise.
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

LOCK = 0x666F726D  # "form": two processes that start at once upgrade one after the other.
_REVISION = "SELECT version_num FROM alembic_version"


async def upgrade(settings: Settings) -> str:
    """Bring the tables to the newest revision, all or nothing; answers that revision.

    Tables of a newer version are left as they are: during a rolling upgrade a process of the version before may be
    started once more, and a version leaves in place what the one before it uses.
    """
    here, _ = await current(settings)
    if not needs_upgrade(here):
        return here or ""
    upgraded: str = await _upgrading.upgrade(settings)
    return upgraded


def needs_upgrade(here: str | None) -> bool:
    """Whether tables at this revision are to be upgraded. Where they are of a newer version the log says so."""
    if here and here > newest_revision():
        log.warning("the tables are of a newer version", revision=here, known=newest_revision())
    return not here or here < newest_revision()


async def current(settings: Settings) -> tuple[str | None, str]:
    """The revision the tables are at (None: no tables yet), and the newest there is."""
    try:
        if settings.is_postgres:
            return await _on_postgres(settings.database_url), newest_revision()
        return await asyncio.to_thread(_on_sqlite, settings.sqlite_path), newest_revision()
    except (OSError, ValueError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise unreachable_error(settings, error) from error


def newest_revision() -> str:
    """The newest revision that this version knows."""
    return max(_known())


def is_known_revision(revision: str) -> bool:
    """Whether this version can bring tables of that revision up to date."""
    return revision in _known()


@cache
def _known() -> frozenset[str]:
    """Each revision is a file, `r0001_house.py` the first."""
    return frozenset(path.name[1:5] for path in (Path(__file__).parent / "versions").glob("r*.py"))


def unreachable_error(settings: Settings, error: Exception) -> DatabaseUnreachable:
    """What the operator is told where the database did not do its part."""
    place = database_location(settings.database_url) if settings.is_postgres else settings.sqlite_path
    line = " ".join(str(error).split())
    return DatabaseUnreachable(f"The database {place} cannot be reached or brought up to date: {line}")


def _on_sqlite(path: Path) -> str | None:
    connection = connect(path)
    try:
        [(here,)] = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
        found = connection.execute(_REVISION).fetchone() if here else None
    finally:
        connection.close()
    return found and found[0]


async def _on_postgres(url: str) -> str | None:
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        # In a transaction, as a pooler gives each another connection.
        async with connection.transaction():
            here = await connection.fetchval("SELECT to_regclass('alembic_version')")
            return await connection.fetchval(_REVISION) if here else None
    finally:
        await connection.close()
