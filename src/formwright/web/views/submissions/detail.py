"""One submission: its answers, what was said of it, what it was before, and what can be done with it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.files.models import File
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import Form, FormStatus, Version
from formwright.domain.submissions import review
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import (
    Revision,
    Submission,
    SubmissionChanged,
    SubmissionNotFound,
    SubmissionStatus,
)
from formwright.domain.submissions.review import SubmissionEdit
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views import authors
from formwright.web.views.submissions.answer_text import DisplayContext, answer_blocks, format_location, geo_uri
from formwright.web.views.submissions.history import history_entries

PATH = "/submissions/{submission_id:str}"
_IMAGE_TYPES = ("image/jpeg", "image/png", "image/webp", "image/gif")
MAX_NOTE = 2000
_REVIEW_STATUSES = (SubmissionStatus.SUBMITTED, SubmissionStatus.APPROVED, SubmissionStatus.REJECTED)


@get(PATH)
async def submission_page(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[str]:
    """One submission; `?ask=` opens what is asked before something is done to it."""
    return await _render(request, await require_visitor(request), submission_id)


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, submission_id: str, status: int = 200, **given: Any
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        record = await submissions.get(tx, visitor.actor, submission_id=submission_id)
        form = await forms.get(tx, visitor.actor, form_id=record.form_id)
        version = await versions.get(tx, visitor.actor, form_id=record.form_id, version_id=record.version_id)
        attached = await files.page_of_submission(tx, visitor.actor, Window(MAX_LIMIT), submission_id=record.id)
        was = (await review.list_revisions(tx, visitor.actor, Window(MAX_LIMIT), submission_id=record.id)).items
        names = await authors.load_author_names(tx, visitor, {record.user_id, *(one.updated_by for one in was)})
        asked = await _load_versions(tx, visitor, was, version)
    manner = DisplayContext(version.definition.settings.language, visitor.customer.time_zone)
    by_id = {file.id: file_view(request, file) for file in attached.items}
    place = msgspec.json.decode(record.location) if record.location else None
    context = {"problem": "", "typed": "", "ask": request.query_params.get("ask", "")} | given
    return render_page(
        request,
        "submissions/one.html",
        status,
        place="Submissions",
        submission=_submission_summary(record, names, manner),
        form=form,
        answers=answer_blocks(
            version.definition.fields, msgspec.json.decode(record.data), manner.with_lookups(record.lookups), by_id.get
        ),
        where={"text": format_location(place), "link": geo_uri(place)} if place else None,
        history=history_entries(was, asked, names, manner),
        undo=_undo_status(request, was),
        corrected=request.query_params.get("corrected", ""),
        again_url=_resubmit_url(request, form, record),
        may_edit=visitor.may(Permission.SUBMISSIONS_EDIT, form),
        **context,
        **visitor.template_frame,
    )


async def _load_versions(
    tx: ReadTransaction, visitor: Visitor, was: Sequence[Revision], known: Version
) -> dict[str, Version]:
    """The versions with which the revisions were made: it may have been sent again for a newer one."""
    found = {known.id: known}
    for one in was:
        if one.version_id not in found:
            found[one.version_id] = await versions.get(
                tx, visitor.actor, form_id=known.form_id, version_id=one.version_id
            )
    return found


def _submission_summary(record: Submission, names: dict[str | None, str], manner: DisplayContext) -> dict[str, Any]:
    return {
        "id": record.id,
        "status": record.status,
        "begun": record.status is SubmissionStatus.STARTED,
        "when": format_time(record.at, manner.time_zone),
        "who": names.get(record.user_id, "") if record.user_id else "",
        "external_id": record.external_id or "",
        "invite": f"/invites/{record.invite_id}" if record.invite_id else "",
        "task": f"/tasks/{record.task_id}" if record.task_id else "",
        "way_back": _rejection_hint(record),
        "note": record.note or "",
        "revision": record.revision,
        "url": f"/submissions/{record.id}",
    }


def _rejection_hint(record: Submission) -> str:
    """What to do when it is rejected, so that it is put right."""
    if record.task_id:
        return "Describe what’s missing. No email is sent: assign the task again, or edit the answers here."
    if record.client_id:
        return "Describe what’s missing, then share the link that appears so that the respondent can edit and resubmit."
    return "Describe what’s missing."


def file_view(request: Request[Any, Any, Any], file: File) -> dict[str, Any]:
    """A file as a page shows it, with a link that opens it for a while."""
    ctx = get_app_context(request)
    link = ctx.file_links.sign(file.customer_id, file.id, ctx.clock.now())
    return {
        "name": file.name,
        "url": f"/files/{file.id}?{urlencode(asdict(link))}",
        "image": file.type in _IMAGE_TYPES,
        "size": _format_size(file.size),
    }


def _format_size(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB" if size >= 1024 * 1024 else f"{max(1, round(size / 1024))} KB"


def _resubmit_url(request: Request[Any, Any, Any], form: Form, record: Submission) -> str:
    """The link with which who filled it in corrects it and sends it again; empty where there is none."""
    if record.status is not SubmissionStatus.REJECTED or not record.client_id or record.task_id:
        return ""
    if form.status is not FormStatus.ACTIVE:
        return ""
    return f"{public_origin(request)}/fill/{form.link}?again={record.client_id}"


def _undo_status(request: Request[Any, Any, Any], was: Sequence[Revision]) -> SubmissionStatus | None:
    """The status to which what was just judged can be taken back."""
    if request.query_params.get("done") != "1" or len(was) < 2 or was[-1].status is was[-2].status:
        return None
    return was[-2].status


@post(PATH + "/status", status_code=303)
async def review_submission(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[Any]:
    """Approve, reject or take that back, with a note. What someone else changed meanwhile is looked at first."""
    visitor, sent = await require_visitor(request), await request.form()
    note = str(sent.get("note", "")).replace("\r\n", "\n").strip()
    status = next((one for one in _REVIEW_STATUSES if one == sent.get("status")), SubmissionStatus.SUBMITTED)
    problem = "" if len(note) <= MAX_NOTE else f"Enter at most {MAX_NOTE:,} characters."
    try:
        if not problem:
            change = SubmissionEdit(status=status, note=note or None, expected_revision=_read_revision(sent))
            async with get_app_context(request).db.writing() as tx:
                await review.edit(tx, visitor.actor, change, submission_id=submission_id)
            return Redirect(f"/submissions/{submission_id}?done=1", status_code=303)
    except SubmissionChanged:
        problem = _CHANGED
    ask = {SubmissionStatus.APPROVED: "approve", SubmissionStatus.REJECTED: "reject"}.get(status, "")
    return await _render(request, visitor, submission_id, 409, problem=problem, typed=note, ask=ask)


_CHANGED = "Someone else changed this submission. Review the current version, then try again."


def _read_revision(sent: Any) -> int:
    text = str(sent.get("revision", ""))
    return int(text) if text.isdecimal() and len(text) < 16 else -1


@post(PATH + "/delete", status_code=303)
async def delete_submission(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[Any]:
    """Delete it for good."""
    visitor, sent = await require_visitor(request), await request.form()
    try:
        async with get_app_context(request).db.writing() as tx:
            await review.delete(tx, visitor.actor, submission_id=submission_id, expected_revision=_read_revision(sent))
    except SubmissionChanged:
        return await _render(request, visitor, submission_id, 409, problem=_CHANGED, ask="delete")
    except SubmissionNotFound:
        pass  # Pressed twice: it is gone, as was asked.
    return Redirect("/submissions?deleted=1", status_code=303)


HANDLERS = [submission_page, review_submission, delete_submission]
