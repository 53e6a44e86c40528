"""One person's data: what there is of it, to take away as a zip, and to erase."""

import asyncio
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response
from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.errors import Conflict, Denied, DomainError, Invalid, NotFound, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.indexed_fields import filterable_fields
from formwright.domain.privacy import erasure as erasure_service
from formwright.domain.privacy.discovery import audit_start, find, require_permissions
from formwright.domain.privacy.models import PersonalData, Subject
from formwright.domain.users import management
from formwright.domain.users.models import is_email
from formwright.web.background_jobs import ZIP, Export, ExportStore, Job, Stage, get_job_runner, run_job
from formwright.web.session import Visitor, get_app_context, get_export_store, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.submissions.export.file_download import send_file
from formwright.web.views.submissions.list_query import load_form_context
from formwright.web.views.users import personal_data_zip

PATH = "/settings/personal-data"
_JOB_PATH = PATH + "/jobs/{export_id:str}"
ERASURE = "erasure"
_QUERY_NAMES = ("user", "email", "form", "field", "value")


def _read_subject(asked: Any) -> Subject:
    user, email, form, field, value = (str(asked.get(name, "")).strip()[:1000] for name in _QUERY_NAMES)
    if user:
        return Subject(user_id=user)
    return Subject(form_id=form, field=field, value=value) if form and (field or value) else Subject(email=email)


def _subject_query(subject: Subject) -> str:
    values = (subject.user_id, subject.email, subject.form_id, subject.field, subject.value)
    return "?" + urlencode({name: value for name, value in zip(_QUERY_NAMES, values, strict=True) if value})


@get(PATH)
async def personal_data_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """Asks whose data is meant, and says how much there is of it."""
    return await _render(request, await require_visitor(request), _read_subject(request.query_params))


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, subject: Subject, problem: str = ""
) -> Response[Any]:
    require_permissions(visitor.actor)
    asked, found = request.query_params, None
    try:
        found = await _find_data(request, visitor, subject)
    except Invalid as error:
        problem = " ".join(fault.detail for fault in error.faults)
    except (Conflict, NotFound) as error:
        problem = str(error)
    async with get_app_context(request).db.reading() as tx:
        listed = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items
        fields = (await load_form_context(tx, visitor, str(asked.get("form", "")))).fields
        person = await management.get(tx, visitor.actor, user_id=subject.user_id) if found and subject.user_id else None
    jobs = await asyncio.to_thread(get_export_store(request).list_by_user, visitor.user.id)
    return render_page(
        request,
        "users/personal_data.html",
        422 if problem else 200,
        place="Settings",
        subject=subject,
        found=found,
        name=person.user.name if person else subject.email or subject.value,
        herself=subject.user_id == visitor.user.id,
        forms=listed,
        form_id=str(asked.get("form", "")) or subject.form_id,
        fields=[field.name for field in filterable_fields(fields)],
        problem=problem,
        ask=asked.get("erase") == "1",
        jobs=[one for one in jobs if one.kind in (ZIP, ERASURE)],
        **visitor.template_frame,
    )


async def _find_data(request: Request[Any, Any, Any], visitor: Visitor, subject: Subject) -> PersonalData | None:
    """What there is; None where nobody was asked for."""
    if subject == Subject():
        return None
    if subject.email and not is_email(subject.email):
        raise Invalid([ValidationFault("?email", "value.format", "Enter a valid email address.")])
    async with get_app_context(request).db.reading(long=True) as tx:
        return await find(tx, visitor.actor, subject)


