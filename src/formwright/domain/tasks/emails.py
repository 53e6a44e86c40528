"""Emails to the recipients of a task: when it opens, as a reminder, and when it is overdue."""

from collections.abc import Collection
from enum import StrEnum

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormStatus
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language, format_time
from formwright.domain.tasks.models import ANSWERED_STATUSES, Task
from formwright.domain.users import service as people
from formwright.domain.users.models import UserStatus

PURPOSE = "task"


class Occasion(StrEnum):
    """The reason for an email."""

    OPENED = "opened"
    REMINDER = "reminder"
    OVERDUE = "overdue"


_TEXTS = {
    "en": {
        Occasion.OPENED: ("Please fill in: {form}", "You have a new task: {form}."),
        Occasion.REMINDER: ("Reminder: {form}", "This task is still waiting for you: {form}."),
        Occasion.OVERDUE: ("Overdue: {form}", "This task is overdue: {form}."),
        "due": "It is due on {time}.",
        "open": "Open the task",
    },
    "de": {
        Occasion.OPENED: ("Bitte ausfüllen: {form}", "Sie haben eine neue Aufgabe: {form}."),
        Occasion.REMINDER: ("Erinnerung: {form}", "Diese Aufgabe wartet noch auf Sie: {form}."),
        Occasion.OVERDUE: ("Überfällig: {form}", "Diese Aufgabe ist überfällig: {form}."),
        "due": "Sie ist fällig am {time}.",
        "open": "Aufgabe öffnen",
    },
}


async def send_emails(
    tx: WriteTransaction, secret_box: SecretBox, task: Task, occasion: Occasion, exclude: Collection[str] = ()
) -> None:
    """Queue an email to each recipient who has not responded, except disabled users and those in `exclude`.

    Sends nothing if the form has been archived.
    """
    form = await forms.find(tx, Scope(task.customer_id), task.form_id)
    if form is None or form.status is not FormStatus.ACTIVE:
        return
    user_ids = [f.user_id for f in task.fulfilments if f.status not in ANSWERED_STATUSES and f.user_id not in exclude]
    actor = actors.system(task.customer_id)
    account = await customers.get(tx, actor)
    sender = mail.MailSender.of(account, secret_box)
    new = []
    for user in (await people.find_many(tx, actor, user_ids)).values():
        if user.status is not UserStatus.DISABLED:
            language = choose_language(user.language, account.locale)
            content = _compose_email(task, form, occasion, language, account.time_zone)
            new.append(NewMail(PURPOSE, task.id, user.email, user.name, language, content))
    await mail.enqueue_many(tx, sender, new)


def _compose_email(task: Task, form: Form, occasion: Occasion, language: str, zone: str) -> EmailContent:
    texts = _TEXTS[language]
    # An email subject is one line, but a form's name can contain line breaks.
    name = " ".join(form.name.split())
    subject, first = texts[occasion]
    lines = [first.replace("{form}", name)]
    if task.due_at is not None:
        lines.append(str(texts["due"]).format(time=format_time(task.due_at, zone, language)))
    lines += [task.message] if task.message.strip() else []
    return EmailContent(
        subject.replace("{form}", name), lines, (str(texts["open"]), f"{task.base_url}/my/tasks/{task.id}")
    )
