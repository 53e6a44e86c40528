"""Many small changes in one transaction, each of which succeeds or fails alone.

Each change sees a transaction of its own. Statements that the changes defer run together, and rows that were read ahead
cost no round trip, so a thousand changes take a few statements instead of a few thousand. All changes are committed
with the transaction, and have its timestamp.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from formwright.core.db import account_lock
from formwright.core.db.interface import AccountLock, Row, Statement, WriteTransaction
from formwright.core.events import AuditNote, Event
from formwright.core.work_kinds import WorkKind

T = TypeVar("T")


class BatchWriter:
    """A write transaction of one account that is divided into steps. Open it with `batch_writing`."""

    def __init__(self, tx: WriteTransaction, customer_id: str, stamp: int) -> None:
        self.tx = tx
        self.locks = {customer_id: SharedStamp(customer_id, stamp, 0)}
        self.stamps = {customer_id: stamp}
        self.cached: dict[Statement, Row | None] = {}
        """Rows that `fetch_cached` returned. No step may change them."""
        self.prefetched: dict[Statement, Row | None] = {}
        """Rows for `fetch_by_key`, each used once. The caller must be sure that no earlier step changes them."""
        self._deferred: dict[str, list[Sequence[object]]] = {}
        self._saved = False

    @asynccontextmanager
    async def step(self) -> AsyncIterator[WriteTransaction]:
        """Open a transaction for one change. If the block raises, only this change is undone."""
        step = _Step(self)
        try:
            yield step
        except Exception:
            if step.saved:
                await self.tx.execute("ROLLBACK TO SAVEPOINT step")
            raise
        step.complete()

    def add(self, deferred: Mapping[str, Sequence[Sequence[object]]]) -> None:
        """Add the deferred statements of a completed step."""
        for sql, rows in deferred.items():
            self._deferred.setdefault(sql, []).extend(rows)

    async def run_deferred(self) -> None:
        """Run the deferred statements of the completed steps, each once with all of its rows."""
        for sql in list(self._deferred):
            await self.tx.defer(sql, self._deferred.pop(sql))

    async def save(self) -> None:
        """Set the savepoint that the current step returns to if it fails."""
        if self._saved:
            await self.tx.execute("/*sqlite RELEASE SAVEPOINT step*/")
            await self.tx.execute("/*postgres RELEASE SAVEPOINT step; */SAVEPOINT step")
        else:
            await self.tx.execute("SAVEPOINT step")
        self._saved = True


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


class _Step:
    """The transaction of one step. Deferred statements run before its first own read or write.

    A savepoint is set before the first statement that writes, because most steps that fail have written nothing.
    """

    def __init__(self, batch: BatchWriter) -> None:
        self._batch, self._tx = batch, batch.tx
        self.is_distributed = batch.tx.is_distributed
        self.new_id, self.now = batch.tx.new_id, batch.tx.now
        self.locks, self.stamps = batch.locks, batch.stamps
        self._events: list[Event] = []
        self._notes: list[AuditNote] = []
        self.record, self.audit = self._events.append, self._notes.append
        self._deferred: dict[str, list[Sequence[object]]] = {}
        self._scheduled: list[tuple[WorkKind, str, int]] = []
        self.saved = False
        """Whether there is a savepoint that this step can be rolled back to."""

    def complete(self) -> None:
        """Hand what the step recorded and deferred to the batch."""
        self._batch.add(self._deferred)
        for event in self._events:
            self._tx.record(event)
        for note in self._notes:
            self._tx.audit(note)
        for work in self._scheduled:
            self._tx.schedule(*work)

    def schedule(self, kind: WorkKind, customer_id: str, due: int, /) -> None:
        self._scheduled.append((kind, customer_id, due))

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self._prepare(writes=not sql.startswith("SELECT"))
        return await self._tx.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        cached, statement = self._batch.cached, (sql, *args)
        if statement not in cached:
            cached[statement] = await self.fetch_one(sql, *args)
        return cached[statement]

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        prefetched, statement = self._batch.prefetched, (sql, *args)
        return prefetched.pop(statement) if statement in prefetched else await self.fetch_one(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        for row in await self.fetch(sql, *args):
            yield row

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await self._write(self._tx.execute, sql, *args, long=long)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._write(self._tx.execute_many, sql, rows)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._write(self._tx.copy, table, columns, rows)

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._deferred.setdefault(sql, []).extend(rows)

    async def _write(self, method: Callable[..., Awaitable[T]], *args: Any, **options: Any) -> T:
        await self._prepare(writes=True)
        return await method(*args, **options)

    async def _prepare(self, *, writes: bool) -> None:
        """Run what was deferred before, and set the savepoint before this step's first change."""
        await self._batch.run_deferred()
        if not self.saved and (writes or self._deferred):
            await self._batch.save()
            self.saved = True
        for sql in list(self._deferred):
            await self._tx.defer(sql, self._deferred.pop(sql))
