"""What is done about subscribers that take nothing: their account is told, and in the end they are disabled."""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.webhooks import events, store
from formwright.domain.webhooks.health import Health
from formwright.domain.webhooks.models import Subscriber, SubscriberStatus

REASON_GONE = "The receiver answered 410 Gone."
REASON_FAILING = "Nothing arrived for 120 hours."


async def find_failing(tx: ReadTransaction) -> Sequence[tuple[str, str]]:
    """The account and the id of each for which something is to be done."""
    return await store.find_failing(tx)


async def alert_or_disable(tx: WriteTransaction, customer_id: str, subscriber_id: str) -> events.SubscriberEvent | None:
    """Tell of this one, or disable it, where its time has come; answers what was told."""
    now, scope = await account_lock.next_timestamp(tx, customer_id), Scope(customer_id)
    found = await store.find(tx, scope, subscriber_id)
    health = (await store.lock_health(tx, scope, [subscriber_id])).get(subscriber_id)
    if found is None or health is None or found.status is not SubscriberStatus.ACTIVE:
        return None
    if health.should_disable:
        return await _disable(tx, found, REASON_FAILING, now)
    return await _alert(tx, found, health) if health.needs_alert else None


async def _alert(tx: WriteTransaction, found: Subscriber, health: Health) -> events.SubscriberEvent:
    await store.update_health(tx, Scope(found.customer_id), [(found.id, replace(health, alerted=1))])
    event = events.SubscriberFailing(found.customer_id, found)
    tx.record(event)
    return event


async def has_new_url(tx: WriteTransaction, customer_id: str, subscriber_id: str, url: str) -> bool:
    """Whether it has another address by now than the one that was called; no change of it comes before the commit."""
    await account_lock.hold(tx, customer_id)
    found = await store.find(tx, Scope(customer_id), subscriber_id)
    return found is not None and found.url != url


async def disable_gone(tx: WriteTransaction, customer_id: str, subscriber_id: str) -> events.SubscriberEvent | None:
    """Disable one that wants nothing any more; None where it is so already, or was deleted."""
    now = await account_lock.next_timestamp(tx, customer_id)
    found = await store.find(tx, Scope(customer_id), subscriber_id)
    if found is None or found.status is not SubscriberStatus.ACTIVE:
        return None
    return await _disable(tx, found, REASON_GONE, now)


async def _disable(tx: WriteTransaction, found: Subscriber, reason: str, now: int) -> events.SubscriberEvent:
    await store.disable(tx, Scope(found.customer_id), found.id, reason, now)
    disabled = replace(found, status=SubscriberStatus.DISABLED, reason=reason, updated=now, revision=found.revision + 1)
    event = events.SubscriberDisabled(found.customer_id, disabled, changed=("status", "reason"))
    tx.record(event)
    return event
