"""An exclusive lock on a SQLite database, so that it can be moved or replaced."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from formwright.backup.models import BackupError

_TIMEOUT_S = 1.0


class DatabaseDamaged(BackupError):
    """The file is not a readable database."""


@contextmanager
def open_exclusively(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection in an exclusive transaction, which also blocks readers, until the block ends.

    Raises `BackupError` if another process has the database open, and `DatabaseDamaged` if it cannot be read.
    """
    with closing(_connect(path)) as connection:
        try:
            # In this mode, SQLite takes a lock that is only available if no other connection is open at all.
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BackupError(f"{path} is in use ({error}). Stop Formwright and its workers first.") from error
        except sqlite3.DatabaseError as error:
            raise DatabaseDamaged(f"The database {path} is damaged: {error}.") from error
        yield connection


def remove_journal(connection: sqlite3.Connection) -> None:
    """Move everything into the database file, so that its journal is not mistaken for that of another database."""
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except sqlite3.DatabaseError as error:
        raise DatabaseDamaged(f"The database is damaged: {error}.") from error


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_TIMEOUT_S
        )
    except sqlite3.Error as error:
        raise BackupError(f"The database {path} cannot be opened: {error}.") from error
