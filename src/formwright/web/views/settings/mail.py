"""Settings, Email: sent emails and their delivery status. Without a mail server, the emails themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
from formwright.web.templating import DisplayTime, format_time, render_view
from formwright.web.views.list_urls import ListPage, build_list_page, parse_position

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


@dataclass(frozen=True, slots=True)
class MailStatusView:
    """The delivery status of an email: its label, its CSS class, and why it is not sent yet."""

    word: str
    sort: str
    detail: str
    created: DisplayTime


@dataclass(frozen=True, slots=True)
class MailView:
    """An email in the list and on its own page."""

    id: str
    to: str
    name: str
    subject: str
    status: MailStatusView
    due: DisplayTime | None
    may_be_duplicate: bool
    is_readable: bool


@dataclass(frozen=True, slots=True)
class MailListPage:
    """The list of emails. `server` is empty if emails are only saved to a folder."""

    mails: ListPage[MailView]
    server: str
    is_tested: bool
    is_in_progress: bool


@dataclass(frozen=True, slots=True)
class MailPage:
    """One email: its lines of text, each with whether it is a link."""

    mail: MailView
    lines: Sequence[tuple[str, bool]]


def mail_job(ctx: AppContext, visitor: Visitor) -> mails.MailSender:
    """Return what is needed to send emails in the name of the visitor's account."""
    return mails.MailSender.of(visitor.customer, ctx.secret_box)


@get(PATH)
async def mails_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's emails, newest first."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    before = parse_position(request.query_params.get("before", ""))
    async with ctx.db.reading() as tx:
        found = await mails.page(tx, visitor.actor, Window(_PAGE_SIZE, before))
    rows = [_mail_view(ctx, visitor, mail) for mail in found.items]
    view_model = MailListPage(
        mails=build_list_page(PATH, rows, found.next, position=before, parameter="before"),
        server=ctx.mail_transport.server,
        is_tested=request.query_params.get("tested") == "1",
        is_in_progress=before is None and any(mail.status is MailStatus.WAITING for mail in found.items),
    )
    return render_view(request, "settings/mails.html", view_model, visitor=visitor, section="Settings")


def mail_status(ctx: AppContext, visitor: Visitor, mail: Mail) -> MailStatusView:
    """Return the delivery status of an email."""
    word, sort = _STATUS_LABELS[mail.status]
    if mail.status is MailStatus.SENT and not ctx.mail_transport.server:
        word = "Saved to folder"
    detail = mail.detail if mail.status is not MailStatus.SENT else ""
    return MailStatusView(word, sort, detail, format_time(mail.created, visitor.customer.time_zone))


def _mail_view(ctx: AppContext, visitor: Visitor, mail: Mail) -> MailView:
    zone = visitor.customer.time_zone
    return MailView(
        id=mail.id,
        to=mail.address,
        name=mail.name,
        subject=mail.subject,
        status=mail_status(ctx, visitor, mail),
        due=format_time(mail.due, zone) if mail.due and mail.tries else None,
        may_be_duplicate=mail.perhaps_twice,
        is_readable=_may_read_mail(ctx, visitor) and mail.status is MailStatus.SENT,
    )


def _may_read_mail(ctx: AppContext, visitor: Visitor) -> bool:
    """Only owners may read emails, because a link in an email grants access as its recipient."""
    return not ctx.mail_transport.server and Permission.CUSTOMER_EDIT in visitor.actor.permissions


@post(PATH + "/test", status_code=303)
async def send_test(request: Request[Any, Any, Any]) -> Redirect:
    """Send a test email to the visitor."""
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
    """One email as it was saved to the folder."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    mail, content = await _load_mail(ctx, visitor, mail_id)
    part = message_from_bytes(content, policy=default).get_body(("plain",))
    text = str(part.get_content()) if part else ""
    lines = [(line, _URL_LINE.fullmatch(line) is not None) for line in text.splitlines()]
    view_model = MailPage(_mail_view(ctx, visitor, mail), lines)
    return render_view(request, "settings/mail.html", view_model, visitor=visitor, section="Settings")


@get(PATH + "/{mail_id:str}/file")
async def mail_file(request: Request[Any, Any, Any], mail_id: FromPath[str]) -> Response[bytes]:
    """Download the email as a file for a mail program."""
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
