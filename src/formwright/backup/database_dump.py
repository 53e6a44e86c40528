"""Consistent copies of a database in a file, taken while others keep writing.

PostgreSQL is dumped and loaded with its own programs, SQLite is copied with its backup API.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import unquote, unquote_plus, urlsplit

import asyncpg

from formwright.backup.models import BackupError, ProgressCallback
from formwright.core.db.postgres import database_location
from formwright.core.db.sqlite import connect

_PASSWORD = "password="  # noqa: S105 - a query parameter of a URL


def dump_postgres(url: str, into: Path) -> None:
    """Write a consistent dump of the database with `pg_dump`. Raises `BackupError`."""
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-acl", f"--file={into}")


def load_postgres(url: str, dumped: Path) -> None:
    """Load a dump into an empty database, in one transaction. Raises `BackupError`."""
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-acl")
    _run("pg_restore", url, *options, str(dumped))


def _run(program: str, url: str, *options: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise BackupError(
            f"{program} was not found. Install the client programs of PostgreSQL (on Debian: postgresql-client), or"
            " back up the database yourself and use --without-database."
        )
    location, password = _split_password(url)
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    # The password is not on the command line, which every user of the machine can read.
    process = subprocess.run(  # noqa: S603
        [found, f"--dbname={location}", "--no-password", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        reason = " ".join(process.stderr.split()).rstrip(".")
        raise BackupError(f"{program} failed with {database_location(url)}: {reason}.")


def _split_password(url: str) -> tuple[str, str]:
    """Return the URL without its password, and the password. It may be before the host or in the query."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    parameters = parts.query.split("&") if parts.query else []
    in_query = [unquote_plus(text[len(_PASSWORD) :]) for text in parameters if text.startswith(_PASSWORD)]
    query = "&".join(text for text in parameters if not text.startswith(_PASSWORD))
    # Not `urlunsplit`: without a host, as with a socket, it would omit the slashes.
    location = f"{parts.scheme}://{name}{at}{host}{parts.path}" + (f"?{query}" if query else "")
    return location, unquote(password) or next(iter(in_query), "")


async def check_no_tables(url: str) -> None:
    """Raise `BackupError` unless the database has no tables."""
    try:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            tables = await connection.fetchval(
                # Not views: the extension Citus has some.
                "SELECT count(*) FROM information_schema.tables"
                " WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
            )
        finally:
            await connection.close()
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"The database {database_location(url)} cannot be reached: {error}.") from error
    if tables:
        raise BackupError(f"The database {database_location(url)} is not empty. Create a new one with createdb.")


_PAGES_PER_STEP = 2048


@contextmanager
def open_sqlite_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that sees the current state of the database until the block ends. Does not block writers."""
    if not path.exists():
        raise BackupError(f"There is no database {path}. Set the data folder with --data-dir.")
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        # SQLite takes the snapshot with the first read.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield connection


def copy_sqlite(path: Path, into: Path, progress: ProgressCallback) -> None:
    """Copy a database with SQLite's backup API, and check the integrity of the copy. Raises `BackupError`.

    All steps read within one transaction. Writes in the meantime are not included, and do not restart the copy.
    """
    try:
        with open_sqlite_snapshot(path) as source, closing(sqlite3.connect(into)) as copy:
            source.backup(
                copy, pages=_PAGES_PER_STEP, progress=lambda _, left, total: progress("database", total - left, total)
            )
            # Nobody writes to the copy, so it needs no write-ahead log next to it.
            copy.execute("PRAGMA journal_mode=DELETE")
            [(found,), *_] = copy.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.Error as error:
        raise BackupError(f"The database {path} cannot be copied: {error}.") from error
    if found != "ok":
        raise BackupError(f"The database {path} is damaged ({found}). Keep your older backups.")
