"""One request of the API, as an operation sees it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import lru_cache
from typing import Any, TypeVar

from formwright.api.errors import NotAcceptable
from formwright.api.pagination import List, list_of, listing, ready_listing
from formwright.api.request import Request
from formwright.api.response import PreencodedJson
from formwright.api.unit_of_work import CheckedDatabase, First, UnitOfWork
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import Database, ReadTransaction, Statement, WriteTransaction
from formwright.core.pagination import Page, RenderedPage
from formwright.domain.api_keys.authentication import AuthenticatedTransaction, authenticate_key, find_cached
from formwright.domain.api_keys.models import KeyMissing

R = TypeVar("R")
T = TypeVar("T")


class RequestContext:
    """Who calls, what it may reach, and the address under which it called."""

    def __init__(self, ctx: AppContext, request: Request, actor: Actor, tx: ReadTransaction | None = None) -> None:
        self.ctx, self.request, self.actor, self._tx = ctx, request, actor, tx
        self._commit: UnitOfWork | None = None
        self.db: Database = ctx.db
        """For a verb that commits more than once."""

    def begin(self, first: First, prefetch: Sequence[Statement] = ()) -> UnitOfWork:
        """From here on what the verb writes is one transaction; `first` is done at its beginning, and will ask for what
        `prefetch` says."""
        self._commit, self.db = UnitOfWork(self.ctx.db, first, prefetch), CheckedDatabase(self.ctx.db, first)
        return self._commit

    def end(self) -> None:
        """Let go of what `begin` began. `first` leads back to this call: all that belongs to the request would stay in
        memory until garbage is looked for."""
        self._commit, self.db = None, self.ctx.db

    def within(self, tx: ReadTransaction) -> "RequestContext":
        """The same call, which reads in this transaction."""
        return RequestContext(self.ctx, self.request, self.actor, tx)

    def reading(self, *, long: bool = False) -> AbstractAsyncContextManager[ReadTransaction]:
        """A transaction that reads: the one in which the key was looked up, where that is still open."""
        if self._tx:
            return nullcontext(self._tx)
        # What is asked for without being changed may be of a copy; a key is looked up where it was last changed.
        return self.ctx.db.reading(long=long, listing=self.request.method == "GET")

    def writing(
        self, *, together: bool = False, prefetch: Sequence[Statement] = ()
    ) -> AbstractAsyncContextManager[WriteTransaction]:
        """The call's one transaction, which is committed once its answer is known.

        `together`: it shares its commit with others, and holds the account's lock from the start. `prefetch` are the
        statements that it will run with `fetch_cached`.
        """
        account = self.actor.customer_id if together else ""
        opened = self._commit.join if self._commit else self.ctx.db.writing
        return opened(account=account, prefetch=prefetch)

    def url(self, path: str) -> str:
        """The absolute address of a path."""
        return base_url(self.ctx, self.request) + path

    def listing(self, page: Page[R], shape: Callable[[R], T]) -> List[T]:
        """A page of a list, with the address of the next."""
        return listing(page, shape, *self._list())

    def ready_listing(self, page: RenderedPage, **members: object) -> PreencodedJson[Any]:
        """The same of rows that are JSON already, with further members."""
        return ready_listing(page, members, *self._list())

    def _list(self) -> tuple[str, list[tuple[str, str]], str]:
        path, query = self.request.path, self.request.query
        return self.url(path), query, list_of(self.actor.customer_id, path, query)


def base_url(ctx: AppContext, request: Request) -> str:
    """The public address that links carry: the operator's, else the one that was called."""
    return ctx.settings.base_url or f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}"


async def authenticate(ctx: AppContext, request: Request, tx: ReadTransaction) -> AuthenticatedTransaction:
    """Who holds the key of this request; `KeyMissing`, `KeyUnknown` or `KeyEnded` where none opens."""
    text = request.headers.get("x-api-key")
    if not text:
        raise KeyMissing()
    return _by(ctx, await authenticate_key(tx, text, ctx.clock.now()))


def remember(ctx: AppContext, request: Request) -> AuthenticatedTransaction | None:
    """Who held the key of this request when it was last asked for, to be made sure of later; None where that is not
    kept."""
    text = request.headers.get("x-api-key")
    checked = find_cached(text, ctx.clock.now()) if text else None
    return _by(ctx, checked) if checked else None


def _by(ctx: AppContext, checked: AuthenticatedTransaction) -> AuthenticatedTransaction:
    ctx.usage.record(checked.actor, ctx.clock.now())
    request_context.set_actor(checked.actor)
    return checked


def check_accept(request: Request, media_type: str) -> None:
    """`NotAcceptable` when the caller does not take what this operation answers."""
    if not _is_taken(request.headers.get("accept", "*/*"), media_type):
        raise NotAcceptable(f"This answers {media_type}. Allow that in the Accept header, or leave the header out.")


@lru_cache(maxsize=256)
def _is_taken(accept: str, media_type: str) -> bool:
    taken = ("*/*", "application/*", media_type, "+json" if media_type.endswith("json") else media_type)
    return any(kind in accept.lower() for kind in taken)
