"""The emails of receipts, and their PDF, which is created when an email is sent."""

import asyncio
from dataclasses import dataclass, replace

import structlog
from msgspec import structs

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database
from formwright.core.net.email_message import Attachment, MailFailed
from formwright.core.pdf.compiler import PdfFailed, PdfTooDemanding
from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.domain.mail.models import FinishedEmail, NewMail
from formwright.domain.mail.queue import ClaimedMail
from formwright.domain.mail.service import MailSender
from formwright.domain.mail.templates import EmailContent, choose_language, format_time, render_email
from formwright.domain.receipts import store
from formwright.domain.receipts.models import ReceiptRecipient, ReceiptSettings
from formwright.domain.reports import service as reports
from formwright.domain.reports.document import Report
from formwright.domain.reports.templates import ReportTemplateFailed
from formwright.domain.submissions.models import SubmissionNotFound

PURPOSE = "receipt"
MAX_SIZE = 7 << 20
"""The largest attached PDF in bytes. Encoded it is a third larger, and some mail servers accept no more than 10 MB."""
_TIMEOUT_S = 45.0
"""With the transport's deadline, this is less than the lease of an email."""
_TEXTS = {
    "en": (
        "Your response: {form}",
        "Thank you for your response to {form}. The attached PDF shows your answers.",
        "Thank you for your response to {form}. A PDF of your answers could not be attached. Ask {account} for it.",
    ),
    "de": (
        "Ihre Antwort: {form}",
        "Danke für Ihre Antwort auf {form}. Die angehängte PDF-Datei zeigt Ihre Angaben.",
        "Danke für Ihre Antwort auf {form}. Eine PDF-Datei konnte nicht angehängt werden. Fragen Sie {account}.",
    ),
}
_CHANGES = {
    "en": (
        "Change your answers",
        "You can change your answers until they are reviewed.",
        "You can change your answers until {time}, unless they are reviewed earlier.",
        "Anyone who has the link can see and change your answers. Keep it to yourself.",
    ),
    "de": (
        "Antworten ändern",
        "Sie können Ihre Antworten ändern, bis sie geprüft werden.",
        "Sie können Ihre Antworten bis {time} ändern, sofern sie nicht vorher geprüft werden.",
        "Wer den Link hat, kann Ihre Antworten sehen und ändern. Geben Sie ihn nicht weiter.",
    ),
}
_REASONS = {
    "en": {
        ReceiptRecipient.FIELD: "You receive this email because somebody entered this address in the form. If it was"
        " not you, ignore the email and do not open the PDF. There will be no reminders.",
        ReceiptRecipient.RESPONDENT: "You receive this email because you responded to the form. There will be no"
        " reminders.",
    },
    "de": {
        ReceiptRecipient.FIELD: "Sie erhalten diese E-Mail, weil jemand diese Adresse in das Formular eingegeben hat."
        " Wenn Sie das nicht waren, ignorieren Sie die E-Mail und öffnen Sie die PDF-Datei nicht. Es folgen keine"
        " Erinnerungen.",
        ReceiptRecipient.RESPONDENT: "Sie erhalten diese E-Mail, weil Sie das Formular ausgefüllt haben. Es folgen"
        " keine Erinnerungen.",
    },
}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ChangeLink:
    """The link with which the sender changes the submission, and until when (milliseconds); None: until a review."""

    url: str
    ends: int | None


def compose(
    form: Form,
    account: Customer,
    settings: ReceiptSettings,
    language: str,
    submission_id: str,
    to: tuple[str, str],
    link: ChangeLink | None = None,
) -> NewMail:
    """Return the email about a submission. Its texts contain nothing that the sender of the submission entered."""
    chosen, (address, name) = choose_language(language, account.locale), to
    recipient = settings.recipient or ReceiptRecipient.FIELD
    content = _content(form, account, recipient, chosen, has_pdf=True)
    if link:
        content = _with_link(content, link, account.time_zone, chosen)
    return NewMail(PURPOSE, submission_id, address, name, chosen, content)


def _with_link(content: EmailContent, link: ChangeLink, time_zone: str, language: str) -> EmailContent:
    label, until_reviewed, until, warning = _CHANGES[language]
    line = until_reviewed if link.ends is None else until.format(time=format_time(link.ends, time_zone, language))
    after = [warning, *content.after]
    return replace(content, lines=[*content.lines, line], link=(label, link.url), after=after)


def _content(
    form: Form, account: Customer, recipient: ReceiptRecipient, language: str, *, has_pdf: bool
) -> EmailContent:
    subject, with_pdf, without_pdf = _TEXTS[language]
    # A subject is one line, but the name of a form can have line breaks. It comes last, because it can have braces.
    name, line = " ".join(form.name.split()), with_pdf if has_pdf else without_pdf
    text = name.join(part.replace("{account}", account.name) for part in line.split("{form}"))
    return EmailContent(subject.replace("{form}", name), [text], after=[_REASONS[language][recipient]])


async def finish(db: Database, blobs: BlobStore, mail: ClaimedMail) -> FinishedEmail:
    """Return the PDF of the email's submission, or another text if it cannot be created or is too large.

    Raises `MailFailed` if the submission does not exist any more, or the machine is too busy for now.
    """
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            async with db.reading() as tx:
                report = await reports.load(tx, actors.system(mail.customer_id), submission_id=mail.subject_id)
                settings = await store.find_settings(tx, Scope(mail.customer_id), report.form.id)
            content = await _render(_for_respondent(report), blobs, mail.id)
    except SubmissionNotFound:
        raise MailFailed("The submission was deleted.", permanent=True) from None
    except TimeoutError:
        raise MailFailed("The PDF took too long, because the server is busy.") from None
    if content is not None:
        return FinishedEmail(attachment=Attachment(report.file_name, "application", "pdf", content))
    recipient = (settings.recipient if settings else None) or ReceiptRecipient.FIELD
    text = _content(report.form, report.customer, recipient, mail.language, has_pdf=False)
    look = MailSender.look_of(report.customer)
    rendered = render_email(text, name=mail.name, account=report.customer.name, language=mail.language, look=look)
    return FinishedEmail(rendered=rendered)


async def _render(report: Report, blobs: BlobStore, mail_id: str) -> bytes | None:
    """Return the PDF; None if it cannot be created or is too large for an email."""
    try:
        content = await reports.render(report, blobs)
    except (PdfTooDemanding, PdfFailed, ReportTemplateFailed) as error:
        log.warning("receipt without PDF", mail=mail_id, detail=type(error).__name__)
        return None
    return content if len(content) <= MAX_SIZE else None


def _for_respondent(report: Report) -> Report:
    """Return the report without what reviewers and other systems have added to the submission."""
    record = structs.replace(report.submission, note=None, external_id=None)
    return replace(report, submission=record, hides_hidden=True)
