"""Editing the answers of a submission, in the version of the form with which it was submitted."""

from dataclasses import dataclass
from typing import Any

import msgspec
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
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import allow_map, map_data
from formwright.web.http import JsonResponse, Response, get, post
from formwright.web.page import Page
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.submissions.detail import MAX_NOTE, PATH, file_link


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSubmissionPage(FormPage):
    """The form with the answers of a submission. `note` is the one that a new reason replaces."""

    detail_url: str
    submitted: DisplayTime
    note: str
    max_note: int
    is_archived: bool


class EditedAnswers(msgspec.Struct, forbid_unknown_fields=True):
    """All answers, with a reason. `revision` is the one that was edited; null overwrites any."""

    data: dict[str, Any]
    revision: int | None
    note: str = ""


@get(PATH + "/edit")
async def edit_submission_page(page: Page, submission_id: str) -> Response:
    """The form with the answers of the submission."""
    record = await review.get_editable(page.tx, page.actor, submission_id=submission_id)
    form = await forms.get(page.tx, page.actor, form_id=record.form_id)
    version = await versions.get(page.tx, page.actor, form_id=form.id, version_id=record.version_id)
    attached = await files.page_of_submission(page.tx, page.actor, Window(MAX_LIMIT), submission_id=record.id)
    media = await find_media(page.ctx, page.tx, form, version)
    detail_url, language = f"/submissions/{record.id}", version.definition.settings.language
    links = {file.id: file_link(page, file) for file in attached.items}
    # Lookups and uploads use the endpoints of the public form.
    settings = page.ctx.settings
    data = form_data(version, f"/fill/{form.link}", msgspec.json.decode(record.data)) | map_data(settings, version)
    # Rules see the time at which the form was filled in.
    data["deviceTime"] = record.device_time
    data["editor"] = "submission"
    data["correct"] = {
        "url": f"{detail_url}/answers",
        "back": detail_url,
        "revision": record.revision,
    }
    data["files"] = {file_id: {"name": link.name, "url": link.url} for file_id, link in links.items()}
    view_model = EditSubmissionPage(
        form=form,
        account=page.visitor.customer,
        language="en",
        no_script=find_no_script_message("en"),
        form_data=data | media,
        assets=find_assets(data, language),
        detail_url=detail_url,
        submitted=format_time(record.at, page.visitor.customer.time_zone),
        note=record.note or "",
        max_note=MAX_NOTE,
        is_archived=form.status is FormStatus.ARCHIVED,
    )
    response = page.render("submissions/edit.html", view_model)
    allow_map(response, settings, version)
    return response


@post(PATH + "/answers")
async def save_edited_answers(page: Page, submission_id: str) -> Response:
    """Save the edited answers. Returns 422 with the errors if they are invalid, 409 if someone else changed them."""
    try:
        sent: EditedAnswers = await read_large_body(await page.body(), EditedAnswers)
        change = SubmissionEdit(data=sent.data, note=_read_note(sent), expected_revision=sent.revision)
        async with page.changing() as tx:
            before = await review.get_editable(tx, page.actor, submission_id=submission_id)
            after = await review.edit(tx, page.actor, change, submission_id=submission_id)
    except Invalid as error:
        return JsonResponse(
            {"errors": [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.faults]}, 422
        )
    except (Conflict, JsonMalformed, BodyTooComplex) as error:
        return JsonResponse({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
    return JsonResponse({"changed": after.revision != before.revision})


def _read_note(sent: EditedAnswers) -> Any:
    """Return the new note; `UNSET`, which keeps the current one, if there is none."""
    note = sent.note.replace("\r\n", "\n").strip()
    if len(note) > MAX_NOTE:
        raise Invalid([ValidationFault("/note", "value.too_long", f"Enter at most {MAX_NOTE:,} characters.")])
    return note or UNSET
