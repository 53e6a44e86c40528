"""The pages of return links: change submitted answers, and the page for a link that no longer works."""

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.auth import actor as actors
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.customers import service as customers
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.forms.public_link import LinkRefused, check_period
from formwright.domain.quotas import proof_of_work
from formwright.domain.submissions import filling, return_links
from formwright.domain.submissions.models import (
    AlreadySubmitted,
    ContinuingNotAllowed,
    LinkEnd,
    ReturnLinkEnded,
    Submission,
    SubmissionStatus,
)
from formwright.domain.submissions.return_links import ReturnLink
from formwright.web.file_urls import sign_file_url
from formwright.web.fill.closed_page import render_closed_page
from formwright.web.fill.embedding import allow_frames
from formwright.web.fill.filled_form import read_answers, read_filled_form, state_response
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.limits import admit_submission
from formwright.web.fill.link_access import is_personal, open_fill_link
from formwright.web.fill.link_limit_page import render_limit_page
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message, parse_accept_language
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import allow_map, map_data
from formwright.web.fill.robots import require_proof
from formwright.web.qr_codes import render_qr_code
from formwright.web.session import get_app_context, public_origin
from formwright.web.templating import render_view

_REASONS = {
    LinkEnd.EXPIRED: "unfinished",
    LinkEnd.SUBMITTED: "completed",
    LinkEnd.OVER: "over",
    LinkEnd.REVIEWED: "reviewed",
}


class ChangedAnswers(msgspec.Struct, forbid_unknown_fields=True):
    """All answers after a change by their sender, and the revision of the submission that the change is for."""

    data: dict[str, Any]
    revision: int


async def render_change_page(
    request: Request[Any, Any, Any], tx: ReadTransaction, token: str, link: ReturnLink
) -> Response[str]:
    """Return the form with the answers that were submitted, for their sender to change."""
    ctx, record = get_app_context(request), link.submission
    form, published = await forms.get_for_answering(tx, link.actor, form_id=record.form_id)
    _, version = await forms.get_for_answering(tx, link.actor, form_id=record.form_id, version_id=record.version_id)
    account = await customers.get(tx, link.actor)
    language = version.definition.settings.language
    if record.task_id is None:
        try:
            check_period(form.public_link, ctx.clock.now())
        except LinkRefused as refusal:
            return render_limit_page(request, refusal, form, account, language)
    base = f"/fill/{token}"
    data = form_data(version, base, msgspec.json.decode(record.data)) | map_data(ctx.settings, version, base)
    # Rules see the time at which the form was filled in.
    data["deviceTime"] = record.device_time
    data["files"] = await find_files(request, tx, record.customer_id, record.id)
    data["editor"] = "respondent"
    data["correct"] = {
        "url": f"{base}/answers",
        "revision": record.revision,
        "ends": return_links.find_deadline(published.definition.settings, record),
    }
    view_model = FormPage(
        form=form,
        account=account,
        language=language,
        no_script=find_no_script_message(language),
        form_data=data | await find_media(ctx, tx, form, version),
        assets=find_assets(data, language),
    )
    response = render_view(request, "fill/change.html", view_model)
    if record.task_id is None and record.invite_id is None:
        allow_frames(response, form.public_link.embed_origins)
    allow_map(response, ctx.settings, version)
    return response


async def find_files(
    request: Request[Any, Any, Any], tx: ReadTransaction, customer_id: str, submission_id: str
) -> dict[str, dict[str, str]]:
    """Return the name and a temporary link of each file of a submission, by its id, for the person who sent it."""
    reader = actors.system(customer_id)
    attached = await files.page_of_submission(tx, reader, Window(MAX_LIMIT), submission_id=submission_id)
    ctx = get_app_context(request)
    return {
        file.id: {"name": file.name, "url": sign_file_url(ctx, file.customer_id, file.id)} for file in attached.items
    }


@post("/fill/{token:str}/submissions/{client_id:str}/link")
async def save_for_later(
    request: Request[Any, Any, Any], token: FromPath[str], client_id: FromPath[str]
) -> Response[bytes]:
    """Save the answers so far, and return the link for continuing them, which ends an earlier one."""
    filled, size, target = await read_filled_form(request, token, client_id)
    if is_personal(token) or return_links.is_link(token) or not target.settings.continue_later:
        raise ContinuingNotAllowed()
    ctx, form = get_app_context(request), target.form
    proof = require_proof(ctx, token, form, filled.proof)
    async with admit_submission(ctx, token, size) as admission, ctx.db.writing() as tx:
        actor, form_id, _ = await open_fill_link(tx, token, tx.now())
        is_repeated = await return_links.take_back_draft(
            tx, actor, form_id=form_id, client_id=client_id, editor=filled.editor, data=filled.data
        )
        draft = await filling.save_draft(
            tx, actor, form_id=form_id, version_id=filled.version_id, client_id=client_id, data=filled.data
        )
        if draft.status is not SubmissionStatus.STARTED:
            raise AlreadySubmitted()
        if proof and not is_repeated:
            # The answers need no further proof when they are submitted with the link.
            await proof_of_work.use(tx, form.customer_id, proof)
        link = await return_links.create_for_draft(tx, draft, filled.position, filled.editor)
        admission.record(draft)
    if admission.is_counted:
        ctx.abuse.count(form.id, ctx.clock.now())
    return state_response(draft, 201, link)


@post("/fill/{token:str}/answers")
async def save_changed_answers(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[bytes]:
    """Save the changed answers of a submission, unless somebody else has changed it since the page was opened."""
    sent, size, _ = await read_answers(request, token, ChangedAnswers)
    ctx = get_app_context(request)
    async with admit_submission(ctx, token, size) as admission, ctx.db.writing() as tx:
        await open_fill_link(tx, token, tx.now())
        record = await return_links.change_answers(tx, token, sent.data, sent.revision)
        # A change counts like a submission, because the answers before it are kept.
        admission.is_counted = record.revision != sent.revision
    return state_response(record, 200)


async def render_ended_link(
    request: Request[Any, Any, Any], tx: ReadTransaction, error: ReturnLinkEnded
) -> Response[str]:
    """Return the page that says why the link no longer works, in the language of the form."""
    languages = await _preferred_languages(request, tx, error.submission)
    # With a 410 the service worker would delete its copy of a page whose answers wait on the device.
    status = 409 if error.end is LinkEnd.EXPIRED else 410
    return render_closed_page(request, status, _REASONS[error.end], *languages)


async def _preferred_languages(request: Request[Any, Any, Any], tx: ReadTransaction, record: Submission) -> list[str]:
    languages = parse_accept_language(request.headers.get("accept-language", ""))
    actor = actors.link(record.form_id, record.customer_id)
    try:
        _, version = await forms.get_for_answering(tx, actor, form_id=record.form_id, version_id=record.version_id)
    except (FormNotPublished, FormArchived, FormNotFound):
        return languages
    return [version.definition.settings.language, *languages]


@get("/fill/{token:str}/qr.svg")
async def link_qr_code(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[bytes]:
    """A link as a QR code, to open it on another device."""
    async with get_app_context(request).db.reading() as tx:
        await open_fill_link(tx, token, get_app_context(request).clock.now())
    return render_qr_code(f"{public_origin(request)}/fill/{token}", "svg")


HANDLERS = [save_for_later, save_changed_answers, link_qr_code]
