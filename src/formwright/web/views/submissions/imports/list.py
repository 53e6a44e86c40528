"""The imports of a form, and uploading a file for another one."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.asgi.timeouts import disable_timeout
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormStatus
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports import staging
from formwright.domain.submissions.imports.models import MAX_FILE, SubmissionImportStatus, SubmissionsImport
from formwright.web.http import Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.uploaded_files import FORM_OVERHEAD, clean_file_name, iter_chunks
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.list_pages import ListPage, read_list_request

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


class ImportsPage(Page):
    """A page for visitors who may read submissions."""

    async def prepare(self) -> None:
        await super().prepare()
        allow(self.actor, Permission.SUBMISSIONS_READ)


class ImporterPage(ImportsPage):
    """A page for visitors who may import submissions and read the result."""

    async def prepare(self) -> None:
        await super().prepare()
        allow(self.actor, Permission.SUBMISSIONS_CREATE)


@get(PATH)
async def imports_page(page: ImportsPage, form_id: str) -> Response:
    """The imports of the last 30 days, newest first."""
    return await _render_list(page, form_id)


async def _render_list(page: Page, form_id: str, fault: str = "") -> Response:
    request = read_list_request(page, f"/forms/{form_id}/imports", size=_PAGE_SIZE)
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    found = await imports.page(page.tx, page.actor, request.window, form_id=form_id)
    view_model = ImportListPage(
        head=await load_form_head(page.tx, page.visitor, form),
        imports=request.build(await _load_rows(page.tx, page.visitor, found.items), found.next),
        may_import=page.visitor.may(Permission.SUBMISSIONS_CREATE, form),
        closed=_closed_reason(form.status, is_published=form.published_version_id is not None),
        fault=fault,
        max_file=MAX_FILE,
    )
    return page.render(
        "submissions/imports/list.html",
        view_model,
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
@post(PATH, request_max_body_size=MAX_FILE + FORM_OVERHEAD)
async def upload_file(page: ImporterPage, form_id: str) -> Response:
    """Store a file and open its preview."""
    disable_timeout()
    sent = await page.form()
    await forms.get(page.tx, page.actor, form_id=form_id)
    file = sent.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "table.empty", _NO_FILE)
        page.ctx.check_space()
        async with page.ctx.files.receive(iter_chunks(file), MAX_FILE) as received:
            if received.size == 0:
                raise Invalid.at("", "table.empty", "The file is empty.")
            record = await staging.stage(
                page.ctx.db,
                page.ctx.files,
                page.actor,
                received,
                form_id=form_id,
                file_name=clean_file_name(file.filename),
            )
    except (Invalid, Conflict, ContentTooLarge) as error:
        fault = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        return await _render_list(page, form_id, fault)
    return Redirect(f"/forms/{form_id}/imports/{record.id}")
