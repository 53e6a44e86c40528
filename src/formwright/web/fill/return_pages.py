"""The pages of return links: change submitted answers, and the page for a link that no longer works."""

from typing import Any

import msgspec

from formwright.core.auth import actor as actors
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.customers import service as customers
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms.public_link import LinkRefused, check_period
from formwright.domain.quotas import proof_of_work
from formwright.domain.submissions import respond, return_links
from formwright.domain.submissions.models import (
    AlreadySubmitted,
    ContinuingNotAllowed,
    LinkEnd,
    ReturnLinkEnded,
    SubmissionStatus,
)
from formwright.domain.submissions.return_links import ReturnLink
from formwright.web.file_urls import sign_file_url
from formwright.web.fill.closed_page import find_languages, render_closed_page
from formwright.web.fill.embedding import allow_frames
from formwright.web.fill.filled_form import read_answers, read_filled_form, state_response
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.limits import FillPage, admit_submission
from formwright.web.fill.link_access import is_personal, open_fill_link
from formwright.web.fill.link_limit_page import render_limit_page
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import allow_map, map_data
from formwright.web.fill.robots import require_proof
from formwright.web.http import Response, get, post
from formwright.web.page import PublicPage
from formwright.web.qr_codes import render_qr_code

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


async def render_change_page(page: PublicPage, tx: ReadTransaction, token: str, link: ReturnLink) -> Response:
    """Return the form with the answers that were submitted, for their sender to change."""
    record = link.submission
    form, published = await forms.get_for_answering(tx, link.actor, form_id=record.form_id)
    _, version = await forms.get_for_answering(tx, link.actor, form_id=record.form_id, version_id=record.version_id)
    account = await customers.get(tx, link.actor)
    language = version.definition.settings.language
    if record.task_id is None:
        try:
            check_period(form.public_link, page.ctx.clock.now())
        except LinkRefused as refusal:
            return render_limit_page(page, refusal, form, account, language)
    base = f"/fill/{token}"
    data = form_data(version, base, msgspec.json.decode(record.data)) | map_data(page.ctx.settings, version, base)
    # Rules see the time at which the form was filled in.
    data["deviceTime"] = record.device_time
    data["files"] = await find_files(page, tx, record.customer_id, record.id)
    data["editor"] = "respondent"
    data["correct"] = {
        "url": f"{base}/answers",
        "revision": record.revision,
        # The settings of the published version, as when the change is saved: publishing another deadline is enough to
        # set it.
        "ends": return_links.find_deadline(published.definition.settings, record),
    }
    view_model = FormPage(
        form=form,
        account=account,
        language=language,
        no_script=find_no_script_message(language),
        form_data=data | await find_media(page.ctx, tx, form, version),
        assets=find_assets(data, language),
    )
    response = page.render("fill/change.html", view_model)
    if record.task_id is None and record.invite_id is None:
        allow_frames(response, form.public_link.embed_origins)
    allow_map(response, page.ctx.settings, version)
    return response


async def find_files(
    page: PublicPage, tx: ReadTransaction, customer_id: str, submission_id: str
) -> dict[str, dict[str, str]]:
    """Return the name and a temporary link of each file of a submission, by its id, for the person who sent it."""
    reader = actors.system(customer_id)
    attached = await files.page_of_submission(tx, reader, Window(MAX_LIMIT), submission_id=submission_id)
    return {
        file.id: {"name": file.name, "url": sign_file_url(page.ctx, file.customer_id, file.id)}
        for file in attached.items
    }


@post("/fill/{token:str}/submissions/{client_id:str}/link")
async def save_for_later(page: FillPage, token: str, client_id: str) -> Response:
    """Save the answers so far, and return the link for continuing them, which ends an earlier one."""
    filled, size, target = await read_filled_form(page, token, client_id)
    if is_personal(token) or return_links.is_link(token) or not target.settings.continue_later:
        raise ContinuingNotAllowed()
    form = target.form
    # Before the write transaction, so that robots do not get as far as the account lock.
    proof = require_proof(page.ctx, token, form, filled.proof)
    async with admit_submission(page.ctx, token, size) as admission, page.writing() as tx:
        actor, form_id, _ = await open_fill_link(tx, token, tx.now())
        is_repeated = await return_links.take_back_draft(
            tx, actor, form_id=form_id, client_id=client_id, editor=filled.editor, data=filled.data
        )
        draft = await respond.save_draft(
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
        page.ctx.abuse.count(form.id, page.ctx.clock.now())
    return state_response(draft, 201, link)


@post("/fill/{token:str}/answers")
async def save_changed_answers(page: FillPage, token: str) -> Response:
    """Save the changed answers of a submission, unless somebody else has changed it since the page was opened."""
    sent, size, _ = await read_answers(page, token, ChangedAnswers)
    async with admit_submission(page.ctx, token, size) as admission, page.writing() as tx:
        await open_fill_link(tx, token, tx.now())
        record = await return_links.change_answers(tx, token, sent.data, sent.revision)
        # A change counts like a submission, because the answers before it are kept.
        admission.is_counted = record.revision != sent.revision
    return state_response(record, 200)


async def render_ended_link(page: PublicPage, tx: ReadTransaction, error: ReturnLinkEnded) -> Response:
    """Return the page that says why the link no longer works, in the language of the form."""
    record = error.submission
    actor = actors.link(record.form_id, record.customer_id)
    languages = await find_languages(page, tx, actor, form_id=record.form_id, version_id=record.version_id)
    # With a 410 the service worker would delete its copy of a page whose answers wait on the device.
    status = 409 if error.end is LinkEnd.EXPIRED else 410
    return render_closed_page(page, status, _REASONS[error.end], *languages)


@get("/fill/{token:str}/qr.svg")
async def link_qr_code(page: FillPage, token: str) -> Response:
    """A link as a QR code, to open it on another device."""
    async with page.ctx.db.reading() as tx:
        await open_fill_link(tx, token, page.ctx.clock.now())
    return render_qr_code(f"{page.origin}/fill/{token}", "svg")
