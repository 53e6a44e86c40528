"""The one transaction of a call that writes: begun when its verb first writes, committed when its answer is known.

So what belongs to the answer (that it was given for this Idempotency-Key) is kept with the change or not at all, and a
dry run is the call itself, rolled back.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType

from formwright.core.db.interface import Database, ReadTransaction, Statement, WriteTransaction

First = Callable[[WriteTransaction], Awaitable[None]]
"""What is done at the beginning of the first transaction, before anything is changed."""


class UnitOfWork:
    """Every `join` gets the same transaction. It ends with the `async with` of this object.

    `prefetch` are the statements that `first` will run with `fetch_cached`.
    """

    def __init__(self, db: Database, first: First, prefetch: Sequence[Statement] = ()) -> None:
        self._db, self._first, self._prefetch = db, first, prefetch
        self._writing: AbstractAsyncContextManager[WriteTransaction] | None = None
        self.tx: WriteTransaction | None = None

    def join(self, account: str = "", prefetch: Sequence[Statement] = ()) -> "_Joined":
        """The transaction, begun when there is none, together with others of an account."""
        return _Joined(self, account, prefetch)

    async def begun(self, account: str, prefetch: Sequence[Statement]) -> WriteTransaction:
        """What `join` leads to."""
        if self.tx is None:
            writing = self._db.writing(account=account, prefetch=(*self._prefetch, *prefetch))
            self.tx = await writing.__aenter__()
            self._writing = writing
            await self._first(self.tx)
        return self.tx

    async def __aenter__(self) -> "UnitOfWork":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writing:
            await self._writing.__aexit__(kind, error, trace)


class _Joined:
    """A class and no generator, for it is entered with every change."""

    def __init__(self, commit: UnitOfWork, account: str, prefetch: Sequence[Statement]) -> None:
        self._commit, self._account, self._prefetch = commit, account, prefetch

    async def __aenter__(self) -> WriteTransaction:
        return await self._commit.begun(self._account, self._prefetch)

    async def __aexit__(self, *raised: object) -> None:
        """The transaction goes on."""


class CheckedDatabase:
    """The database for a verb that commits more than once: `first` is done in its first transaction."""

    def __init__(self, db: Database, first: First) -> None:
        self._db, self._first = db, first
        self._begun = False

    def reading(self, *, long: bool = False, listing: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        return self._db.reading(long=long, listing=listing)

    @asynccontextmanager
    async def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AsyncIterator[WriteTransaction]:
        async with self._db.writing(account=account, prefetch=prefetch) as tx:
            if not self._begun:
                await self._first(tx)
                self._begun = True
            yield tx

    async def close(self) -> None:
        await self._db.close()
