"""Database wrapper that measures how long transactions take and how often the database is unavailable."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter

from formwright.core.db.interface import (
    CommitOutcomeUnknown,
    Database,
    DatabaseBusy,
    ReadTransaction,
    Statement,
    WriteTransaction,
)
from formwright.core.metrics import Metrics


class InstrumentedDatabase:
    """Wraps a database and reports to `Metrics`."""

    def __init__(self, db: Database, metrics: Metrics) -> None:
        self._db, self._metrics = db, metrics

    @asynccontextmanager
    async def reading(self, *, long: bool = False, listing: bool = False) -> AsyncIterator[ReadTransaction]:
        start = perf_counter()
        try:
            async with self._db.reading(long=long, listing=listing) as tx:
                yield tx
        except DatabaseBusy:
            self._metrics.record_unavailable()
            raise
        finally:
            self._metrics.record_transaction("reading", perf_counter() - start)

    @asynccontextmanager
    async def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AsyncIterator[WriteTransaction]:
        start = perf_counter()
        try:
            async with self._db.writing(account=account, prefetch=prefetch) as tx:
                yield tx
        except (DatabaseBusy, CommitOutcomeUnknown):
            self._metrics.record_unavailable()
            raise
        finally:
            self._metrics.record_transaction("writing", perf_counter() - start)

    async def close(self) -> None:
        await self._db.close()
