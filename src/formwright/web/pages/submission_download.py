"""The list of submissions as a CSV file, filtered as it is shown.

It is read page by page, each in a short transaction of its own: however long the file, no transaction stays open.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from litestar import Request, get
from litestar.response import Redirect, Response, Stream

from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.errors import Unavailable
from formwright.core.kernel.paging import MAX_LIMIT, Window
from formwright.domain.files.names import disposition
from formwright.domain.forms.model import Form
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import Filter, Submission
from formwright.house import House
from formwright.web.pages import makers
from formwright.web.pages.submission_files import BOM, csv_text
from formwright.web.pages.submission_table import Table, headings, row_of, table_of
from formwright.web.pages.submission_view import filter_of, read_view
from formwright.web.pages.submissions import asked_of
from formwright.web.session import Visitor, house_of, visitor

LASTS_S = 15 * 60.0
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get("/submissions/download.csv")
async def download_csv(request: Request[Any, Any, Any]) -> Response[Any]:
    """As CSV, sent while it is read. A repeat is one cell, in JSON."""
    who = await visitor(request)
    asked = await ready(request, who)
    if isinstance(asked, Redirect):
        return asked
    table, wanted, form = asked
    headers = HEADERS | {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": disposition(f"{form.name}.csv"),
    }
    return Stream(_csv(house_of(request), who, table, wanted), headers=headers)


async def ready(request: Request[Any, Any, Any], who: Visitor) -> tuple[Table, Filter, Form] | Redirect:
    """The table, which submissions it takes, and of which form; back to the list where no form was chosen."""
    # Here, or the answer has begun before it turns out.
    allow(who.actor, Permission.SUBMISSIONS_READ)
    view = read_view(request)
    async with house_of(request).db.reading() as tx:
        asked = await asked_of(tx, who, view.form)
        wanted, faults = await filter_of(tx, who, view)
        if faults or asked.form is None:
            return Redirect(view.url(), status_code=303)
        return await table_of(tx, who, asked), wanted, asked.form


Piece = Sequence[tuple[Submission, str]]
"""Submissions, each with the name of who filled it in."""


async def pieces(house: House, who: Visitor, wanted: Filter) -> AsyncIterator[Piece]:
    """All of them, a thousand at a time. `Unavailable` after 15 minutes: so a file that is cut off is no whole one."""
    window: Window | None = Window(MAX_LIMIT)
    names: dict[str | None, str] = {}
    end = time.monotonic() + LASTS_S
    while window:
        if time.monotonic() > end:
            raise Unavailable("This takes too long. Download a part of it: choose from and to, or a status.")
        async with house.db.reading(long=True) as tx:
            page = await submissions.page(tx, who.actor, wanted, window)
            names |= await makers.names(tx, who, {record.user_id for record in page.items} - names.keys())
        yield [(record, names[record.user_id]) for record in page.items]
        window = Window(MAX_LIMIT, page.next) if page.next else None


async def _csv(house: House, who: Visitor, table: Table, wanted: Filter) -> AsyncIterator[bytes]:
    yield (BOM + csv_text([headings(table, table.main)])).encode()
    async for piece in pieces(house, who, wanted):
        yield (await asyncio.to_thread(_written, table, piece)).encode()


def _written(table: Table, piece: Piece) -> str:
    return csv_text(row_of(table, record, person) for record, person in piece)


HANDLERS = [download_csv]
