"""What was read of accounts, for as long as nobody has changed them.

Every change of an account moves its order: its time, and the number of its last event. Whoever takes the order and
finds it where this process left it knows that all it had read of the account by then is still so.

What writers see of a transaction that they share: each as much as if it stood there alone.
"""

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
from formwright.core.lru_cache import LRUCache

Read = Mapping[Statement, Sequence[Row]]
"""What was asked of an account, with the rows that were found."""

_ACCOUNTS = 2000
_ASKS = 20
"""So much is kept of an account: of one that asks for more, nothing. A row may have some KiB."""


class AccountReadCache:
    """What a process read of the accounts that it changed last."""

    def __init__(self) -> None:
        self._kept = LRUCache[str, tuple[int, int, Read]](_ACCOUNTS)

    def of(self, held: AccountLock) -> Read:
        """What is still so of the account whose order was just taken."""
        stamp, sequence, read = self._kept.get(held.customer_id) or (0, 0, {})
        return read if (stamp, sequence) == (held.stamp, held.sequence) else {}

    def keep(self, held: AccountLock, read: Read) -> None:
        """This was read while the order was held, and is so at the commit that left it here."""
        if len(read) <= _ASKS:
            self._kept.keep(held.customer_id, (held.stamp, held.sequence, read))
        else:
            self._kept.drop(held.customer_id)


PutOff = dict[str, list[Sequence[object]]]
"""What is to be run later: by statement, once with each of these."""

T = TypeVar("T")


class RawTransaction(WriteTransaction, Protocol):
    """The transaction as a database has it, on which its writers stand."""

    async def whole(self, work: Awaitable[T]) -> T:
        """Do work to its end, also where nobody waits for its writer any more: the others go on behind it."""

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        """The rows of a SELECT for each of these parameters."""

    async def run(self, put_off: PutOff) -> None:
        """Run all of this, in the order in which it came, and take it away."""

    async def save(self, *, again: bool) -> None:
        """Here is where `back` leads; `again`: no longer to where it led."""

    async def back(self) -> None:
        """Undo what was done since `save`."""

    def lost(self, error: BaseException, *, saved: bool) -> bool:
        """Whether an error of a writer ended the transaction of all; `saved`: there was somewhere to go back to."""


class DelegatingTransaction(EventRecorder):
    """Hands its statements to the transaction on which it stands."""

    def __init__(self, ground: WriteTransaction, clock: Clock, ids: Ids) -> None:
        super().__init__(clock, ids)
        self._on = ground

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

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        await self._on.later(sql, rows)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._on.execute_many(sql, rows)

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._on.copy(table, columns, rows)


class SharedTransaction(DelegatingTransaction):
    """A transaction that writers share. `announced`: what those that still wait will ask for, each with its account."""

    def __init__(
        self,
        ground: RawTransaction,
        clock: Clock,
        ids: Ids,
        announced: Callable[[], Iterable[tuple[str, Statement]]],
        unmoved: AccountReadCache,
    ) -> None:
        super().__init__(ground, clock, ids)
        self.ground, self.clock, self.ids, self._announced, self._unmoved = ground, clock, ids, announced, unmoved
        self.writers: list[TransactionEvents] = []
        """What the writers that are done tell of."""
        self.asked: set[str] = set()
        """The accounts whose orders were to be taken: those that are not held now could not be had."""
        self.read: dict[str, dict[Statement, Sequence[Row]]] = {}
        """What was read of each account that nobody changes without moving its order."""
        self.steady: dict[Statement, Row | None] = {}
        """What else was asked for that no other of those who share this changes."""
        self.broken = False
        """Whether what several writers did could not be run: there is nobody to whom it belongs alone."""
        self._put_off: PutOff = {}
        self._saved = False
        self._left: list[tuple[AccountLock, Read]] = []
        """The orders as they were written down last, with what was read of their accounts."""

    def hold(self, taken: Mapping[str, AccountLock]) -> None:
        """These orders are held from here on."""
        self.held |= taken
        self.read |= {account: dict(self._unmoved.of(held)) for account, held in taken.items()}

    def take(self, told: Iterable[TransactionEvents], put_off: PutOff) -> None:
        """What one writer did stands."""
        self.writers += told
        for sql, rows in put_off.items():
            self._put_off.setdefault(sql, []).extend(rows)

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._put_off.setdefault(sql, []).extend(rows)

    async def learn(self, account: str, asks: Iterable[Statement]) -> None:
        """Read this of an account, and with it what those will ask for whose order is held by now."""
        announced = ((one, ask) for one, ask in self._announced() if one in self.held)
        await self._read([*((account, ask) for ask in asks), *announced])

    async def _read(self, wanted: Iterable[tuple[str, Statement]]) -> None:
        by_statement: dict[str, list[tuple[str, Statement]]] = {}
        for account, ask in dict.fromkeys(wanted):
            if ask not in self.read[account]:
                by_statement.setdefault(ask[0], []).append((account, ask))
        for sql, same in by_statement.items():
            found = await self.ground.fetch_batch(sql, [ask[1:] for _, ask in same])
            for (account, ask), rows in zip(same, found, strict=True):
                self.read[account][ask] = rows

    async def fetch_per_account(self, sql: str, accounts: Sequence[str]) -> Sequence[Row]:
        # Whoever tells of an account here holds its order.
        await self._read([(account, (sql, account)) for account in accounts])
        return [row for account in accounts for row in self.read[account][sql, account]]

    async def settle(self) -> None:
        """Run what was put off."""
        if not self._put_off:
            return
        try:
            await self.ground.run(self._put_off)
        except BaseException:
            self.broken = True
            raise

    async def save(self) -> None:
        """Here is where a writer goes back to that undoes what it did."""
        await self.ground.save(again=self._saved)
        self._saved = True

    async def tell(self, hooks: CommitHooks) -> None:
        """Write what the writers tell of, and their orders: whoever comes now finds all as if it had been committed."""
        try:
            await hooks.before(self, self.writers)
            await account_lock.save(self)
            await self.settle()
        except BaseException:
            self.broken = True
            raise
        self._left = [(held, self.read[account]) for account, held in self.held.items()]
        self.writers, self.held, self.asked, self.read, self.steady = [], {}, set(), {}, {}

    def committed(self) -> None:
        """What was told last stands: this process may know what it read."""
        for held, read in self._left:
            self._unmoved.keep(held, read)


