"""One invite: how far it has come, sending it again, taking it back."""

from collections.abc import Sequence
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow, is_allowed
from formwright.core.errors import Conflict
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import OPEN, SENT_AGAIN, Invite, InviteMailer, InviteStatus, Step
from formwright.domain.mail.models import Mail, MailStatus
from formwright.web.session import Visitor, get_app_context, origin_of, visitor
from formwright.web.templating import ending, moment, page
from formwright.web.views.invites.labels import WORDS

HERE = "/invites/{invite_id:str}"
_DONE = {
    "sent": "Invite sent.",
    "resent": "Invite resent with a new link. The old link no longer works.",
    "revoked": "Invite revoked. The link no longer works.",
}


@get(HERE)
async def invite_page(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[str]:
    """One invite with its history."""
    return await _page(request, await visitor(request), invite_id)


async def _page(request: Request[Any, Any, Any], who: Visitor, invite_id: str, problem: str = "") -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        one, steps, mail = await invites.history(tx, who.actor, invite_id=invite_id)
        form = await forms.find(tx, allow(who.actor, Permission.INVITES_READ), one.form_id)
    shown = _shown(who, one, form, mail)
    may_manage = is_allowed(
        who.actor, Permission.INVITES_MANAGE, form_id=one.form_id, folder_id=form.folder_id if form else None
    )
    return page(
        request,
        "invites/one.html",
        422 if problem else 200,
        place="Invites",
        invite=shown,
        history=_history(who, steps),
        may_resend=may_manage and one.status in SENT_AGAIN,
        may_revoke=may_manage and one.status in OPEN,
        ask=request.query_params.get("ask", ""),
        done="" if problem else _DONE.get(request.query_params.get("done", ""), ""),
        problem=problem,
        **who.frame,
    )


def _shown(who: Visitor, one: Invite, form: Form | None, mail: Mail | None) -> dict[str, Any]:
    zone = who.customer.time_zone
    sees = Permission.SUBMISSIONS_READ in who.actor.permissions
    return {
        "id": one.id,
        "url": f"/invites/{one.id}",
        "name": one.name,
        "email": one.email,
        "form": form.name if form else one.form_id,
        "status": WORDS[one.status],
        "message": one.message,
        "reason": one.reason or "",
        "external_id": one.external_id or "",
        "expires": ending(one.expires, zone),
        "over": one.status not in OPEN,
        "remind": moment(one.remind, zone) if one.remind and one.awaits_reminder else None,
        "reminded": moment(one.reminded, zone) if one.reminded else None,
        "submission": f"/submissions/{one.submission_id}" if one.submission_id and sees else "",
        "waits": mail.detail if mail and mail.status is MailStatus.WAITING else "",
        "next": moment(mail.due, zone) if mail and mail.due and mail.detail else None,
        "twice": mail is not None and mail.perhaps_twice,
        "pending": one.status is InviteStatus.PENDING,
    }


def _history(who: Visitor, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The newest first. What begins anew was sent again."""
    shown = []
    for index, one in enumerate(steps):
        again = one.status is InviteStatus.PENDING and index > 0
        what = "Resent" if again else WORDS[one.status].happened
        shown.append({"what": what, "who": one.by, "when": moment(one.at, who.customer.time_zone), "note": one.detail})
    return shown[::-1]


@post(HERE + "/resend", status_code=303)
async def resend(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[Any]:
    """Send it anew."""
    who, ctx = await visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            desk = InviteMailer(ctx.secret_box, origin_of(request))
            await invites.resend(tx, who.actor, desk, invite_id=invite_id)
    except Conflict as error:
        return await _page(request, who, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done=resent", status_code=303)


@post(HERE + "/revoke", status_code=303)
async def revoke(request: Request[Any, Any, Any], invite_id: FromPath[str]) -> Response[Any]:
    """Take it back."""
    who = await visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await invites.revoke(tx, who.actor, invite_id=invite_id)
    except Conflict as error:
        return await _page(request, who, invite_id, str(error))
    return Redirect(f"/invites/{invite_id}?done=revoked", status_code=303)


HANDLERS = [invite_page, resend, revoke]
