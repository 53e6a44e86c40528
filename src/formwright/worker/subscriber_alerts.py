"""Alerts for failing webhooks: notifies the owners of the account after a day, and disables the webhook after five."""

import structlog

from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.db import due_work
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.customers import service as customers
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language
from formwright.domain.users import service as people
from formwright.domain.webhooks import failing_subscribers
from formwright.domain.webhooks.failing_subscribers import REASON_GONE
from formwright.domain.webhooks.models import Subscriber, SubscriberStatus
from formwright.domain.webhooks.retry_policy import SCHEDULE_S, RetryPolicy, parse_schedule
from formwright.settings import Settings, SettingsError
from formwright.worker.due_accounts import DueWorker


def retry_policy_from(settings: Settings) -> RetryPolicy:
    """Return the retry policy from the settings; raises `SettingsError` if its schedule is invalid."""
    try:
        schedule = parse_schedule(settings.webhook_retry) if settings.webhook_retry else SCHEDULE_S
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_WEBHOOK_RETRY {error}") from error
    return RetryPolicy(schedule, settings.webhook_timeout, settings.webhook_hold)


_POLL_INTERVAL_S = 10.0
_RETRY_MS = 60_000
_PURPOSE = "subscriber"

# Subject, then paragraphs. {name} and {url} are user input and are escaped as text.
_FAILING = {
    "en": (
        "Webhook “{name}” has been failing for a day",
        "No event has been delivered to {url} since then, although we keep trying.",
        (
            "What happens next: events are queued and delivered once the receiver responds again. After five days"
            " without a successful delivery, the webhook is disabled."
        ),
        "What to do: check this webhook's delivery attempts in Settings, then fix the receiver or change its URL.",
    ),
    "de": (
        "Der Webhook „{name}“ schlägt seit einem Tag fehl",
        "Seitdem konnte kein Ereignis an {url} zugestellt werden. Wir versuchen es weiter.",
        (
            "So geht es weiter: Ereignisse werden gesammelt und zugestellt, sobald der Empfänger wieder antwortet. Nach"
            " fünf Tagen ohne erfolgreiche Zustellung wird der Webhook deaktiviert."
        ),
        (
            "Was Sie tun können: Prüfen Sie in den Einstellungen die Zustellversuche dieses Webhooks, und beheben Sie"
            " das Problem beim Empfänger, oder ändern Sie die URL."
        ),
    ),
}
_DISABLED = {
    "en": (
        "Webhook “{name}” was disabled",
        "We no longer deliver events to {url}. {why}",
        "Nothing is lost: events are queued and delivered when you enable the webhook again.",
    ),
    "de": (
        "Der Webhook „{name}“ wurde deaktiviert",
        "An {url} werden keine Ereignisse mehr zugestellt. {why}",
        (
            "Es geht nichts verloren: Ereignisse werden gesammelt und zugestellt, wenn Sie den Webhook wieder"
            " aktivieren."
        ),
    ),
}
_SEE = {"en": "View webhook", "de": "Webhook anzeigen"}
_WHY = {
    (True, "en"): "The receiver responded that it no longer exists (410 Gone).",
    (True, "de"): "Der Empfänger meldet, dass es ihn nicht mehr gibt (410 Gone).",
    (False, "en"): "No event could be delivered for five days.",
    (False, "de"): "Seit fünf Tagen konnte kein Ereignis zugestellt werden.",
}

log = structlog.get_logger()


class SubscriberAlerts(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext) -> None:
        super().__init__(ctx, WorkKind.WEBHOOK_ALERT, poll_interval_s=_POLL_INTERVAL_S)

    async def _work(self, customer_id: str, _: int) -> bool:
        async with self._ctx.db.reading() as tx:
            failing = await failing_subscribers.find_failing(tx, customer_id)
        for subscriber_id in failing:
            await self._check(customer_id, subscriber_id)
        async with self._ctx.db.writing() as tx:
            await due_work.settle(tx, WorkKind.WEBHOOK_ALERT, customer_id, self._ctx.clock.now(), _find_next_due)
        return bool(failing)

    async def _check(self, customer_id: str, subscriber_id: str) -> None:
        """Alert or disable a subscriber. An error with one does not affect the others of the account."""
        try:
            async with self._ctx.db.writing() as tx:
                if subscriber := await failing_subscribers.alert_or_disable(tx, customer_id, subscriber_id):
                    await enqueue_alerts(tx, self._ctx, subscriber)
        except Unavailable:
            raise
        except Exception:
            log.exception("subscriber check failed", subscriber=subscriber_id)


async def _find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
    """Return when to retry the subscribers that failed to be checked, or None if there are none."""
    return now + _RETRY_MS if await failing_subscribers.find_failing(tx, customer_id) else None


async def enqueue_alerts(tx: WriteTransaction, ctx: AppContext, subscriber: Subscriber) -> None:
    """Queue an email to each owner of the account, in the transaction that records that it fails."""
    actor = actors.system(subscriber.customer_id)
    account = await customers.get(tx, actor)
    sender = mails.MailSender.of(account, ctx.secret_box)
    for owner in await people.list_owners(tx, actor):
        language = choose_language(owner.language, account.locale)
        email = _compose_email(subscriber, language, ctx.settings.base_url)
        new = NewMail(_PURPOSE, subscriber.id, owner.email, owner.name, language, email)
        await mails.enqueue(tx, sender, new)


def _compose_email(subscriber: Subscriber, language: str, base_url: str) -> EmailContent:
    why = _WHY[subscriber.reason == REASON_GONE, language]
    texts = (_DISABLED if subscriber.status is SubscriberStatus.DISABLED else _FAILING)[language]
    name, url = _one_line(subscriber.name), subscriber.url
    subject, *lines = [line.format(name=name, url=url, why=why) for line in texts]
    # Without a public address there is nothing to link to.
    page = f"{base_url}/settings/connections/webhooks/{subscriber.id}"
    return EmailContent(subject, lines, (_SEE[language], page) if base_url else None)


def _one_line(name: str) -> str:
    return " ".join(name.split())
