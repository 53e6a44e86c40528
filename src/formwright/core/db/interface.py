"""The interface that every room's SQL is written against.

SQL is the same for both databases: `$1` parameters, times as integer milliseconds, JSON as text. Where they must
differ, the place is marked by a comment that only the named one reads: `/*postgres FOR UPDATE */`, `/*sqlite … */`.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from formwright.core.auth import request_context
from formwright.core.auth.request_context import Caller
from formwright.core.clock import Clock
from formwright.core.errors import Unavailable
from formwright.core.events import AuditNote, Event
from formwright.core.ids import Ids

Row = Sequence[Any]
T = TypeVar("T")


class DatabaseUnreachable(Exception):
    """The database cannot be opened; the text says which and why, without a password."""


Statement = tuple[Any, ...]
"""A statement with its parameters behind it."""


class DatabaseBusy(Unavailable):
    """Another process holds the database for too long, or its connection was lost."""

    code = "database.unavailable"
    detail = "The database cannot be reached right now. Nothing was changed; try again in a moment."


class Rollback(Exception):
    """Raised to leave a transaction in which something was only tried: nothing of it is kept."""


class ReadTransaction(Protocol):
    """A transaction that reads."""

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        """All rows."""

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        """The first row, or None."""

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        """The first row, of what no other that shares the commit changes: those who share it ask for it once."""

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        """The one row that has this key. Those who ask for such rows at the same time are answered together."""

    def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        """The rows one after another, in constant memory."""


@dataclass(slots=True)
class AccountLock:
    """An account's order, taken at the beginning: the time of its last change, and the number of its last event."""

    customer_id: str
    stamp: int
    sequence: int
    moved: bool = False
    """Whether it is to be written down again."""


class WriteTransaction(ReadTransaction, Protocol):
    """A transaction that changes something. It knows its time, makes ids, and records what happened."""

    async def fetch_per_account(self, sql: str, accounts: Sequence[str]) -> Sequence[Row]:
        """All rows of a SELECT for each of these accounts, its one parameter; of what nobody changes without moving the
        account's order."""

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        """Run a statement; answers how many rows it touched. `long` keeps milliseconds off the event loop."""

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each of `rows`."""

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of `rows`: by the commit, together with the same one of those that share it.

        What this transaction asks for before that finds it done. It must be an INSERT of VALUES or an UPDATE by its key
        whose first parameter is never None, one that is not refused, and that does not touch a row of another statement
        which is put off.
        """

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Put many rows into a table, the fastest way that the database has."""

    def new_id(self, prefix: str) -> str:
        """A new id that begins with `prefix`."""

    def now(self) -> int:
        """The machine's time; `order.stamp` gives the account's, which never goes back."""

    def record(self, event: Event) -> None:
        """Note what happened. It is written with the change, or the change does not happen."""

    def note(self, note: AuditNote) -> None:
        """Say for the audit log what was changed, where no event tells of it."""

    def wake(self) -> None:
        """There is something for a worker to do: it shall look right after the commit."""

    @property
    def stamps(self) -> dict[str, int]:
        """The time of this change in each account whose order it took."""

    @property
    def held(self) -> Mapping[str, AccountLock]:
        """The orders that are held from the beginning, by account."""


class TransactionEvents(Struct, frozen=True):
    """What one transaction says of itself: who did it, what happened, what else was changed, and when by account."""

    caller: Caller | None
    events: Sequence[Event]
    notes: Sequence[AuditNote]
    stamps: Mapping[str, int]


BeforeCommit = Callable[[WriteTransaction, Sequence[TransactionEvents]], Awaitable[None]]


class Database(Protocol):
    """One of the two databases."""

    def reading(self, *, long: bool = False, listing: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        """A reading transaction; `long` keeps one that takes milliseconds off the event loop.

        A `listing` may be of a copy of the database, which then holds all that is committed by now.
        """

    def writing(
        self, *, account: str = "", ahead: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        """A writing transaction. Left normally, it has been committed durably.

        With an `account` it holds that account's order from its beginning, and those that meet share a commit, whatever
        their account. It must change that account alone, and take nothing that another transaction may hold while it
        waits for an order. What it will `fetch_steady`, and nobody changes without moving the account's order, may be
        said `ahead`: then those that meet ask for it together, and not again while the order is where it was left.
        """

    async def close(self) -> None:
        """Give back every connection."""


class EventRecorder:
    """What both databases' writing transactions share: their time, their ids, and what they recorded."""

    def __init__(self, clock: Clock, ids: Ids) -> None:
        self._clock = clock
        self._ids = ids
        self.recorded: list[Event] = []
        self.noted: list[AuditNote] = []
        self.wakes = False
        self.stamps: dict[str, int] = {}
        self.held: dict[str, AccountLock] = {}

    def new_id(self, prefix: str) -> str:
        return self._ids.new(prefix)

    def now(self) -> int:
        return self._clock.now()

    def record(self, event: Event) -> None:
        self.recorded.append(event)

    def wake(self) -> None:
        self.wakes = True

    def note(self, note: AuditNote) -> None:
        self.noted.append(note)

    @property
    def told(self) -> list[TransactionEvents]:
        """What is to be told of it; nothing of one that recorded nothing."""
        if not (self.recorded or self.noted):
            return []
        return [TransactionEvents(request_context.current(), self.recorded, self.noted, self.stamps)]


class CommitHooks:
    """What happens around a commit. Set once, by the wiring of the house."""

    def __init__(self) -> None:
        self.before_commit: BeforeCommit | None = None
        self.after_commit: Callable[[], None] | None = None

    async def before(self, tx: WriteTransaction, told: Sequence[TransactionEvents]) -> None:
        if told and self.before_commit:
            await self.before_commit(tx, told)

    def after(self, tx: EventRecorder) -> None:
        if tx.wakes and self.after_commit:
            self.after_commit()


async def finished(work: Awaitable[T], stop: Callable[[], None] = lambda: None) -> T:
    """Wait for the end of work, also when the waiting itself is cancelled, once or again and again; then `stop` is told
    to hurry it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop()
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        raise


@lru_cache(maxsize=2048)
def for_postgres(sql: str) -> str:
    """The SQL with what is marked for PostgreSQL; empty where all of it is for SQLite."""
    if re.fullmatch(r"/\*sqlite [^*]*\*/", sql):
        return ""
    return re.sub(r"/\*postgres (.*?)\*/", r"\1", sql, flags=re.DOTALL)


@lru_cache(maxsize=2048)
def for_sqlite(sql: str) -> str:
    """The SQL with what is marked for SQLite, and its parameters by number; empty where all is for PostgreSQL."""
    if re.fullmatch(r"/\*postgres [^*]*\*/", sql):
        return ""
    return re.sub(r"\$(\d+)", r"?\1", re.sub(r"/\*sqlite (.*?)\*/", r"\1", sql, flags=re.DOTALL))
