"""Writers of one account that share a commit, on PostgreSQL.

In each process they stand in a row. The first takes a connection and the account's order; those that wait by the time
it is done come after it into the same transaction, and then that is committed: one fsync, one statement where they
would run the same, one look at what does not change meanwhile. What one of them did is taken back without the others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

import asyncpg
import structlog

from formwright.core.kernel import spent
from formwright.core.kernel.clock import Clock
from formwright.core.kernel.ids import Ids
from formwright.core.storage import order
from formwright.core.storage.connection import LOST
from formwright.core.storage.database import DatabaseBusy, Hooks, Writing, finished
from formwright.core.storage.promise import Promise
from formwright.core.storage.sharing import Shared, Writer

_FAILED = (*LOST, asyncpg.PostgresError)
log = structlog.get_logger()


class _Group(Promise):
    """Writers that share a transaction and its commit."""

    def __init__(self, connection: Any, tx: Shared, stack: AsyncExitStack) -> None:
        super().__init__()
        self.connection, self.tx, self.stack = connection, tx, stack

    def give_up(self, error: BaseException) -> None:
        """Nobody of the group was written."""
        if not isinstance(error, DatabaseBusy):
            # The name alone: what PostgreSQL says may hold answers.
            log.error("writers that shared a commit could not be written", why=type(error).__name__)
        busy = DatabaseBusy()
        busy.__cause__ = error
        self.fail(busy)


class _Row:
    """The writers of one account, one after another."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.group: _Group | None = None


class Groups:
    """The rows of all accounts."""

    def __init__(
        self,
        connection: Callable[[], AbstractAsyncContextManager[Any]],
        clock: Clock,
        ids: Ids,
        hooks: Hooks,
        *,
        pooled: bool,
    ) -> None:
        self._connection, self._clock, self._ids, self._hooks, self._pooled = connection, clock, ids, hooks, pooled
        self._rows: WeakValueDictionary[str, _Row] = WeakValueDictionary()

    @asynccontextmanager
    async def writing(self, account: str) -> AsyncIterator[Writing]:
        """A transaction of this account. Left in whatever way, all that it could see has been committed."""
        row = self._rows.setdefault(account, _Row())
        refused: Exception | None = None
        start = perf_counter()
        async with row.turn:
            group = row.group = row.group or await self._begin(account)
            spent.waited(perf_counter() - start)
            writer = Writer(group.tx, group.connection, self._clock, self._ids, pooled=self._pooled)
            try:
                yield writer
                writer.done()
            except BaseException as error:
                await finished(_undo(row, group, writer, error))
                if not isinstance(error, Exception):
                    raise
                refused = error
            finally:
                group.ask(lambda: self._commit(row, group))
        # Also a refusal waits: what it rests on may be a change of this group, which a crash would still undo.
        await group.wait()
        if isinstance(refused, LOST):
            raise DatabaseBusy() from refused
        if refused:
            raise refused
        self._hooks.after(writer)

    async def _begin(self, account: str) -> _Group:
        async with AsyncExitStack() as stack:
            connection = await stack.enter_async_context(self._connection())
            await stack.enter_async_context(connection.transaction())
            tx = Shared(connection, self._clock, self._ids, pooled=self._pooled)
            tx.held = await order.take(tx, account)
            return _Group(connection, tx, stack.pop_all())

    async def _commit(self, row: _Row, group: _Group) -> None:
        async with row.turn:
            if group.settled:
                return
            row.group = None
            try:
                async with group.stack:
                    await self._write(group.tx)
            except Exception as error:  # noqa: BLE001 - whatever it is, writers wait for the end
                group.give_up(error)
            else:
                group.keep()

    async def _write(self, tx: Shared) -> None:
        await self._hooks.before(tx, tx.writers)
        await order.keep(tx)
        await tx.settle()


async def _undo(row: _Row, group: _Group, writer: Writer, error: BaseException) -> None:
    """Take back what a writer did; where that cannot be done, what the group did."""
    failed = error if group.tx.broken or (isinstance(error, _FAILED) and not writer.saved) else None
    if not failed:
        try:
            await writer.undo()
        except _FAILED as lost:
            failed = lost
    if failed:
        row.group = None
        group.give_up(failed)
        with suppress(DatabaseBusy, *_FAILED):
            await group.stack.__aexit__(type(failed), failed, failed.__traceback__)