class GroupedWriter(DelegatingTransaction):
    """One of the writers of an account. Before it reads or changes anything by itself what was put off is run."""

    def __init__(self, shared: SharedTransaction, account: str, ahead: Sequence[Statement]) -> None:
        super().__init__(shared, shared.clock, shared.ids)
        self._shared, self._account, self._ahead, self.held = shared, account, ahead, shared.held
        self._was: tuple[int, int, bool] | None = None
        self._put_off: PutOff = {}
        self.saved = False

    async def begin(self, hooks: CommitHooks) -> None:
        """`NoOrder` where the account's is not held."""
        del hooks
        held = self.held.get(self._account)
        if held is None:
            raise account_lock.AccountLockUnavailable(f"no account {self._account}")
        self._was = held.stamp, held.sequence, held.moved

    async def done(self, hooks: CommitHooks) -> None:
        """What it did stands."""
        del hooks
        self._shared.take(self.told, self._put_off)

    async def undo(self) -> None:
        """Back to what those before it have done."""
        if self._was:
            self.held[self._account] = AccountLock(self._account, *self._was)
        if self.saved:
            await self._shared.ground.back()

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await self._settled(lambda: self._on.fetch(sql, *args), reads=sql.startswith("SELECT"))

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        asked, read = (sql, *args), self._shared.read[self._account]
        if asked in self._ahead and asked not in read:
            await self._shared.ground.whole(self._shared.learn(self._account, self._ahead))
        if asked in read:
            return read[asked][0] if read[asked] else None
        steady = self._shared.steady
        if asked not in steady:
            steady[asked] = await self._shared.ground.whole(self._on.fetch_one(sql, *args))
        return steady[asked]

    async def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        for row in await self.fetch(sql, *args):
            yield row

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await self._settled(lambda: self._on.execute(sql, *args, long=long))

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._put_off.setdefault(sql, []).extend(rows)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._settled(lambda: self._on.execute_many(sql, rows))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._settled(lambda: self._on.copy(table, columns, rows))

    async def _settled(self, work: Callable[[], Awaitable[T]], *, reads: bool = False) -> T:
        """Do work once what was put off is run. What this writer changes from here on can be taken back."""
        return await self._shared.ground.whole(self._settle_and(work, reads))

    async def _settle_and(self, work: Callable[[], Awaitable[T]], reads: bool) -> T:
        await self._shared.settle()
        if not self.saved and (self._put_off or not reads):
            await self._shared.save()
            self.saved = True
        if self._put_off:
            await self._shared.ground.run(self._put_off)
        return await work()


class SoloWriter(DelegatingTransaction):
    """A writer that shares its commit and nothing else: what others told is written before it, its own with it."""

    def __init__(self, shared: SharedTransaction) -> None:
        super().__init__(shared.ground, shared.clock, shared.ids)
        self._shared = shared
        self.saved = False

    async def begin(self, hooks: CommitHooks) -> None:
        """Find all that those before it did."""
        await self._shared.tell(hooks)
        await self._shared.save()
        self.saved = True

    async def done(self, hooks: CommitHooks) -> None:
        """What it did stands."""
        await hooks.before(self, self.told)

    async def undo(self) -> None:
        """Back to what those before it have done."""
        if self.saved:
            await self._shared.ground.back()
