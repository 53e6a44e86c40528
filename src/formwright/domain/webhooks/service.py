"""The verbs of subscribers."""

from collections.abc import Callable
from dataclasses import replace

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.events import AuditNote
from formwright.core.events import changed as differing
from formwright.core.pagination import Page, Window
from formwright.domain.webhooks import custom_headers, signing, store
from formwright.domain.webhooks.health import HEALTHY, SLOW_START
from formwright.domain.webhooks.models import (
    MAX_SUBSCRIBERS,
    Invocation,
    InvocationNotFound,
    InvocationStatus,
    NewSubscriber,
    Subscriber,
    SubscriberChange,
    SubscriberLimitReached,
    SubscriberNotFound,
    SubscriberStatus,
)

CheckUrl = Callable[[str], object]


async def subscribe(
    tx: WriteTransaction, actor: Actor, new: NewSubscriber, *, secret_box: SecretBox, check_url: CheckUrl
) -> tuple[Subscriber, str]:
    """A new subscriber of every event from here on, and its signing secret, which is not shown again."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    own, wrong = custom_headers.merge_headers(new.headers, "", secret_box, same_origin=False)
    if found := [*_validate(new, check_url), *wrong]:
        raise Invalid(found)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    if await store.count(tx, scope) >= MAX_SUBSCRIBERS:
        raise SubscriberLimitReached()
    secret = signing.new_secret()
    subscriber = Subscriber(
        id=tx.new_id("hook"),
        customer_id=scope.customer_id,
        name=new.name,
        url=new.url,
        types=tuple(new.types),
        form_ids=tuple(new.form_ids),
        status=SubscriberStatus.ACTIVE,
        reason=None,
        secret=secret_box.close(secret),
        retiring=(),
        headers=custom_headers.encrypt_headers(own, secret_box),
        header_names=tuple(own),
        health=HEALTHY,
        created=now,
        updated=now,
        revision=1,
    )
    await store.insert(tx, subscriber)
    tx.audit(AuditNote(scope.customer_id, "subscriber.created", subscriber.id, subscriber.name))
    return subscriber, secret


def _validate(new: NewSubscriber, check_url: CheckUrl) -> list[ValidationFault]:
    found: list[ValidationFault] = []
    try:
        check_url(new.url)
    except ValueError as error:
        found.append(ValidationFault("/url", "subscriber.url", f"No event can be sent there: {error}"))
    for index, pattern in enumerate(new.types):
        if pattern in new.types[:index]:
            found.append(ValidationFault(pointer("types", index), "value.repeated", "This type stands here twice."))
    return found


async def get(tx: ReadTransaction, actor: Actor, *, subscriber_id: str) -> Subscriber:
    """One subscriber of the account."""
    subscriber = await store.find(tx, allow(actor, Permission.WEBHOOKS_READ), subscriber_id)
    if subscriber is None:
        raise SubscriberNotFound()
    return subscriber


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Subscriber]:
    """The account's subscribers in the order in which they came."""
    return await store.page(tx, allow(actor, Permission.WEBHOOKS_READ), window)


async def change(
    tx: WriteTransaction,
    actor: Actor,
    changes: SubscriberChange,
    *,
    subscriber_id: str,
    secret_box: SecretBox,
    check_url: CheckUrl,
) -> Subscriber:
    """Change a subscriber. What comes while it is disabled waits, and is sent once it is enabled."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await get(tx, actor, subscriber_id=subscriber_id)
    new = NewSubscriber(
        was.name if changes.name is None else changes.name,
        was.url if changes.url is None else changes.url,
        was.types if changes.types is None else changes.types,
        was.form_ids if changes.form_ids is None else changes.form_ids,
    )
    found = _validate(new, check_url)
    own, wrong = (
        _merge_headers(was, changes, new.url, secret_box) if not found else ((was.headers, was.header_names), [])
    )
    if found := [*found, *wrong]:
        raise Invalid(found)
    status = changes.status or was.status
    changed = replace(
        was,
        headers=own[0],
        header_names=own[1],
        name=new.name,
        url=new.url,
        types=tuple(new.types),
        form_ids=tuple(new.form_ids),
        status=status,
        reason=was.reason if status is was.status else None,
    )
    if changed == was:
        return was
    changed = replace(changed, updated=now, revision=was.revision + 1)
    await store.update(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "subscriber.updated", was.id, changed.name, differing(was, changed)))
    tx.wake()
    if (was.status, was.url) == (status, new.url):
        return changed
    await store.restart_deliveries(tx, scope, was.id, tx.now())
    return replace(changed, health=SLOW_START)


def _merge_headers(
    was: Subscriber, changes: SubscriberChange, url: str, secret_box: SecretBox
) -> tuple[tuple[str, tuple[str, ...]], list[ValidationFault]]:
    """The sealed headers from now on with their names, and what is wrong with them."""
    same = custom_headers.has_same_origin(was.url, url)
    if changes.headers is None and (same or not was.header_names):
        return (was.headers, was.header_names), []
    wanted = dict.fromkeys(was.header_names) if changes.headers is None else changes.headers
    own, wrong = custom_headers.merge_headers(wanted, was.headers, secret_box, same_origin=same)
    return (custom_headers.encrypt_headers(own, secret_box), tuple(own)), wrong


async def unsubscribe(tx: WriteTransaction, actor: Actor, *, subscriber_id: str) -> None:
    """Take a subscriber away, with what still waits for it."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    subscriber = await get(tx, actor, subscriber_id=subscriber_id)
    await store.delete(tx, scope, subscriber_id)
    tx.audit(AuditNote(scope.customer_id, "subscriber.deleted", subscriber.id, subscriber.name))


async def page_invocations(
    tx: ReadTransaction, actor: Actor, window: Window, *, subscriber_id: str, status: InvocationStatus | None = None
) -> Page[Invocation]:
    """What was and will be sent to a subscriber, the newest first."""
    subscriber = await get(tx, actor, subscriber_id=subscriber_id)
    scope = allow(actor, Permission.WEBHOOKS_READ)
    return await store.page_invocations(tx, scope, subscriber.id, window, status)


async def get_invocation(tx: ReadTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """One of them."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    found = await store.find_invocation(tx, scope, subscriber_id, invocation_id)
    if found is None:
        raise InvocationNotFound()
    return found
