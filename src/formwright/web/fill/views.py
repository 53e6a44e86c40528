"""The page on which a form is filled in, and its requests: save the answers so far, and submit."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.fields.properties import FieldMetadata
from formwright.domain.forms.links.link_limits import find_refusal, has_answered
from formwright.domain.forms.models import Form, FormArchived, FormNotFound, FormNotPublished, Version, VersionNotFound
from formwright.domain.forms.public_link import LinkRefused, OnePer
from formwright.domain.invites import respond as invites
from formwright.domain.invites.models import Invite, InviteLinkEnded
from formwright.domain.quotas import proof_of_work
from formwright.domain.quotas.models import TooManyFills
from formwright.domain.submissions import respond, return_links
from formwright.domain.submissions.models import ReturnLinkEnded, Submission, SubmissionOrigin
from formwright.domain.submissions.return_links import ReturnLink
from formwright.domain.tasks import respond as tasks
from formwright.domain.tasks.respond import TaskAssignment
from formwright.domain.users import management as users
from formwright.web.bundles import FOLDER, find_bundle
from formwright.web.fill.closed_page import render_closed_page
from formwright.web.fill.embedding import allow_frames
from formwright.web.fill.filled_form import FilledForm, TargetForm, is_client_id, read_filled_form, state_response
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.invite_pages import render_ended_invite
from formwright.web.fill.limits import FillPage, admit_submission, render_busy_page
from formwright.web.fill.link_access import Assignment, is_personal, open_fill_link
from formwright.web.fill.link_limit_page import render_limit_page
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message, parse_accept_language
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import allow_map, map_data
from formwright.web.fill.return_pages import find_files, render_change_page, render_ended_link
from formwright.web.fill.robots import require_proof
from formwright.web.http import JsonResponse, Redirect, Response, get, post, put
from formwright.web.page import PublicPage
from formwright.web.templating import PAGE_HEADERS

_ABOUT_PEOPLE = (FieldMetadata.USER_NAME, FieldMetadata.EMAIL)


@get("/fill/sw.js")
async def service_worker(page: FillPage) -> Response:
    """Return the service worker of all fill pages. Its path must be the parent of the pages it controls."""
    headers = PAGE_HEADERS | {"cache-control": "no-cache"}
    return Response(_service_worker(), media_type="text/javascript", headers=headers)


@cache
def _service_worker() -> str:
    return (FOLDER / find_bundle("fill/sw.js").file).read_text(encoding="utf-8")


@get("/fill/{token:str}", exception_handlers={TooManyFills: render_busy_page})
async def fill_page(page: FillPage, token: str) -> Response:
    """The form to fill in, or a message that it is closed.

    `?version=` continues with the version that was started. `?again=` corrects a rejected submission; if there is
    nothing to correct, the page says so.
    """
    try:
        async with page.ctx.db.reading() as tx:
            try:
                actor, form_id, assignment = await open_fill_link(tx, token, page.ctx.clock.now())
            except InviteLinkEnded as error:
                return await render_ended_invite(page, tx, error)
            except ReturnLinkEnded as error:
                return await render_ended_link(page, tx, error)
            if isinstance(assignment, TaskAssignment) and not tasks.can_respond(assignment.task, assignment.fulfilment):
                # That page shows the outcome.
                return Redirect(f"/my/tasks/{assignment.task.id}")
            if isinstance(assignment, ReturnLink) and not assignment.is_draft:
                return await render_change_page(page, tx, token, assignment)
            opened = await _load(page, tx, actor, form_id, assignment)
    except (FormNotFound, FormNotPublished, FormArchived, VersionNotFound):
        languages = parse_accept_language(page.headers.get("accept-language", ""))
        return render_closed_page(page, 404, "closed", *languages)
    response = _render(page, token, opened)
    if opened.assignment is None or isinstance(opened.assignment, ReturnLink):
        allow_frames(response, opened.form.public_link.embed_origins)
    allow_map(response, page.ctx.settings, opened.version)
    return response


@dataclass(frozen=True, slots=True)
class _OpenedLink:
    """What an opened link leads to: the form, or the reason why it accepts no responses.

    `rejected` is the submission to correct. `begun` is the revision of the answers in `prefill` that were saved so far.
    """

    form: Form
    version: Version
    account: Customer
    assignment: Assignment
    rejected: Submission | None
    refusal: LinkRefused | None
    prefill: dict[str, Any]
    begun: int
    person: dict[str, str]
    media: dict[str, Any]
    files: dict[str, dict[str, str]]


async def _load(
    page: PublicPage, tx: ReadTransaction, actor: Actor, form_id: str, assignment: Assignment
) -> _OpenedLink:
    rejected = await _find_sent_back(page, tx, actor, form_id)
    begun_with = assignment.submission if isinstance(assignment, ReturnLink) else rejected
    version_id = begun_with.version_id if begun_with else page.query.get("version")
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=version_id)
    is_limited = not rejected and not isinstance(assignment, TaskAssignment)
    refusal = await find_refusal(tx, form, page.ctx.clock.now()) if is_limited else None
    prefill, begun = (msgspec.json.decode(rejected.data), 0) if rejected else await _load_prefill(tx, assignment)
    account = await customers.get(tx, actor)
    person = await _find_person(tx, account, version, assignment)
    media = await find_media(page.ctx, tx, form, version)
    begun_id = rejected.id if rejected else _find_begun(assignment)
    files = await find_files(page, tx, form.customer_id, begun_id) if begun_id else {}
    return _OpenedLink(form, version, account, assignment, rejected, refusal, prefill, begun, person, media, files)


def _find_begun(assignment: Assignment) -> str | None:
    """Return the id of the submission that was begun with a personal link or a return link."""
    match assignment:
        case TaskAssignment(fulfilment=fulfilment):
            return fulfilment.submission_id
        case ReturnLink(submission=draft):
            return draft.id
        case None:
            return None
    return assignment.submission_id


async def _find_person(
    tx: ReadTransaction, account: Customer, version: Version, assignment: Assignment
) -> dict[str, str]:
    """Return the name and the email address of who fills in the form, if it has fields for them."""
    fields = walk_fields(version.definition.fields)
    if not any(field.metadata in _ABOUT_PEOPLE for field in fields):
        return {}
    match assignment:
        case TaskAssignment(fulfilment=fulfilment):
            found = await users.find(tx, Scope(account.id), fulfilment.user_id)
            return {"userName": found.user.name, "email": found.user.email} if found else {}
        case ReturnLink() | None:
            return {}
    return {"userName": assignment.name, "email": assignment.email}


def _render(page: PublicPage, token: str, opened: _OpenedLink) -> Response:
    form, version, rejected, assignment = opened.form, opened.version, opened.rejected, opened.assignment
    language = version.definition.settings.language
    if opened.refusal:
        return render_limit_page(page, opened.refusal, form, opened.account, language)
    if not rejected and page.query.get("again"):
        # With a 404 the service worker would delete its copy of the form.
        return render_closed_page(page, 409, "nothing", language)
    data = form_data(
        version,
        f"/fill/{token}",
        opened.prefill,
        once=assignment is not None,
        again=rejected.client_id if rejected else None,
        begun=opened.begun,
        one_per_device=not isinstance(assignment, Invite | TaskAssignment)
        and form.public_link.one_per is OnePer.DEVICE,
        person=opened.person,
        redirect=None if isinstance(assignment, TaskAssignment) else form.public_link.redirect_url,
        files=opened.files,
        link=assignment if isinstance(assignment, ReturnLink) else None,
        device_base=f"/fill/{form.link}",
    ) | map_data(page.ctx.settings, version, f"/fill/{token}")
    view_model = FormPage(
        form=form,
        account=opened.account,
        language=language,
        no_script=find_no_script_message(language),
        form_data=data | opened.media,
        assets=find_assets(data, language),
        message=(rejected.note if rejected else _assignment_message(assignment)) or "",
        is_personal=is_personal(token),
        is_task=isinstance(assignment, TaskAssignment),
        may_continue=not rejected
        and (isinstance(assignment, ReturnLink) or version.definition.settings.continue_later),
    )
    return page.render("fill/form.html", view_model)


async def _load_prefill(tx: ReadTransaction, assignment: Assignment) -> tuple[dict[str, Any], int]:
    match assignment:
        case TaskAssignment(task=task, fulfilment=fulfilment):
            return await tasks.load_draft(tx, task, fulfilment.user_id)
        case ReturnLink(submission=draft):
            return respond.draft_answers(draft, "{}")
        case None:
            return {}, 0
    return await invites.load_draft(tx, assignment)


def _assignment_message(assignment: Assignment) -> str:
    match assignment:
        case TaskAssignment(task=task):
            return task.message
        case ReturnLink() | None:
            return ""
    return assignment.message


async def _find_sent_back(page: PublicPage, tx: ReadTransaction, actor: Actor, form_id: str) -> Submission | None:
    client_id = page.query.get("again", "")
    if not is_client_id(client_id):
        return None
    return await respond.find_rejected(tx, actor, form_id=form_id, client_id=client_id)


@get("/fill/{token:str}/devices/{device:str}")
async def device_status(page: FillPage, token: str, device: str) -> Response:
    """Tell whether a device has responded. Its page asks, because a deleted response can be replaced."""
    async with page.ctx.db.reading() as tx:
        actor, form_id, _ = await open_fill_link(tx, token, page.ctx.clock.now())
        form, _ = await forms.get_for_answering(tx, actor, form_id=form_id)
        return JsonResponse({"answered": await has_answered(tx, form, device)})


@put("/fill/{token:str}/submissions/{client_id:str}")
async def save_answers(page: FillPage, token: str, client_id: str) -> Response:
    """Save the answers so far. The first call creates the submission."""
    filled, size, target = await read_filled_form(page, token, client_id)
    form, version_id, data = target.form, filled.version_id, filled.data
    # Robots must not fill the database with drafts either; the page keeps them on the device.
    require_proof(page.ctx, token, form, filled.proof)
    # In this order: if the commit fails, the quota is given back.
    async with admit_submission(page.ctx, token, size) as admission, page.writing() as tx:
        # Again, because the link may have ended while the body was read.
        actor, form_id, assignment = await open_fill_link(tx, token, tx.now())
        if isinstance(assignment, TaskAssignment):
            record = await tasks.save(tx, *assignment.key, version_id=version_id, data=data)
        elif isinstance(assignment, ReturnLink):
            record = await return_links.save(tx, token, filled.page, version_id=version_id, data=data)
        elif assignment:
            record = await invites.save(tx, token, version_id=version_id, data=data)
        else:
            await _take_back_draft(tx, actor, client_id, filled, target)
            record = await respond.save_draft(
                tx, actor, form_id=form_id, version_id=version_id, client_id=client_id, data=data
            )
        admission.record(record)
    # Only new drafts, because a page saves its answers many times while somebody fills it in.
    if admission.is_counted:
        page.ctx.abuse.count(form.id, page.ctx.clock.now())
    return state_response(record, 200)


@post("/fill/{token:str}/submissions/{client_id:str}")
async def submit_form(page: FillPage, token: str, client_id: str) -> Response:
    """Submit the filled form: 201, or 200 if it was submitted before."""
    filled, size, target = await read_filled_form(page, token, client_id)
    form = target.form
    # Before the proof is checked, so that rejected requests count as abuse, too.
    if not is_personal(token):
        page.ctx.abuse.count(form.id, page.ctx.clock.now())
    proof = require_proof(page.ctx, token, form, filled.proof)
    async with admit_submission(page.ctx, token, size) as admission, page.writing() as tx:
        record, is_new = await _store_submission(tx, token, client_id, filled, target)
        # The proof of a repeated request was used by the first one. It is used in the transaction of the submission, so
        # a failed request can be repeated with it.
        if proof and is_new:
            await proof_of_work.use(tx, form.customer_id, proof)
        # Also for a repeated request: the token is not stored, so the link of a lost response cannot be sent again.
        link = await return_links.give_for_submitted(tx, record, target.settings, token)
        admission.record(record, changed=is_new)
    return state_response(record, 201 if is_new else 200, link)


async def _take_back_draft(
    tx: WriteTransaction, actor: Actor, client_id: str, filled: FilledForm, target: TargetForm
) -> None:
    """Continue with the draft of a page that did not receive the link for continuing later."""
    if filled.editor and target.settings.continue_later:
        await return_links.take_back_draft(tx, actor, form_id=target.form.id, client_id=client_id, editor=filled.editor)


async def _store_submission(
    tx: WriteTransaction, token: str, client_id: str, filled: FilledForm, target: TargetForm
) -> tuple[Submission, bool]:
    version_id, data, seen, at = filled.version_id, filled.data, filled.seen, filled.device_time
    if invites.is_link(token):
        # Even if the link has ended: this may be a retry because the response was lost.
        return await invites.submit(tx, token, version_id=version_id, data=data, seen_versions=seen, device_time=at)
    if return_links.is_link(token):
        return await return_links.submit(
            tx,
            token,
            filled.page,
            version_id=version_id,
            data=data,
            seen_versions=seen,
            device=filled.device,
            device_time=at,
        )
    actor, form_id, assignment = await open_fill_link(tx, token, tx.now())
    if isinstance(assignment, TaskAssignment):
        return await tasks.submit(
            tx, *assignment.key, version_id=version_id, data=data, seen_versions=seen, device_time=at
        )
    await _take_back_draft(tx, actor, client_id, filled, target)
    return await respond.submit(
        tx,
        actor,
        form_id=form_id,
        version_id=version_id,
        client_id=client_id,
        data=data,
        seen_versions=seen,
        origin=SubmissionOrigin(device=filled.device),
        device_time=at,
    )
