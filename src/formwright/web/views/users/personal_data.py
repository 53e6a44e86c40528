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
from formwright.web.background_jobs import ZIP, Export, Exports, Job, Stage, make, running_of
from formwright.web.session import Visitor, exports_of, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views.submissions.export.file_download import handed
from formwright.web.views.submissions.form_context import asked_of
from formwright.web.views.users import personal_data_zip

HERE = "/settings/personal-data"
_JOB = HERE + "/jobs/{export_id:str}"
ERASURE = "erasure"
_MEMBERS = ("user", "email", "form", "field", "value")


def _subject(asked: Any) -> Subject:
    user, email, form, field, value = (str(asked.get(name, "")).strip()[:1000] for name in _MEMBERS)
    if user:
        return Subject(user_id=user)
    return Subject(form_id=form, field=field, value=value) if form and (field or value) else Subject(email=email)


def _query(subject: Subject) -> str:
    values = (subject.user_id, subject.email, subject.form_id, subject.field, subject.value)
    return "?" + urlencode({name: value for name, value in zip(_MEMBERS, values, strict=True) if value})


@get(HERE)
async def personal_data_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """Asks whose data is meant, and says how much there is of it."""
    return await _shown(request, await visitor(request), _subject(request.query_params))


async def _shown(request: Request[Any, Any, Any], who: Visitor, subject: Subject, problem: str = "") -> Response[Any]:
    require_permissions(who.actor)
    asked, found = request.query_params, None
    try:
        found = await _found(request, who, subject)
    except Invalid as error:
        problem = " ".join(fault.detail for fault in error.faults)
    except (Conflict, NotFound) as error:
        problem = str(error)
    async with get_app_context(request).db.reading() as tx:
        listed = (await forms.page(tx, who.actor, Window(MAX_LIMIT), newest_first=True)).items
        fields = (await asked_of(tx, who, str(asked.get("form", "")))).fields
        person = await management.get(tx, who.actor, user_id=subject.user_id) if found and subject.user_id else None
    jobs = await asyncio.to_thread(exports_of(request).of, who.user.id)
    return page(
        request,
        "users/personal_data.html",
        422 if problem else 200,
        place="Settings",
        subject=subject,
        found=found,
        name=person.user.name if person else subject.email or subject.value,
        herself=subject.user_id == who.user.id,
        forms=listed,
        form_id=str(asked.get("form", "")) or subject.form_id,
        fields=[field.name for field in filterable_fields(fields)],
        problem=problem,
        ask=asked.get("erase") == "1",
        jobs=[one for one in jobs if one.kind in (ZIP, ERASURE)],
        **who.frame,
    )


async def _found(request: Request[Any, Any, Any], who: Visitor, subject: Subject) -> PersonalData | None:
    """What there is; None where nobody was asked for."""
    if subject == Subject():
        return None
    if subject.email and not is_email(subject.email):
        raise Invalid([ValidationFault("?email", "value.format", "This is no e-mail address.")])
    async with get_app_context(request).db.reading(long=True) as tx:
        return await find(tx, who.actor, subject)


@post(HERE + "/export", status_code=303)
async def export_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Begin a zip of all there is of a person."""
    who, subject = await visitor(request), _subject(await request.form())
    require_permissions(who.actor)
    found = await _found(request, who, subject)
    if found is None or found.is_empty:
        return Redirect(HERE + _query(subject), status_code=303)
    kept, ctx = exports_of(request), get_app_context(request)
    async with ctx.db.writing() as tx:
        audit_start(tx, who.actor, found, "exported")
    made = await asyncio.to_thread(kept.begin, who.user.id, "", ZIP, "Personal data", "", customer_id=who.customer.id)
    await running_of(request).start(make(kept, made, lambda making: _zip(ctx, who, kept, making, found)))
    return Redirect(f"{HERE}/jobs/{made.id}", status_code=303)


async def _zip(ctx: AppContext, who: Visitor, kept: Exports, making: Job, found: PersonalData) -> None:
    def told(count: int) -> None:
        making.export = replace(making.export, rows=count)

    with await asyncio.to_thread(kept.file(making.export).open, "w+b") as file:
        await personal_data_zip.write(ctx, who.actor, found, file, told)


@post(HERE + "/erase", status_code=303)
async def erase_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Begin to erase a person, where there still is as much of her as the page said."""
    who, sent = await visitor(request), await request.form()
    subject, ctx = _subject(sent), get_app_context(request)
    require_permissions(who.actor)
    try:
        found = await erasure_service.check(ctx.db, who.actor, subject)
    except (Conflict, Denied, NotFound, Invalid) as error:
        return await _shown(request, who, subject, _words(error))
    if str(sent.get("seen", "")) != str(len(found.submission_ids)):
        return await _shown(request, who, subject, "There is another number of submissions now. Look again.")
    kept = exports_of(request)
    async with ctx.db.writing() as tx:
        audit_start(tx, who.actor, found, "erasure_begun")
    made = await asyncio.to_thread(kept.begin, who.user.id, "", ERASURE, "Erasure", "")
    await running_of(request).start(make(kept, made, lambda making: _erase(ctx, who, kept, making, subject)))
    return Redirect(f"{HERE}/jobs/{made.id}", status_code=303)


def _words(error: DomainError) -> str:
    return " ".join(fault.detail for fault in error.faults) if isinstance(error, Invalid) else str(error)


async def _erase(ctx: AppContext, who: Visitor, kept: Exports, making: Job, subject: Subject) -> None:
    found = None
    async for done in erasure_service.erase(ctx.db, ctx.files, who.actor, subject, ctx.clock.now):
        making.export, found = replace(making.export, rows=done.submissions), done.found
    if found:
        await asyncio.to_thread(kept.forget, who.customer.id, found.form_ids, found.user_id)


async def _job(request: Request[Any, Any, Any], export_id: str) -> tuple[Visitor, Export | None]:
    who = await visitor(request)
    require_permissions(who.actor)
    found = await asyncio.to_thread(exports_of(request).find, who.user.id, export_id)
    return who, found if found and found.kind in (ZIP, ERASURE) else None


@get(_JOB)
async def job_page(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[str]:
    """How far it is, and what came of it."""
    who, job = await _job(request, export_id)
    return _job_page(request, who, job)


def _job_page(request: Request[Any, Any, Any], who: Visitor, job: Export | None) -> Response[str]:
    return page(request, "users/personal_data_job.html", 200 if job else 404, place="Settings", job=job, **who.frame)


@get(_JOB + "/file")
async def job_file(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """The zip, as often as it is wanted."""
    who, job = await _job(request, export_id)
    if job and job.kind == ZIP and job.stage is Stage.READY:
        return await handed(exports_of(request), job, "application/zip")
    return _job_page(request, who, None)


@post(_JOB + "/remove", status_code=303)
async def remove_job(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """Keep it no longer. An erasure that is under way is not stopped."""
    who, job = await _job(request, export_id)
    if job is None:
        return _job_page(request, who, None)
    if not (job.kind == ERASURE and job.working):
        await asyncio.to_thread(exports_of(request).remove, job)
    return Redirect(HERE, status_code=303)


HANDLERS = [personal_data_page, export_person, erase_person, job_page, job_file, remove_job]
