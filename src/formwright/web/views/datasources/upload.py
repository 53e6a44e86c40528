"""A file of rows in the pages: sent once, looked at, imported when its person has seen what would happen."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.asgi.timeouts import disable_timeout
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Conflict, Invalid
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import ImportMode
from formwright.domain.datasources.parsers.base import Dialect
from formwright.domain.datasources.staged_files import jobs
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.datasources.staged_files.models import (
    ACTIVE_STATES,
    MAX_FILE,
    Choices,
    Upload,
    UploadBusy,
    UploadState,
    suggest_name,
)
from formwright.domain.files.filenames import without_bidi_controls
from formwright.web.background_jobs import get_job_runner
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import render_page
from formwright.web.views.datasources.detail import match_column, read_column_types
from formwright.web.views.datasources.list import render_new_datasource, require_datasource_editor
from formwright.web.views.datasources.preview import is_name_fault, render_preview

_UPLOADS_PATH = "/datasources/uploads"
_UPLOAD_PATH = _UPLOADS_PATH + "/{upload_id:str}"
_FORM_OVERHEAD = 64 * 1024
_CHUNK = 256 * 1024
_MAX_FILE_NAME = 255
_NO_FILE = "Choose a file first."


@get("/datasources/{datasource_id:str}/import")
async def import_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Where a file is chosen that replaces the rows, or adds some."""
    return await _render_import_page(request, await require_datasource_editor(request), datasource_id)


async def _render_import_page(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    datasource_id: str,
    status: int = 200,
    fault: str = "",
    mode: str = "",
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
    chosen = mode or request.query_params.get("mode", "").upper()
    context = {
        "of": of,
        "fault": fault,
        "mode": chosen if chosen in tuple(ImportMode) else ImportMode.REPLACE,
        "max_file": MAX_FILE,
    }
    return render_page(
        request, "datasources/import.html", status, place="Data sources", **context, **visitor.template_frame
    )


# The framework's own bound is for bodies that are read at once; this one goes to the disk.
@post(_UPLOADS_PATH, status_code=303, request_max_body_size=MAX_FILE + _FORM_OVERHEAD)
async def upload_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """Keep a file, look through it, and go where it is shown."""
    disable_timeout()
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    into, mode = str(form.get("into", "")), str(form.get("mode", ""))
    file = form.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "table.empty", _NO_FILE)
        file_name = _clean_file_name(file.filename)
        upload = await uploads.stage(
            ctx.db,
            ctx.files,
            visitor.actor,
            _iter_chunks(file),
            file_name=file_name,
            choices=Choices(
                name=suggest_name(file_name), mode=ImportMode(mode) if mode in tuple(ImportMode) else ImportMode.REPLACE
            ),
            datasource_id=into or None,
        )
    except (Invalid, Conflict, ContentTooLarge) as error:
        words = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        if into:
            return await _render_import_page(request, visitor, into, 422, words, mode)
        return await render_new_datasource(request, visitor, 422, words)
    return await _start_preview(request, visitor, upload, upload.choices)


def _clean_file_name(name: str) -> str:
    """The file's name without folders and without what no text may hold."""
    last = without_bidi_controls(name).replace("\\", "/").rpartition("/")[2]
    return last.encode("utf-8", "replace").decode().replace("\0", "")[:_MAX_FILE_NAME]


