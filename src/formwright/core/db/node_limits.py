"""Limits how many connections the accounts of one Citus worker may hold, so that a slow worker delays only its own.

All accounts share one connection pool. If a worker hangs, statements for its accounts hold their connections until they
time out; without a limit, they would soon hold all of them.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextvars import ContextVar
from time import monotonic
from typing import Any

from formwright.core.auth.request_context import current_caller
from formwright.core.db.connection_pool import ACQUIRE_TIMEOUT_S, ConnectionPool, PooledConnection
from formwright.core.db.interface import DatabaseBusy
from formwright.core.lru_cache import LRUCache

account_of_work: ContextVar[str] = ContextVar("account_of_work", default="")
"""The account that a task of a worker works for. Then it waits for its turn before it takes a connection."""
STALLED_S = 2
"""A worker that finishes no statement on any of its connections for this long is taken to hang."""
_NODE_TTL_S = 60
_ACCOUNT_PREFIX = "cus_"
_NODE_SQL = (
    "SELECT groupid FROM pg_dist_placement WHERE shardid = (SELECT CASE WHEN EXISTS"
    " (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'customers'::regclass)"
    " THEN get_shard_id_for_distribution_column('customers', $1::text) END)"
)
"""The coordinator runs this alone. It returns no row before `db distribute`."""


class _Node:
    """The connections in use for one worker, and who waits for one."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: set[Slot] = set()
        self.waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_full(self) -> bool:
        return len(self._slots) >= self._limit

    @property
    def is_stalled(self) -> bool:
        # A connection without a running statement may wait for a slow client, such as one that downloads an export.
        late, slots = monotonic() - STALLED_S, [slot for slot in self._slots if not slot.is_extra]
        return self.is_full and all(slot.active < late for slot in slots) and any(slot.is_running for slot in slots)

    def take(self) -> "Slot":
        slot = Slot(self, is_extra=self.is_full)
        self._slots.add(slot)
        return slot

    def release(self, slot: "Slot") -> None:
        self._slots.discard(slot)
        self.wake()

    def wake(self) -> None:
        """Let the next waiter take a free slot."""
        while self.waiting and not self.is_full:
            turn = self.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return


class Slot:
    """A connection in use for a worker; `active` is when its last statement began or ended.

    `is_extra`: the limit was reached when the account became known.
    """

    __slots__ = ("_node", "active", "is_extra", "is_running")

    def __init__(self, node: _Node, *, is_extra: bool) -> None:
        self._node, self.is_extra = node, is_extra
        self.active, self.is_running = monotonic(), False

    def record(self, *, is_running: bool) -> None:
        """Record that a statement begins or ends."""
        self.active, self.is_running = monotonic(), is_running

    def release(self) -> None:
        """Count the connection no longer."""
        self._node.release(self)


class NodeLimits:
    """Counts the connections in use by worker."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._nodes: dict[int, _Node] = {}
        self._places = LRUCache[str, tuple[int, float]](10_000)

    def known_node(self, account: str) -> int | None:
        """Return the worker of the account if it was looked up within the last minute."""
        found = self._places.get(account)
        return found[0] if found and monotonic() - found[1] < _NODE_TTL_S else None

    async def find_node(self, account: str, fetchval: Callable[[str, str], Awaitable[Any]]) -> int:
        """Return the worker of the account, which changes when a shard is moved."""
        if (known := self.known_node(account)) is not None:
            return known
        # Group 0 is the coordinator, which has all accounts before `db distribute`.
        return self._places.put(account, (int(await fetchval(_NODE_SQL, account) or 0), monotonic()))[0]

    async def wait(self, number: int) -> Slot:
        """Wait until the worker has a connection left, for `ACQUIRE_TIMEOUT_S` at most. Raises `DatabaseBusy`."""
        node = self._node(number)
        while node.is_full:
            turn = asyncio.get_running_loop().create_future()
            node.waiting.append(turn)
            try:
                async with asyncio.timeout(ACQUIRE_TIMEOUT_S):
                    await turn
            except TimeoutError as error:
                raise _busy_error() from error
            except asyncio.CancelledError:
                node.wake()  # This waiter may have been woken already.
                raise
        return node.take()

    def take(self, number: int) -> Slot:
        """Count a connection that is in use already. Raises `DatabaseBusy` if the worker hangs."""
        node = self._node(number)
        if node.is_stalled:
            raise _busy_error()
        return node.take()

    def _node(self, number: int) -> _Node:
        return self._nodes.setdefault(number, _Node(self._limit))


class LimitedPooledConnection(PooledConnection):
    """Holds a connection that counts for the worker of the account that it is used for.

    For requests and workers, the account is known before; otherwise it is that of the first statement with one.
    """

    __slots__ = ("_lent", "_limits")

    def __init__(self, pool: ConnectionPool, limits: NodeLimits) -> None:
        super().__init__(pool)
        self._limits = limits

    async def __aenter__(self) -> Any:
        node = self._limits.known_node(_current_account())
        slot = None if node is None else await self._limits.wait(node)
        try:
            self._lent = LimitedConnection(await super().__aenter__(), self._limits, slot)
        except BaseException:
            if slot:
                slot.release()
            raise
        return self._lent

    async def __aexit__(self, *raised: Any) -> None:
        try:
            await super().__aexit__(*raised)
        finally:
            self._lent.release()


class LimitedConnection:
    """A connection of asyncpg. Its first statement with an account counts it for the account's worker."""

    def __init__(self, connection: Any, limits: NodeLimits, slot: Slot | None) -> None:
        self._connection, self._limits, self._slot = connection, limits, slot

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def release(self) -> None:
        """Count the connection no longer."""
        if self._slot:
            self._slot.release()

    async def fetch(self, text: str, *args: object) -> Any:
        return await self._run(args, self._connection.fetch, text, *args)

    async def fetchrow(self, text: str, *args: object) -> Any:
        return await self._run(args, self._connection.fetchrow, text, *args)

    async def execute(self, text: str, *args: object) -> Any:
        return await self._run(args, self._connection.execute, text, *args)

    async def executemany(self, text: str, rows: Iterable[Sequence[object]]) -> Any:
        values = list(rows)
        return await self._run(values[0] if values else (), self._connection.executemany, text, values)

    async def fetchmany(self, text: str, rows: Sequence[Sequence[object]]) -> Any:
        return await self._run(rows[0], self._connection.fetchmany, text, rows)

    async def _run(self, args: Iterable[object], method: Callable[..., Awaitable[Any]], *given: object) -> Any:
        if self._slot is None and (account := _find_account(args)):
            self._slot = self._limits.take(await self._limits.find_node(account, self._connection.fetchval))
        if self._slot is None:
            return await method(*given)
        self._slot.record(is_running=True)
        try:
            async with asyncio.timeout(STALLED_S if self._slot.is_extra else None):
                return await method(*given)
        except TimeoutError as error:
            # A cancelled statement could wait for the worker, too.
            self._connection.terminate()
            raise _busy_error() from error
        finally:
            self._slot.record(is_running=False)


def _current_account() -> str:
    caller = current_caller.get()
    return caller.actor.customer_id if caller and caller.actor else account_of_work.get()


def _find_account(args: Iterable[object]) -> str:
    return next((arg for arg in args if isinstance(arg, str) and arg.startswith(_ACCOUNT_PREFIX)), "")


def _busy_error() -> DatabaseBusy:
    return DatabaseBusy("The machine with this account's data does not respond. Nothing was changed; try again.")
