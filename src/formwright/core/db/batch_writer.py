"""Many small changes in one transaction, each of which succeeds or fails alone.

Each change sees a transaction of its own. Statements that the changes defer run together, and rows that were read ahead
cost no round trip, so a thousand changes take a few statements instead of a few thousand. All changes are committed
with the transaction, and have its timestamp.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from formwright.core.db import account_lock
from formwright.core.db.group_commit import SavepointWriter, SharedTransaction
from formwright.core.db.interface import AccountLock, Row, Statement, WriteTransaction


class BatchWriter(SharedTransaction):
    """A write transaction of one account that is divided into steps. Open it with `batch_writing`."""

    def __init__(self, tx: WriteTransaction, customer_id: str, stamp: int) -> None:
        super().__init__(tx)
        self.locks: dict[str, AccountLock] = {customer_id: SharedStamp(customer_id, stamp, 0)}
        self.stamps = {customer_id: stamp}
        self.prefetched: dict[Statement, Row | None] = {}
        """Rows for `fetch_by_key`, each used once. The caller must be sure that no earlier step changes them."""

    @asynccontextmanager
    async def step(self) -> AsyncIterator[WriteTransaction]:
        """Open a transaction for one change. If the block raises, only this change is undone."""
        step = _Step(self)
        try:
            yield step
        except Exception:
            await step.undo()
            raise
        step.complete()

    async def save(self) -> None:
        if self._saved:
            # PostgreSQL runs both statements in one round trip. SQLite runs one at a time.
            await self.tx.execute("/*sqlite RELEASE SAVEPOINT step*/")
            await self.tx.execute("/*postgres RELEASE SAVEPOINT step; */SAVEPOINT step")
        else:
            await self.tx.execute("SAVEPOINT step")
        self._saved = True

    async def roll_back(self) -> None:
        await self.tx.execute("ROLLBACK TO SAVEPOINT step")


@asynccontextmanager
async def batch_writing(tx: WriteTransaction, customer_id: str) -> AsyncIterator[BatchWriter]:
    """Lock the account and divide the transaction into steps. What they deferred has run when the block ends."""
    batch = BatchWriter(tx, customer_id, await account_lock.next_timestamp(tx, customer_id))
    yield batch
    await batch.run_deferred()


class SharedStamp(AccountLock):
    """The lock of an account in a batch, whose changes all have the same timestamp."""

    def advance(self, now: int) -> int:
        del now
        return self.stamp


class _Step(SavepointWriter):
    """The transaction of one step."""

    def __init__(self, batch: BatchWriter) -> None:
        super().__init__(batch, batch.tx.now, batch.tx.new_id)
        self._batch = batch
        self.locks, self.stamps = batch.locks, batch.stamps

    def complete(self) -> None:
        """Hand what the step recorded and deferred to the batch."""
        self._batch.add_deferred(self._deferred)
        for event in self.events:
            self._tx.record(event)
        for note in self.audit_notes:
            self._tx.audit(note)
        for work, due in self.scheduled.items():
            self._tx.schedule(*work, due)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        cached, statement = self._batch.cached, (sql, *args)
        if statement not in cached:
            cached[statement] = await self.fetch_one(sql, *args)
        return cached[statement]

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        prefetched, statement = self._batch.prefetched, (sql, *args)
        return prefetched.pop(statement) if statement in prefetched else await self.fetch_one(sql, *args)
