"""Settings, Mail: what was sent and what became of it; where no server is set, the mails themselves."""

import re
from email import message_from_bytes
from email.policy import default
from typing import Any

from litestar import Request, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.context import AppContext
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.pagination import Window
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import Mail, MailStatus, NewMail
from formwright.domain.mail.templates import Letter
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.list_urls import place_of, written

HERE = "/settings/mail"
_ROWS = 50
_TEST = {
    "en": ("A test", "This mail was sent to see that mails from here arrive. They do."),
    "de": ("Ein Test", "Diese Mail wurde geschickt, um zu sehen, dass Mails von hier ankommen. Sie tun es."),
}
_WORDS = {
    MailStatus.WAITING: ("Waiting", "waiting"),
    MailStatus.SENT: ("Sent", "approved"),
    MailStatus.FAILED: ("Failed", "rejected"),
    MailStatus.WITHDRAWN: ("Withdrawn", "archived"),
}
_ADDRESS = re.compile(r"^https?://\S+$")


def post_of(ctx: AppContext, who: Visitor) -> mails.MailJob:
    """Mails in the name of the visitor's account."""
    return mails.MailJob(who.customer.id, who.customer.name, ctx.secret_box)


@get(HERE)
async def mails_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's mails, the newest first."""
    who, ctx = await visitor(request), get_app_context(request)
    before = place_of(request.query_params.get("before", ""))
    async with ctx.db.reading() as tx:
        found = await mails.page(tx, who.actor, Window(_ROWS, before))
    return page(
        request,
        "settings/mails.html",
        place="Settings",
        mails=[_shown(ctx, who, mail) for mail in found.items],
        server=ctx.mail_transport.server,
        tested=request.query_params.get("tested") == "1",
        first=before is None,
        older=f"{HERE}?before={written(found.next)}" if found.next else "",
        under_way=before is None and any(mail.status is MailStatus.WAITING for mail in found.items),
        **who.frame,
    )


def sent(ctx: AppContext, who: Visitor, mail: Mail) -> dict[str, Any]:
    """What became of a mail, for other pages too."""
    word, sort = _WORDS[mail.status]
    if mail.status is MailStatus.SENT and not ctx.mail_transport.server:
        word = "In the folder"
    detail = mail.detail if mail.status is not MailStatus.SENT else ""
    return {"word": word, "sort": sort, "detail": detail, "created": moment(mail.created, who.customer.time_zone)}


def _shown(ctx: AppContext, who: Visitor, mail: Mail) -> dict[str, Any]:
    zone = who.customer.time_zone
    return sent(ctx, who, mail) | {
        "id": mail.id,
        "to": mail.address,
        "name": mail.name,
        "subject": mail.subject,
        "twice": mail.perhaps_twice,
        "due": moment(mail.due, zone) if mail.due and mail.tries else None,
        "readable": _may_read(ctx, who) and mail.status is MailStatus.SENT,
    }


def _may_read(ctx: AppContext, who: Visitor) -> bool:
    """What is in a mail lets its reader in as who it was written to: that is for owners."""
    return not ctx.mail_transport.server and Permission.CUSTOMER_EDIT in who.actor.permissions


@post(HERE + "/test", status_code=303)
async def send_test(request: Request[Any, Any, Any]) -> Redirect:
    """Send a mail to the visitor herself."""
    who, ctx = await visitor(request), get_app_context(request)
    allow(who.actor, Permission.PEOPLE_MANAGE)
    subject, line = _TEST.get(who.user.language, _TEST["en"])
    new = NewMail("test", who.user.id, who.user.email, who.user.name, who.user.language, Letter(subject, [line]))
    async with ctx.db.writing() as tx:
        await mails.enqueue(tx, post_of(ctx, who), new)
    return Redirect(f"{HERE}?tested=1", status_code=303)


@get(HERE + "/{mail_id:str}")
async def mail_page(request: Request[Any, Any, Any], mail_id: FromPath[str]) -> Response[str]:
    """One mail as it was put into the folder."""
    who, ctx = await visitor(request), get_app_context(request)
    mail, content = await _kept(ctx, who, mail_id)
    part = message_from_bytes(content, policy=default).get_body(("plain",))
    text = str(part.get_content()) if part else ""
    lines = [(line, _ADDRESS.fullmatch(line) is not None) for line in text.splitlines()]
    return page(request, "settings/mail.html", place="Settings", mail=_shown(ctx, who, mail), lines=lines, **who.frame)


@get(HERE + "/{mail_id:str}/file")
async def mail_file(request: Request[Any, Any, Any], mail_id: FromPath[str]) -> Response[bytes]:
    """The file, for a mail program."""
    mail, content = await _kept(get_app_context(request), await visitor(request), mail_id)
    headers = {"content-disposition": f'attachment; filename="{mail.id}.eml"', "cache-control": "no-store"}
    return Response(content, media_type="message/rfc822", headers=headers)


async def _kept(ctx: AppContext, who: Visitor, mail_id: str) -> tuple[Mail, bytes]:
    allow(who.actor, Permission.CUSTOMER_EDIT)
    async with ctx.db.reading() as tx:
        mail = await mails.get(tx, who.actor, mail_id=mail_id)
    content = ctx.mail_transport.kept(mail.id)
    if content is None:
        raise NotFoundException
    return mail, content


HANDLERS = [mails_page, send_test, mail_page, mail_file]
