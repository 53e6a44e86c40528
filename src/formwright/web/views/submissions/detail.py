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
from formwright.web.session import Visitor, get_app_context, origin_of, visitor
from formwright.web.templating import moment, page
from formwright.web.views import authors
from formwright.web.views.submissions.answer_text import Manner, blocks, place_link, place_text
from formwright.web.views.submissions.history import told

HERE = "/submissions/{submission_id:str}"
_SHOWN_BY_BROWSERS = ("image/jpeg", "image/png", "image/webp", "image/gif")
LONGEST_NOTE = 2000
_JUDGED = (SubmissionStatus.SUBMITTED, SubmissionStatus.APPROVED, SubmissionStatus.REJECTED)


@get(HERE)
async def submission_page(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[str]:
    """One submission; `?ask=` opens what is asked before something is done to it."""
    return await _shown(request, await visitor(request), submission_id)


async def _shown(
    request: Request[Any, Any, Any], who: Visitor, submission_id: str, status: int = 200, **given: Any
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        record = await submissions.get(tx, who.actor, submission_id=submission_id)
        form = await forms.get(tx, who.actor, form_id=record.form_id)
        version = await versions.get(tx, who.actor, form_id=record.form_id, version_id=record.version_id)
        attached = await files.of_submission(tx, who.actor, Window(MAX_LIMIT), submission_id=record.id)
        was = (await review.list_revisions(tx, who.actor, Window(MAX_LIMIT), submission_id=record.id)).items
        names = await authors.names(tx, who, {record.user_id, *(one.updated_by for one in was)})
        asked = await _versions(tx, who, was, version)
    manner = Manner(version.definition.settings.language, who.customer.time_zone)
    by_id = {file.id: file_shown(request, file) for file in attached.items}
    place = msgspec.json.decode(record.location) if record.location else None
    context = {"problem": "", "typed": "", "ask": request.query_params.get("ask", "")} | given
    return page(
        request,
        "submissions/one.html",
        status,
        place="Submissions",
        submission=_head(record, names, manner),
        form=form,
        answers=blocks(
            version.definition.fields, msgspec.json.decode(record.data), manner.knowing(record.lookups), by_id.get
        ),
        where={"text": place_text(place), "link": place_link(place)} if place else None,
        history=told(was, asked, names, manner),
        undo=_undo(request, was),
        corrected=request.query_params.get("corrected", ""),
        again_url=_again(request, form, record),
        may_edit=who.may(Permission.SUBMISSIONS_EDIT, form),
        **context,
        **who.frame,
    )


async def _versions(tx: ReadTransaction, who: Visitor, was: Sequence[Revision], known: Version) -> dict[str, Version]:
    """The versions with which the revisions were made: it may have been sent again for a newer one."""
    found = {known.id: known}
    for one in was:
        if one.version_id not in found:
            found[one.version_id] = await versions.get(tx, who.actor, form_id=known.form_id, version_id=one.version_id)
    return found


def _head(record: Submission, names: dict[str | None, str], manner: Manner) -> dict[str, Any]:
    return {
        "id": record.id,
        "status": record.status,
        "begun": record.status is SubmissionStatus.STARTED,
        "when": moment(record.at, manner.time_zone),
        "who": names.get(record.user_id, "") if record.user_id else "",
        "external_id": record.external_id or "",
        "invite": f"/invites/{record.invite_id}" if record.invite_id else "",
        "task": f"/tasks/{record.task_id}" if record.task_id else "",
        "way_back": _way_back(record),
        "note": record.note or "",
        "revision": record.revision,
        "url": f"/submissions/{record.id}",
    }


def _way_back(record: Submission) -> str:
    """What to do when it is rejected, so that it is put right."""
    if record.task_id:
        return "Describe what’s missing. No email is sent: assign the task again, or edit the answers here."
    if record.client_id:
        return "Describe what’s missing, then share the link that appears so that the respondent can edit and resubmit."
    return "Describe what’s missing."


def file_shown(request: Request[Any, Any, Any], file: File) -> dict[str, Any]:
    """A file as a page shows it, with a link that opens it for a while."""
    ctx = get_app_context(request)
    link = ctx.file_links.to(file.customer_id, file.id, ctx.clock.now())
    return {
        "name": file.name,
        "url": f"/files/{file.id}?{urlencode(asdict(link))}",
        "image": file.type in _SHOWN_BY_BROWSERS,
        "size": _size(file.size),
    }


def _size(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB" if size >= 1024 * 1024 else f"{max(1, round(size / 1024))} KB"


def _again(request: Request[Any, Any, Any], form: Form, record: Submission) -> str:
    """The link with which who filled it in corrects it and sends it again; empty where there is none."""
    if record.status is not SubmissionStatus.REJECTED or not record.client_id or record.task_id:
        return ""
    if form.status is not FormStatus.ACTIVE:
        return ""
    return f"{origin_of(request)}/fill/{form.link}?again={record.client_id}"


def _undo(request: Request[Any, Any, Any], was: Sequence[Revision]) -> SubmissionStatus | None:
    """The status to which what was just judged can be taken back."""
    if request.query_params.get("done") != "1" or len(was) < 2 or was[-1].status is was[-2].status:
        return None
    return was[-2].status


@post(HERE + "/status", status_code=303)
async def judge(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[Any]:
    """Approve, reject or take that back, with a note. What someone else changed meanwhile is looked at first."""
    who, sent = await visitor(request), await request.form()
    note = str(sent.get("note", "")).replace("\r\n", "\n").strip()
    status = next((one for one in _JUDGED if one == sent.get("status")), SubmissionStatus.SUBMITTED)
    problem = "" if len(note) <= LONGEST_NOTE else f"Enter at most {LONGEST_NOTE:,} characters."
    try:
        if not problem:
            change = SubmissionEdit(status=status, note=note or None, expected_revision=_revision(sent))
            async with get_app_context(request).db.writing() as tx:
                await review.edit(tx, who.actor, change, submission_id=submission_id)
            return Redirect(f"/submissions/{submission_id}?done=1", status_code=303)
    except SubmissionChanged:
        problem = _CHANGED
    ask = {SubmissionStatus.APPROVED: "approve", SubmissionStatus.REJECTED: "reject"}.get(status, "")
    return await _shown(request, who, submission_id, 409, problem=problem, typed=note, ask=ask)


_CHANGED = "Someone else changed this submission. Review the current version, then try again."


def _revision(sent: Any) -> int:
    text = str(sent.get("revision", ""))
    return int(text) if text.isdecimal() and len(text) < 16 else -1


@post(HERE + "/delete", status_code=303)
async def delete(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[Any]:
    """Delete it for good."""
    who, sent = await visitor(request), await request.form()
    try:
        async with get_app_context(request).db.writing() as tx:
            await review.delete(tx, who.actor, submission_id=submission_id, expected_revision=_revision(sent))
    except SubmissionChanged:
        return await _shown(request, who, submission_id, 409, problem=_CHANGED, ask="delete")
    except SubmissionNotFound:
        pass  # Pressed twice: it is gone, as was asked.
    return Redirect("/submissions?deleted=1", status_code=303)


HANDLERS = [submission_page, judge, delete]
