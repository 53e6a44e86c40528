"""Correct the answers of a submission, in the form that they were given in."""

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Response
from msgspec import UNSET

from formwright.asgi.json_limits import BodyTooComplex, JsonMalformed
from formwright.asgi.validation import read_large_body
from formwright.core.errors import Conflict, Invalid, ValidationFault
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import FormStatus
from formwright.domain.submissions import review
from formwright.domain.submissions.review import SubmissionEdit
from formwright.web.fill.assets import modules, rule_modules
from formwright.web.fill.messages import said
from formwright.web.fill.page_data import form_data
from formwright.web.session import get_app_context, visitor
from formwright.web.templating import VENDOR, moment, page
from formwright.web.views.submissions.detail import HERE, LONGEST_NOTE, file_shown


class Corrected(msgspec.Struct, forbid_unknown_fields=True):
    """All answers as they are to be, and why; `revision` is the one that was looked at, null to write over any."""

    data: dict[str, Any]
    revision: int | None
    note: str = ""


@get(HERE + "/edit")
async def edit_page(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[str]:
    """The form with the answers in it, in the version that they were given for."""
    who = await visitor(request)
    async with get_app_context(request).db.reading() as tx:
        record = await review.get_editable(tx, who.actor, submission_id=submission_id)
        form = await forms.get(tx, who.actor, form_id=record.form_id)
        version = await versions.get(tx, who.actor, form_id=form.id, version_id=record.version_id)
        attached = await files.of_submission(tx, who.actor, Window(MAX_LIMIT), submission_id=record.id)
    here, language = f"/submissions/{record.id}", version.definition.settings.language
    # Rows are looked up and files added as by who fills the form.
    data = form_data(version, f"/fill/{form.link}", msgspec.json.decode(record.data))
    data["correct"] = {
        "url": f"{here}/answers",
        "back": here,
        "revision": record.revision,
        "files": {file.id: file_shown(request, file) for file in attached.items},
    }
    return page(
        request,
        "submissions/edit.html",
        form=form,
        back=here,
        when=moment(record.at, who.customer.time_zone),
        note=record.note or "",
        longest_note=LONGEST_NOTE,
        archived=form.status is FormStatus.ARCHIVED,
        account=who.customer,
        language="en",
        said=said("en"),
        form_data=data,
        script="correct.js",
        modules=[*modules(language), *(rule_modules() if data["ruled"] else ())],
        assets=VENDOR.exists(),
    )


@post(HERE + "/answers")
async def correct(request: Request[Any, Any, Any], submission_id: FromPath[str]) -> Response[bytes]:
    """Take the corrected answers: 200, or 422 with what is wrong, or 409 when another was faster."""
    who = await visitor(request)
    try:
        sent: Corrected = await read_large_body(await request.body(), Corrected)
        change = SubmissionEdit(data=sent.data, note=_note(sent), expected_revision=sent.revision)
        async with get_app_context(request).db.writing() as tx:
            was = await review.get_editable(tx, who.actor, submission_id=submission_id)
            now = await review.edit(tx, who.actor, change, submission_id=submission_id)
    except Invalid as error:
        return _json({"errors": [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.faults]}, 422)
    except (Conflict, JsonMalformed, BodyTooComplex) as error:
        return _json({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return _json({"changed": now.revision != was.revision})


def _note(sent: Corrected) -> Any:
    """Why, in one's own words; nothing said leaves the note that is there."""
    note = sent.note.replace("\r\n", "\n").strip()
    if len(note) > LONGEST_NOTE:
        raise Invalid([ValidationFault("/note", "value.too_long", f"Enter at most {LONGEST_NOTE:,} characters.")])
    return note or UNSET


def _json(answer: object, status: int = 200) -> Response[bytes]:
    body = msgspec.json.encode(answer)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


HANDLERS = [edit_page, correct]
