"""Importing a file: upload, preview with options, and import after confirmation."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

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
from formwright.web.background_tasks import get_task_runner
from formwright.web.http import JsonResponse, Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.uploaded_files import FORM_OVERHEAD, clean_file_name, iter_chunks
from formwright.web.views.datasources.detail import match_column, read_column_types
from formwright.web.views.datasources.list import DatasourceEditorPage, render_new_datasource
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
async def import_page(page: DatasourceEditorPage, datasource_id: str) -> Response:
    """The page on which a file is chosen that replaces, or adds and updates, the rows of a data source."""
    return await _render_import_page(page, datasource_id)


async def _render_import_page(page: Page, datasource_id: str, fault: str = "", mode: str = "") -> Response:
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    mode = mode or page.query.get("mode", "").upper()
    view_model = ImportPage(source, _parse_mode(mode), fault, MAX_FILE)
    status = 422 if fault else 200
    return page.render("datasources/import.html", view_model, section="Data sources", status=status)


def _parse_mode(text: str) -> ImportMode:
    return ImportMode(text) if text in set(ImportMode) else ImportMode.REPLACE


# The framework's default limit is for bodies in memory; files are spooled to disk.
@post(_UPLOADS_PATH, request_max_body_size=MAX_FILE + FORM_OVERHEAD)
async def upload_file(page: DatasourceEditorPage) -> Response:
    """Store a file, start reading it, and open its preview."""
    disable_timeout()
    form = await page.form()
    datasource_id, mode = str(form.get("into", "")), str(form.get("mode", ""))
    file = form.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "table.empty", _NO_FILE)
        file_name = clean_file_name(file.filename)
        upload = await uploads.stage(
            page.ctx.db,
            page.ctx.files,
            page.actor,
            iter_chunks(file),
            file_name=file_name,
            choices=Choices(name=suggest_name(file_name), mode=_parse_mode(mode)),
            datasource_id=datasource_id or None,
        )
    except (Invalid, Conflict, ContentTooLarge) as error:
        fault = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        if datasource_id:
            return await _render_import_page(page, datasource_id, fault, mode)
        return render_new_datasource(page, 422, fault)
    return await _start_preview(page, upload, upload.choices)


async def _start_preview(page: Page, upload: Upload, choices: Choices) -> Redirect:
    return await _start_job(page, upload, UploadState.LOOKING, choices)


async def _start_job(page: Page, upload: Upload, state: UploadState, choices: Choices) -> Redirect:
    """Start a job, unless one is running already, and open the page with its progress."""
    work = jobs.analyze if state is UploadState.LOOKING else jobs.import_file
    with suppress(UploadBusy):
        started = await jobs.start(page.ctx.db, page.actor, upload, state, choices)
        await get_task_runner(page).start(work(page.ctx.db, page.ctx.files, page.actor, started))
    return _redirect_to_upload(upload)


def _redirect_to_upload(upload: Upload) -> Redirect:
    return Redirect(f"{_UPLOADS_PATH}/{upload.id}")


async def _load_upload(page: Page, upload_id: str) -> Upload:
    return await uploads.get(page.tx, page.actor, page.ctx.clock.now(), upload_id=upload_id)


@get(_UPLOAD_PATH)
async def upload_page(page: DatasourceEditorPage, upload_id: str) -> Response:
    """The progress or the preview of an upload; after the import, its data source."""
    upload = await _load_upload(page, upload_id)
    if upload.state is UploadState.DONE:
        return Redirect(f"/datasources/{upload.datasource_id}?imported=1")
    return await render_preview(page, upload)


@get(_UPLOAD_PATH + "/state")
async def upload_state(page: DatasourceEditorPage, upload_id: str) -> Response:
    """Return the progress of an upload, for the script of its page."""
    upload = await _load_upload(page, upload_id)
    is_active = upload.is_active(page.ctx.clock.now())
    return JsonResponse({"working": is_active, "seen": upload.seen, "done": upload.done})


@post(_UPLOAD_PATH + "/look")
async def preview_again(page: DatasourceEditorPage, upload_id: str) -> Redirect:
    """Read the file again with other options."""
    form = await page.form()
    upload = await _load_upload(page, upload_id)
    return await _start_preview(page, upload, _read_choices(upload, form))


@post(_UPLOAD_PATH + "/import")
async def import_file(page: DatasourceEditorPage, upload_id: str) -> Response:
    """Import the file as previewed. If options have changed since, show the new preview first."""
    form = await page.form()
    upload = await _load_upload(page, upload_id)
    if upload.state in (*ACTIVE_STATES, UploadState.DONE) and not upload.is_interrupted(page.ctx.clock.now()):
        return _redirect_to_upload(upload)
    choices = _read_choices(upload, form)
    if not _matches_preview(upload, choices):
        return await _start_preview(page, upload, choices)
    counts = upload.preview.counts
    # The number of rows is part of the confirmation: it may have changed.
    delete = form.get("delete") == str(counts.deleted)
    entered = ImportInput(choices.name, skip_bad=choices.skip_bad, delete=delete)
    if faults := await jobs.validate_name(page.ctx.db, page.actor, upload, choices.name):
        return await render_preview(page, upload, replace(entered, name_fault=faults[0].detail))
    if counts.skipped and not choices.skip_bad:
        return await render_preview(page, upload, replace(entered, unconfirmed="skip"))
    if counts.deleted and not delete:
        return await render_preview(page, upload, replace(entered, unconfirmed="delete"))
    return await _start_job(page, upload, UploadState.IMPORTING, choices)


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


@post(_UPLOAD_PATH + "/discard")
async def discard_upload(page: DatasourceEditorPage, upload_id: str) -> Redirect:
    """Delete the file, and open the data source, or with `another=1` the page to choose another file."""
    form = await page.form()
    now = page.ctx.clock.now()
    upload = await uploads.discard(page.ctx.db, page.ctx.files, page.actor, now, upload_id=upload_id)
    if form.get("another") != "1":
        return Redirect("/datasources" if upload.is_new else f"/datasources/{upload.datasource_id}")
    import_url = f"/datasources/{upload.datasource_id}/import?mode={upload.choices.mode.lower()}"
    return Redirect("/datasources/new" if upload.is_new else import_url)
