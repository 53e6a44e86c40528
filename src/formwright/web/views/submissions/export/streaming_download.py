"""Downloads of CSV and NDJSON files, which are sent while submissions are read."""

from collections.abc import AsyncIterator
from dataclasses import replace

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.offload import offload
from formwright.domain.exports.formats import FORMATS, Format
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.table import Table, build_table
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms.models import Form
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus
from formwright.web.http import Redirect, Response, Stream, get
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.submissions.list_query import build_filter, load_form_context, read_list_query, resolve_view

TIMEOUT_S = 15 * 60.0
IMPORTABLE = ("csv", "xlsx")
"""The formats that can be downloaded with `for=import`: with names instead of labels, and without loss."""
DOWNLOAD_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get(["/submissions/download.csv", "/submissions/download.ndjson"], long=True)
async def download_streamed(page: Page) -> Response:
    """Send the filtered submissions as a streamed file."""
    prepared = await prepare_download(page)
    if isinstance(prepared, Redirect):
        return prepared
    table, filter_, form = prepared
    kind = requested_format(page)
    headers = DOWNLOAD_HEADERS | {
        "content-type": FORMATS[kind].media_type,
        "content-disposition": content_disposition(f"{form.name}.{kind}"),
    }
    return Stream(_iter_bytes(page.ctx, page.visitor, FORMATS[kind], table, filter_), headers=headers)


def requested_format(page: PublicPage) -> str:
    """Return the extension in the URL."""
    return str(page.scope["path"]).rpartition(".")[2]


async def prepare_download(page: Page) -> tuple[Table, SubmissionFilter, Form] | Redirect:
    """Return the table, the filter and the form; a redirect to the list without a form or with an invalid filter."""
    # Check this before the response starts.
    allow(page.actor, Permission.SUBMISSIONS_READ)
    query = await resolve_view(page.tx, page.visitor, read_list_query(page))
    context = await load_form_context(page.tx, page.visitor, query.form)
    filter_, faults = await build_filter(page.tx, page.visitor, query)
    if faults or context.form is None:
        return Redirect(read_list_query(page).url())
    if filter_.words:  # A search may fail, and a download that has begun cannot report it.
        await submissions.count(page.tx, page.actor, filter_, limit=1)
    table = await build_table(page.tx, page.actor, context.form, context.fields, context.display, query.columns)
    if page.query.get("for") == "import" and requested_format(page) in IMPORTABLE:
        # An import would submit what is only started.
        statuses = [one for one in SubmissionStatus if one is not SubmissionStatus.STARTED]
        chosen = [one for one in filter_.statuses or statuses if one in statuses]
        table = replace(table, for_import=True)
        filter_ = replace(filter_, statuses=chosen, matches_nothing=filter_.matches_nothing or not chosen)
    return table, filter_, context.form


async def _iter_bytes(
    ctx: AppContext, visitor: Visitor, format_: Format, table: Table, criteria: SubmissionFilter
) -> AsyncIterator[bytes]:
    assert format_.open_stream is not None  # noqa: S101
    encode = format_.open_stream(table)
    yield encode(None)
    async for batch in iter_batches(ctx.db, visitor.actor, format_, table, criteria, timeout_s=TIMEOUT_S):
        yield await offload(encode, batch)


HANDLERS = [download_streamed]
