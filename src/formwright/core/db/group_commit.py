"""Group commit: concurrent writers share one database transaction and its commit.

Writers queue up and take turns. The first one begins a transaction; the writers that queued by the time it is done
follow in the same transaction, which is then committed once: one fsync, and one statement for all rows of the same
kind. Each writer needs its account's lock; the locks of all waiting writers are acquired in one statement. A savepoint
per writer lets one fail without the others. docs/explanation/group-commit.md has a sequence diagram.
"""

import asyncio
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, TypeVar

import structlog

from formwright.core.auth.request_context import current_caller
from formwright.core.clock import Clock
from formwright.core.db import account_lock, due_work
from formwright.core.db.interface import (
    AccountLock,
    CommitOutcomeUnknown,
    DatabaseBusy,
    EventRecorder,
    RawTransaction,
    Row,
    Statement,
    TransactionEvents,
    WriteTransaction,
)
from formwright.core.ids import Ids
from formwright.core.work_kinds import WorkKind

MAX_GROUP_SIZE = 64
"""Writers per group. The first of them waits for the last, so a larger group adds latency."""

AcquireLocks = Callable[[WriteTransaction, Sequence[str]], Awaitable[dict[str, AccountLock]]]
"""Acquires the locks of these accounts, or of those that are available."""

Scheduled = Mapping[tuple[WorkKind, str], int]
"""When work is due (milliseconds), by kind and account."""

Deferred = dict[str, list[Sequence[object]]]
"""Rows of parameters by statement, in the order in which they were deferred."""

BeforeCommit = Callable[[WriteTransaction, Sequence[TransactionEvents]], Awaitable[None]]
"""Runs before a commit that has events or audit notes, and writes them."""

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(slots=True)
class CommitHooks:
    """Callbacks before and after each commit, and after each error. `bootstrap` sets them once."""

    before_commit: BeforeCommit | None = None
    after_commit: Callable[[Collection[WorkKind]], None] | None = None
    on_failure: Callable[[BaseException], None] | None = None

    async def run_before_commit(self, tx: WriteTransaction, transaction_events: Sequence[TransactionEvents]) -> None:
        """Write what the transactions of this commit recorded."""
        if transaction_events and self.before_commit:
            await self.before_commit(tx, transaction_events)

    def run_after_commit(self, scheduled: Scheduled, now: int) -> None:
        """Call `after_commit` with the kinds of work that are due now, if there are any."""
        due = {kind for (kind, _), at in scheduled.items() if at <= now}
        if due and self.after_commit:
            self.after_commit(due)

    def report_failure(self, error: BaseException) -> None:
        """Report an error that rolled back a transaction."""
        if self.on_failure:
            self.on_failure(error)


