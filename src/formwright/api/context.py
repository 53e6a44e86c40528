"""A request as an operation sees it: its actor, and the transactions in which it reads and writes."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from formwright.api.http_messages import ApiRequest, PreencodedJson
from formwright.api.pagination import List, list_of, listing, next_cursor, next_url, ready_listing
from formwright.context import AppContext
from formwright.core.auth.allowed_hosts import public_address
from formwright.core.db.interface import Database, ReadTransaction, Rollback, Statement, WriteTransaction
from formwright.core.pagination import Page, Position, RenderedPage
from formwright.domain.api_keys.authentication import Credential, VerifyingRead

R = TypeVar("R")
T = TypeVar("T")

Check = Callable[["RequestContext", WriteTransaction], Awaitable[None]]
"""Runs at the beginning of a request's first write transaction, and raises a `DomainError` to reject the request."""


class RequestContext:
    """One API request. Operations receive it as their first argument."""

    def __init__(self, ctx: AppContext, request: ApiRequest, credential: Credential) -> None:
        self.ctx, self.request, self.credential, self.actor = ctx, request, credential, credential.actor
        self._unit_of_work: UnitOfWork | None = None

    def reading(self, *, long: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        """Open a transaction to read in. Its first statement verifies the API key, unless that is done.

        Set `long` for queries that take milliseconds.
        """
        if not self.credential.verified:
            return VerifyingRead(self.ctx.db.reading(long=long), self.credential)
        return self.ctx.db.reading(long=long, listing=self.request.method == "GET")

    def writing(
        self, *, grouped: bool = False, prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        """Join the transaction of this request, which is committed once its response is known.

        If `grouped`, it holds the lock of the actor's account from its beginning and shares its commit with other
        requests. `prefetch` are the statements that it will run with `fetch_cached`.
        """
        account = self.actor.customer_id if grouped else ""
        if self._unit_of_work is None:
            return self.ctx.db.writing(account=account, prefetch=prefetch)
        return _JoinedTransaction(self, self._unit_of_work, account, prefetch)

    @property
    def db(self) -> Database:
        """The database, for operations that commit more than once."""
        return CheckedDatabase(self, self._unit_of_work) if self._unit_of_work else self.ctx.db

    def begin(self, checks: Sequence[Check]) -> "UnitOfWork":
        """Begin the unit of work that `writing` joins; the checks run at the beginning of its transaction."""
        self._unit_of_work = UnitOfWork(checks)
        return self._unit_of_work

    def url(self, path: str) -> str:
        """Return the absolute URL of a path."""
        return base_url(self.ctx, self.request) + path

    def listing(self, page: Page[R], shape: Callable[[R], T]) -> List[T]:
        """Return a page of a list, with the URL of the next one."""
        return listing(page, shape, *self._list())

    def ready_listing(self, page: RenderedPage, **members: object) -> PreencodedJson[Any]:
        """Return a page of a list whose rows are stored as JSON, with further properties."""
        return ready_listing(page, members, *self._list())

    def next_url(self, after: Position | None) -> str | None:
        """Return the URL of the page after this position; None after the last page."""
        return next_url(after, *self._list())

    def next_cursor(self, after: Position | None) -> str | None:
        """Return the cursor of the page after this position; None after the last page."""
        return next_cursor(after, self._list()[2])

    def _list(self) -> tuple[str, list[tuple[str, str]], str]:
        path, query = self.request.path, self.request.query
        return self.url(path), query, list_of(self.actor.customer_id, path, query)


class ReadContext(RequestContext):
    """A request with the transaction in which it reads."""

    def __init__(self, call: RequestContext, tx: ReadTransaction) -> None:
        super().__init__(call.ctx, call.request, call.credential)
        self.tx = tx

    def reading(self, *, long: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        return nullcontext(self.tx)


class WriteContext(RequestContext):
    """A request with the transaction that is committed once its response is known."""

    def __init__(self, call: RequestContext, tx: WriteTransaction) -> None:
        super().__init__(call.ctx, call.request, call.credential)
        self.tx = tx


def base_url(ctx: AppContext, request: ApiRequest) -> str:
    """Return the public address that links contain."""
    return public_address(ctx.settings.base_url, request.scope["scheme"], request.headers.get("host"))


class UnitOfWork:
    """The one transaction of a writing request.

    It begins when the operation first writes, and is committed when the response is known. So whatever belongs to the
    response, such as its `Idempotency-Key`, is committed with the change or not at all, and a dry run is the same
    operation, rolled back.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self.tx: WriteTransaction | None = None
        """The transaction; None before the operation writes, and if it commits its own transactions."""
        self._checks = checks
        self._transaction: AbstractAsyncContextManager[WriteTransaction] | None = None
        self._rolled_back = False

    async def join(self, call: RequestContext, account: str, prefetch: Sequence[Statement]) -> WriteTransaction:
        """Return the transaction, which the first caller begins."""
        if self.tx is None:
            # The key is read in the same round trip as what the operation needs.
            prefetch = (*call.credential.prefetch, *prefetch)
            transaction = call.ctx.db.writing(account=account, prefetch=prefetch)
            self.tx = await transaction.__aenter__()
            # Before the checks, so that `__aexit__` also ends the transaction if one of them rejects the request.
            self._transaction = transaction
            await self.check(call, self.tx)
        return self.tx

    async def check(self, call: RequestContext, tx: WriteTransaction) -> None:
        """Verify the API key, and run the checks unless they have passed."""
        # First, so that a revoked key learns nothing from the other checks, such as whether an ETag still matches.
        await call.credential.verify(tx)
        for check in self._checks:
            await check(call, tx)
        self._checks = ()

    def roll_back(self) -> None:
        """Roll the transaction back at the end of the block, although it succeeds."""
        self._rolled_back = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._transaction and error is None and self._rolled_back:
            # Transactions roll back on exceptions only; `Rollback` is the one for dry runs.
            with suppress(Rollback):
                await self._transaction.__aexit__(Rollback, Rollback(), None)
        elif self._transaction:
            await self._transaction.__aexit__(kind, error, trace)


class _JoinedTransaction:
    """The transaction of a unit of work, for an `async with` block that does not end it.

    A class, because a generator is slower on this hot path.
    """

    def __init__(self, call: RequestContext, unit: UnitOfWork, account: str, prefetch: Sequence[Statement]) -> None:
        self._call, self._unit, self._account, self._prefetch = call, unit, account, prefetch

    async def __aenter__(self) -> WriteTransaction:
        return await self._unit.join(self._call, self._account, self._prefetch)

    async def __aexit__(self, *_: object) -> None:
        pass


class CheckedDatabase:
    """The database for an operation that commits more than once: the checks run in its first write transaction."""

    def __init__(self, call: RequestContext, unit: UnitOfWork) -> None:
        self._call, self._unit, self._db = call, unit, call.ctx.db

    def reading(self, *, long: bool = False, listing: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        return self._db.reading(long=long, listing=listing)

    @asynccontextmanager
    async def writing(
        self, *, account: str = "", prefetch: Sequence[Statement] = ()
    ) -> AsyncIterator[WriteTransaction]:
        async with self._db.writing(account=account, prefetch=prefetch) as tx:
            await self._unit.check(self._call, tx)
            yield tx

    async def close(self) -> None:
        await self._db.close()
