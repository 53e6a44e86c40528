"""The list of submissions as a file that is sent while it is read, filtered as it is shown: CSV, or lines of JSON.

It is read page by page, each in a short transaction of its own: however long the file, no transaction stays open.
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
from formwright.web.views.submissions.list_query import build_filter, load_form_context, read_list_query

TIMEOUT_S = 15 * 60.0
DOWNLOAD_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get(["/submissions/download.csv", "/submissions/download.ndjson"])
async def download_streamed(request: Request[Any, Any, Any]) -> Response[Any]:
    """A file of which the first part is sent before the last is read."""
    visitor = await require_visitor(request)
    asked = await prepare_download(request, visitor)
    if isinstance(asked, Redirect):
        return asked
    table, wanted, form = asked
    kind = requested_format(request)
    headers = DOWNLOAD_HEADERS | {
        "content-type": FORMATS[kind].media,
        "content-disposition": content_disposition(f"{form.name}.{kind}"),
    }
    return Stream(_iter_bytes(get_app_context(request), visitor, kind, table, wanted), headers=headers)


def requested_format(request: Request[Any, Any, Any]) -> str:
    """Which file is asked for: how its address ends."""
    return str(request.scope["path"]).rpartition(".")[2]


async def prepare_download(
    request: Request[Any, Any, Any], visitor: Visitor
) -> tuple[Table, SubmissionFilter, Form] | Redirect:
    """The table, which submissions it takes, and of which form; back to the list where no form was chosen."""
    # Here, or the answer has begun before it turns out.
    allow(visitor.actor, Permission.SUBMISSIONS_READ)
    view = read_list_query(request)
    async with get_app_context(request).db.reading() as tx:
        asked = await load_form_context(tx, visitor, view.form)
        wanted, faults = await build_filter(tx, visitor, view)
        if faults or asked.form is None:
            return Redirect(view.url(), status_code=303)
        return await build_table(tx, visitor, asked), wanted, asked.form


async def iter_batches(
    ctx: AppContext, reader: Reader, filter_: SubmissionFilter, timeout_s: float | None = None
) -> AsyncIterator[Batch]:
    """All of them, a thousand at a time. `Unavailable` when it lasts too long: so a file that is cut off is no whole
    one. It may last 15 minutes, where nothing else is said.
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
    async for piece in iter_batches(ctx, visitor, filter_):
        yield await asyncio.to_thread(stream, table, piece)


HANDLERS = [download_streamed]
