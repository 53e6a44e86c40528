"""Emails of an invite. Each has a link of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.db.interface import WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.domain.invites import link_store
from formwright.domain.invites.models import Invite, InviteMailer
from formwright.domain.invites.transitions import PURPOSE, REMINDER
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language, format_deadline

LINK_PREFIX = "i"


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts in one language."""

    subject: str
    reminder_subject: str
    invitation: str
    reminder: str
    button: str
    expiry: str
    note: str


_TEXTS = {
    "en": _Texts(
        "Please fill in: {form} ({account})",
        "Reminder: {form} ({account})",
        "{account} asks you to fill in the form “{form}”.",
        "{account} is still waiting for your response to the form “{form}”.",
        "Open the form",
        "The link is valid until {time}.",
        "The link is personal, and you don't need an account. If you don't want to fill in the form, you can decline on"
        " its page.",
    ),
    "de": _Texts(
        "Bitte ausfüllen: {form} ({account})",
        "Erinnerung: {form} ({account})",
        "{account} bittet Sie, das Formular „{form}“ auszufüllen.",
        "{account} wartet noch auf Ihre Antworten zum Formular „{form}“.",
        "Formular öffnen",
        "Der Link gilt bis {time}.",
        "Der Link ist nur für Sie bestimmt, und Sie brauchen kein Konto. Wenn Sie das Formular nicht ausfüllen möchten,"
        " können Sie auf der Seite ablehnen.",
    ),
}


async def send_emails(
    tx: WriteTransaction, mailer: InviteMailer, invites: Sequence[tuple[Invite, Form]], *, reminder: bool = False
) -> None:
    """Queue the invitation or the reminder to each of these invites of one account.

    The links are stored only as hashes, and in the encrypted queued emails.
    """
    account = await customers.get(tx, actors.system(invites[0][0].customer_id))
    links, mails = [], []
    for invite, form in invites:
        token = crypto.new_secret(LINK_PREFIX)
        links.append((invite, crypto.fingerprint(token)))
        mails.append(_new_mail(account, invite, form, f"{mailer.base_url}/fill/{token}", reminder=reminder))
    await link_store.insert_links(tx, links)
    await mail.enqueue_many(tx, mail.MailSender.of(account, mailer.seal), mails)


def _new_mail(account: Customer, invite: Invite, form: Form, url: str, *, reminder: bool) -> NewMail:
    return NewMail(
        REMINDER if reminder else PURPOSE,
        invite.id,
        invite.email,
        invite.name,
        choose_language(invite.language, account.locale),
        _compose_email(account, invite, form, url, reminder=reminder),
        until=invite.expires,
    )


def _compose_email(account: Customer, invite: Invite, form: Form, url: str, *, reminder: bool) -> EmailContent:
    language = choose_language(invite.language, account.locale)
    texts = _TEXTS[language]
    # Subjects are one line, but names can contain line breaks.
    names = {"form": " ".join(form.name.split()), "account": " ".join(account.name.split())}
    subject, first = (texts.reminder_subject, texts.reminder) if reminder else (texts.subject, texts.invitation)
    message = [part for part in invite.message.strip().split("\n\n") if part.strip()]
    until = texts.expiry.format(time=format_deadline(invite.expires, account.time_zone, language))
    lines = [first.format_map(names), *message]
    return EmailContent(subject.format_map(names), lines, (texts.button, url), (until, texts.note))
