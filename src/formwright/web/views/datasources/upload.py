"""Importing a file: upload, preview with options, and import after confirmation."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.asgi.timeouts import disable_timeout
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Conflict, Invalid
from formwright.core.tables.base import Dialect
from formwright.core.tables.numbers import MARK_NAMES
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, ImportMode
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
from formwright.web.background_jobs import get_job_runner
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import render_view
from formwright.web.uploaded_files import FORM_OVERHEAD, clean_file_name, iter_chunks
from formwright.web.views.datasources.detail import match_column, read_column_types
from formwright.web.views.datasources.list import render_new_datasource, require_datasource_editor
from formwright.web.views.datasources.preview import ImportInput, is_name_fault, render_preview

_UPLOADS_PATH = "/datasources/uploads"
_UPLOAD_PATH = _UPLOADS_PATH + "/{upload_id:str}"
_NO_FILE = "Choose a file first."


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The view model of the page on which a file is chosen."""

    source: Datasource
    mode: ImportMode
    fault: str
    max_file: int


@get("/datasources/{datasource_id:str}/import")
async def import_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """The page on which a file is chosen that replaces, or adds and updates, the rows of a data source."""
    return await _render_import_page(request, await require_datasource_editor(request), datasource_id)


async def _render_import_page(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    datasource_id: str,
    fault: str = "",
    mode: str = "",
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        source = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
    mode = mode or request.query_params.get("mode", "").upper()
    view_model = ImportPage(source, _parse_mode(mode), fault, MAX_FILE)
    status = 422 if fault else 200
    return render_view(
        request, "datasources/import.html", view_model, visitor=visitor, section="Data sources", status=status
    )


def _parse_mode(text: str) -> ImportMode:
    return ImportMode(text) if text in set(ImportMode) else ImportMode.REPLACE


# The framework's default limit is for bodies in memory; files are spooled to disk.
@post(_UPLOADS_PATH, status_code=303, request_max_body_size=MAX_FILE + FORM_OVERHEAD)
async def upload_file(request: Request[Any, Any, Any]) -> Response[Any]:
    """Store a file, start reading it, and open its preview."""
    disable_timeout()
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    datasource_id, mode = str(form.get("into", "")), str(form.get("mode", ""))
    file = form.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "table.empty", _NO_FILE)
        file_name = clean_file_name(file.filename)
        upload = await uploads.stage(
            ctx.db,
            ctx.files,
            visitor.actor,
            iter_chunks(file),
            file_name=file_name,
            choices=Choices(name=suggest_name(file_name), mode=_parse_mode(mode)),
            datasource_id=datasource_id or None,
        )
    except (Invalid, Conflict, ContentTooLarge) as error:
        fault = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        if datasource_id:
            return await _render_import_page(request, visitor, datasource_id, fault, mode)
        return render_new_datasource(request, visitor, 422, fault)
    return await _start_preview(request, visitor, upload, upload.choices)


async def _start_preview(
    request: Request[Any, Any, Any], visitor: Visitor, upload: Upload, choices: Choices
) -> Redirect:
    return await _start_job(request, visitor, upload, UploadState.LOOKING, choices)


async def _start_job(
    request: Request[Any, Any, Any], visitor: Visitor, upload: Upload, state: UploadState, choices: Choices
) -> Redirect:
    """Start a job, unless one is running already, and open the page with its progress."""
    ctx = get_app_context(request)
    work = jobs.analyze if state is UploadState.LOOKING else jobs.import_file
    with suppress(UploadBusy):
        started = await jobs.start(ctx.db, visitor.actor, upload, state, choices)
        await get_job_runner(request).start(work(ctx.db, ctx.files, visitor.actor, started))
    return _redirect_to_upload(upload)


def _redirect_to_upload(upload: Upload) -> Redirect:
    return Redirect(f"{_UPLOADS_PATH}/{upload.id}", status_code=303)


async def _load_upload(request: Request[Any, Any, Any], visitor: Visitor, upload_id: str) -> Upload:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        return await uploads.get(tx, visitor.actor, ctx.clock.now(), upload_id=upload_id)


