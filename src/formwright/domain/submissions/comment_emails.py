"""Emails to users who are mentioned in a comment. They contain neither the comment nor answers, only a link."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.forms.models import Form
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language
from formwright.domain.submissions.models import Comment
from formwright.domain.users.models import User

PURPOSE = "mention"

_TEXTS = {
    "en": (
        "You were mentioned in a comment: {form}",
        "{author} mentioned you in a comment on a submission to {form}.",
        "You were mentioned in a comment on a submission to {form}.",
        "Open the comment",
    ),
    "de": (
        "Sie wurden in einem Kommentar erwähnt: {form}",
        "{author} hat Sie in einem Kommentar zu einer Einsendung von {form} erwähnt.",
        "Sie wurden in einem Kommentar zu einer Einsendung von {form} erwähnt.",
        "Kommentar öffnen",
    ),
}


@dataclass(frozen=True, slots=True)
class CommentMailer:
    """What emails about comments need: the box that encrypts them, and the address that their links start with."""

    secret_box: SecretBox
    base_url: str


async def send_emails(
    tx: WriteTransaction, mailer: CommentMailer, comment: Comment, form: Form, author: Actor, users: Sequence[User]
) -> None:
    """Queue an email to each of these users. The subject is the user's id, so that erasing the user finds it."""
    if not users:
        return
    account = await customers.get(tx, actors.system(comment.customer_id))
    sender = mail.MailSender.of(account, mailer.secret_box)
    url = f"{mailer.base_url}/submissions/{comment.submission_id}#{comment.id}"
    author_name = author.name if author.user_id else ""
    new = []
    for user in users:
        language = choose_language(user.language, account.locale)
        content = _compose_email(form.name, author_name, language, url)
        new.append(NewMail(PURPOSE, user.id, user.email, user.name, language, content))
    await mail.enqueue_many(tx, sender, new)


def _compose_email(form_name: str, author: str, language: str, url: str) -> EmailContent:
    subject, named, unnamed, button = _TEXTS[language]
    # An email subject is one line, but a form's name can contain line breaks. Names are replaced last, because they may
    # contain braces.
    name, line = " ".join(form_name.split()), named if author else unnamed
    parts = line.split("{form}")
    text = name.join(part.replace("{author}", author) for part in parts)
    return EmailContent(subject.replace("{form}", name), [text], (button, url))
