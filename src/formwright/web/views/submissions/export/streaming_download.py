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
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Unavailable
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files.filenames import disposition
from formwright.domain.forms.models import Form
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.session import Reader, Visitor, get_app_context, visitor
from formwright.web.views import authors
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.export.table import Piece, Table, table_of
from formwright.web.views.submissions.form_context import asked_of
from formwright.web.views.submissions.list_query import filter_of, read_view

LASTS_S = 15 * 60.0
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get(["/submissions/download.csv", "/submissions/download.ndjson"])
async def download_streamed(request: Request[Any, Any, Any]) -> Response[Any]:
    """A file of which the first part is sent before the last is read."""
    who = await visitor(request)
    asked = await ready(request, who)
    if isinstance(asked, Redirect):
        return asked
    table, wanted, form = asked
    kind = kind_of(request)
    headers = HEADERS | {
        "content-type": FORMATS[kind].media,
        "content-disposition": disposition(f"{form.name}.{kind}"),
    }
    return Stream(_sent(get_app_context(request), who, kind, table, wanted), headers=headers)


def kind_of(request: Request[Any, Any, Any]) -> str:
    """Which file is asked for: how its address ends."""
    return str(request.scope["path"]).rpartition(".")[2]


async def ready(request: Request[Any, Any, Any], who: Visitor) -> tuple[Table, SubmissionFilter, Form] | Redirect:
    """The table, which submissions it takes, and of which form; back to the list where no form was chosen."""
    # Here, or the answer has begun before it turns out.
    allow(who.actor, Permission.SUBMISSIONS_READ)
    view = read_view(request)
    async with get_app_context(request).db.reading() as tx:
        asked = await asked_of(tx, who, view.form)
        wanted, faults = await filter_of(tx, who, view)
        if faults or asked.form is None:
            return Redirect(view.url(), status_code=303)
        return await table_of(tx, who, asked), wanted, asked.form


async def pieces(
    ctx: AppContext, who: Reader, wanted: SubmissionFilter, lasts_s: float | None = None
) -> AsyncIterator[Piece]:
    """All of them, a thousand at a time. `Unavailable` when it lasts too long: so a file that is cut off is no whole
    one. It may last 15 minutes, where nothing else is said.
    """
    window: Window | None = Window(MAX_LIMIT)
    names: dict[str | None, str] = {}
    end = time.monotonic() + (LASTS_S if lasts_s is None else lasts_s)
    while window:
        if time.monotonic() > end:
            raise Unavailable("The export takes too long. Filter by date or status to export a part.")
        async with ctx.db.reading(long=True, listing=True) as tx:
            page = await submissions.page(tx, who.actor, wanted, window)
            names |= await authors.names(tx, who, {record.user_id for record in page.items} - names.keys())
        yield [(record, names[record.user_id]) for record in page.items]
        window = Window(MAX_LIMIT, page.next) if page.next else None


async def _sent(
    ctx: AppContext, who: Visitor, kind: str, table: Table, wanted: SubmissionFilter
) -> AsyncIterator[bytes]:
    stream = FORMATS[kind].stream
    assert stream is not None  # noqa: S101
    yield stream(table, None)
    async for piece in pieces(ctx, who, wanted):
        yield await asyncio.to_thread(stream, table, piece)


HANDLERS = [download_streamed]
