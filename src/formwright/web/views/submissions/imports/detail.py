"""An import: the preview of its file, its progress or its result."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.db.interface import ReadTransaction
from formwright.domain.exports.cells import Cell
from formwright.domain.exports.csv import BOM, format_csv
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms import service as forms
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import (
    MAX_REPORTED,
    ImportNotFound,
    RejectedRow,
    SubmissionImportStatus,
    SubmissionsImport,
)
from formwright.web.http import JsonResponse, Response, get
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS, DisplayTime, format_time
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.submissions.imports.list import PATH, ImportsPage, status_label, status_look
from formwright.web.views.submissions.imports.preview import render_preview

IMPORT_PATH = PATH + "/{import_id:str}"
_MAX_SHOWN = 50


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The view model of an import that has been started.

    `progress` is in thousandths, -1 while the number of rows is unknown. `errors` are the first ones, and `more_errors`
    the number of the others; `is_cut` is whether the import kept only some of all errors.
    """

    head: FormHead
    record: SubmissionsImport
    started: DisplayTime
    status: str
    look: str
    progress: int
    errors: Sequence[RejectedRow]
    more_errors: int
    is_cut: bool


async def _load(tx: ReadTransaction, visitor: Visitor, form_id: str, import_id: str) -> SubmissionsImport:
    """Return the import. Raises `ImportNotFound`, also if it belongs to another form."""
    await forms.get(tx, visitor.actor, form_id=form_id)
    record = await imports.get(tx, visitor.actor, import_id=import_id)
    if record.form_id != form_id:
        raise ImportNotFound()
    return record


@get(IMPORT_PATH)
async def import_page(page: ImportsPage, form_id: str, import_id: str) -> Response:
    """The preview of the file while its columns are mapped; then the progress, and at the end the result."""
    record = await _load(page.tx, page.visitor, form_id, import_id)
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    head = await load_form_head(page.tx, page.visitor, form)
    if record.status is SubmissionImportStatus.ARRIVING:
        return await render_preview(page, head, record)
    view_model = ImportPage(
        head=head,
        record=record,
        started=format_time(record.created, page.visitor.customer.time_zone),
        status=status_label(record),
        look=status_look(record),
        progress=_progress(record),
        errors=record.errors[:_MAX_SHOWN],
        more_errors=max(0, len(record.errors) - _MAX_SHOWN),
        is_cut=len(record.errors) >= MAX_REPORTED,
    )
    return page.render("submissions/imports/detail.html", view_model, section="Forms")


def _progress(record: SubmissionsImport) -> int:
    """Return the progress in thousandths: checking and writing each take about half of the time."""
    if record.status is not SubmissionImportStatus.IMPORTING or not record.total:
        return -1
    return 1000 * (record.imported + record.rejected) // record.total


@get(IMPORT_PATH + "/state")
async def import_state(page: ImportsPage, form_id: str, import_id: str) -> Response:
    """Return the progress of an import, for the script of its page."""
    record = await _load(page.tx, page.visitor, form_id, import_id)
    state = {"working": record.is_active, "seen": record.checked, "done": _progress(record)}
    return JsonResponse(state)


@get(IMPORT_PATH + "/errors.csv")
async def download_errors(page: Page, form_id: str, import_id: str) -> Response:
    """Send the errors of invalid rows as a CSV file."""
    record = await _load(page.tx, page.visitor, form_id, import_id)
    header: list[list[Cell]] = [["Line"], ["Column"], ["Code"], ["Problem"]]
    columns: list[list[Cell]] = [
        [one.line for one in record.errors],
        [one.column or "" for one in record.errors],
        [one.code for one in record.errors],
        [one.detail for one in record.errors],
    ]
    content = (BOM + format_csv(header) + (format_csv(columns) if record.errors else "")).encode()
    name = f"Invalid rows of {record.file_name or 'import'}".removesuffix(".csv") + ".csv"
    headers = PAGE_HEADERS | {"content-disposition": content_disposition(name)}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)
