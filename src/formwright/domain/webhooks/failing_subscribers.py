"""Actions for subscribers whose receiver fails: an alert event after a day, and disabling after five days."""

from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import Event, EventType
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import DeliveryHealth
from formwright.domain.webhooks.models import Subscriber, SubscriberStatus

REASON_GONE = "The receiver responded 410 Gone."
REASON_FAILING = "No delivery succeeded for 120 hours."


async def find_failing(tx: ReadTransaction, customer_id: str) -> list[str]:
    """Return the ids of the account's subscribers that need an alert or must be disabled."""
    return await store.find_failing(tx, Scope(customer_id))


async def find_due_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts with such subscribers."""
    return await store.find_accounts_with_failing(tx)


async def alert_or_disable(tx: WriteTransaction, customer_id: str, subscriber_id: str) -> Subscriber | None:
    """Record that a subscriber is failing, or disable it, if it has failed for long enough.

    Returns the subscriber after that, or None if there is nothing to do, for example because deliveries succeed again.
    """
    now, scope = await account_lock.next_timestamp(tx, customer_id), Scope(customer_id)
    subscriber = await store.find(tx, scope, subscriber_id)
    health = (await store.lock_health(tx, scope, [subscriber_id])).get(subscriber_id)
    if subscriber is None or health is None or subscriber.status is not SubscriberStatus.ACTIVE:
        return None
    if health.should_disable:
        return await _disable(tx, subscriber, REASON_FAILING, now)
    return await _alert(tx, subscriber, health) if health.needs_alert else None


async def _alert(tx: WriteTransaction, subscriber: Subscriber, health: DeliveryHealth) -> Subscriber:
    await store.update_health(tx, Scope(subscriber.customer_id), [(subscriber.id, replace(health, alerted=1))])
    tx.record(Event(EventType.SUBSCRIBER_FAILING, subscriber.customer_id, subscriber))
    return subscriber


async def has_new_url(tx: WriteTransaction, customer_id: str, subscriber_id: str, url: str) -> bool:
    """Whether the subscriber's URL is no longer `url`. Holds the account's lock, so that the answer stays true."""
    await account_lock.hold(tx, customer_id)
    subscriber = await store.find(tx, Scope(customer_id), subscriber_id)
    return subscriber is not None and subscriber.url != url


async def disable_gone(tx: WriteTransaction, customer_id: str, subscriber_id: str) -> Subscriber | None:
    """Disable a subscriber whose receiver responded 410 Gone, and return it.

    Returns None if the subscriber is disabled already or was deleted.
    """
    now = await account_lock.next_timestamp(tx, customer_id)
    subscriber = await store.find(tx, Scope(customer_id), subscriber_id)
    if subscriber is None or subscriber.status is not SubscriberStatus.ACTIVE:
        return None
    return await _disable(tx, subscriber, REASON_GONE, now)


async def _disable(tx: WriteTransaction, subscriber: Subscriber, reason: str, now: int) -> Subscriber:
    await store.disable(tx, Scope(subscriber.customer_id), subscriber.id, reason, now)
    revision = subscriber.revision + 1
    disabled = replace(subscriber, status=SubscriberStatus.DISABLED, reason=reason, updated=now, revision=revision)
    changed = ("status", "reason")
    tx.record(Event(EventType.SUBSCRIBER_DISABLED, subscriber.customer_id, disabled, changed=changed))
    return disabled
