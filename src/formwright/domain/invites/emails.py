"""What the mails of an invite say, and how they are asked for: each carries a link of its own."""

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
    """The sentences of one language."""

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
        "{account} still waits for your answers to the form “{form}”.",
        "Open the form",
        "The link can be used until {time}.",
        "It is meant for you alone and needs no account. On its page you can also say that you will not fill in the"
        " form.",
    ),
    "de": _Texts(
        "Bitte ausfüllen: {form} ({account})",
        "Erinnerung: {form} ({account})",
        "{account} bittet Sie, das Formular „{form}“ auszufüllen.",
        "{account} wartet noch auf Ihre Antworten zum Formular „{form}“.",
        "Formular öffnen",
        "Der Link gilt bis {time}.",
        "Er ist nur für Sie bestimmt und braucht kein Konto. Auf der Seite können Sie auch sagen, dass Sie das Formular"
        " nicht ausfüllen.",
    ),
}


async def send_email(
    tx: WriteTransaction, mailer: InviteMailer, invite: Invite, form: Form, *, reminder: bool = False
) -> None:
    """Have the mail sent once this is committed. Its link is kept nowhere but in the mail that waits, sealed."""
    account = await customers.get(tx, actors.system(invite.customer_id))
    token = crypto.new_secret(LINK_PREFIX)
    await link_store.insert_link(tx, invite, crypto.fingerprint(token))
    letter = _compose_email(account, invite, form, f"{mailer.base_url}/fill/{token}", reminder=reminder)
    new = NewMail(
        REMINDER if reminder else PURPOSE,
        invite.id,
        invite.email,
        invite.name,
        choose_language(invite.language, account.locale),
        letter,
        until=invite.expires,
    )
    await mail.enqueue(tx, mail.MailSender(account.id, account.name, mailer.seal), new)


def _compose_email(account: Customer, invite: Invite, form: Form, url: str, *, reminder: bool) -> EmailContent:
    language = choose_language(invite.language, account.locale)
    words = _TEXTS[language]
    named = {"form": " ".join(form.name.split()), "account": " ".join(account.name.split())}
    subject, first = (words.reminder_subject, words.reminder) if reminder else (words.subject, words.invitation)
    message = [part for part in invite.message.strip().split("\n\n") if part.strip()]
    until = words.expiry.format(time=format_deadline(invite.expires, account.time_zone, language))
    lines = [first.format_map(named), *message]
    return EmailContent(subject.format_map(named), lines, (words.button, url), (until, words.note))
