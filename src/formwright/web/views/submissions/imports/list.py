"""The imports of a form, and uploading a file for another one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.asgi.timeouts import disable_timeout
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormStatus
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports import staging
from formwright.domain.submissions.imports.models import MAX_FILE, SubmissionImportStatus, SubmissionsImport
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import DisplayTime, format_time, render_view
from formwright.web.uploaded_files import FORM_OVERHEAD, clean_file_name, iter_chunks
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.list_urls import ListPage, build_list_page, parse_position

PATH = "/forms/{form_id:str}/imports"
_PAGE_SIZE = 20
_NO_FILE = "Choose a file first."
_RUNNING = {
    SubmissionImportStatus.QUEUED: "Waiting",
    SubmissionImportStatus.CHECKING: "Checking rows",
    SubmissionImportStatus.IMPORTING: "Importing",
}


@dataclass(frozen=True, slots=True)
class ImportRow:
    """An import in the list. `look` is the style of its `status`, and `result` are its counts of rows."""

    url: str
    time: DisplayTime
    file_name: str
    status: str
    look: str
    result: str
    author: str


@dataclass(frozen=True, slots=True)
class ImportListPage:
    """The view model of the imports. `closed` says why no file can be imported at the moment; empty if one can."""

    head: FormHead
    imports: ListPage[ImportRow]
    may_import: bool
    closed: str
    fault: str
    max_file: int


async def require_import_reader(request: Request[Any, Any, Any]) -> Visitor:
    """Return the visitor. Raises `Denied` if they may not read submissions."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.SUBMISSIONS_READ)
    return visitor


async def require_importer(request: Request[Any, Any, Any]) -> Visitor:
    """Return the visitor. Raises `Denied` if they may not import submissions and read the result."""
    visitor = await require_import_reader(request)
    allow(visitor.actor, Permission.SUBMISSIONS_CREATE)
    return visitor


@get(PATH)
async def imports_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[str]:
    """The imports of the last 30 days, newest first."""
    return await _render_list(request, await require_import_reader(request), form_id)


async def _render_list(
    request: Request[Any, Any, Any], visitor: Visitor, form_id: str, fault: str = ""
) -> Response[str]:
    position = parse_position(request.query_params.get("after", ""))
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        page = await imports.page(tx, visitor.actor, Window(_PAGE_SIZE, position), form_id=form_id)
        view_model = ImportListPage(
            head=await load_form_head(tx, visitor, form),
            imports=build_list_page(
                f"/forms/{form_id}/imports",
                await _load_rows(tx, visitor, page.items),
                page.next,
                position=position,
            ),
            may_import=visitor.may(Permission.SUBMISSIONS_CREATE, form),
            closed=_closed_reason(form.status, is_published=form.published_version_id is not None),
            fault=fault,
            max_file=MAX_FILE,
        )
    return render_view(
        request,
        "submissions/imports/list.html",
        view_model,
        visitor=visitor,
        section="Forms",
        status=422 if fault else 200,
    )


def _closed_reason(status: FormStatus, *, is_published: bool) -> str:
    if status is FormStatus.ARCHIVED:
        return "This form is archived. Restore it to import submissions."
    return "" if is_published else "This form isn’t published yet. Publish it to import submissions."


async def _load_rows(tx: ReadTransaction, visitor: Visitor, records: Sequence[SubmissionsImport]) -> list[ImportRow]:
    names = await load_author_names(tx, visitor.actor, [record.actor.id for record in records])
    return [
        ImportRow(
            url=f"/forms/{record.form_id}/imports/{record.id}",
            time=format_time(record.created, visitor.customer.time_zone),
            file_name=record.file_name or "Unnamed file",
            status=status_label(record),
            look=status_look(record),
            result=describe_counts(record),
            author=names[record.actor.id],
        )
        for record in records
    ]


def status_label(record: SubmissionsImport) -> str:
    """Return the label of the import's status."""
    if record.is_active:
        return _RUNNING[record.status]
    if record.status is SubmissionImportStatus.DONE:
        return "Checked" if record.options.check_only else "Imported"
    return "Nothing imported" if record.status is SubmissionImportStatus.REJECTED else "Failed"


def status_look(record: SubmissionsImport) -> str:
    """Return the class of the import's status."""
    if record.is_active:
        return "open"
    return "active" if record.status is SubmissionImportStatus.DONE else "rejected"


def describe_counts(record: SubmissionsImport) -> str:
    """Return the counts except zeros, such as “1,200 imported, 3 invalid”."""
    counts = {"imported": record.imported, "invalid": record.rejected}
    return ", ".join(f"{count:,} {label}" for label, count in counts.items() if count) or "–"


# The framework's default limit is for bodies in memory; files are spooled to disk.
@post(PATH, status_code=303, request_max_body_size=MAX_FILE + FORM_OVERHEAD)
async def upload_file(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[Any]:
    """Store a file and open its preview."""
    disable_timeout()
    visitor, sent, ctx = await require_importer(request), await request.form(), get_app_context(request)
    async with ctx.db.reading() as tx:
        await forms.get(tx, visitor.actor, form_id=form_id)
    file = sent.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "table.empty", _NO_FILE)
        ctx.check_space()
        async with ctx.files.receive(iter_chunks(file), MAX_FILE) as received:
            if received.size == 0:
                raise Invalid.at("", "table.empty", "The file is empty.")
            record = await staging.stage(
                ctx.db, ctx.files, visitor.actor, received, form_id=form_id, file_name=clean_file_name(file.filename)
            )
    except (Invalid, Conflict, ContentTooLarge) as error:
        fault = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        return await _render_list(request, visitor, form_id, fault)
    return Redirect(f"/forms/{form_id}/imports/{record.id}", status_code=303)


HANDLERS = [imports_page, upload_file]
