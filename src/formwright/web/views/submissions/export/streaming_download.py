"""Downloads of CSV and NDJSON files, which are sent while submissions are read.

Each batch is read in a transaction of its own, so that long downloads don't keep a transaction open.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from litestar import Request, get
from litestar.response import Redirect, Response, Stream

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Unavailable
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms.models import Form
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.session import Reader, Visitor, get_app_context, require_visitor
from formwright.web.views import authors
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.export.table import Batch, Table, build_table
from formwright.web.views.submissions.list_query import build_filter, load_form_context, read_list_query, resolve_view

TIMEOUT_S = 15 * 60.0
DOWNLOAD_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get(["/submissions/download.csv", "/submissions/download.ndjson"])
async def download_streamed(request: Request[Any, Any, Any]) -> Response[Any]:
    """Send the filtered submissions as a streamed file."""
    visitor = await require_visitor(request)
    prepared = await prepare_download(request, visitor)
    if isinstance(prepared, Redirect):
        return prepared
    table, filter_, form = prepared
    kind = requested_format(request)
    headers = DOWNLOAD_HEADERS | {
        "content-type": FORMATS[kind].media_type,
        "content-disposition": content_disposition(f"{form.name}.{kind}"),
    }
    return Stream(_iter_bytes(get_app_context(request), visitor, kind, table, filter_), headers=headers)


def requested_format(request: Request[Any, Any, Any]) -> str:
    """Return the extension in the URL."""
    return str(request.scope["path"]).rpartition(".")[2]


async def prepare_download(
    request: Request[Any, Any, Any], visitor: Visitor
) -> tuple[Table, SubmissionFilter, Form] | Redirect:
    """Return the table, the filter and the form; a redirect to the list without a form or with an invalid filter."""
    # Check this before the response starts.
    allow(visitor.actor, Permission.SUBMISSIONS_READ)
    async with get_app_context(request).db.reading() as tx:
        query = await resolve_view(tx, visitor, read_list_query(request))
        context = await load_form_context(tx, visitor, query.form)
        filter_, faults = await build_filter(tx, visitor, query)
        if faults or context.form is None:
            return Redirect(read_list_query(request).url(), status_code=303)
        return await build_table(tx, visitor, context, query.columns), filter_, context.form


async def iter_batches(
    ctx: AppContext, reader: Reader, filter_: SubmissionFilter, timeout_s: float | None = None
) -> AsyncIterator[Batch]:
    """Yield the submissions, a thousand at a time.

    Raises `Unavailable` after the timeout, by default 15 minutes, so that the download fails instead of being cut off.
    """
    window: Window | None = Window(MAX_LIMIT)
    names: dict[str | None, str] = {}
    end = time.monotonic() + (TIMEOUT_S if timeout_s is None else timeout_s)
    while window:
        if time.monotonic() > end:
            raise Unavailable("The export takes too long. Filter by date or status to export a part.")
        async with ctx.db.reading(long=True, listing=True) as tx:
            page = await submissions.page(tx, reader.actor, filter_, window)
            names |= await authors.load_author_names(
                tx, reader, {record.user_id for record in page.items} - names.keys()
            )
        yield [(record, names[record.user_id]) for record in page.items]
        window = Window(MAX_LIMIT, page.next) if page.next else None


async def _iter_bytes(
    ctx: AppContext, visitor: Visitor, format_name: str, table: Table, filter_: SubmissionFilter
) -> AsyncIterator[bytes]:
    stream = FORMATS[format_name].stream
    assert stream is not None  # noqa: S101
    yield stream(table, None)
    async for batch in iter_batches(ctx, visitor, filter_):
        yield await asyncio.to_thread(stream, table, batch)


HANDLERS = [download_streamed]
