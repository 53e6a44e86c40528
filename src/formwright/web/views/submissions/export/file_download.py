"""Downloads of Excel and Parquet files and of PDF reports, which can only be sent once they are finished.

A worker writes the file. If that takes longer than a second, a page shows its progress and its link.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentMissing
from formwright.core.errors import Unavailable
from formwright.domain.exports import downloads
from formwright.domain.exports.models import REPORT_ZIP, Download, ExportRun
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.web.http import Redirect, Response, Stream, get, post
from formwright.web.page import Page
from formwright.web.views.download_kinds import DOWNLOADS, DownloadKind
from formwright.web.views.submissions.export.streaming_download import (
    DOWNLOAD_HEADERS,
    prepare_download,
    requested_format,
)
from formwright.web.views.submissions.list_query import read_list_query

_EXPORT_PATH = "/submissions/exports/{export_id:str}"
_INITIAL_WAIT_S, _POLL_INTERVAL_S = 1.0, 0.05


@dataclass(frozen=True, slots=True)
class ExportPage:
    """The view model of a download and its format; both are None if it doesn't exist any more."""

    export: ExportRun | None
    format: DownloadKind | None


@get([f"/submissions/download.{kind}" for kind in ("xlsx", "parquet", REPORT_ZIP)], long=True)
async def download_file(page: Page) -> Response:
    """Send the file if it is ready within a second, else open the page with its progress, as for reports."""
    plan, kind = await prepare_download(page), requested_format(page)
    if isinstance(plan, Redirect):
        return plan
    if kind == REPORT_ZIP:
        page.ctx.check_space()
    query = read_list_query(page).url("", **({"for": "import"} if plan.table.for_import else {}))
    async with page.writing() as tx:
        download = Download(kind, plan.form.name, query, origin=page.origin)
        run = await downloads.start(tx, page.actor, download, plan.form.id)
    run = await wait_for_download(page, run)
    if run.is_running or kind == REPORT_ZIP:
        return Redirect(f"/submissions/exports/{run.id}")
    if not run.files:
        await downloads.remove(page.ctx.db, page.ctx.files, run)
        raise Unavailable(run.detail)
    # Nobody needs its page any more.
    return await send_file(page, run, DOWNLOADS[kind].media_type, is_last=True)


async def wait_for_download(page: Page, run: ExportRun) -> ExportRun:
    """Wait up to a second for a download, and return it as it is then: most are finished within that time."""
    end = time.monotonic() + _INITIAL_WAIT_S
    while run.is_running and time.monotonic() < end:
        # A transaction on SQLite does not see later changes, and the connection is free for others during the wait.
        await page.end_reading()
        await asyncio.sleep(_POLL_INTERVAL_S)
        run = await downloads.find(page.tx, page.actor, page.ctx.clock.now(), run_id=run.id) or run
    return run


async def send_file(page: Page, run: ExportRun, media_type: str, *, is_last: bool = False) -> Response:
    """Send the file of a finished download, and if it is the last time, remove it then. Raises `ContentMissing`."""
    await page.end_reading()
    [file] = run.files
    chunks = await page.ctx.files.read(file.key, 0, file.size)
    headers = DOWNLOAD_HEADERS | {
        "content-type": media_type,
        "content-disposition": content_disposition(file.name),
        "content-length": str(file.size),
    }
    return Stream(_remove_afterwards(page.ctx, run, chunks) if is_last else chunks, headers=headers)


async def _remove_afterwards(ctx: AppContext, run: ExportRun, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield chunk
    await downloads.remove(ctx.db, ctx.files, run)


async def _load_export(page: Page, export_id: str) -> ExportRun | None:
    """Return the visitor's download; None if it doesn't exist, or if they may not read the form any more."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    run = await downloads.find(page.tx, page.actor, page.ctx.clock.now(), run_id=export_id)
    if run is None or run.form_id is None:
        return None
    try:
        form = await forms.get(page.tx, page.actor, form_id=run.form_id)
    except FormNotFound:
        return None
    return run if page.visitor.may(Permission.SUBMISSIONS_READ, form) else None


def _render_export(page: Page, run: ExportRun | None) -> Response:
    view_model = ExportPage(run, DOWNLOADS[run.download.kind] if run and run.download else None)
    status = 200 if run else 404
    return page.render("submissions/export.html", view_model, section="Submissions", status=status)


@get(_EXPORT_PATH)
async def export_page(page: Page, export_id: str) -> Response:
    """The progress of a download, its link, or why it failed."""
    return _render_export(page, await _load_export(page, export_id))


@get(_EXPORT_PATH + "/file")
async def export_file(page: Page, export_id: str) -> Response:
    """The file of a finished download."""
    run = await _load_export(page, export_id)
    if run and run.download and run.files:
        with suppress(ContentMissing):  # It was removed just now.
            return await send_file(page, run, DOWNLOADS[run.download.kind].media_type)
    return _render_export(page, None)


@post(_EXPORT_PATH + "/remove")
async def remove_export(page: Page, export_id: str) -> Response:
    """Cancel or delete a download."""
    run = await _load_export(page, export_id)
    if run is None or run.download is None:
        return _render_export(page, None)
    await page.end_reading()
    await downloads.remove(page.ctx.db, page.ctx.files, run)
    return Redirect(f"/submissions{run.download.query}")
