"""Correct the answers of a submission, in the form that they were given in."""

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Response
from msgspec import UNSET

from formwright.asgi.validation import BodyTooComplex, JsonMalformed, read_large_body
from formwright.core.errors import Conflict, Invalid, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import FormStatus
from formwright.domain.submissions import review
from formwright.domain.submissions.review import SubmissionEdit
from formwright.web.fill.assets import form_modules
from formwright.web.fill.messages import load_messages
from formwright.web.fill.page_data import form_data
from formwright.web.session import get_app_context, require_visitor
from formwright.web.templating import VENDOR, format_time, render_page
from formwright.web.views.submissions.detail import MAX_NOTE, PATH, file_view


class EditedAnswers(msgspec.Struct, forbid_unknown_fields=True):
    """All answers as they are to be, and why; `revision` is the one that was looked at, null to write over any."""

    data: dict[str, Any]
    revision: int | None
    note: str = ""


@get(PATH + "/edit")
async def edit_submission_page(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[str]:
    """The form with the answers in it, in the version that they were given for."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        record = await review.get_editable(tx, visitor.actor, submission_id=submission_id)
        form = await forms.get(tx, visitor.actor, form_id=record.form_id)
        version = await versions.get(tx, visitor.actor, form_id=form.id, version_id=record.version_id)
        attached = await files.page_of_submission(tx, visitor.actor, Window(MAX_LIMIT), submission_id=record.id)
    here, language = f"/submissions/{record.id}", version.definition.settings.language
    # Rows are looked up and files added as by who fills the form.
    data = form_data(version, f"/fill/{form.link}", msgspec.json.decode(record.data))
    data["correct"] = {
        "url": f"{here}/answers",
        "back": here,
        "revision": record.revision,
        "files": {file.id: file_view(request, file) for file in attached.items},
    }
    return render_page(
        request,
        "submissions/edit.html",
        form=form,
        back=here,
        when=format_time(record.at, visitor.customer.time_zone),
        note=record.note or "",
        longest_note=MAX_NOTE,
        archived=form.status is FormStatus.ARCHIVED,
        account=visitor.customer,
        language="en",
        said=load_messages("en"),
        form_data=data,
        script="edit_submission.js",
        modules=form_modules(data, language),
        assets=VENDOR.exists(),
    )


@post(PATH + "/answers")
async def save_edited_answers(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[bytes]:
    """Take the corrected answers: 200, or 422 with what is wrong, or 409 when another was faster."""
    visitor = await require_visitor(request)
    try:
        sent: EditedAnswers = await read_large_body(await request.body(), EditedAnswers)
        change = SubmissionEdit(data=sent.data, note=_read_note(sent), expected_revision=sent.revision)
        async with get_app_context(request).db.writing() as tx:
            was = await review.get_editable(tx, visitor.actor, submission_id=submission_id)
            now = await review.edit(tx, visitor.actor, change, submission_id=submission_id)
    except Invalid as error:
        return _json_response(
            {"errors": [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.faults]}, 422
        )
    except (Conflict, JsonMalformed, BodyTooComplex) as error:
        return _json_response({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return _json_response({"changed": now.revision != was.revision})


def _read_note(sent: EditedAnswers) -> Any:
    """Why, in one's own words; nothing said leaves the note that is there."""
    note = sent.note.replace("\r\n", "\n").strip()
    if len(note) > MAX_NOTE:
        raise Invalid([ValidationFault("/note", "value.too_long", f"Enter at most {MAX_NOTE:,} characters.")])
    return note or UNSET


def _json_response(answer: object, status: int = 200) -> Response[bytes]:
    body = msgspec.json.encode(answer)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


HANDLERS = [edit_submission_page, save_edited_answers]
