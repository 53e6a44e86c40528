"""Group commit: concurrent writers share one database transaction and its commit.

Writers queue up. The first one begins a transaction; the writers that queued by the time it is done follow in the same
transaction, which is then committed once: one fsync, and one statement where several writers deferred the same. A
savepoint per writer lets one fail without the others. Each writer needs its account's lock; the locks of all
waiting writers are acquired in one statement.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from itertools import islice
from time import perf_counter
from typing import Any

import structlog

from formwright.core import db_timing
from formwright.core.clock import Clock
from formwright.core.db import account_lock
from formwright.core.db.interface import (
    AccountLock,
    CommitHooks,
    DatabaseBusy,
    Statement,
    WriteTransaction,
    wait_until_done,
)
from formwright.core.db.shared_transaction import (
    GroupedWriter,
    RawTransaction,
    SharedTransaction,
    SoloWriter,
)
from formwright.core.ids import Ids


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

    def fail(self, error: Exception) -> None:
        """Fail the future: nothing was written, and all waiting writers raise this error."""
        if not self.settled:
            self._settle(error)

    def _settle(self, error: Exception | None) -> None:
        self.settled, self._error = True, error
        for one in self._waiting:
            if not one.done():  # A cancelled writer no longer waits.
                one.set_result(None)

    async def wait(self) -> None:
        """Wait for the commit; raises its error. The commit continues even if every waiting writer is cancelled."""
        start = perf_counter()
        if not self.settled:
            # One future per writer, so that cancelling one of them does not cancel the others.
            mine = asyncio.get_running_loop().create_future()
            self._waiting.append(mine)
            await mine
        db_timing.record_wait(perf_counter() - start)
        if self._error:
            raise self._error


MAX_GROUP_SIZE = 64
"""Writers per group. The first of them waits for the last, so a larger group adds latency."""
AcquireLocks = Callable[[WriteTransaction, Sequence[str]], Awaitable[dict[str, AccountLock]]]
"""Acquires the locks of these accounts, or of those that are available."""
log = structlog.get_logger()


class _CommitGroup(CommitFuture):
    """Writers that share a transaction and its commit."""

    def __init__(self, tx: SharedTransaction, stack: AsyncExitStack) -> None:
        super().__init__()
        self.tx, self.stack = tx, stack
        self.count = 0
        """How many writers have joined."""

    def fail_group(self, error: BaseException) -> None:
        """Fail the commit future of every writer: nothing of the group was written."""
        if isinstance(error, DatabaseBusy):
            self.fail(error)
            return
        # Log the type only: the message of a database error may contain form answers.
        log.error("group commit failed", error=type(error).__name__)
        busy = DatabaseBusy()
        busy.__cause__ = error
        self.fail(busy)


class WriteQueue:
    """Runs writers one after another and groups their commits.

    `lost` are the errors that mean the database is unavailable; they are raised as `DatabaseBusy`.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractAsyncContextManager[RawTransaction]],
        clock: Clock,
        ids: Ids,
        hooks: CommitHooks,
        lost: tuple[type[Exception], ...],
        take: AcquireLocks = account_lock.acquire_available,
    ) -> None:
        self.turn = asyncio.Lock()
        self._transaction, self._clock, self._ids, self._hooks, self._lost = transaction, clock, ids, hooks, lost
        self._take = take
        self._waiting: dict[object, tuple[str, Sequence[Statement]]] = {}
        """Who waits: the account, and what will be asked for."""
        self._group: _CommitGroup | None = None

    @asynccontextmanager
    async def writing(self, account: str = "", ahead: Sequence[Statement] = ()) -> AsyncIterator[WriteTransaction]:
        """Open a transaction that holds the lock of `account`; raises `AccountLockUnavailable` if that is not possible.

        Whether the block succeeds or fails, everything it could see is committed before this returns.
        """
        refused: Exception | None = None
        await self._take_turn(account, ahead)
        try:
            group = await self._join(account)
            writer = GroupedWriter(group.tx, account, ahead) if account else SoloWriter(group.tx)
            try:
                if account and account not in group.tx.attempted:
                    await group.tx.raw.run_to_completion(self._acquire_locks(group.tx, account))
                await writer.begin(self._hooks)
                yield writer
                await writer.complete(self._hooks)
            except account_lock.AccountLockUnavailable:
                raise
            except BaseException as error:
                await wait_until_done(self._roll_back(group, writer, error))
                if not isinstance(error, Exception):
                    raise
                refused = error
            finally:
                group.request_commit(lambda: self._commit(group))
        finally:
            self.turn.release()
        # A failed writer waits too: its error may be based on an uncommitted change of this group.
        await group.wait()
        if isinstance(refused, self._lost):
            raise DatabaseBusy() from refused
        if refused:
            raise refused
        self._hooks.after(writer)

    async def _take_turn(self, account: str, ahead: Sequence[Statement]) -> None:
        start, me = perf_counter(), object()
        if account:
            self._waiting[me] = account, ahead
        try:
            await self.turn.acquire()
        finally:
            self._waiting.pop(me, None)
        db_timing.record_wait(perf_counter() - start)

    def _announced(self) -> Iterator[tuple[str, Statement]]:
        """What the first of those who wait will ask for."""
        for account, ahead in islice(self._waiting.values(), MAX_GROUP_SIZE):
            for ask in ahead:
                yield account, ask

    async def _join(self, account: str) -> _CommitGroup:
        if self._group and self._group.count >= MAX_GROUP_SIZE:
            await wait_until_done(self._commit_group(self._group))
        if self._group is None:
            self._group = await self._begin(account)
        self._group.count += 1
        return self._group

    async def _begin(self, account: str) -> _CommitGroup:
        async with AsyncExitStack() as stack:
            raw = await stack.enter_async_context(self._transaction())
            tx = SharedTransaction(raw, self._clock, self._ids, self._announced)
            if account:
                await self._acquire_locks(tx, account)
            return _CommitGroup(tx, stack.pop_all())

    async def _acquire_locks(self, tx: SharedTransaction, account: str) -> None:
        """Acquire the lock of this account, and of those whose writers are waiting."""
        waiting = (one for one, _ in islice(self._waiting.values(), MAX_GROUP_SIZE) if one not in tx.attempted)
        wanted = list(dict.fromkeys([account, *waiting]))
        tx.hold(await self._take(tx.raw, wanted))
        tx.attempted.update(wanted)

    async def _commit(self, group: _CommitGroup) -> None:
        # Let writers that arrived in the meantime join: more of them then share the cost of the commit.
        while not group.settled:
            async with self.turn:
                if self._is_ready(group):
                    await self._commit_group(group)
            # Give cancelled writers a chance to leave the queue.
            await asyncio.sleep(0)

    def _is_ready(self, group: _CommitGroup) -> bool:
        return not group.settled and (not self._waiting or group.count >= MAX_GROUP_SIZE)

    async def _commit_group(self, group: _CommitGroup) -> None:
        self._group = None
        try:
            async with group.stack:
                await group.tx.flush(self._hooks)
        except Exception as error:  # noqa: BLE001 - the waiting writers need an answer, whatever the error
            group.fail_group(error)
        else:
            group.resolve()
            self._hooks.after(group.tx)

    async def _roll_back(self, group: _CommitGroup, writer: GroupedWriter | SoloWriter, error: BaseException) -> None:
        """Roll back one writer; if that is not possible, fail the whole group."""
        failed = error if group.tx.broken or group.tx.raw.is_aborted_by(error, saved=writer.saved) else None
        if not failed:
            try:
                await writer.undo()
            except Exception as lost:  # noqa: BLE001 - whatever the error, the changes of the writer are still in the transaction
                failed = lost
        if failed:
            self._group = None
            group.fail_group(failed)
            with suppress(Exception):
                await group.stack.__aexit__(type(failed), failed, failed.__traceback__)
