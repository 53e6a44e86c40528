"""Settings, Email: sent emails and their delivery status. Without a mail server, the emails themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import Mail, MailStatus, NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.web.http import NotFoundException, Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.list_pages import ListPage, read_list_request

PATH = "/settings/mail"
_TEST_MAIL = {
    "en": ("Test email", "This is a test email from Formwright. Email delivery works."),
    "de": ("Test-E-Mail", "Dies ist eine Test-E-Mail von Formwright. Der Versand funktioniert."),
}
_STATUS_LABELS = {
    MailStatus.WAITING: ("Queued", "waiting"),
    MailStatus.SENT: ("Sent", "approved"),
    MailStatus.NOT_SENT: ("Not sent", "rejected"),
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
async def mails_page(page: Page) -> Response:
    """The account's emails, newest first."""
    request = read_list_request(page, PATH)
    found = await mails.page(page.tx, page.actor, request.window)
    rows = [_mail_view(page.ctx, page.visitor, mail) for mail in found.items]
    view_model = MailListPage(
        mails=request.build(rows, found.next),
        server=page.ctx.mail_transport.server,
        is_tested=page.query.get("tested") == "1",
        is_in_progress=request.position is None and any(mail.status is MailStatus.WAITING for mail in found.items),
    )
    return page.render("settings/mails.html", view_model, section="Settings")


def mail_status(visitor: Visitor, mail: Mail) -> MailStatusView:
    """Return the delivery status of an email."""
    word, sort = _STATUS_LABELS[mail.status]
    detail = mail.detail if mail.status is not MailStatus.SENT else ""
    return MailStatusView(word, sort, detail, format_time(mail.created, visitor.customer.time_zone))


def _mail_view(ctx: AppContext, visitor: Visitor, mail: Mail) -> MailView:
    zone = visitor.customer.time_zone
    return MailView(
        id=mail.id,
        to=mail.address,
        name=mail.name,
        subject=mail.subject,
        status=mail_status(visitor, mail),
        due=format_time(mail.due, zone) if mail.due and mail.tries else None,
        may_be_duplicate=mail.perhaps_twice,
        is_readable=_may_read_mail(ctx, visitor) and mail.status in (MailStatus.SENT, MailStatus.NOT_SENT),
    )


def _may_read_mail(ctx: AppContext, visitor: Visitor) -> bool:
    """Only owners may read emails, because a link in an email grants access as its recipient."""
    return not ctx.mail_transport.server and Permission.CUSTOMER_EDIT in visitor.actor.permissions


@post(PATH + "/test")
async def send_test(page: Page) -> Redirect:
    """Send a test email to the visitor."""
    allow(page.actor, Permission.PEOPLE_MANAGE)
    subject, line = _TEST_MAIL.get(page.visitor.user.language, _TEST_MAIL["en"])
    new = NewMail(
        "test",
        page.visitor.user.id,
        page.visitor.user.email,
        page.visitor.user.name,
        page.visitor.user.language,
        EmailContent(subject, [line]),
    )
    async with page.writing() as tx:
        await mails.enqueue(tx, mail_job(page.ctx, page.visitor), new)
    return Redirect(f"{PATH}?tested=1")


@get(PATH + "/{mail_id:str}")
async def mail_page(page: Page, mail_id: str) -> Response:
    """One email as it was saved to the folder."""
    mail, content = await _load_mail(page, mail_id)
    part = message_from_bytes(content, policy=default).get_body(("plain",))
    text = str(part.get_content()) if part else ""
    lines = [(line, _URL_LINE.fullmatch(line) is not None) for line in text.splitlines()]
    view_model = MailPage(_mail_view(page.ctx, page.visitor, mail), lines)
    return page.render("settings/mail.html", view_model, section="Settings")


@get(PATH + "/{mail_id:str}/file")
async def mail_file(page: Page, mail_id: str) -> Response:
    """Download the email as a file for a mail program."""
    mail, content = await _load_mail(page, mail_id)
    headers = {"content-disposition": f'attachment; filename="{mail.id}.eml"', "cache-control": "no-store"}
    return Response(content, media_type="message/rfc822", headers=headers)


async def _load_mail(page: Page, mail_id: str) -> tuple[Mail, bytes]:
    allow(page.actor, Permission.CUSTOMER_EDIT)
    mail = await mails.get(page.tx, page.actor, mail_id=mail_id)
    content = page.ctx.mail_transport.read_sent(mail.id)
    if content is None:
        raise NotFoundException
    return mail, content
