"""The transaction of a commit group, and the view that each writer has of it: as if it were alone."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from formwright.core.clock import Clock
from formwright.core.db import account_lock
from formwright.core.db.interface import (
    AccountLock,
    CommitHooks,
    EventRecorder,
    Row,
    Statement,
    TransactionEvents,
    WriteTransaction,
)
from formwright.core.ids import Ids

DeferredStatements = dict[str, list[Sequence[object]]]
"""Rows of parameters by statement, in the order in which they were deferred."""

T = TypeVar("T")


class RawTransaction(WriteTransaction, Protocol):
    """The database's own transaction, which the writers of a commit group share."""

    async def run_to_completion(self, work: Awaitable[T]) -> T:
        """Finish `work` even if its writer is cancelled, because other writers continue in this transaction."""

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        """Return the rows of a SELECT for each row of parameters, in their order."""

    async def run(self, deferred: DeferredStatements) -> None:
        """Run the deferred statements in order, and remove them from `deferred`."""

    async def save(self, *, again: bool) -> None:
        """Set a savepoint. `again` replaces the previous one."""

    async def rollback_to_savepoint(self) -> None:
        """Undo everything since `save`."""

    def is_aborted_by(self, error: BaseException, *, saved: bool) -> bool:
        """Whether a writer's error aborted the whole transaction; `saved`: there is a savepoint to return to."""


