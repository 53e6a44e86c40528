"""Exclusive lock of a SQLite database, so that it can be moved or replaced."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from formwright.backup.models import BackupError

_WAIT_S = 1.0


class DatabaseDamaged(BackupError):
    """What lies there is no database any more."""


@contextmanager
def open_exclusively(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the SQLite database in an exclusive transaction, which also blocks readers, until the block ends.

    `BackupError` where another process has it open, `Damaged` where it is none that can be read.
    """
    with closing(_opened(path)) as connection:
        try:
            # In this mode SQLite takes a lock that it gets only where no other connection is open at all.
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BackupError(f"{path} is in use ({error}). Stop Formwright and its workers first.") from error
        except sqlite3.DatabaseError as error:
            raise DatabaseDamaged(f"The database {path} is damaged: {error}.") from error
        yield connection


def remove_journal(connection: sqlite3.Connection) -> None:
    """Have everything in the database file alone, so that no log beside it is taken for that of another."""
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except sqlite3.DatabaseError as error:
        raise DatabaseDamaged(f"The database is damaged: {error}.") from error


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_WAIT_S)
    except sqlite3.Error as error:
        raise BackupError(f"The database {path} cannot be opened: {error}.") from error
