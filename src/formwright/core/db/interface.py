"""The database interface that every domain package's SQL is written against.

The SQL is the same for SQLite and PostgreSQL: `$1` parameters, times as integer milliseconds, JSON as text. Where the
dialects differ, a comment marks the part that only one database sees: `/*postgres FOR UPDATE */`, `/*sqlite … */`.
"""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from formwright.core.auth.request_context import Caller, current_caller
from formwright.core.errors import Unavailable
from formwright.core.events import AuditNote, Event
from formwright.core.work_kinds import WorkKind

Row = Sequence[Any]
T = TypeVar("T")


class DatabaseUnreachable(Exception):
    """The database cannot be opened. The message names the database and the reason, never the password."""


Statement = tuple[Any, ...]
"""The SQL text, followed by its parameters."""


class DatabaseBusy(Unavailable):
    """Another process locked the database for too long, or the connection was lost."""

    code = "database.unavailable"
    detail = "The database cannot be reached right now. Nothing was changed; try again in a moment."


class CommitOutcomeUnknown(Unavailable):
    """The database failed during a commit, so the change was either saved completely or not at all.

    It is not a `DatabaseBusy`, which promises that nothing was changed.
    """

    code = "database.outcome_unknown"
    detail = (
        "The database became unavailable while the change was being saved, so it may or may not have been saved. Check,"
        " or send the request again: with the same Idempotency-Key or externalId, it takes effect once."
    )

    @property
    def text(self) -> str:
        return (
            "The database became unavailable while your change was being saved. It may or may not have been saved:"
            " check before you try again."
        )


class Rollback(Exception):
    """Raise this to leave a dry-run transaction: all of its changes are rolled back."""


class ReadTransaction(Protocol):
    """A read-only transaction. Every method raises `DatabaseBusy` if the database is unavailable."""

    @property
    def is_distributed(self) -> bool:
        """Whether Citus keeps accounts on several machines, where a join with a table of the coordinator is slow."""

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        """Return all rows."""

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        """Return the first row, or None."""

    async def fetch_cached(self, sql: str, *args: object) -> Row | None:
        """Return the first row, or None, and let the transactions of a commit group share the result.

        Only for rows that no other transaction of the group changes.
        """

    async def fetch_by_key(self, sql: str, *args: object) -> Row | None:
        """Return the row with this key, or None. Concurrent lookups may share one round trip."""

    def stream(self, sql: str, *args: object) -> AsyncGenerator[Row, None]:
        """Yield the rows one by one, in constant memory."""


@dataclass(slots=True)
class AccountLock:
    """An account's lock: the timestamp of its last change (milliseconds) and the number of its last event."""

    customer_id: str
    stamp: int
    sequence: int
    dirty: bool = False
    """Whether the values changed and have to be written before the commit."""

    def advance(self, now: int) -> int:
        """Return the timestamp of the next change: `now`, or a millisecond after the last one if that is not later."""
        self.dirty, self.stamp = True, max(now, self.stamp + 1)
        return self.stamp


class WriteTransaction(ReadTransaction, Protocol):
    """A transaction that can write. It also supplies the time, creates ids, and records events and audit notes."""

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        """Run a statement and return the number of affected rows.

        Set `long` for statements that take milliseconds: SQLite then runs them outside of the event loop.
        """

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once per row of parameters."""

    async def defer(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement once per row of parameters, no later than at the commit, batched across the commit group.

        Later queries of this transaction see the result. The statement must not violate a constraint, because a failure
        cannot be attributed to one transaction of the group. It must not touch a row of another deferred statement,
        because the rows of equal statements run together.
        """

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Insert many rows, using the fastest bulk path of the database."""

    def new_id(self, prefix: str, /) -> str:
        """Return a new id with this prefix."""

    def now(self) -> int:
        """Return the system time in milliseconds. `account_lock.next_timestamp` is the monotonic time of an account."""

    def record(self, event: Event, /) -> None:
        """Record an event. It is written in the same commit as the change."""

    def audit(self, note: AuditNote, /) -> None:
        """Record an audit entry for a change that has no event."""

    def schedule(self, kind: WorkKind, customer_id: str, due: int, /) -> None:
        """Have a worker do work of this kind for an account at a time (milliseconds). Written in the same commit.

        If the work is due already, workers of this process start right after the commit.
        """

    @property
    def stamps(self) -> dict[str, int]:
        """The timestamp of this change (milliseconds), by account."""

    @property
    def locks(self) -> Mapping[str, AccountLock]:
        """The account locks held since the transaction began, by account."""


class RawTransaction(WriteTransaction, Protocol):
    """The database's own transaction, which the writers of a commit group share."""

    scheduled: dict[tuple[WorkKind, str], int]
    locks: dict[str, AccountLock]

    async def run_to_completion(self, work: Awaitable[T]) -> T:
        """Finish `work` even if its writer is cancelled, because other writers continue in this transaction."""

    async def fetch_batch(self, sql: str, rows: Sequence[Sequence[object]]) -> Sequence[Sequence[Row]]:
        """Return the rows of a SELECT for each row of parameters, in their order."""

    async def save(self, *, again: bool) -> None:
        """Set a savepoint. `again` replaces the previous one."""

    async def rollback_to_savepoint(self) -> None:
        """Undo everything since `save`."""

    def is_aborted_by(self, error: BaseException, *, saved: bool) -> bool:
        """Whether a writer's error aborted the whole transaction; `saved`: there is a savepoint to return to."""