async def _iter_chunks(file: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await file.read(_CHUNK):
        yield chunk


async def _start_preview(
    request: Request[Any, Any, Any], visitor: Visitor, upload: Upload, choices: Choices
) -> Redirect:
    return await _start_job(request, visitor, upload, UploadState.LOOKING, choices)


async def _start_job(
    request: Request[Any, Any, Any], visitor: Visitor, upload: Upload, state: UploadState, choices: Choices
) -> Redirect:
    """Begin the work; where it goes on already, its page says so."""
    ctx = get_app_context(request)
    work = jobs.analyze if state is UploadState.LOOKING else jobs.import_file
    with suppress(UploadBusy):
        taken = await jobs.start(ctx.db, visitor.actor, upload, state, choices)
        await get_job_runner(request).start(work(ctx.db, ctx.files, visitor.actor, taken))
    return _redirect_to_upload(upload)


def _redirect_to_upload(upload: Upload) -> Redirect:
    return Redirect(f"{_UPLOADS_PATH}/{upload.id}", status_code=303)


async def _load_upload(request: Request[Any, Any, Any], visitor: Visitor, upload_id: str) -> Upload:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        return await uploads.get(tx, visitor.actor, ctx.clock.now(), upload_id=upload_id)


@get(_UPLOAD_PATH)
async def upload_page(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[Any]:
    """What is in the file and what would happen; how far the work on it is; or, once it is in, its data source."""
    visitor = await require_datasource_editor(request)
    upload = await _load_upload(request, visitor, upload_id)
    if upload.state is UploadState.DONE:
        return Redirect(f"/datasources/{upload.datasource_id}?imported=1", status_code=303)
    return await render_preview(request, visitor, upload)


@get(_UPLOAD_PATH + "/state")
async def upload_state(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[bytes]:
    """How far the work is, for the page that waits for it."""
    upload = await _load_upload(request, await require_datasource_editor(request), upload_id)
    working_ = upload.is_active(get_app_context(request).clock.now())
    answer = msgspec.json.encode({"working": working_, "seen": upload.seen, "done": upload.done})
    return Response(answer, media_type="application/json", headers={"cache-control": "no-store"})


@post(_UPLOAD_PATH + "/look", status_code=303)
async def preview_again(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Redirect:
    """Look through the file as it is chosen now."""
    visitor, form = await require_datasource_editor(request), await request.form()
    upload = await _load_upload(request, visitor, upload_id)
    return await _start_preview(request, visitor, upload, _read_choices(upload, form))


@post(_UPLOAD_PATH + "/import", status_code=303)
async def import_file(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[Any]:
    """Import what was shown; where something else was chosen since, show that first."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    upload = await _load_upload(request, visitor, upload_id)
    if upload.state in (*ACTIVE_STATES, UploadState.DONE) and not upload.is_interrupted(ctx.clock.now()):
        return _redirect_to_upload(upload)
    chosen = _read_choices(upload, form)
    if not _matches_preview(upload, chosen):
        return await _start_preview(request, visitor, upload, chosen)
    counts, delete = upload.preview.counts, form.get("delete") == str(upload.preview.counts.deleted)
    said = {"skip": chosen.skip_bad, "delete": delete, "name": chosen.name}
    if faults := await jobs.validate_name(ctx.db, visitor.actor, upload, chosen.name):
        return await render_preview(request, visitor, upload, 422, **said, name_fault=faults[0].detail)
    said["name_fault"] = ""
    if counts.skipped and not chosen.skip_bad:
        return await render_preview(request, visitor, upload, 422, **said, unsaid="skip")
    if counts.deleted and not delete:
        return await render_preview(request, visitor, upload, 422, **said, unsaid="delete")
    return await _start_job(request, visitor, upload, UploadState.IMPORTING, chosen)


def _read_choices(upload: Upload, form: Any) -> Choices:
    """What the page's form says; of what it does not ask, what was chosen before."""

    def said(name: str) -> str | None:
        return str(form.get(name, "")) or None

    before, names = upload.choices, [column.name for column in upload.preview.columns]
    key = said("key")
    return Choices(
        name=(said("name") or "").strip()[:1000] if upload.is_new else before.name,
        mode=before.mode,
        key_column=key and match_column(key, names),
        types=read_column_types(form, names),
        dialect=Dialect(said("encoding"), (said("delimiter") or "")[:1] or None, said("sheet")),
        skip_bad=form.get("skip_bad") == "1",
    )


def _matches_preview(upload: Upload, chosen: Choices) -> bool:
    """Whether the preview stands for these choices; a name and leaving bad rows out change nothing in it."""
    faults = [fault for fault in upload.preview.faults if not is_name_fault(fault)]
    same = replace(chosen, name="", skip_bad=False) == replace(_previewed_choices(upload), name="", skip_bad=False)
    return upload.state is UploadState.LOOKED and not faults and same


def _previewed_choices(upload: Upload) -> Choices:
    """The choices that the preview stands for, as its form says them."""
    fixed = {column.name: column.type for column in upload.preview.columns if column.fixed}
    upserts = upload.choices.mode is ImportMode.UPSERT
    key = None if upserts else upload.preview.key_column or None
    # Of several sheets the one that was read is chosen in the form, also where nobody chose it.
    sheet = upload.preview.dialect.sheet if len(upload.preview.sheets) > 1 else upload.choices.dialect.sheet
    dialect = replace(upload.choices.dialect, sheet=sheet)
    return replace(upload.choices, key_column=key, types={} if upserts else fixed, dialect=dialect)


@post(_UPLOAD_PATH + "/discard", status_code=303)
async def discard_upload(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Redirect:
    """Let the file go, for good or for another one."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    now = ctx.clock.now()
    upload = await uploads.discard(ctx.db, ctx.files, visitor.actor, now, upload_id=upload_id)
    if form.get("another") != "1":
        return Redirect("/datasources" if upload.is_new else f"/datasources/{upload.datasource_id}", status_code=303)
    into = f"/datasources/{upload.datasource_id}/import?mode={upload.choices.mode.lower()}"
    return Redirect("/datasources/new" if upload.is_new else into, status_code=303)


HANDLERS = [import_page, upload_file, upload_page, upload_state, preview_again, import_file, discard_upload]