@get(_UPLOAD_PATH)
async def upload_page(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[Any]:
    """The progress or the preview of an upload; after the import, its data source."""
    visitor = await require_datasource_editor(request)
    upload = await _load_upload(request, visitor, upload_id)
    if upload.state is UploadState.DONE:
        return Redirect(f"/datasources/{upload.datasource_id}?imported=1", status_code=303)
    return await render_preview(request, visitor, upload)


@get(_UPLOAD_PATH + "/state")
async def upload_state(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[bytes]:
    """Return the progress of an upload, for the script of its page."""
    upload = await _load_upload(request, await require_datasource_editor(request), upload_id)
    is_active = upload.is_active(get_app_context(request).clock.now())
    content = msgspec.json.encode({"working": is_active, "seen": upload.seen, "done": upload.done})
    return Response(content, media_type="application/json", headers={"cache-control": "no-store"})


@post(_UPLOAD_PATH + "/look", status_code=303)
async def preview_again(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Redirect:
    """Read the file again with other options."""
    visitor, form = await require_datasource_editor(request), await request.form()
    upload = await _load_upload(request, visitor, upload_id)
    return await _start_preview(request, visitor, upload, _read_choices(upload, form))


@post(_UPLOAD_PATH + "/import", status_code=303)
async def import_file(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Response[Any]:
    """Import the file as previewed. If options have changed since, show the new preview first."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    upload = await _load_upload(request, visitor, upload_id)
    if upload.state in (*ACTIVE_STATES, UploadState.DONE) and not upload.is_interrupted(ctx.clock.now()):
        return _redirect_to_upload(upload)
    choices = _read_choices(upload, form)
    if not _matches_preview(upload, choices):
        return await _start_preview(request, visitor, upload, choices)
    counts = upload.preview.counts
    # The number of rows is part of the confirmation: it may have changed.
    delete = form.get("delete") == str(counts.deleted)
    entered = ImportInput(choices.name, skip_bad=choices.skip_bad, delete=delete)
    if faults := await jobs.validate_name(ctx.db, visitor.actor, upload, choices.name):
        return await render_preview(request, visitor, upload, replace(entered, name_fault=faults[0].detail))
    if counts.skipped and not choices.skip_bad:
        return await render_preview(request, visitor, upload, replace(entered, unconfirmed="skip"))
    if counts.deleted and not delete:
        return await render_preview(request, visitor, upload, replace(entered, unconfirmed="delete"))
    return await _start_job(request, visitor, upload, UploadState.IMPORTING, choices)


_MARKS = {name: mark for mark, name in MARK_NAMES.items()}


def _read_choices(upload: Upload, form: Any) -> Choices:
    """Read the options from the form. Options that the form doesn't have keep their values."""

    def read(name: str) -> str | None:
        return str(form.get(name, "")) or None

    before, names = upload.choices, [column.name for column in upload.preview.columns]
    key = read("key")
    return Choices(
        name=(read("name") or "").strip()[:1000] if upload.is_new else before.name,
        mode=before.mode,
        key_column=key and match_column(key, names),
        types=read_column_types(form, names),
        dialect=Dialect(
            read("encoding"),
            (read("delimiter") or "")[:1] or None,
            read("sheet"),
            _MARKS.get(read("decimal_mark") or ""),
        ),
        skip_bad=form.get("skip_bad") == "1",
    )


def _matches_preview(upload: Upload, choices: Choices) -> bool:
    """Whether the preview was made with these options. The name and skipping invalid rows don't affect it."""
    faults = [fault for fault in upload.preview.faults if not is_name_fault(fault)]
    same = replace(choices, name="", skip_bad=False) == replace(_previewed_choices(upload), name="", skip_bad=False)
    return upload.state is UploadState.LOOKED and not faults and same


def _previewed_choices(upload: Upload) -> Choices:
    """Return the options of the preview as its form sends them if nobody changes them."""
    fixed = {column.name: column.type for column in upload.preview.columns if column.fixed}
    upserts = upload.choices.mode is ImportMode.UPSERT
    key = None if upserts else upload.preview.key_column or None
    # If the file has several sheets, the form always names one: the first, unless somebody chose another.
    sheet = upload.preview.dialect.sheet if len(upload.preview.sheets) > 1 else upload.choices.dialect.sheet
    dialect = replace(upload.choices.dialect, sheet=sheet)
    return replace(upload.choices, key_column=key, types={} if upserts else fixed, dialect=dialect)


@post(_UPLOAD_PATH + "/discard", status_code=303)
async def discard_upload(request: Request[Any, Any, Any], upload_id: FromPath[str]) -> Redirect:
    """Delete the file, and open the data source, or with `another=1` the page to choose another file."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    now = ctx.clock.now()
    upload = await uploads.discard(ctx.db, ctx.files, visitor.actor, now, upload_id=upload_id)
    if form.get("another") != "1":
        return Redirect("/datasources" if upload.is_new else f"/datasources/{upload.datasource_id}", status_code=303)
    import_url = f"/datasources/{upload.datasource_id}/import?mode={upload.choices.mode.lower()}"
    return Redirect("/datasources/new" if upload.is_new else import_url, status_code=303)


HANDLERS = [import_page, upload_file, upload_page, upload_state, preview_again, import_file, discard_upload]
