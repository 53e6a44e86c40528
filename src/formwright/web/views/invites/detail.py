"""The page of one invite: its progress, resending and revoking it."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow, is_allowed
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import (
    OPEN_STATUSES,
    RESENDABLE_STATUSES,
    Invite,
    InviteStatus,
    Step,
)
from formwright.domain.mail.models import Mail, MailStatus
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_end, format_time
from formwright.web.views.invites.emails import invite_mailer, render_links
from formwright.web.views.invites.labels import STATUS_LABELS, StatusLabel, label_status

PATH = "/invites/{invite_id:str}"
_NOTICES = {
    "sent": "Invite sent.",
    "resent": "Invite resent with a new link. The old link no longer works.",
    "renewed": "The old link no longer works. Create a link below, and pass it on.",
    "revoked": "Invite revoked. The link no longer works.",
}


@dataclass(frozen=True, slots=True)
class InviteView:
    """An invite as its page shows it, with the state of its email."""

    url: str
    name: str
    email: str
    form: str
    status: StatusLabel
    message: str
    reason: str
    external_id: str
    expires: DisplayTime
    remind: DisplayTime | None
    reminded: DisplayTime | None
    submission_url: str
    mail_problem: str
    next_attempt: DisplayTime | None
    may_be_duplicate: bool
    is_pending: bool
    needs_delivery: bool


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A change of the invite's status."""

    title: str
    author: str
    when: DisplayTime
    note: str


@dataclass(frozen=True, slots=True)
class InvitePage:
    """One invite. `ask` names the dialog that is open."""

    invite: InviteView
    history: Sequence[HistoryEntry]
    may_resend: bool
    may_revoke: bool
    may_create_link: bool
    ask: str
    done: str
    problem: str


@get(PATH)
async def invite_page(page: Page, invite_id: str) -> Response:
    """One invite with its history."""
    return await _render(page, invite_id)


async def _render(page: Page, invite_id: str, problem: str = "") -> Response:
    invite, steps, mail = await invites.get_history(page.tx, page.actor, invite_id=invite_id)
    form = await forms.find(page.tx, allow(page.actor, Permission.INVITES_READ), invite.form_id)
    folder_id = form.folder_id if form else None
    may_manage = is_allowed(page.actor, Permission.INVITES_MANAGE, form_id=invite.form_id, folder_id=folder_id)
    view_model = InvitePage(
        invite=_invite_view(page.visitor, invite, form, mail),
        history=_history_entries(page.visitor, steps),
        may_resend=may_manage and invite.status in RESENDABLE_STATUSES,
        may_revoke=may_manage and invite.status in OPEN_STATUSES,
        may_create_link=may_manage and invite.is_open(page.ctx.clock.now()),
        ask=page.query.get("ask", ""),
        done="" if problem else _NOTICES.get(page.query.get("done", ""), ""),
        problem=problem,
    )
    status = 422 if problem else 200
    return page.render("invites/detail.html", view_model, section="Invites", status=status)


def _invite_view(visitor: Visitor, invite: Invite, form: Form | None, mail: Mail | None) -> InviteView:
    zone = visitor.customer.time_zone
    may_read_submission = Permission.SUBMISSIONS_READ in visitor.actor.permissions
    return InviteView(
        url=f"/invites/{invite.id}",
        name=invite.name,
        email=invite.email,
        form=form.name if form else invite.form_id,
        status=label_status(invite),
        message=invite.message,
        reason=invite.reason or "",
        external_id=invite.external_id or "",
        expires=format_end(invite.expires, zone),
        remind=format_time(invite.remind, zone) if invite.remind and invite.needs_reminder else None,
        reminded=format_time(invite.reminded, zone) if invite.reminded else None,
        submission_url=f"/submissions/{invite.submission_id}" if invite.submission_id and may_read_submission else "",
        mail_problem=mail.detail if mail and mail.status is MailStatus.WAITING else "",
        next_attempt=format_time(mail.due, zone) if mail and mail.due and mail.detail else None,
        may_be_duplicate=mail is not None and mail.perhaps_twice,
        is_pending=invite.status is InviteStatus.PENDING and not invite.needs_delivery,
        needs_delivery=invite.needs_delivery,
    )


def _history_entries(visitor: Visitor, steps: Sequence[Step]) -> list[HistoryEntry]:
    """Return the history, newest first. An invite that becomes pending again was resent."""
    entries = []
    for index, step in enumerate(steps):
        is_resent = step.status is InviteStatus.PENDING and index > 0
        title = "Resent" if is_resent else STATUS_LABELS[step.status].happened
        entries.append(HistoryEntry(title, step.by, format_time(step.at, visitor.customer.time_zone), step.detail))
    return entries[::-1]


@post(PATH + "/resend")
async def resend_invite(page: Page, invite_id: str) -> Response:
    """Send the invite again with a new link."""
    try:
        async with page.writing() as tx:
            invite = await invites.resend(tx, page.actor, invite_mailer(page), invite_id=invite_id)
    except Conflict as error:
        return await _render(page, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done={'renewed' if invite.needs_delivery else 'resent'}")


@post(PATH + "/link")
async def create_invite_link(page: Page, invite_id: str) -> Response:
    """Create another link for the invite, and show it once."""
    try:
        async with page.writing() as tx:
            links = await invites.create_links(tx, page.actor, page.origin, invite_ids=[invite_id])
    except Conflict as error:
        return await _render(page, invite_id, str(error))
    return render_links(page, links)


@post(PATH + "/revoke")
async def revoke_invite(page: Page, invite_id: str) -> Response:
    """Revoke the invite. Its link stops working."""
    try:
        async with page.writing() as tx:
            await invites.revoke(tx, page.actor, invite_id=invite_id)
    except Conflict as error:
        return await _render(page, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done=revoked")
