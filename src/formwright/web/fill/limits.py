"""Limits of fill links: requests per minute, and submissions and storage per day."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.domain.files.models import MAX_SIZE
from formwright.domain.forms import service as forms
from formwright.domain.quotas.models import LinkSource, QuotaExceeded, TooManyFills, Unit
from formwright.domain.submissions import return_links
from formwright.domain.submissions.models import Submission, SubmissionStatus
from formwright.web.fill.closed_page import render_closed_page
from formwright.web.fill.messages import parse_accept_language
from formwright.web.http import Request, Response
from formwright.web.page import PublicPage

_KIB = 1024
_MAX_TOKEN_CHARS = 64
_INCLUDED_KIB = 64
"""Answers up to this size count as a submission only. Anything beyond counts in KiB, for drafts too."""


class FillPage(PublicPage):
    """A page under a fill link. The client's address and the link may send only so many requests."""

    async def prepare(self) -> None:
        """Raises `TooManyFills` if there are too many requests."""
        caller = request_context.current_caller.get()
        # The counts are kept by link, and strangers send any text in its place.
        token = str(self.path_params.get("token", ""))[:_MAX_TOKEN_CHARS]
        if token:
            self.ctx.requests.count(caller.address if caller else "", token, self.ctx.clock.now())


def render_busy_page(request: Request, error: TooManyFills) -> Response:
    """Return the page for a link that receives too many requests, in a language of the browser."""
    page = PublicPage(request.scope, request.receive)
    languages = parse_accept_language(request.headers.get("accept-language", ""))
    response = render_closed_page(page, 429, "busy", *languages)
    response.headers["retry-after"] = str(error.wait_s)
    return response


class Admission:
    """A submission that fits the quotas. It counts only if it turns out to be a new one."""

    is_counted = False

    def record(self, submission: Submission, *, changed: bool = True) -> None:
        """Decide whether the stored submission counts. One that was started or submitted before was counted then."""
        is_new = submission.created == submission.updated
        self.is_counted = (
            is_new and changed and submission.status in (SubmissionStatus.STARTED, SubmissionStatus.SUBMITTED)
        )


@asynccontextmanager
async def admit_submission(ctx: AppContext, token: str, size: int) -> AsyncIterator[Admission]:
    """Reserve quota for answers of `size` bytes, and return the reservation that is not needed.

    Raises `QuotaExceeded` or `StorageFull`. A personal link accepts only one submission and needs no quota.
    """
    ctx.check_space()
    source = await _find_public_source(ctx, token)
    if source is None:
        yield Admission()
        return
    async with _reserve(ctx, source, size) as admission:
        yield admission


@asynccontextmanager
async def _reserve(ctx: AppContext, source: LinkSource, size: int) -> AsyncIterator[Admission]:
    admission = Admission()
    extra_kib = max(0, -(-size // _KIB) - _INCLUDED_KIB)
    # Before the caller's transaction: taking from a quota may open a transaction of its own.
    await ctx.quotas.consume(ctx.db, source, Unit.SUBMISSIONS, 1)
    try:
        await ctx.quotas.consume(ctx.db, source, Unit.KIB, extra_kib)
    except QuotaExceeded:
        ctx.quotas.refund(source, Unit.SUBMISSIONS, 1)
        raise
    try:
        yield admission
    except BaseException:
        # The commit may have failed after `record` was called.
        admission.is_counted = False
        ctx.quotas.refund(source, Unit.KIB, extra_kib)
        raise
    finally:
        if not admission.is_counted:
            ctx.quotas.refund(source, Unit.SUBMISSIONS, 1)


async def _find_public_source(ctx: AppContext, token: str) -> LinkSource | None:
    """The account and form of a public link or a return link; None for a personal or unknown link."""
    if (source := ctx.link_cache.get(token)) is not None:
        return source
    async with ctx.db.reading() as tx:
        if return_links.is_link(token):
            submission = (await return_links.find_link(tx, token)).submission
            return ctx.link_cache.put(token, LinkSource(submission.customer_id, submission.form_id))
        match = await forms.resolve_link(tx, token)
    return ctx.link_cache.put(token, LinkSource(match[0].customer_id, match[1])) if match else None


@asynccontextmanager
async def admit_file(
    ctx: AppContext, source: LinkSource, announced_size: int, chunks: AsyncIterator[bytes]
) -> AsyncIterator[AsyncIterator[bytes]]:
    """Yield the chunks of a file while its size is reserved in the quotas.

    The announced size is reserved at once, and anything beyond it as it arrives. If the upload fails, all is given
    back.
    """
    quota = _FileQuota(ctx, source)
    try:
        # A larger file is rejected, so it needs no more quota than the largest that is not.
        await quota.reserve(min(announced_size, MAX_SIZE))
        yield quota.count_chunks(chunks)
    except BaseException:
        ctx.quotas.refund(source, Unit.KIB, quota.kib)
        raise


class _FileQuota:
    """The number of KiB reserved for a file."""

    def __init__(self, ctx: AppContext, source: LinkSource) -> None:
        self._ctx, self._source, self.kib = ctx, source, 0

    async def reserve(self, size: int) -> None:
        missing_kib = -(-size // _KIB) - self.kib
        if missing_kib > 0:
            await self._ctx.quotas.consume(self._ctx.db, self._source, Unit.KIB, missing_kib)
            self.kib += missing_kib

    async def count_chunks(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            await self.reserve(min(size, MAX_SIZE))
            yield chunk
