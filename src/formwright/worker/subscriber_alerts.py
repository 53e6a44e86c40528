"""The operator's terms of delivery.

Looks after subscribers that take nothing: their account is told, and in the end they are disabled.
"""

import asyncio

import structlog

from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Unavailable
from formwright.domain.customers import service as customers
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import Letter, known_language
from formwright.domain.users import service as people
from formwright.domain.webhooks import failing_subscribers
from formwright.domain.webhooks.events import SubscriberDisabled, SubscriberEvent
from formwright.domain.webhooks.failing_subscribers import GONE
from formwright.domain.webhooks.retry_policy import SCHEDULE_S, RetryPolicy, parse_schedule
from formwright.settings import Settings, SettingsError


def terms(settings: Settings) -> RetryPolicy:
    """How long receivers are waited for; `SettingsError` where the operator's waits are none."""
    try:
        schedule = parse_schedule(settings.webhook_retry) if settings.webhook_retry else SCHEDULE_S
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_WEBHOOK_RETRY {error}") from error
    return RetryPolicy(schedule, settings.webhook_timeout, settings.webhook_hold)


_EVERY_S = 60.0
_PURPOSE = "subscriber"

# Subject, then paragraphs. {name} and {url} are the subscriber's; people typed them, and they stay text.
_FAILING = {
    "en": (
        "Webhook “{name}” has been failing for a day",
        "Nothing has arrived at {url} since then, although we keep trying.",
        (
            "What happens now: events wait and are sent once it answers again. After five days without a success the"
            " webhook is disabled."
        ),
        "What to do: see the tries of this webhook under Settings, and mend the receiver, or change its address.",
    ),
    "de": (
        "Der Webhook „{name}“ schlägt seit einem Tag fehl",
        "Seitdem ist unter {url} nichts angekommen, obwohl wir es weiter versuchen.",
        (
            "Wie es weitergeht: Ereignisse warten und werden gesendet, sobald der Empfänger wieder antwortet. Nach fünf"
            " Tagen ohne Erfolg wird der Webhook abgeschaltet."
        ),
        (
            "Was zu tun ist: Sehen Sie sich unter Einstellungen die Versuche dieses Webhooks an, und bringen Sie den"
            " Empfänger in Ordnung, oder ändern Sie seine Adresse."
        ),
    ),
}
_DISABLED = {
    "en": (
        "Webhook “{name}” was disabled",
        "Nothing is sent to {url} any more. {why}",
        "Nothing is lost: events wait from now on, and are sent when you enable the webhook again.",
    ),
    "de": (
        "Der Webhook „{name}“ wurde abgeschaltet",
        "An {url} wird nichts mehr gesendet. {why}",
        (
            "Es geht nichts verloren: Ereignisse warten von nun an und werden gesendet, wenn Sie den Webhook wieder"
            " einschalten."
        ),
    ),
}
_SEE = {"en": "See the webhook", "de": "Den Webhook ansehen"}
_WHY = {
    (True, "en"): "The receiver said that it is gone for good (410).",
    (True, "de"): "Der Empfänger sagte, dass es ihn nicht mehr gibt (410).",
    (False, "en"): "For five days nothing arrived there.",
    (False, "de"): "Seit fünf Tagen kam dort nichts an.",
}

log = structlog.get_logger()


async def watch(ctx: AppContext) -> None:
    """Look every minute, until cancelled. Several processes may do so side by side."""
    while True:
        try:
            await look(ctx)
        except Unavailable as error:
            log.warning("nobody looks after subscribers that fail", detail=str(error))
        except Exception:
            log.exception("the loop that looks after subscribers failed and goes on")
        await asyncio.sleep(_EVERY_S)


async def look(ctx: AppContext) -> None:
    """Look once at every subscriber that has been failing for a day or more. One that fails here holds up no other."""
    async with ctx.db.reading() as tx:
        found = await failing_subscribers.found(tx)
    for customer_id, subscriber_id in found:
        try:
            await _look(ctx, customer_id, subscriber_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("a subscriber that fails cannot be looked after", subscriber=subscriber_id)


async def _look(ctx: AppContext, customer_id: str, subscriber_id: str) -> None:
    async with ctx.db.writing() as tx:
        if event := await failing_subscribers.look(tx, customer_id, subscriber_id):
            await warn(tx, ctx, event)


async def warn(tx: WriteTransaction, ctx: AppContext, event: SubscriberEvent) -> None:
    """Write to the owners of the account, in the transaction of what happened."""
    actor = actors.system(event.customer_id)
    account = await customers.get(tx, actor)
    post = mails.MailJob(account.id, account.name, ctx.seal)
    for owner in await people.owners(tx, actor):
        language = known_language(owner.language, account.locale)
        letter = _letter(event, language, ctx.settings.base_url)
        new = NewMail(_PURPOSE, event.subscriber.id, owner.email, owner.name, language, letter)
        await mails.enqueue(tx, post, new)


def _letter(event: SubscriberEvent, language: str, base_url: str) -> Letter:
    disabled = isinstance(event, SubscriberDisabled)
    why = _WHY[event.subscriber.reason == GONE, language]
    words = (_DISABLED if disabled else _FAILING)[language]
    name, url = _one_line(event.subscriber.name), event.subscriber.url
    subject, *lines = [line.format(name=name, url=url, why=why) for line in words]
    # Where the public address is not set, there is nothing that a mail could lead to.
    page = f"{base_url}/settings/connections/webhooks/{event.subscriber.id}"
    return Letter(subject, lines, (_SEE[language], page) if base_url else None)


def _one_line(name: str) -> str:
    return " ".join(name.split())
