"""Personal data: finding the data of one person, exporting it as a zip file, and erasing it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from formwright.core.blobs import ContentMissing
from formwright.core.errors import Conflict, Denied, Invalid, NotFound, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.exports import downloads
from formwright.domain.exports.models import ERASURE, PERSONAL_DATA_ZIP, Download, ExportRun
from formwright.domain.forms import service as forms
from formwright.domain.forms.indexing.indexed_fields import filterable_fields
from formwright.domain.forms.models import Form
from formwright.domain.privacy import erasure as erasure_service
from formwright.domain.privacy.discovery import audit_start, find, require_permissions
from formwright.domain.privacy.models import PersonalData, Subject, parse_subject
from formwright.domain.saved_views.list_query import load_form_context
from formwright.domain.users import management
from formwright.domain.users.models import is_email
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.views.submissions.export.file_download import send_file, wait_for_download

PATH = "/settings/personal-data"
_JOB_PATH = PATH + "/jobs/{export_id:str}"


@dataclass(frozen=True, slots=True)
class PersonalDataPage:
    """The view model of the page. `data` is what was found about the subject, whom the page calls `name`."""

    subject: Subject
    data: PersonalData | None
    name: str
    is_self: bool
    forms: Sequence[Form]
    form_id: str
    fields: Sequence[str]
    fault: str
    is_dialog_open: bool
    jobs: Sequence[ExportRun]


@dataclass(frozen=True, slots=True)
class JobPage:
    """The view model of an export or erasure; None if it doesn't exist any more."""

    job: ExportRun | None


@get(PATH, long=True)
async def personal_data_page(page: Page) -> Response:
    """Find the data of a person, by user, email address or answer."""
    return await _render(page, parse_subject(page.query))


async def _render(page: Page, subject: Subject, fault: str = "") -> Response:
    require_permissions(page.actor)
    query, data = page.query, None
    try:
        data = await _find_data(page, subject)
    except (Conflict, NotFound, Invalid) as error:
        fault = error.text
    listed = (await forms.page(page.tx, page.actor, Window(MAX_LIMIT), newest_first=True)).items
    fields = (await load_form_context(page.tx, page.visitor, str(query.get("form", "")))).fields
    person = await management.get(page.tx, page.actor, user_id=subject.user_id) if data and subject.user_id else None
    jobs = await downloads.list_by_user(page.tx, page.actor, page.ctx.clock.now())
    view_model = PersonalDataPage(
        subject=subject,
        data=data,
        name=person.user.name if person else subject.email or subject.value,
        is_self=subject.user_id == page.visitor.user.id,
        forms=listed,
        form_id=str(query.get("form", "")) or subject.form_id,
        fields=[field.name for field in filterable_fields(fields)],
        fault=fault,
        is_dialog_open=query.get("erase") == "1",
        jobs=[run for run in jobs if run.download and run.download.is_about_person],
    )
    status = 422 if fault else 200
    return page.render("users/personal_data.html", view_model, section="Settings", status=status)


async def _find_data(page: Page, subject: Subject) -> PersonalData | None:
    """Find the data of a person; None if none was specified. Raises `Invalid` for an invalid email address."""
    if subject == Subject():
        return None
    if subject.email and not is_email(subject.email):
        raise Invalid([ValidationFault("?email", "value.format", "Enter a valid email address.")])
    return await find(page.tx, page.actor, subject)


@post(PATH + "/export")
async def export_person(page: Page) -> Response:
    """Start the export of all data of a person as a zip file."""
    subject = parse_subject(await page.form())
    require_permissions(page.actor)
    data = await _find_data(page, subject)
    if data is None or data.is_empty:
        return Redirect(f"{PATH}?{subject.query}")
    return await _start_job(page, data, PERSONAL_DATA_ZIP, "exported")


async def _start_job(page: Page, data: PersonalData, kind: str, action: str) -> Redirect:
    """Start to export or erase what was found about a person, and open the page with its progress."""
    async with page.writing() as tx:
        # In the transaction that starts the job, so that nothing is exported or erased without an entry in the audit
        # log.
        audit_start(tx, page.actor, data, action)
        run = await downloads.start(tx, page.actor, Download(kind, "Personal data", data.subject.query))
    await wait_for_download(page, run)
    return Redirect(f"{PATH}/jobs/{run.id}")


@post(PATH + "/erase")
async def erase_person(page: Page) -> Response:
    """Start erasing a person, if the number of their submissions is still the one that the page showed."""
    sent = await page.form()
    subject = parse_subject(sent)
    require_permissions(page.actor)
    try:
        data = await erasure_service.check(page.ctx.db, page.actor, subject)
    except (Conflict, Denied, NotFound, Invalid) as error:
        return await _render(page, subject, error.text)
    if str(sent.get("seen", "")) != str(len(data.submission_ids)):
        return await _render(page, subject, "The number of submissions has changed. Review and confirm again.")
    return await _start_job(page, data, ERASURE, "erasure_begun")


async def _load_job(page: Page, export_id: str) -> ExportRun | None:
    require_permissions(page.actor)
    run = await downloads.find(page.tx, page.actor, page.ctx.clock.now(), run_id=export_id)
    return run if run and run.download and run.download.is_about_person else None


@get(_JOB_PATH)
async def job_page(page: Page, export_id: str) -> Response:
    """The progress or result of an export or erasure."""
    return _render_job(page, await _load_job(page, export_id))


def _render_job(page: Page, run: ExportRun | None) -> Response:
    status = 200 if run else 404
    return page.render("users/personal_data_job.html", JobPage(run), section="Settings", status=status)


@get(_JOB_PATH + "/file")
async def job_file(page: Page, export_id: str) -> Response:
    """The zip file."""
    run = await _load_job(page, export_id)
    if run and run.files:
        with suppress(ContentMissing):  # It was removed just now.
            return await send_file(page, run, "application/zip")
    return _render_job(page, None)


@post(_JOB_PATH + "/remove")
async def remove_job(page: Page, export_id: str) -> Response:
    """Delete an export or the result of an erasure. A running erasure is not stopped."""
    run = await _load_job(page, export_id)
    if run is None or run.download is None:
        return _render_job(page, None)
    await page.end_reading()
    if not (run.download.kind == ERASURE and run.is_running):
        await downloads.remove(page.ctx.db, page.ctx.files, run)
    return Redirect(PATH)
