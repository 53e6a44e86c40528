"""Personal data: finding the data of one person, exporting it as a zip file, and erasing it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.errors import Conflict, Denied, Invalid, NotFound, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.indexing.indexed_fields import filterable_fields
from formwright.domain.forms.models import Form
from formwright.domain.privacy import archive
from formwright.domain.privacy import erasure as erasure_service
from formwright.domain.privacy.discovery import audit_start, find, require_permissions
from formwright.domain.privacy.models import PersonalData, Subject
from formwright.domain.users import management
from formwright.domain.users.models import is_email
from formwright.web.background_jobs import ZIP, Export, ExportStore, Job, Stage, get_job_runner, run_job
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor, get_export_store
from formwright.web.views.submissions.export.file_download import send_file
from formwright.web.views.submissions.list_query import load_form_context

PATH = "/settings/personal-data"
_JOB_PATH = PATH + "/jobs/{export_id:str}"
ERASURE = "erasure"
_QUERY_NAMES = ("user", "email", "form", "field", "value")


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
    jobs: Sequence[Export]


@dataclass(frozen=True, slots=True)
class JobPage:
    """The view model of an export or erasure; None if it doesn't exist any more."""

    job: Export | None


def _read_subject(params: Mapping[str, Any]) -> Subject:
    user, email, form, field, value = (str(params.get(name, "")).strip()[:1000] for name in _QUERY_NAMES)
    if user:
        return Subject(user_id=user)
    return Subject(form_id=form, field=field, value=value) if form and (field or value) else Subject(email=email)


def _subject_query(subject: Subject) -> str:
    values = (subject.user_id, subject.email, subject.form_id, subject.field, subject.value)
    return "?" + urlencode({name: value for name, value in zip(_QUERY_NAMES, values, strict=True) if value})


@get(PATH, long=True)
async def personal_data_page(page: Page) -> Response:
    """Find the data of a person, by user, email address or answer."""
    return await _render(page, _read_subject(page.query))


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
    jobs = await asyncio.to_thread(get_export_store(page).list_by_user, page.visitor.user.id)
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
        jobs=[job for job in jobs if job.kind in (ZIP, ERASURE)],
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
    subject = _read_subject(await page.form())
    require_permissions(page.actor)
    data = await _find_data(page, subject)
    if data is None or data.is_empty:
        return Redirect(PATH + _subject_query(subject))
    exports = get_export_store(page)
    async with page.writing() as tx:
        audit_start(tx, page.actor, data, "exported")
    export = await asyncio.to_thread(
        exports.create, page.visitor.user.id, "", ZIP, "Personal data", "", customer_id=page.visitor.customer.id
    )
    await get_job_runner(page).start(
        run_job(exports, export, lambda job: _write_zip(page.ctx, page.visitor, exports, job, data))
    )
    return Redirect(f"{PATH}/jobs/{export.id}")


async def _write_zip(ctx: AppContext, visitor: Visitor, exports: ExportStore, job: Job, data: PersonalData) -> None:
    def report_progress(count: int) -> None:
        job.export = replace(job.export, rows=count)

    with await asyncio.to_thread(exports.content_path(job.export).open, "w+b") as file:
        await archive.write_zip(ctx.db, ctx.files, visitor.actor, data, file, report_progress)


@post(PATH + "/erase")
async def erase_person(page: Page) -> Response:
    """Start erasing a person, if the number of their submissions is still the one that the page showed."""
    sent = await page.form()
    subject = _read_subject(sent)
    require_permissions(page.actor)
    try:
        data = await erasure_service.check(page.ctx.db, page.actor, subject)
    except (Conflict, Denied, NotFound, Invalid) as error:
        return await _render(page, subject, error.text)
    if str(sent.get("seen", "")) != str(len(data.submission_ids)):
        return await _render(page, subject, "The number of submissions has changed. Review and confirm again.")
    exports = get_export_store(page)
    async with page.writing() as tx:
        audit_start(tx, page.actor, data, "erasure_begun")
    export = await asyncio.to_thread(exports.create, page.visitor.user.id, "", ERASURE, "Erasure", "")
    await get_job_runner(page).start(
        run_job(exports, export, lambda job: _run_erasure(page.ctx, page.visitor, exports, job, subject))
    )
    return Redirect(f"{PATH}/jobs/{export.id}")


async def _run_erasure(ctx: AppContext, visitor: Visitor, exports: ExportStore, job: Job, subject: Subject) -> None:
    data = None
    async for progress in erasure_service.erase(ctx.db, ctx.files, visitor.actor, subject, ctx.clock.now):
        job.export, data = replace(job.export, rows=progress.submissions), progress.data
    if data:
        await asyncio.to_thread(exports.remove_related, visitor.customer.id, data.form_ids, data.user_id)


async def _load_job(page: Page, export_id: str) -> Export | None:
    require_permissions(page.actor)
    job = await asyncio.to_thread(get_export_store(page).find, page.visitor.user.id, export_id)
    return job if job and job.kind in (ZIP, ERASURE) else None


@get(_JOB_PATH)
async def job_page(page: Page, export_id: str) -> Response:
    """The progress or result of an export or erasure."""
    return _render_job(page, await _load_job(page, export_id))


def _render_job(page: Page, job: Export | None) -> Response:
    status = 200 if job else 404
    return page.render("users/personal_data_job.html", JobPage(job), section="Settings", status=status)


@get(_JOB_PATH + "/file")
async def job_file(page: Page, export_id: str) -> Response:
    """The zip file."""
    job = await _load_job(page, export_id)
    if job and job.kind == ZIP and job.stage is Stage.READY:
        return await send_file(get_export_store(page), job, "application/zip")
    return _render_job(page, None)


@post(_JOB_PATH + "/remove")
async def remove_job(page: Page, export_id: str) -> Response:
    """Delete an export or the result of an erasure. A running erasure is not stopped."""
    job = await _load_job(page, export_id)
    if job is None:
        return _render_job(page, None)
    if not (job.kind == ERASURE and job.is_running):
        await asyncio.to_thread(get_export_store(page).remove, job)
    return Redirect(PATH)


HANDLERS = [personal_data_page, export_person, erase_person, job_page, job_file, remove_job]