class TransactionEvents(Struct, frozen=True):
    """What one transaction recorded: its caller, events and audit notes, and its timestamp per account."""

    caller: Caller | None
    events: Sequence[Event]
    notes: Sequence[AuditNote]
    stamps: Mapping[str, int]


class Database(Protocol):
    """SQLite or PostgreSQL."""

    def reading(self, *, long: bool = False, listing: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        """Open a read-only transaction.

        Set `long` for queries that take milliseconds: SQLite then runs them in a thread. A `listing` may be served by
        a read replica, which includes everything committed before the call.
        """

    def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        """Open a read-write transaction. It is durably committed when the block ends, and rolled back on an exception.

        Raises `DatabaseBusy` if nothing was saved, and `CommitOutcomeUnknown` if that is not known.

        With an `account`, the transaction holds that account's lock from its beginning and shares its commit with
        concurrent transactions of any account. It must change that account only, and must not acquire a lock that
        another transaction may hold while it waits for an account lock. `prefetch` are the statements that it will
        run with `fetch_cached`: PostgreSQL runs those of all waiting transactions in one round trip.
        """

    async def close(self) -> None:
        """Close all connections."""


class EventRecorder:
    """Base of the write transactions of both databases: supplies time and ids, and collects events and audit notes."""

    def __init__(self, now: Callable[[], int], new_id: Callable[[str], str]) -> None:
        self.events: list[Event] = []
        self.audit_notes: list[AuditNote] = []
        # Bound directly, because every write calls them.
        self.now, self.new_id = now, new_id
        self.record, self.audit = self.events.append, self.audit_notes.append
        self.scheduled: dict[tuple[WorkKind, str], int] = {}
        """When work is due (milliseconds), by kind and account."""
        self.stamps: dict[str, int] = {}
        self.locks: dict[str, AccountLock] = {}

    def schedule(self, kind: WorkKind, customer_id: str, due: int, /) -> None:
        earlier = self.scheduled.get((kind, customer_id), due)
        self.scheduled[kind, customer_id] = min(due, earlier)

    @property
    def transaction_events(self) -> list[TransactionEvents]:
        """What this transaction recorded, as a list of one item; empty if it recorded nothing."""
        if not (self.events or self.audit_notes):
            return []
        return [TransactionEvents(current_caller.get(), self.events, self.audit_notes, self.stamps)]


@lru_cache(maxsize=2048)
def for_postgres(sql: str) -> str:
    """Return the SQL for PostgreSQL; empty if the whole statement is marked for SQLite."""
    if re.fullmatch(r"/\*sqlite [^*]*\*/", sql):
        return ""
    return re.sub(r"/\*postgres (.*?)\*/", r"\1", sql, flags=re.DOTALL)


@lru_cache(maxsize=2048)
def for_sqlite(sql: str) -> str:
    """Return the SQL for SQLite, with `?1` parameters; empty if the whole statement is marked for PostgreSQL."""
    if re.fullmatch(r"/\*postgres [^*]*\*/", sql):
        return ""
    return re.sub(r"\$(\d+)", r"?\1", re.sub(r"/\*sqlite (.*?)\*/", r"\1", sql, flags=re.DOTALL))