class CommitFuture:
    """Future resolved when the shared commit completes."""

    def __init__(self) -> None:
        self.settled = False
        """Whether the commit has succeeded or failed."""
        self._error: Exception | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._committer: asyncio.Task[None] | None = None

    def request_commit(self, commit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start the commit task unless it runs. It queues behind the waiting writers, so they share the commit."""
        self._committer = self._committer or asyncio.create_task(commit())

    def resolve(self) -> None:
        """Resolve the future: the commit succeeded."""
        self._settle(None)

    def fail(self, error: BaseException) -> None:
        """Fail the future: all waiting writers raise `DatabaseBusy`, or `CommitOutcomeUnknown` if `error` is one."""
        if self.settled:
            return
        if isinstance(error, DatabaseBusy | CommitOutcomeUnknown):
            self._settle(error)
            return
        # Log the type only: the message of a database error may contain form answers.
        log.error("group commit failed", error=type(error).__name__)
        busy = DatabaseBusy()
        busy.__cause__ = error
        self._settle(busy)

    def _settle(self, error: Exception | None) -> None:
        self.settled, self._error = True, error
        for future in self._waiting:
            if not future.done():  # A cancelled writer no longer waits.
                future.set_result(None)

    async def wait(self) -> None:
        """Wait for the commit; raises its error. The commit continues even if every waiting writer is cancelled."""
        start = perf_counter()
        if not self.settled:
            # One future per writer, so that cancelling one of them does not cancel the others.
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        record_wait(start)
        if self._error:
            raise self._error


class SharedTransaction:
    """A transaction that writers use one after another, and what the completed ones left to be run in it."""

    def __init__(self, tx: WriteTransaction) -> None:
        self.tx = tx
        self.cached: dict[Statement, Row | None] = {}
        """The rows that `fetch_cached` returned. No writer may change them."""
        self._deferred: Deferred = {}
        self._saved = False

    def add_deferred(self, deferred: Deferred) -> None:
        """Add the deferred statements of a completed writer."""
        for sql, rows in deferred.items():
            self._deferred.setdefault(sql, []).extend(rows)

    async def run_deferred(self) -> None:
        """Run the deferred statements of the completed writers, each once with all of its rows."""
        for sql in list(self._deferred):
            await self.tx.defer(sql, self._deferred.pop(sql))

    async def save(self) -> None:
        """Set the savepoint that the current writer returns to if it fails."""
        raise NotImplementedError

    async def roll_back(self) -> None:
        """Undo everything since `save`."""
        raise NotImplementedError


class CommitGroup(CommitFuture, SharedTransaction):
    """The shared transaction of a group, and what its writers left to be written with the commit."""

    def __init__(self, raw: RawTransaction, stack: AsyncExitStack) -> None:
        CommitFuture.__init__(self)
        # The account locks protect the cached rows from changes.
        SharedTransaction.__init__(self, raw)
        self.raw, self.stack = raw, stack
        self.count = 0
        """How many writers have joined."""
        self.attempted: set[str] = set()
        """The accounts whose locks were requested. One that is not in `raw.locks` was locked by another transaction."""
        self.broken = False
        """Whether statements of several writers failed, which cannot be attributed to one of them."""
        self.scheduled: Scheduled = {}
        """The work that the writers scheduled."""
        self._events: list[TransactionEvents] = []

    def add(self, events: Iterable[TransactionEvents], deferred: Deferred, scheduled: Scheduled) -> None:
        """Add the events, deferred statements and scheduled work of a completed writer."""
        self._events += events
        for key, due in scheduled.items():
            self.raw.schedule(*key, due)
        self.add_deferred(deferred)

    async def save(self) -> None:
        await self.raw.save(again=self._saved)
        self._saved = True

    async def roll_back(self) -> None:
        await self.raw.rollback_to_savepoint()

    async def run_deferred(self) -> None:
        try:
            await super().run_deferred()
        except BaseException:
            self.broken = True
            raise

    async def flush(self, hooks: CommitHooks) -> None:
        """Write all that the completed writers left: the next writer sees it as if it were committed."""
        await self.run_deferred()
        try:
            # Events take their numbers from the account locks, so these are saved after them. The rows of due work come
            # last, because other transactions wait for them until the commit.
            await hooks.run_before_commit(self.raw, self._events)
            await account_lock.save(self.raw)
            if self.raw.scheduled:
                await due_work.save(self.raw, self.raw.scheduled)
        except BaseException:
            self.broken = True
            raise
        # A `SoloWriter` that follows may change the rows of locks and cached rows, so later writers read them again.
        self._events, self.attempted, self.cached = [], set(), {}
        self.scheduled = {**self.scheduled, **self.raw.scheduled}
        self.raw.scheduled.clear()
        self.raw.locks.clear()


class _Writer(EventRecorder):
    """A writer's view of the shared transaction: as if it were alone."""

    def __init__(self, shared: SharedTransaction, now: Callable[[], int], new_id: Callable[[str], str]) -> None:
        super().__init__(now, new_id)
        self._shared, self._tx = shared, shared.tx
        self.is_distributed = shared.tx.is_distributed
        self.saved = False
        """Whether there is a savepoint that this writer can be rolled back to."""

    async def _call(self, method: Callable[..., Awaitable[T]], *args: Any, **options: Any) -> T:
        """Call a method of the shared transaction."""
        return await method(*args, **options)

    async def undo(self) -> None:
        """Undo the changes of this writer only."""
        if self.saved:
            await self._shared.roll_back()

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await self._call(self._tx.fetch, sql, *args)

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        return await self.fetch_one(sql, *args)

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        for row in await self.fetch(sql, *args):
            yield row

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await self._call(self._tx.execute, sql, *args, long=long)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._call(self._tx.execute_many, sql, rows)

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await self._call(self._tx.defer, sql, rows)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._call(self._tx.copy, table, columns, rows)


class SavepointWriter(_Writer):
    """A writer that can fail alone. Deferred statements run before its first own read or write.

    A savepoint is set before the first statement that writes, because most writers that fail have written nothing.
    """

    def __init__(self, shared: SharedTransaction, now: Callable[[], int], new_id: Callable[[str], str]) -> None:
        super().__init__(shared, now, new_id)
        self._deferred: Deferred = {}

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._deferred.setdefault(sql, []).extend(rows)

    async def _call(self, method: Callable[..., Awaitable[T]], *args: Any, **options: Any) -> T:
        await self._shared.run_deferred()
        # Other statements with results write, such as `INSERT … RETURNING`.
        only_reads = method == self._tx.fetch and args[0].startswith("SELECT")
        if not self.saved and (self._deferred or not only_reads):
            await self._shared.save()
            self.saved = True
        for sql in list(self._deferred):
            await self._tx.defer(sql, self._deferred.pop(sql))
        return await method(*args, **options)


class GroupedWriter(SavepointWriter):
    """A writer of one account.

    `waiting` returns the statements that the waiting writers will run with `fetch_cached`.
    """

    def __init__(
        self, group: CommitGroup, clock: Clock, ids: Ids, account: str, waiting: Callable[[], Iterable[Statement]]
    ) -> None:
        super().__init__(group, clock.now, ids.new)
        self._group, self._account, self._waiting = group, account, waiting
        self.locks = group.raw.locks
        self._lock_before: tuple[int, int, bool] | None = None

    async def begin(self, hooks: CommitHooks) -> None:
        """Raises `AccountLockUnavailable` if the group does not hold the account's lock."""
        del hooks
        lock = self.locks.get(self._account)
        if lock is None:
            raise account_lock.AccountLockUnavailable(f"no account {self._account}")
        self._lock_before = lock.stamp, lock.sequence, lock.dirty

    async def complete(self, hooks: CommitHooks) -> None:
        """Hand the recorded events and deferred statements to the group."""
        del hooks
        self._group.add(self.transaction_events, self._deferred, self.scheduled)

    async def undo(self) -> None:
        # The lock is an object in memory, which the savepoint does not restore.
        if self._lock_before:
            self.locks[self._account] = AccountLock(self._account, *self._lock_before)
        await super().undo()

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        cached = self._group.cached
        if (sql, *args) not in cached:
            wanted = dict.fromkeys([(sql, *args), *(one for one in self._waiting() if one[0] == sql)])
            missing = [statement[1:] for statement in wanted if statement not in cached]
            found = await self._group.raw.run_to_completion(self._group.raw.fetch_batch(sql, missing))
            for row_args, rows in zip(missing, found, strict=True):
                cached[sql, *row_args] = rows[0] if rows else None
        return cached[sql, *args]

    async def _call(self, method: Callable[..., Awaitable[T]], *args: Any, **options: Any) -> T:
        return await self._group.raw.run_to_completion(super()._call(method, *args, **options))


class SoloWriter(_Writer):
    """A writer without an account: it shares only the commit. Events of earlier writers are written first."""

    def __init__(self, group: CommitGroup, clock: Clock, ids: Ids) -> None:
        super().__init__(group, clock.now, ids.new)
        self._group = group

    def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        return self._tx.stream(sql, *args)

    async def begin(self, hooks: CommitHooks) -> None:
        """Write what earlier writers recorded, so that this one sees it."""
        await self._group.flush(hooks)
        await self._group.save()
        self.saved = True

    async def complete(self, hooks: CommitHooks) -> None:
        """Write the recorded events, and hand the scheduled work to the group."""
        await hooks.run_before_commit(self, self.transaction_events)
        self._group.add([], {}, self.scheduled)


class WriteQueue:
    """Runs writers one after another and groups their commits.

    `connection_errors` are the errors that mean the database is unavailable; they are raised as `DatabaseBusy`.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractAsyncContextManager[RawTransaction]],
        clock: Clock,
        ids: Ids,
        hooks: CommitHooks,
        connection_errors: tuple[type[Exception], ...],
        acquire: AcquireLocks = account_lock.acquire_available,
    ) -> None:
        self.turn = asyncio.Lock()
        self._transaction, self._clock, self._ids, self._hooks = transaction, clock, ids, hooks
        self._connection_errors, self._acquire = connection_errors, acquire
        self._waiting: dict[object, tuple[str, Sequence[Statement]]] = {}
        """The account of each waiting writer, and the statements that it will run with `fetch_cached`."""
        self._group: CommitGroup | None = None

    @asynccontextmanager
    async def writing(self, account: str = "", prefetch: Sequence[Statement] = ()) -> AsyncIterator[WriteTransaction]:
        """Open a transaction that holds the lock of `account`; raises `AccountLockUnavailable` if that is not possible.

        Whether the block succeeds or fails, everything it could see is committed before this returns.
        """
        rejected: Exception | None = None
        await self._take_turn(account, prefetch)
        try:
            group = await self._join(account)
            writer = self._new_writer(group, account)
            try:
                if account and account not in group.attempted:
                    await group.raw.run_to_completion(self._acquire_locks(group, account))
                await writer.begin(self._hooks)
                yield writer
                await writer.complete(self._hooks)
            except account_lock.AccountLockUnavailable:
                raise
            except BaseException as error:
                self._hooks.report_failure(error)
                await wait_until_done(self._roll_back(group, writer, error))
                if not isinstance(error, Exception):
                    raise
                rejected = error
            finally:
                # Also after an error: this writer may have begun the transaction, which nobody else would end.
                group.request_commit(lambda: self._commit(group))
        finally:
            self.turn.release()
        # A failed writer waits too: its error may be based on an uncommitted change of this group.
        try:
            await group.wait()
        except CommitOutcomeUnknown as error:
            if rejected:
                # What it had changed itself was rolled back before the commit.
                raise DatabaseBusy() from error
            raise
        if isinstance(rejected, self._connection_errors):
            raise DatabaseBusy() from rejected
        if rejected:
            raise rejected
        record_commit()

    async def _take_turn(self, account: str, prefetch: Sequence[Statement]) -> None:
        start, waiter = perf_counter(), object()
        if account:
            self._waiting[waiter] = account, prefetch
        try:
            await self.turn.acquire()
        finally:
            self._waiting.pop(waiter, None)
        record_wait(start)

    async def _join(self, account: str) -> CommitGroup:
        if self._group and self._group.count >= MAX_GROUP_SIZE:
            await wait_until_done(self._commit_group(self._group))
        if self._group is None:
            self._group = await self._begin(account)
        self._group.count += 1
        return self._group

    async def _begin(self, account: str) -> CommitGroup:
        try:
            async with AsyncExitStack() as stack:
                group = CommitGroup(await stack.enter_async_context(self._transaction()), stack)
                if account:
                    await self._acquire_locks(group, account)
                group.stack = stack.pop_all()
                return group
        except Exception as error:
            self._hooks.report_failure(error)
            raise

    def _new_writer(self, group: CommitGroup, account: str) -> GroupedWriter | SoloWriter:
        if not account:
            return SoloWriter(group, self._clock, self._ids)
        return GroupedWriter(group, self._clock, self._ids, account, lambda: self._prefetchable(group))

    async def _acquire_locks(self, group: CommitGroup, account: str) -> None:
        """Acquire the lock of this account, and of those whose writers are waiting."""
        waiting = [one for one, _ in self._first_waiting() if one not in group.attempted]
        accounts = list(dict.fromkeys([account, *waiting]))
        group.raw.locks.update(await self._acquire(group.raw, accounts))
        group.attempted.update(accounts)

    def _prefetchable(self, group: CommitGroup) -> Iterable[Statement]:
        """The statements of those waiting writers whose locks the group holds."""
        for account, statements in self._first_waiting():
            if account in group.raw.locks:
                yield from statements

    def _first_waiting(self) -> Iterable[tuple[str, Sequence[Statement]]]:
        return islice(self._waiting.values(), MAX_GROUP_SIZE)

    async def _commit(self, group: CommitGroup) -> None:
        # Let writers that arrived in the meantime join: more of them then share the cost of the commit.
        while not group.settled:
            async with self.turn:
                if self._is_ready(group):
                    await self._commit_group(group)
            # Give cancelled writers a chance to leave the queue.
            await asyncio.sleep(0)

    def _is_ready(self, group: CommitGroup) -> bool:
        return not group.settled and (not self._waiting or group.count >= MAX_GROUP_SIZE)

    async def _commit_group(self, group: CommitGroup) -> None:
        self._group = None
        try:
            async with group.stack:
                await group.flush(self._hooks)
        except Exception as error:  # noqa: BLE001 - the waiting writers need an answer, whatever the error
            self._hooks.report_failure(error)
            group.fail(error)
        else:
            group.resolve()
            if group.scheduled:
                self._hooks.run_after_commit(group.scheduled, self._clock.now())

    async def _roll_back(self, group: CommitGroup, writer: GroupedWriter | SoloWriter, error: BaseException) -> None:
        """Roll back one writer; if that is not possible, fail the whole group."""
        failed = error if group.broken or group.raw.is_aborted_by(error, saved=writer.saved) else None
        if not failed:
            try:
                await writer.undo()
            except Exception as lost:  # noqa: BLE001 - whatever the error, the changes of the writer are still in the transaction
                failed = lost
        if failed:
            self._group = None
            group.fail(failed)
            with suppress(Exception):
                await group.stack.__aexit__(type(failed), failed, failed.__traceback__)


def record_commit() -> None:
    """Count a committed transaction of the current request."""
    if caller := current_caller.get():
        caller.commits += 1


def record_wait(start: float) -> None:
    """Add the time since `start` (`perf_counter`) to the database time of the current request."""
    if caller := current_caller.get():
        caller.database_s += perf_counter() - start


async def wait_until_done(work: Awaitable[T], stop: Callable[[], None] = lambda: None) -> T:
    """Wait until `work` is done and return its result, even if the waiting task is cancelled, however often.

    A cancellation calls `stop`, which may interrupt the work, and again every second until the work is done, because
    SQLite ignores an interrupt that comes just before a statement starts. `CancelledError` is raised afterwards.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        next_stop = 0.0
        while not task.done():
            if time.monotonic() >= next_stop:
                stop()
                next_stop = time.monotonic() + 1
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task], timeout=1)
        raise
