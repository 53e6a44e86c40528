"""Downloads of Excel and Parquet files, which can only be sent once they are finished.

If that takes longer than a second, a background job creates the file. A page shows its progress and its link.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Unavailable
from formwright.core.offload import offload
from formwright.domain.exports.execution import open_writer
from formwright.domain.exports.formats import FORMATS
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.table import Table
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.background_jobs import Export, ExportStore, Job, Stage, get_job_runner, run_job
from formwright.web.http import Redirect, Response, Stream, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor, get_export_store
from formwright.web.views.download_kinds import DOWNLOADS, DownloadKind
from formwright.web.views.submissions.export.streaming_download import (
    DOWNLOAD_HEADERS,
    TIMEOUT_S,
    prepare_download,
    requested_format,
)
from formwright.web.views.submissions.list_query import read_list_query

_EXPORT_PATH = "/submissions/exports/{export_id:str}"
_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class ExportPage:
    """The view model of an export and its format; both are None if it doesn't exist any more."""

    export: Export | None
    format: DownloadKind | None


@get(["/submissions/download.xlsx", "/submissions/download.parquet"], long=True)
async def download_file(page: Page) -> Response:
    """Send the file if it is ready within a second, else open the page with its progress."""
    prepared = await prepare_download(page)
    if isinstance(prepared, Redirect):
        return prepared
    table, filter_, form = prepared
    await page.end_reading()
    purpose = {"for": "import"} if table.for_import else {}
    exports, kind = get_export_store(page), requested_format(page)
    query = read_list_query(page).url("", **purpose)
    for known in await asyncio.to_thread(exports.list_by_user, page.visitor.user.id):
        if known.is_running and (known.kind, known.query) == (kind, query):
            return _redirect_to_export(known)
    created = await asyncio.to_thread(exports.create, page.visitor.user.id, form.id, kind, form.name, query)
    await get_job_runner(page).start(_run_export(page.ctx, page.visitor, exports, created, table, filter_))
    export = await asyncio.to_thread(exports.find, page.visitor.user.id, created.id)
    if export is None or export.is_running:
        return _redirect_to_export(created)
    return await _send_and_remove(exports, export)


def _redirect_to_export(export: Export) -> Redirect:
    return Redirect(f"/submissions/exports/{export.id}")


async def _send_and_remove(exports: ExportStore, export: Export) -> Response:
    """Send a finished export. Nobody needs its page any more, so it is removed. Raises `Unavailable` if it failed."""
    try:
        if export.stage is Stage.FAILED:
            raise Unavailable(export.fault)
        return await _send_export(exports, export)
    finally:
        await asyncio.to_thread(exports.remove, export)


async def _send_export(exports: ExportStore, export: Export) -> Response:
    return await send_file(exports, export, DOWNLOADS[export.kind].media_type)


async def send_file(exports: ExportStore, export: Export, media_type: str) -> Response:
    """Send the file of a finished export."""
    file = await asyncio.to_thread(exports.content_path(export).open, "rb")
    size = file.seek(0, 2)
    headers = DOWNLOAD_HEADERS | {
        "content-type": media_type,
        "content-disposition": content_disposition(f"{export.name}.{export.kind}"),
    }
    return Stream(_iter_chunks(file), headers=headers | {"content-length": str(size)})


async def _iter_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            yield chunk


async def _run_export(
    ctx: AppContext, visitor: Visitor, exports: ExportStore, export: Export, table: Table, filter_: SubmissionFilter
) -> None:
    await run_job(exports, export, lambda job: _write_file(ctx, visitor, exports, job, table, filter_))


async def _write_file(
    ctx: AppContext, visitor: Visitor, exports: ExportStore, job: Job, table: Table, filter_: SubmissionFilter
) -> None:
    path, format_ = exports.content_path(job.export), FORMATS[job.export.kind]
    with await asyncio.to_thread(path.open, "w+b") as file:
        writer = await open_writer(format_, file, table, path.parent)
        try:
            async for batch in iter_batches(ctx.db, visitor.actor, format_, table, filter_, timeout_s=TIMEOUT_S):
                await offload(writer.add, batch)
                job.export = replace(job.export, rows=job.export.rows + len(batch))
            job.export = replace(job.export, stage=Stage.WRITING)
            await asyncio.to_thread(writer.close)
        except BaseException:
            writer.abandon()
            raise


async def _load_export(page: Page, export_id: str) -> Export | None:
    """Return the visitor's export; None if it doesn't exist, or if they may not read the form any more."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    export = await asyncio.to_thread(get_export_store(page).find, page.visitor.user.id, export_id)
    if export is None or export.kind not in DOWNLOADS:
        return None
    try:
        form = await forms.get(page.tx, page.actor, form_id=export.form_id)
    except FormNotFound:
        return None
    return export if page.visitor.may(Permission.SUBMISSIONS_READ, form) else None


def _render_export(page: Page, export: Export | None) -> Response:
    view_model = ExportPage(export, DOWNLOADS[export.kind] if export else None)
    status = 200 if export else 404
    return page.render("submissions/export.html", view_model, section="Submissions", status=status)


@get(_EXPORT_PATH)
async def export_page(page: Page, export_id: str) -> Response:
    """The progress of an export, its link, or why it failed."""
    return _render_export(page, await _load_export(page, export_id))


@get(_EXPORT_PATH + "/file")
async def export_file(page: Page, export_id: str) -> Response:
    """The file of a finished export."""
    export = await _load_export(page, export_id)
    if export and export.stage is Stage.READY:
        with suppress(FileNotFoundError):  # It was removed just now.
            return await _send_export(get_export_store(page), export)
    return _render_export(page, None)


@post(_EXPORT_PATH + "/remove")
async def remove_export(page: Page, export_id: str) -> Response:
    """Cancel or delete an export."""
    export = await _load_export(page, export_id)
    if export is None:
        return _render_export(page, None)
    await asyncio.to_thread(get_export_store(page).remove, export)
    return Redirect(f"/submissions{export.query}")


HANDLERS = [download_file, export_page, export_file, remove_export]
