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
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Window
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import Mail, MailStatus, NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.list_urls import format_place, parse_place

PATH = "/settings/mail"
_PAGE_SIZE = 50
_TEST_MAIL = {
    "en": ("Test email", "This is a test email from Formwright. Email delivery works."),
    "de": ("Test-E-Mail", "Dies ist eine Test-E-Mail von Formwright. Der Versand funktioniert."),
}
_STATUS_LABELS = {
    MailStatus.WAITING: ("Queued", "waiting"),
    MailStatus.SENT: ("Sent", "approved"),
    MailStatus.FAILED: ("Failed", "rejected"),
    MailStatus.WITHDRAWN: ("Withdrawn", "archived"),
}
_URL_LINE = re.compile(r"^https?://\S+$")


def mail_job(ctx: AppContext, visitor: Visitor) -> mails.MailSender:
    """Mails in the name of the visitor's account."""
    return mails.MailSender(visitor.customer.id, visitor.customer.name, ctx.secret_box)


@get(PATH)
async def mails_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's mails, the newest first."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    before = parse_place(request.query_params.get("before", ""))
    async with ctx.db.reading() as tx:
        found = await mails.page(tx, visitor.actor, Window(_PAGE_SIZE, before))
    return render_page(
        request,
        "settings/mails.html",
        place="Settings",
        mails=[_mail_row(ctx, visitor, mail) for mail in found.items],
        server=ctx.mail_transport.server,
        tested=request.query_params.get("tested") == "1",
        first=before is None,
        older=f"{PATH}?before={format_place(found.next)}" if found.next else "",
        under_way=before is None and any(mail.status is MailStatus.WAITING for mail in found.items),
        **visitor.template_frame,
    )


def mail_status(ctx: AppContext, visitor: Visitor, mail: Mail) -> dict[str, Any]:
    """What became of a mail, for other pages too."""
    word, sort = _STATUS_LABELS[mail.status]
    if mail.status is MailStatus.SENT and not ctx.mail_transport.server:
        word = "Saved to folder"
    detail = mail.detail if mail.status is not MailStatus.SENT else ""
    return {
        "word": word,
        "sort": sort,
        "detail": detail,
        "created": format_time(mail.created, visitor.customer.time_zone),
    }


def _mail_row(ctx: AppContext, visitor: Visitor, mail: Mail) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    return mail_status(ctx, visitor, mail) | {
        "id": mail.id,
        "to": mail.address,
        "name": mail.name,
        "subject": mail.subject,
        "twice": mail.perhaps_twice,
        "due": format_time(mail.due, zone) if mail.due and mail.tries else None,
        "readable": _may_read_mail(ctx, visitor) and mail.status is MailStatus.SENT,
    }


def _may_read_mail(ctx: AppContext, visitor: Visitor) -> bool:
    """What is in a mail lets its reader in as who it was written to: that is for owners."""
    return not ctx.mail_transport.server and Permission.CUSTOMER_EDIT in visitor.actor.permissions


@post(PATH + "/test", status_code=303)
async def send_test(request: Request[Any, Any, Any]) -> Redirect:
    """Send a mail to the visitor herself."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    allow(visitor.actor, Permission.PEOPLE_MANAGE)
    subject, line = _TEST_MAIL.get(visitor.user.language, _TEST_MAIL["en"])
    new = NewMail(
        "test",
        visitor.user.id,
        visitor.user.email,
        visitor.user.name,
        visitor.user.language,
        EmailContent(subject, [line]),
    )
    async with ctx.db.writing() as tx:
        await mails.enqueue(tx, mail_job(ctx, visitor), new)
    return Redirect(f"{PATH}?tested=1", status_code=303)


@get(PATH + "/{mail_id:str}")
async def mail_page(request: Request[Any, Any, Any], mail_id: FromPath[str]) -> Response[str]:
    """One mail as it was put into the folder."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    mail, content = await _load_mail(ctx, visitor, mail_id)
    part = message_from_bytes(content, policy=default).get_body(("plain",))
    text = str(part.get_content()) if part else ""
    lines = [(line, _URL_LINE.fullmatch(line) is not None) for line in text.splitlines()]
    return render_page(
        request,
        "settings/mail.html",
        place="Settings",
        mail=_mail_row(ctx, visitor, mail),
        lines=lines,
        **visitor.template_frame,
    )


@get(PATH + "/{mail_id:str}/file")
async def mail_file(request: Request[Any, Any, Any], mail_id: FromPath[str]) -> Response[bytes]:
    """The file, for a mail program."""
    mail, content = await _load_mail(get_app_context(request), await require_visitor(request), mail_id)
    headers = {"content-disposition": f'attachment; filename="{mail.id}.eml"', "cache-control": "no-store"}
    return Response(content, media_type="message/rfc822", headers=headers)


async def _load_mail(ctx: AppContext, visitor: Visitor, mail_id: str) -> tuple[Mail, bytes]:
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
    async with ctx.db.reading() as tx:
        mail = await mails.get(tx, visitor.actor, mail_id=mail_id)
    content = ctx.mail_transport.read_sent(mail.id)
    if content is None:
        raise NotFoundException
    return mail, content


HANDLERS = [mails_page, send_test, mail_page, mail_file]
