"""What a fill link lets in: so many requests a minute, and so much a day."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.response import Response

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.domain.files.models import MAX_SIZE
from formwright.domain.forms import service as forms
from formwright.domain.quotas.models import QuotaExceeded, Source, TooManyFills, Unit
from formwright.domain.submissions.models import Submission, SubmissionStatus
from formwright.web.fill.messages import load_messages, parse_accept_language
from formwright.web.templating import render_page

_KIB = 1024
_INCLUDED_KIB = 64
"""Answers up to this size are paid for by the submission; what is larger counts as KiB, in drafts too."""


def limit_requests(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A guard of the routes of a link: `TooManyFills` if its address or the link sends too many requests."""
    del handler
    ctx: AppContext = connection.app.state.ctx
    if token := connection.path_params.get("token"):
        now = request_context.current()
        ctx.requests.count(now.address if now else "", str(token), ctx.clock.now())


def render_busy_page(request: Request[Any, Any, Any], error: TooManyFills) -> Response[Any]:
    """The page for who opens a link too often, in a language of the browser."""
    words = load_messages(*parse_accept_language(request.headers.get("accept-language", "")))
    told = {"closed": words["busy"], "ask": words["wait"]}
    answer = render_page(request, "fill/closed.html", 429, said=told, language=words["language"])
    answer.headers["retry-after"] = str(error.wait_s)
    return answer


class Admission:
    """A submission that was let in; it counts only if it turns out to be a new one."""

    is_counted = False

    def record(self, record: Submission, *, changed: bool = True) -> None:
        """What became of it. One that was begun before, or sent before, was counted then."""
        fresh = record.created == record.updated
        self.is_counted = fresh and changed and record.status in (SubmissionStatus.STARTED, SubmissionStatus.SUBMITTED)


@asynccontextmanager
async def admit_submission(ctx: AppContext, token: str, size: int) -> AsyncIterator[Admission]:
    """Room for answers of `size` bytes; `QuotaExceeded` or `StorageFull` if there is none.

    A personal link makes one submission, and so needs no quota.
    """
    ctx.check_space()
    admission = Admission()
    source = await _find_public_source(ctx, token)
    if source is None:
        yield admission
        return
    large = max(0, -(-size // _KIB) - _INCLUDED_KIB)
    await ctx.quotas.take(ctx.db, source, Unit.SUBMISSIONS, 1)
    try:
        await ctx.quotas.take(ctx.db, source, Unit.KIB, large)
    except QuotaExceeded:
        ctx.quotas.give_back(source, Unit.SUBMISSIONS, 1)
        raise
    try:
        yield admission
    except BaseException:
        admission.is_counted = False
        ctx.quotas.give_back(source, Unit.KIB, large)
        raise
    finally:
        if not admission.is_counted:
            ctx.quotas.give_back(source, Unit.SUBMISSIONS, 1)


async def _find_public_source(ctx: AppContext, token: str) -> Source | None:
    """The account and the form of a public link; None for a personal one, and for one that opens nothing."""
    if (known := ctx.link_cache.get(token)) is not None:
        return known
    async with ctx.db.reading() as tx:
        found = await forms.resolve_link(tx, token)
    return ctx.link_cache.keep(token, Source(found[0].customer_id, found[1])) if found else None


@asynccontextmanager
async def admit_file(
    ctx: AppContext, source: Source, announced_size: int, chunks: AsyncIterator[bytes]
) -> AsyncIterator[AsyncIterator[bytes]]:
    """The chunks of a file, taken out of the quotas: what is announced at once, what comes beyond as it comes.

    A file that is refused in the end counts for nothing.
    """
    paid = _FileQuota(ctx, source)
    try:
        await paid.reserve(min(announced_size, MAX_SIZE))
        yield paid.count_chunks(chunks)
    except BaseException:
        ctx.quotas.give_back(source, Unit.KIB, paid.kib)
        raise


class _FileQuota:
    """How many KiB of a file were taken out of the quotas."""

    def __init__(self, ctx: AppContext, source: Source) -> None:
        self._ctx, self._source, self.kib = ctx, source, 0

    async def reserve(self, size: int) -> None:
        more = -(-size // _KIB) - self.kib
        if more > 0:
            await self._ctx.quotas.take(self._ctx.db, self._source, Unit.KIB, more)
            self.kib += more

    async def count_chunks(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            await self.reserve(min(size, MAX_SIZE))
            yield chunk
