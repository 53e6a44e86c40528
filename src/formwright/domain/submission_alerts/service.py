"""Alerts about new submissions: users turn them on for themselves, and a worker sends the emails."""

from dataclasses import dataclass, replace

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language
from formwright.domain.submission_alerts import store
from formwright.domain.submission_alerts.models import Alert, AlertFrequency, next_due
from formwright.domain.users import service as users
from formwright.domain.users.models import User, UserStatus

PURPOSE = "submission_alert"
_BATCH = 50
_MAX_COUNT = 1000
_TEXTS = {
    "en": ("{count} new: {form}", "New submissions to {form}: {count}.", "Open the submissions", "more than {limit}"),
    "de": ("{count} neu: {form}", "Neue Einsendungen zu {form}: {count}.", "Einsendungen öffnen", "mehr als {limit}"),
}
_AFTER = {
    "en": "You asked for these emails. You can change that above the list of submissions.",
    "de": "Sie haben diese E-Mails angefordert. Ändern können Sie das über der Liste der Einsendungen.",
}

DUE = store.DUE


@dataclass(frozen=True, slots=True)
class AlertMailer:
    """What emails about submissions need: the box that encrypts them, and the address that their links start with."""

    secret_box: SecretBox
    base_url: str


async def find_list_settings(
    tx: ReadTransaction, actor: Actor, *, form_id: str
) -> tuple[list[str] | None, AlertFrequency | None]:
    """Return what the acting user has set for the list of a form's submissions.

    It has the columns that they chose, if any, and how often they get emails about new submissions; None for never.
    """
    return await store.find_list_settings(tx, allow(actor, Permission.SUBMISSIONS_READ), actor.user_id or "", form_id)


async def set_frequency(tx: WriteTransaction, actor: Actor, frequency: AlertFrequency | None, *, form_id: str) -> None:
    """Send the acting user emails about the submissions of a form that arrive from now on. Raises `FormNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_READ)
    if not await forms.find(tx, scope, form_id):
        raise FormNotFound()
    account = await customers.get(tx, actors.system(scope.customer_id))
    alert = None
    if frequency:
        due = next_due(frequency, now, account.time_zone)
        alert = Alert(scope.customer_id, actor.user_id or "", form_id, frequency, now, due)
    await store.replace(tx, scope, actor.user_id or "", form_id, alert)


async def run_due(tx: WriteTransaction, customer_id: str, mailer: AlertMailer, now: int) -> int:
    """Send the emails of the account's alerts that are due, and return how many alerts were."""
    system = actors.system(customer_id)
    scope = Scope(customer_id)
    if not await store.list_due(tx, scope, now, 1):
        return 0
    # What has a smaller timestamp is committed, so no submission is left out and none is counted twice.
    until = await account_lock.next_timestamp(tx, customer_id)
    account, due = await customers.get(tx, system), await store.list_due(tx, scope, now, _BATCH)
    for alert in due:
        user = (await users.find_many(tx, system, [alert.user_id])).get(alert.user_id)
        form = await _find_visible_form(tx, user, alert) if user else None
        count = await store.count_new(tx, alert, _MAX_COUNT + 1) if form else 0
        if user and form and count:
            new = _compose(form, user, account, mailer, count)
            await mail.enqueue(tx, mail.MailSender.of(account, mailer.secret_box), new)
        after = replace(alert, since=until, due=next_due(alert.frequency, now, account.time_zone))
        await store.replace(tx, scope, alert.user_id, alert.form_id, after if user else None)
    return len(due)


async def _find_visible_form(tx: ReadTransaction, user: User, alert: Alert) -> Form | None:
    """Return the form if the user is active and may still see its submissions."""
    if user.status is not UserStatus.ACTIVE:
        return None
    try:
        scope = allow(await users.load_actor(tx, user), Permission.SUBMISSIONS_READ)
    except Denied:
        return None
    return await forms.find(tx, scope, alert.form_id)


def _compose(form: Form, user: User, account: Customer, mailer: AlertMailer, count: int) -> NewMail:
    language = choose_language(user.language, account.locale)
    subject, line, button, many = _TEXTS[language]
    number = many.format(limit=f"{_MAX_COUNT:,}") if count > _MAX_COUNT else str(count)
    # A subject is one line, but the name of a form can have line breaks. It comes last, because it can have braces.
    name = " ".join(form.name.split())
    texts = [text.replace("{count}", number).replace("{form}", name) for text in (subject, line)]
    # Without a public address there is nothing to link to.
    link = (button, f"{mailer.base_url}/submissions?form={form.id}") if mailer.base_url else None
    content = EmailContent(texts[0], texts[1:], link, [_AFTER[language]])
    # The subject is the id of the user, so that erasing the user finds the email.
    return NewMail(PURPOSE, user.id, user.email, user.name, language, content)
