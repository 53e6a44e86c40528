"""The mails of a task: it is there, it is due soon, it is overdue."""

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
    """Why it is written."""

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
    """To everybody of whom an answer is still awaited and who is not disabled, `but` these.

    Not for a form that was closed meanwhile.
    """
    form = await forms.find(tx, Scope(task.customer_id), task.form_id)
    if form is None or form.status is not FormStatus.ACTIVE:
        return
    awaited = [
        one.user_id for one in task.fulfilments if one.status not in ANSWERED_STATUSES and one.user_id not in exclude
    ]
    actor = actors.system(task.customer_id)
    account = await customers.get(tx, actor)
    post = mail.MailSender(account.id, account.name, secret_box)
    for user in (await people.find_many(tx, actor, awaited)).values():
        if user.status is not UserStatus.DISABLED:
            language = choose_language(user.language, account.locale)
            letter = _compose_email(task, form, occasion, language, account.time_zone)
            new = NewMail(PURPOSE, task.id, user.email, user.name, language, letter)
            await mail.enqueue(tx, post, new)


def _compose_email(task: Task, form: Form, occasion: Occasion, language: str, zone: str) -> EmailContent:
    words = _TEXTS[language]
    # A subject is one line, whatever a form is called.
    name = " ".join(form.name.split())
    subject, first = words[occasion]
    lines = [first.replace("{form}", name)]
    if task.due_at is not None:
        lines.append(str(words["due"]).format(time=format_time(task.due_at, zone, language)))
    lines += [task.message] if task.message.strip() else []
    return EmailContent(
        subject.replace("{form}", name), lines, (str(words["open"]), f"{task.base_url}/my/tasks/{task.id}")
    )
