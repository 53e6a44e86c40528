"""PostgreSQL's own programs, which write a database into a file and read it back.

A database as it was at one moment, in a file, while others go on to write.
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

_PASSWORD = "password="  # noqa: S105 - a member of an address


def dump_postgres(url: str, into: Path) -> None:
    """The database as it was at one moment, as `pg_dump` writes it."""
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-acl", f"--file={into}")


def load_postgres(url: str, dumped: Path) -> None:
    """Fill an empty database, all or nothing."""
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-acl")
    _run("pg_restore", url, *options, str(dumped))


def _run(program: str, url: str, *options: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise BackupError(
            f"{program} is not to be found. Install PostgreSQL's client programs (on Debian: postgresql-client),"
            f" or leave the database to your own means with --without-database."
        )
    place, password = _without_password(url)
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    # Not on the command line: every user of the machine can read that.
    done = subprocess.run(  # noqa: S603
        [found, f"--dbname={place}", "--no-password", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = " ".join(done.stderr.split()).rstrip(".")
        raise BackupError(f"{program} could not do it with {database_location(url)}: {words}.")


def _without_password(url: str) -> tuple[str, str]:
    """The address without its password, which may stand before the host or behind it; and the password."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    asked = parts.query.split("&") if parts.query else []
    behind = [unquote_plus(one[len(_PASSWORD) :]) for one in asked if one.startswith(_PASSWORD)]
    query = "&".join(one for one in asked if not one.startswith(_PASSWORD))
    # Put together here: without a host, as of a socket, urllib would leave out the slashes before it.
    place = f"{parts.scheme}://{name}{at}{host}{parts.path}" + (f"?{query}" if query else "")
    return place, unquote(password) or next(iter(behind), "")


async def check_no_tables(url: str) -> None:
    """`BackupError` where the database is not as `createdb` makes it."""
    try:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            tables = await connection.fetchval(
                "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()"
            )
        finally:
            await connection.close()
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"The database {database_location(url)} cannot be reached: {error}.") from error
    if tables:
        raise BackupError(
            f"The database {database_location(url)} is not empty: make a new one with createdb, and name that."
        )


_PAGES = 2048


@contextmanager
def open_sqlite_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """The database as it is now, for as long as the block lasts; writers do not wait for it."""
    if not path.exists():
        raise BackupError(f"There is no database {path}: name the data folder with --data-dir.")
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        # The snapshot is taken with the first look.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield connection


def copy_sqlite(path: Path, into: Path, tell: ProgressCallback) -> None:
    """Copy by SQLite's own means, and look whether the copy is sound.

    All of its steps read within one transaction: what is written meanwhile is neither in it nor makes it begin anew.
    """
    try:
        with open_sqlite_snapshot(path) as source, closing(sqlite3.connect(into)) as copy:
            source.backup(copy, pages=_PAGES, progress=lambda _, left, total: tell("database", total - left, total))
            # For a copy that nobody writes, a log beside it is one file too many.
            copy.execute("PRAGMA journal_mode=DELETE")
            [(found,), *_] = copy.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.Error as error:
        raise BackupError(f"The database {path} cannot be copied: {error}.") from error
    if found != "ok":
        raise BackupError(f"The database {path} is damaged ({found}). Keep your earlier backups.")
