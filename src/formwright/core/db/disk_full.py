"""Tracks whether the database rejects writes because its disk is full."""

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType

import asyncpg

from formwright.core.db.interface import Database, DatabaseBusy, ReadTransaction, Statement, WriteTransaction

_AGAIN_S = 5.0
Probe = Callable[[], Awaitable[None]]
"""A large write that leaves nothing behind; raises `DatabaseBusy` if the database rejects it."""


class WriteMonitor:
    """Wraps a database and watches its errors; readiness checks call `is_disk_full`.

    SQLite needs no `probe`, because readiness checks the disk of the data folder itself.
    """

    def __init__(self, db: Database, probe: Probe | None = None) -> None:
        self._db, self._probe = db, probe
        self._refused: float | None = None

    def reading(self, *, long: bool = False, listing: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        return self._db.reading(long=long, listing=listing)

    def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        return _MonitoredTransaction(self, self._db.writing(account=account, prefetch=prefetch))

    async def close(self) -> None:
        await self._db.close()

    def observe(self, error: BaseException | None) -> None:
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
        self._refused = time.monotonic()
        try:
            if self._probe:
                await self._probe()
        except DatabaseBusy:
            return
        self._refused = None


class _MonitoredTransaction:
    """A transaction whose outcome the monitor observes. A class, because a generator is slower on this hot path."""

    def __init__(self, monitor: WriteMonitor, inner: AbstractAsyncContextManager[WriteTransaction]) -> None:
        self._monitor, self._inner = monitor, inner

    async def __aenter__(self) -> WriteTransaction:
        try:
            return await self._inner.__aenter__()
        except DatabaseBusy as error:
            self._monitor.observe(error)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            return await self._inner.__aexit__(kind, error, trace)
        except DatabaseBusy as busy:
            self._monitor.observe(busy)
            raise
        finally:
            if error is not None:
                self._monitor.observe(error)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_full(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, asyncpg.DiskFullError) or code == sqlite3.SQLITE_FULL
