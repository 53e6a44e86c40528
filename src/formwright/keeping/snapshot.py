"""A database as it was at one moment, in a file, while others go on to write."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from formwright.core.storage.sqlite import connect
from formwright.keeping.model import KeepingError, Tell

_PAGES = 2048


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The database as it is now, for as long as the block lasts; writers do not wait for it."""
    if not path.exists():
        raise KeepingError(f"There is no database {path}: name the data folder with --data-dir.")
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        # The snapshot is taken with the first look.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield connection


def copy_sqlite(path: Path, into: Path, tell: Tell) -> None:
    """Copy by SQLite's own means, and look whether the copy is sound.

    All of its steps read within one transaction: what is written meanwhile is neither in it nor makes it begin anew.
    """
    try:
        with reading(path) as source, closing(sqlite3.connect(into)) as copy:
            source.backup(copy, pages=_PAGES, progress=lambda _, left, total: tell("database", total - left, total))
            # For a copy that nobody writes, a log beside it is one file too many.
            copy.execute("PRAGMA journal_mode=DELETE")
            [(found,), *_] = copy.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.Error as error:
        raise KeepingError(f"The database {path} cannot be copied: {error}.") from error
    if found != "ok":
        raise KeepingError(f"The database {path} is damaged ({found}). Keep your earlier backups.")