@post(PATH + "/export", status_code=303)
async def export_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Begin a zip of all there is of a person."""
    visitor, subject = await require_visitor(request), _read_subject(await request.form())
    require_permissions(visitor.actor)
    found = await _find_data(request, visitor, subject)
    if found is None or found.is_empty:
        return Redirect(PATH + _subject_query(subject), status_code=303)
    kept, ctx = get_export_store(request), get_app_context(request)
    async with ctx.db.writing() as tx:
        audit_start(tx, visitor.actor, found, "exported")
    made = await asyncio.to_thread(
        kept.create, visitor.user.id, "", ZIP, "Personal data", "", customer_id=visitor.customer.id
    )
    await get_job_runner(request).start(
        run_job(kept, made, lambda making: _write_zip(ctx, visitor, kept, making, found))
    )
    return Redirect(f"{PATH}/jobs/{made.id}", status_code=303)


async def _write_zip(ctx: AppContext, visitor: Visitor, kept: ExportStore, making: Job, found: PersonalData) -> None:
    def told(count: int) -> None:
        making.export = replace(making.export, rows=count)

    with await asyncio.to_thread(kept.content_path(making.export).open, "w+b") as file:
        await personal_data_zip.write_zip(ctx, visitor.actor, found, file, told)


@post(PATH + "/erase", status_code=303)
async def erase_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Begin to erase a person, where there still is as much of her as the page said."""
    visitor, sent = await require_visitor(request), await request.form()
    subject, ctx = _read_subject(sent), get_app_context(request)
    require_permissions(visitor.actor)
    try:
        found = await erasure_service.check(ctx.db, visitor.actor, subject)
    except (Conflict, Denied, NotFound, Invalid) as error:
        return await _render(request, visitor, subject, _error_text(error))
    if str(sent.get("seen", "")) != str(len(found.submission_ids)):
        return await _render(
            request, visitor, subject, "The number of submissions has changed. Review and confirm again."
        )
    kept = get_export_store(request)
    async with ctx.db.writing() as tx:
        audit_start(tx, visitor.actor, found, "erasure_begun")
    made = await asyncio.to_thread(kept.create, visitor.user.id, "", ERASURE, "Erasure", "")
    await get_job_runner(request).start(
        run_job(kept, made, lambda making: _run_erasure(ctx, visitor, kept, making, subject))
    )
    return Redirect(f"{PATH}/jobs/{made.id}", status_code=303)


def _error_text(error: DomainError) -> str:
    return " ".join(fault.detail for fault in error.faults) if isinstance(error, Invalid) else str(error)


async def _run_erasure(ctx: AppContext, visitor: Visitor, kept: ExportStore, making: Job, subject: Subject) -> None:
    found = None
    async for done in erasure_service.erase(ctx.db, ctx.files, visitor.actor, subject, ctx.clock.now):
        making.export, found = replace(making.export, rows=done.submissions), done.found
    if found:
        await asyncio.to_thread(kept.remove_related, visitor.customer.id, found.form_ids, found.user_id)


async def _load_job(request: Request[Any, Any, Any], export_id: str) -> tuple[Visitor, Export | None]:
    visitor = await require_visitor(request)
    require_permissions(visitor.actor)
    found = await asyncio.to_thread(get_export_store(request).find, visitor.user.id, export_id)
    return visitor, found if found and found.kind in (ZIP, ERASURE) else None


@get(_JOB_PATH)
async def job_page(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[str]:
    """How far it is, and what came of it."""
    visitor, job = await _load_job(request, export_id)
    return _render_job(request, visitor, job)


def _render_job(request: Request[Any, Any, Any], visitor: Visitor, job: Export | None) -> Response[str]:
    return render_page(
        request,
        "users/personal_data_job.html",
        200 if job else 404,
        place="Settings",
        job=job,
        **visitor.template_frame,
    )


@get(_JOB_PATH + "/file")
async def job_file(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """The zip, as often as it is wanted."""
    visitor, job = await _load_job(request, export_id)
    if job and job.kind == ZIP and job.stage is Stage.READY:
        return await send_file(get_export_store(request), job, "application/zip")
    return _render_job(request, visitor, None)


@post(_JOB_PATH + "/remove", status_code=303)
async def remove_job(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """Keep it no longer. An erasure that is under way is not stopped."""
    visitor, job = await _load_job(request, export_id)
    if job is None:
        return _render_job(request, visitor, None)
    if not (job.kind == ERASURE and job.is_running):
        await asyncio.to_thread(get_export_store(request).remove, job)
    return Redirect(PATH, status_code=303)


HANDLERS = [personal_data_page, export_person, erase_person, job_page, job_file, remove_job]
