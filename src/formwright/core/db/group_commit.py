"""The promise of a commit that several transactions share.

Writers that share a commit.

They stand in a line. The first begins a transaction; those that wait by the time it is done come after it into the same
one, and then that is committed: one fsync, one statement where they would run the same, one look at what does not
change meanwhile. What one of them did is taken back without the others. Each needs the order of its account, and those
of all who wait are taken at once.
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
from formwright.core.db.interface import AccountLock, CommitHooks, DatabaseBusy, Statement, WriteTransaction, finished
from formwright.core.db.shared_transaction import (
    AccountReadCache,
    GroupedWriter,
    RawTransaction,
    SharedTransaction,
    SoloWriter,
)
from formwright.core.ids import Ids


class CommitFuture:
    """Kept by one commit, for all that share it."""

    def __init__(self) -> None:
        self.settled = False
        """Whether it was kept or broken."""
        self._error: Exception | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._committer: asyncio.Task[None] | None = None

    def ask(self, commit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let it be committed. Who asks first queues the commit behind all that wait by now: they share it."""
        self._committer = self._committer or asyncio.create_task(commit())

    def keep(self) -> None:
        """It is committed."""
        self._settle(None)

    def fail(self, error: Exception) -> None:
        """Nothing was written; whoever waits gets this error."""
        if not self.settled:
            self._settle(error)

    def _settle(self, error: Exception | None) -> None:
        self.settled, self._error = True, error
        for one in self._waiting:
            if not one.done():  # Else nobody waits there any more.
                one.set_result(None)

    async def wait(self) -> None:
        """Until it is kept. The commit goes on also where nobody waits any more."""
        start = perf_counter()
        if not self.settled:
            # One for each, so that who is cancelled ends its own waiting alone.
            mine = asyncio.get_running_loop().create_future()
            self._waiting.append(mine)
            await mine
        db_timing.waited(perf_counter() - start)
        if self._error:
            raise self._error


MOST = 64
"""So many come into one group: the first waits for the last."""
Take = Callable[[WriteTransaction, Sequence[str]], Awaitable[dict[str, AccountLock]]]
"""Takes the orders of these accounts, or of some of them."""
log = structlog.get_logger()


class _CommitGroup(CommitFuture):
    """Writers that share a transaction and its commit."""

    def __init__(self, tx: SharedTransaction, stack: AsyncExitStack) -> None:
        super().__init__()
        self.tx, self.stack = tx, stack
        self.count = 0
        """How many there have been."""

    def give_up(self, error: BaseException) -> None:
        """Nobody of the group was written."""
        if isinstance(error, DatabaseBusy):
            self.fail(error)
            return
        # The name alone: what a database says may hold answers.
        log.error("writers that shared a commit could not be written", why=type(error).__name__)
        busy = DatabaseBusy()
        busy.__cause__ = error
        self.fail(busy)


class WriteQueue:
    """Writers, one after another. `lost`: the errors which say that the database cannot be had right now."""

    def __init__(
        self,
        transaction: Callable[[], AbstractAsyncContextManager[RawTransaction]],
        clock: Clock,
        ids: Ids,
        hooks: CommitHooks,
        lost: tuple[type[Exception], ...],
        unmoved: AccountReadCache,
        take: Take = account_lock.acquire_available,
    ) -> None:
        self.turn = asyncio.Lock()
        self._transaction, self._clock, self._ids, self._hooks, self._lost = transaction, clock, ids, hooks, lost
        self._unmoved, self._take = unmoved, take
        self._waiting: dict[object, tuple[str, Sequence[Statement]]] = {}
        """Who waits: the account, and what will be asked for."""
        self._group: _CommitGroup | None = None

    @asynccontextmanager
    async def writing(self, account: str = "", ahead: Sequence[Statement] = ()) -> AsyncIterator[WriteTransaction]:
        """A transaction, which holds the order of `account`; `NoOrder` where that cannot be had. Left in whatever way,
        all that it could see has been committed."""
        refused: Exception | None = None
        await self._take_turn(account, ahead)
        try:
            group = await self._join(account)
            writer = GroupedWriter(group.tx, account, ahead) if account else SoloWriter(group.tx)
            try:
                if account and account not in group.tx.asked:
                    await group.tx.ground.whole(self._hold(group.tx, account))
                await writer.begin(self._hooks)
                yield writer
                await writer.done(self._hooks)
            except account_lock.AccountLockUnavailable:
                raise
            except BaseException as error:
                await finished(self._undo(group, writer, error))
                if not isinstance(error, Exception):
                    raise
                refused = error
            finally:
                group.ask(lambda: self._commit(group))
        finally:
            self.turn.release()
        # Also a refusal waits: what it rests on may be a change of this group, which a crash would still undo.
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
        db_timing.waited(perf_counter() - start)

    def _announced(self) -> Iterator[tuple[str, Statement]]:
        """What the first of those who wait will ask for."""
        for account, ahead in islice(self._waiting.values(), MOST):
            for ask in ahead:
                yield account, ask

    async def _join(self, account: str) -> _CommitGroup:
        if self._group and self._group.count >= MOST:
            await finished(self._end(self._group))
        if self._group is None:
            self._group = await self._begin(account)
        self._group.count += 1
        return self._group

    async def _begin(self, account: str) -> _CommitGroup:
        async with AsyncExitStack() as stack:
            ground = await stack.enter_async_context(self._transaction())
            tx = SharedTransaction(ground, self._clock, self._ids, self._announced, self._unmoved)
            if account:
                await self._hold(tx, account)
            return _CommitGroup(tx, stack.pop_all())

    async def _hold(self, tx: SharedTransaction, account: str) -> None:
        """Take the order of this account, and of those that wait by now."""
        waiting = (one for one, _ in islice(self._waiting.values(), MOST) if one not in tx.asked)
        wanted = list(dict.fromkeys([account, *waiting]))
        tx.hold(await self._take(tx.ground, wanted))
        tx.asked.update(wanted)

    async def _commit(self, group: _CommitGroup) -> None:
        # Who came while those before it wrote comes in too: what a commit costs is shared by more.
        while not group.settled:
            async with self.turn:
                if self._is_whole(group):
                    await self._end(group)
            # Who was cancelled in line has to get out of it.
            await asyncio.sleep(0)

    def _is_whole(self, group: _CommitGroup) -> bool:
        return not group.settled and (not self._waiting or group.count >= MOST)

    async def _end(self, group: _CommitGroup) -> None:
        self._group = None
        try:
            async with group.stack:
                await group.tx.tell(self._hooks)
        except Exception as error:  # noqa: BLE001 - whatever it is, writers wait for the end
            group.give_up(error)
        else:
            group.tx.committed()
            group.keep()
            self._hooks.after(group.tx)

    async def _undo(self, group: _CommitGroup, writer: GroupedWriter | SoloWriter, error: BaseException) -> None:
        """Take back what a writer did; where that cannot be done, what the group did."""
        failed = error if group.tx.broken or group.tx.ground.lost(error, saved=writer.saved) else None
        if not failed:
            try:
                await writer.undo()
            except Exception as lost:  # noqa: BLE001 - whatever it is, what the writer did still stands there
                failed = lost
        if failed:
            self._group = None
            group.give_up(failed)
            with suppress(Exception):
                await group.stack.__aexit__(type(failed), failed, failed.__traceback__)