class DelegatingTransaction(EventRecorder):
    """Passes its statements to another transaction."""

    def __init__(self, raw: WriteTransaction, clock: Clock, ids: Ids) -> None:
        super().__init__(clock, ids)
        self._on = raw

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await self._on.fetch(sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        return await self._on.fetch_one(sql, *args)

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self._on.fetch_cached(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_per_account(self, sql: str, accounts: Sequence[str]) -> Sequence[Row]:
        return await self._on.fetch_per_account(sql, accounts)

    def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        return self._on.stream(sql, *args)

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await self._on.execute(sql, *args, long=long)

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await self._on.defer(sql, rows)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._on.execute_many(sql, rows)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._on.copy(table, columns, rows)


class SharedTransaction(DelegatingTransaction):
    """A transaction that writers share. `announced`: what those that still wait will ask for, each with its account."""

    def __init__(
        self,
        raw: RawTransaction,
        clock: Clock,
        ids: Ids,
        announced: Callable[[], Iterable[tuple[str, Statement]]],
    ) -> None:
        super().__init__(raw, clock, ids)
        self.raw, self.clock, self.ids, self._announced = raw, clock, ids, announced
        self.writers: list[TransactionEvents] = []
        """What the completed writers recorded."""
        self.attempted: set[str] = set()
        """The accounts whose locks were requested. One without a lock was locked by another transaction."""
        self.read: dict[str, dict[Statement, Sequence[Row]]] = {}
        """What was read of each account that nobody changes without moving its order."""
        self.steady: dict[Statement, Row | None] = {}
        """What else was asked for that no other of those who share this changes."""
        self.broken = False
        """Whether statements of several writers failed, which cannot be attributed to one of them."""
        self._deferred: DeferredStatements = {}
        self._saved = False

    def hold(self, taken: Mapping[str, AccountLock]) -> None:
        """Add acquired account locks."""
        self.locks |= taken
        self.read |= {account: {} for account in taken}

    def take(self, transaction_events: Iterable[TransactionEvents], deferred: DeferredStatements) -> None:
        """Add the events and deferred statements of a completed writer."""
        self.writers += transaction_events
        for sql, rows in deferred.items():
            self._deferred.setdefault(sql, []).extend(rows)

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._deferred.setdefault(sql, []).extend(rows)

    async def learn(self, account: str, asks: Iterable[Statement]) -> None:
        """Read this of an account, and with it what those will ask for whose order is held by now."""
        announced = ((one, ask) for one, ask in self._announced() if one in self.locks)
        await self._read([*((account, ask) for ask in asks), *announced])

    async def _read(self, wanted: Iterable[tuple[str, Statement]]) -> None:
        by_statement: dict[str, list[tuple[str, Statement]]] = {}
        for account, ask in dict.fromkeys(wanted):
            if ask not in self.read[account]:
                by_statement.setdefault(ask[0], []).append((account, ask))
        for sql, same in by_statement.items():
            found = await self.raw.fetch_batch(sql, [ask[1:] for _, ask in same])
            for (account, ask), rows in zip(same, found, strict=True):
                self.read[account][ask] = rows

    async def fetch_per_account(self, sql: str, accounts: Sequence[str]) -> Sequence[Row]:
        # Whoever tells of an account here holds its order.
        await self._read([(account, (sql, account)) for account in accounts])
        return [row for account in accounts for row in self.read[account][sql, account]]

    async def run_deferred(self) -> None:
        """Run the deferred statements."""
        if not self._deferred:
            return
        try:
            await self.raw.run(self._deferred)
        except BaseException:
            self.broken = True
            raise

    async def save(self) -> None:
        """Set the savepoint that the current writer returns to if it fails."""
        await self.raw.save(again=self._saved)
        self._saved = True

    async def flush(self, hooks: CommitHooks) -> None:
        """Write the events, audit entries, locks and deferred statements: the next writer sees them as if committed."""
        try:
            await hooks.before(self, self.writers)
            await account_lock.save(self)
            await self.run_deferred()
        except BaseException:
            self.broken = True
            raise
        self.writers, self.locks, self.attempted, self.read, self.steady = [], {}, set(), {}, {}


class GroupedWriter(DelegatingTransaction):
    """A writer of one account in a commit group. Deferred statements run before its first own read or write."""

    def __init__(self, shared: SharedTransaction, account: str, ahead: Sequence[Statement]) -> None:
        super().__init__(shared, shared.clock, shared.ids)
        self._shared, self._account, self._ahead, self.locks = shared, account, ahead, shared.locks
        self._was: tuple[int, int, bool] | None = None
        self._deferred: DeferredStatements = {}
        self.saved = False

    async def begin(self, hooks: CommitHooks) -> None:
        """Raises `AccountLockUnavailable` if the group does not hold the account's lock."""
        del hooks
        lock = self.locks.get(self._account)
        if lock is None:
            raise account_lock.AccountLockUnavailable(f"no account {self._account}")
        self._was = lock.stamp, lock.sequence, lock.dirty

    async def complete(self, hooks: CommitHooks) -> None:
        """Hand the recorded events to the group."""
        del hooks
        self._shared.take(self.transaction_events, self._deferred)

    async def undo(self) -> None:
        """Undo the changes of this writer only."""
        if self._was:
            self.locks[self._account] = AccountLock(self._account, *self._was)
        if self.saved:
            await self._shared.raw.rollback_to_savepoint()

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await self._after_deferred(lambda: self._on.fetch(sql, *args), reads=sql.startswith("SELECT"))

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        asked, read = (sql, *args), self._shared.read[self._account]
        if asked in self._ahead and asked not in read:
            await self._shared.raw.run_to_completion(self._shared.learn(self._account, self._ahead))
        if asked in read:
            return read[asked][0] if read[asked] else None
        steady = self._shared.steady
        if asked not in steady:
            steady[asked] = await self._shared.raw.run_to_completion(self._on.fetch_one(sql, *args))
        return steady[asked]

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        for row in await self.fetch(sql, *args):
            yield row

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await self._after_deferred(lambda: self._on.execute(sql, *args, long=long))

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._deferred.setdefault(sql, []).extend(rows)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._after_deferred(lambda: self._on.execute_many(sql, rows))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._after_deferred(lambda: self._on.copy(table, columns, rows))

    async def _after_deferred(self, work: Callable[[], Awaitable[T]], *, reads: bool = False) -> T:
        """Run the deferred statements and set a savepoint if needed, then do `work`."""
        return await self._shared.raw.run_to_completion(self._run_deferred_then(work, reads))

    async def _run_deferred_then(self, work: Callable[[], Awaitable[T]], reads: bool) -> T:
        await self._shared.run_deferred()
        if not self.saved and (self._deferred or not reads):
            await self._shared.save()
            self.saved = True
        if self._deferred:
            await self._shared.raw.run(self._deferred)
        return await work()


class SoloWriter(DelegatingTransaction):
    """A writer without an account: it shares only the commit. Events of earlier writers are written first."""

    def __init__(self, shared: SharedTransaction) -> None:
        super().__init__(shared.raw, shared.clock, shared.ids)
        self._shared = shared
        self.saved = False

    async def begin(self, hooks: CommitHooks) -> None:
        """Write what earlier writers recorded, so that this one sees it."""
        await self._shared.flush(hooks)
        await self._shared.save()
        self.saved = True

    async def complete(self, hooks: CommitHooks) -> None:
        """Hand the recorded events to the group."""
        await hooks.before(self, self.transaction_events)

    async def undo(self) -> None:
        """Undo the changes of this writer only."""
        if self.saved:
            await self._shared.raw.rollback_to_savepoint()
