"""Downloads of CSV and NDJSON files, which are sent while submissions are read."""

from collections.abc import AsyncIterator

from formwright.context import AppContext
from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.offload import offload
from formwright.domain.exports.formats import FORMATS, Format
from formwright.domain.exports.planning import FormPlan, plan_download
from formwright.domain.exports.reading import DOWNLOAD_TIMEOUT_S, iter_batches
from formwright.domain.files.filenames import content_disposition
from formwright.domain.submissions import service as submissions
from formwright.web.http import Redirect, Response, Stream, get
from formwright.web.page import Page, PublicPage
from formwright.web.views.submissions.list_query import read_list_query

IMPORTABLE = ("csv", "xlsx")
"""The formats that can be downloaded with `for=import`: with names instead of labels, and without loss."""
DOWNLOAD_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@get(["/submissions/download.csv", "/submissions/download.ndjson"], long=True)
async def download_streamed(page: Page) -> Response:
    """Send the filtered submissions as a streamed file."""
    plan, kind = await prepare_download(page), requested_format(page)
    if isinstance(plan, Redirect):
        return plan
    headers = DOWNLOAD_HEADERS | {
        "content-type": FORMATS[kind].media_type,
        "content-disposition": content_disposition(f"{plan.form.name}.{kind}"),
    }
    return Stream(_iter_bytes(page.ctx, page.actor, FORMATS[kind], plan), headers=headers)


def requested_format(page: PublicPage) -> str:
    """Return the extension in the URL."""
    return str(page.scope["path"]).partition("download.")[2]


async def prepare_download(page: Page) -> FormPlan | Redirect:
    """Return what the download has; a redirect to the list without a form or with an invalid filter."""
    # Check this before the response starts.
    allow(page.actor, Permission.SUBMISSIONS_READ)
    query = read_list_query(page)
    for_import = page.query.get("for") == "import" and requested_format(page) in IMPORTABLE
    plan = await plan_download(page.tx, page.visitor, query, for_import=for_import)
    if plan is None:
        return Redirect(query.url())
    if plan.criteria.words:  # A search may fail, and a download that has begun cannot report it.
        await submissions.count(page.tx, page.actor, plan.criteria, limit=1)
    return plan


async def _iter_bytes(ctx: AppContext, actor: Actor, format_: Format, plan: FormPlan) -> AsyncIterator[bytes]:
    assert format_.open_stream is not None  # noqa: S101
    encode = format_.open_stream(plan.table)
    yield encode(None)
    async for batch in iter_batches(ctx.db, actor, format_, plan.table, plan.criteria, timeout_s=DOWNLOAD_TIMEOUT_S):
        yield await offload(encode, batch)
