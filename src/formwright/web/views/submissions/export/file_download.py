"""The list of submissions as a file that is only whole at its end: Excel, Parquet.

What takes longer than a second is made beside the requests. Its page
says how far it is, and hands the file out when it is ready.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import IO, Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response, Stream
from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Unavailable
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.background_jobs import Export, ExportStore, Job, Stage, get_job_runner, run_job
from formwright.web.session import Visitor, get_app_context, get_export_store, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.export.streaming_download import (
    DOWNLOAD_HEADERS,
    iter_batches,
    prepare_download,
    requested_format,
)
from formwright.web.views.submissions.export.table import Table
from formwright.web.views.submissions.list_query import read_list_query

_EXPORT_PATH = "/submissions/exports/{export_id:str}"
_CHUNK = 256 * 1024


@get(["/submissions/download.xlsx", "/submissions/download.parquet"])
async def download_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """At once, or where its page says how far it is."""
    visitor = await require_visitor(request)
    asked = await prepare_download(request, visitor)
    if isinstance(asked, Redirect):
        return asked
    table, wanted, form = asked
    kept, kind, query = get_export_store(request), requested_format(request), read_list_query(request).url("")
    known = await asyncio.to_thread(kept.list_by_user, visitor.user.id)
    if same := next((one for one in known if one.is_running and (one.kind, one.query) == (kind, query)), None):
        return _redirect_to_export(same)
    made = await asyncio.to_thread(kept.create, visitor.user.id, form.id, kind, form.name, query)
    await get_job_runner(request).start(_run_export(get_app_context(request), visitor, kept, made, table, wanted))
    now = await asyncio.to_thread(kept.find, visitor.user.id, made.id)
    if now is None or now.is_running:
        return _redirect_to_export(made)
    return await _send_and_remove(kept, now)


def _redirect_to_export(export: Export) -> Redirect:
    return Redirect(f"/submissions/exports/{export.id}", status_code=303)


async def _send_and_remove(kept: ExportStore, export: Export) -> Response[Any]:
    """What came of it; nobody has to come back for it."""
    try:
        if export.stage is Stage.FAILED:
            raise Unavailable(export.fault)
        return await _send_export(kept, export)
    finally:
        await asyncio.to_thread(kept.remove, export)


async def _send_export(kept: ExportStore, export: Export) -> Response[Any]:
    return await send_file(kept, export, FORMATS[export.kind].media)


async def send_file(exports: ExportStore, export: Export, media_type: str) -> Response[Any]:
    """The file of one that is ready."""
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
    await run_job(exports, export, lambda making: _write_file(ctx, visitor, exports, making, table, filter_))


async def _write_file(
    ctx: AppContext, visitor: Visitor, exports: ExportStore, job: Job, table: Table, filter_: SubmissionFilter
) -> None:
    path, opens = exports.content_path(job.export), FORMATS[job.export.kind].opens
    with await asyncio.to_thread(path.open, "w+b") as file:
        writer = await asyncio.to_thread(opens, file, table, path.parent)
        try:
            async for piece in iter_batches(ctx, visitor, filter_):
                await asyncio.to_thread(writer.add, piece)
                job.export = replace(job.export, rows=job.export.rows + len(piece))
            job.export = replace(job.export, stage=Stage.WRITING)
            await asyncio.to_thread(writer.close)
        except BaseException:
            writer.abandon()
            raise


async def _load_export(request: Request[Any, Any, Any], export_id: str) -> tuple[Visitor, Export | None]:
    """Who asks, and her file; none where it is another's, is gone, or is of a form that she may no longer read."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.SUBMISSIONS_READ)
    found = await asyncio.to_thread(get_export_store(request).find, visitor.user.id, export_id)
    if found is None or found.kind not in FORMATS:
        return visitor, None
    try:
        async with get_app_context(request).db.reading() as tx:
            form = await forms.get(tx, visitor.actor, form_id=found.form_id)
    except FormNotFound:
        return visitor, None
    return visitor, found if visitor.may(Permission.SUBMISSIONS_READ, form) else None


def _render_export(request: Request[Any, Any, Any], visitor: Visitor, export: Export | None) -> Response[str]:
    status = 200 if export else 404
    made = FORMATS[export.kind] if export else None
    return render_page(
        request,
        "submissions/export.html",
        status,
        place="Submissions",
        export=export,
        made=made,
        **visitor.template_frame,
    )


@get(_EXPORT_PATH)
async def export_page(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[str]:
    """How far the file is; or the file; or why there is none, and how to begin again."""
    return _render_export(request, *await _load_export(request, export_id))


@get(_EXPORT_PATH + "/file")
async def export_file(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """The file, as often as it is wanted."""
    visitor, export = await _load_export(request, export_id)
    if export and export.stage is Stage.READY:
        with suppress(FileNotFoundError):  # Removed this moment.
            return await _send_export(get_export_store(request), export)
    return _render_export(request, visitor, None)


@post(_EXPORT_PATH + "/remove", status_code=303)
async def remove_export(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """Make it no further, or keep it no longer."""
    visitor, export = await _load_export(request, export_id)
    if export is None:
        return _render_export(request, visitor, None)
    await asyncio.to_thread(get_export_store(request).remove, export)
    return Redirect(f"/submissions{export.query}", status_code=303)


HANDLERS = [download_file, export_page, export_file, remove_export]
