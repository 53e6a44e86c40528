"""One invite: how far it has come, sending it again, taking it back."""

from collections.abc import Sequence
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

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
    InviteMailer,
    InviteStatus,
    Step,
)
from formwright.domain.mail.models import Mail, MailStatus
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import format_end, format_time, render_page
from formwright.web.views.invites.labels import STATUS_LABELS

PATH = "/invites/{invite_id:str}"
_NOTICES = {
    "sent": "Invite sent.",
    "resent": "Invite resent with a new link. The old link no longer works.",
    "revoked": "Invite revoked. The link no longer works.",
}


@get(PATH)
async def invite_page(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[str]:
    """One invite with its history."""
    return await _render(request, await require_visitor(request), invite_id)


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, invite_id: str, problem: str = ""
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        one, steps, mail = await invites.get_history(tx, visitor.actor, invite_id=invite_id)
        form = await forms.find(tx, allow(visitor.actor, Permission.INVITES_READ), one.form_id)
    shown = _invite_view(visitor, one, form, mail)
    may_manage = is_allowed(
        visitor.actor, Permission.INVITES_MANAGE, form_id=one.form_id, folder_id=form.folder_id if form else None
    )
    return render_page(
        request,
        "invites/one.html",
        422 if problem else 200,
        place="Invites",
        invite=shown,
        history=_history_entries(visitor, steps),
        may_resend=may_manage and one.status in RESENDABLE_STATUSES,
        may_revoke=may_manage and one.status in OPEN_STATUSES,
        ask=request.query_params.get("ask", ""),
        done="" if problem else _NOTICES.get(request.query_params.get("done", ""), ""),
        problem=problem,
        **visitor.template_frame,
    )


def _invite_view(visitor: Visitor, one: Invite, form: Form | None, mail: Mail | None) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    sees = Permission.SUBMISSIONS_READ in visitor.actor.permissions
    return {
        "id": one.id,
        "url": f"/invites/{one.id}",
        "name": one.name,
        "email": one.email,
        "form": form.name if form else one.form_id,
        "status": STATUS_LABELS[one.status],
        "message": one.message,
        "reason": one.reason or "",
        "external_id": one.external_id or "",
        "expires": format_end(one.expires, zone),
        "over": one.status not in OPEN_STATUSES,
        "remind": format_time(one.remind, zone) if one.remind and one.needs_reminder else None,
        "reminded": format_time(one.reminded, zone) if one.reminded else None,
        "submission": f"/submissions/{one.submission_id}" if one.submission_id and sees else "",
        "waits": mail.detail if mail and mail.status is MailStatus.WAITING else "",
        "next": format_time(mail.due, zone) if mail and mail.due and mail.detail else None,
        "twice": mail is not None and mail.perhaps_twice,
        "pending": one.status is InviteStatus.PENDING,
    }


def _history_entries(visitor: Visitor, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The newest first. What begins anew was sent again."""
    shown = []
    for index, one in enumerate(steps):
        again = one.status is InviteStatus.PENDING and index > 0
        what = "Resent" if again else STATUS_LABELS[one.status].happened
        shown.append(
            {"what": what, "who": one.by, "when": format_time(one.at, visitor.customer.time_zone), "note": one.detail}
        )
    return shown[::-1]


@post(PATH + "/resend", status_code=303)
async def resend_invite(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[Any]:
    """Send it anew."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            desk = InviteMailer(ctx.secret_box, public_origin(request))
            await invites.resend(tx, visitor.actor, desk, invite_id=invite_id)
    except Conflict as error:
        return await _render(request, visitor, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done=resent", status_code=303)


@post(PATH + "/revoke", status_code=303)
async def revoke_invite(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[Any]:
    """Take it back."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await invites.revoke(tx, visitor.actor, invite_id=invite_id)
    except Conflict as error:
        return await _render(request, visitor, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done=revoked", status_code=303)


HANDLERS = [invite_page, resend_invite, revoke_invite]
