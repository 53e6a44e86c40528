"""Tracks whether the database rejects writes because its disk is full."""

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator

import asyncpg

from formwright.core.db.interface import DatabaseBusy

_AGAIN_S = 5.0
Probe = Callable[[], Awaitable[None]]
"""A large write that leaves nothing behind; raises `DatabaseBusy` if the database rejects it."""


class WriteMonitor:
    """Remembers errors of write transactions that say the disk is full; readiness checks call `is_disk_full`.

    SQLite needs no `probe`, because readiness checks the disk of the data folder itself.
    """

    def __init__(self) -> None:
        self.probe: Probe | None = None
        self._refused: float | None = None

    def observe(self, error: BaseException) -> None:
        """Remember an error that says the disk is full. A success is ignored: a small change may fit on a full disk."""
        if any(_is_full(cause) for cause in _causes(error)):
            self._refused = time.monotonic()

    async def is_disk_full(self) -> bool:
        """Whether the disk was full at the last write. After a few seconds this probes again with a large write."""
        if self._refused is None:
            return False
        if time.monotonic() - self._refused >= _AGAIN_S:
            await self._try()
        return self._refused is not None

    async def _try(self) -> None:
        # Set first, so that readiness checks that arrive during the probe do not probe as well.
        self._refused = time.monotonic()
        try:
            if self.probe:
                await self.probe()
        except DatabaseBusy:
            return
        self._refused = None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_full(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, asyncpg.DiskFullError) or code == sqlite3.SQLITE_FULL
