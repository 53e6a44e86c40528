"""Operations on subscribers and their deliveries."""

from collections.abc import Callable
from dataclasses import replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import AuditNote
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.core.work_kinds import WorkKind
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
    """Create a subscriber; return it and its signing secret, which cannot be read again.

    It receives the events that happen from now on. Raises `Invalid` or `SubscriberLimitReached`.
    """
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    headers, header_errors = custom_headers.merge_headers(new.headers, "", secret_box, same_origin=False)
    if errors := [*_validate(new, check_url), *header_errors]:
        raise Invalid(errors)
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
        headers=custom_headers.encrypt_headers(headers, secret_box),
        header_names=tuple(headers),
        health=HEALTHY,
        created=now,
        updated=now,
        revision=1,
    )
    await store.insert(tx, subscriber)
    tx.audit(AuditNote(scope.customer_id, "subscriber.created", subscriber.id, subscriber.name))
    return subscriber, secret


def _validate(new: NewSubscriber, check_url: CheckUrl) -> list[ValidationFault]:
    errors: list[ValidationFault] = []
    try:
        check_url(new.url)
    except ValueError as error:
        errors.append(ValidationFault("/url", "subscriber.url", f"Events can't be delivered to this URL: {error}"))
    for index, pattern in enumerate(new.types):
        if pattern in new.types[:index]:
            errors.append(ValidationFault(pointer("types", index), "value.repeated", "This type is listed twice."))
    return errors


async def get(tx: ReadTransaction, actor: Actor, *, subscriber_id: str) -> Subscriber:
    """Return a subscriber of the account; raises `SubscriberNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.WEBHOOKS_READ), subscriber_id), SubscriberNotFound)


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Subscriber]:
    """Return a page of the account's subscribers, the oldest first."""
    return await store.page(tx, allow(actor, Permission.WEBHOOKS_READ), window)


async def list_failing(tx: ReadTransaction, actor: Actor, *, limit: int) -> list[tuple[Subscriber, int]]:
    """Return the subscribers whose deliveries fail, or that were disabled because of that, and their backlog.

    The backlog is the number of deliveries that wait, but no more than `limit`.
    """
    scope = allow(actor, Permission.WEBHOOKS_READ)
    found = (await store.page(tx, scope, Window(MAX_SUBSCRIBERS))).items
    failing = [one for one in found if one.health.failing_since is not None or one.reason]
    return [(one, await store.count_waiting(tx, scope, one.id, limit)) for one in failing]


async def change(
    tx: WriteTransaction,
    actor: Actor,
    changes: SubscriberChange,
    *,
    subscriber_id: str,
    secret_box: SecretBox,
    check_url: CheckUrl,
) -> Subscriber:
    """Change a subscriber and return it. Raises `SubscriberNotFound` or `Invalid`.

    Events that happen while a subscriber is disabled are queued and delivered when it is enabled again. Enabling it or
    changing its URL makes all pending deliveries due immediately.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    before = await get(tx, actor, subscriber_id=subscriber_id)
    new = NewSubscriber(
        before.name if changes.name is None else changes.name,
        before.url if changes.url is None else changes.url,
        before.types if changes.types is None else changes.types,
        before.form_ids if changes.form_ids is None else changes.form_ids,
    )
    if errors := _validate(new, check_url):
        raise Invalid(errors)
    headers, header_names = _merge_headers(before, changes, new.url, secret_box)
    status = changes.status or before.status
    after = replace(
        before,
        headers=headers,
        header_names=header_names,
        name=new.name,
        url=new.url,
        types=tuple(new.types),
        form_ids=tuple(new.form_ids),
        status=status,
        reason=before.reason if status is before.status else None,
    )
    if after == before:
        return before
    after = replace(after, updated=now, revision=before.revision + 1)
    await store.update(tx, after)
    tx.audit(AuditNote(scope.customer_id, "subscriber.updated", before.id, after.name, differing(before, after)))
    tx.schedule(WorkKind.WEBHOOK, scope.customer_id, tx.now())
    if (before.status, before.url) == (status, new.url):
        return after
    await store.restart_deliveries(tx, scope, before.id, tx.now())
    return replace(after, health=SLOW_START)


def _merge_headers(
    before: Subscriber, changes: SubscriberChange, url: str, secret_box: SecretBox
) -> tuple[str, tuple[str, ...]]:
    """Return the new headers, encrypted, and their names; raises `Invalid`."""
    same_origin = custom_headers.has_same_origin(before.url, url)
    if changes.headers is None and (same_origin or not before.header_names):
        return before.headers, before.header_names
    # If the URL moves to another server, the stored values are not sent there: None asks for each of them again.
    requested = dict.fromkeys(before.header_names) if changes.headers is None else changes.headers
    headers, errors = custom_headers.merge_headers(requested, before.headers, secret_box, same_origin=same_origin)
    if errors:
        raise Invalid(errors)
    return custom_headers.encrypt_headers(headers, secret_box), tuple(headers)


async def unsubscribe(tx: WriteTransaction, actor: Actor, *, subscriber_id: str) -> None:
    """Delete a subscriber and its pending deliveries. Its delivery log remains."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await get(tx, actor, subscriber_id=subscriber_id)
    await store.delete(tx, scope, subscriber_id)
    tx.audit(AuditNote(scope.customer_id, "subscriber.deleted", subscriber.id, subscriber.name))


async def page_invocations(
    tx: ReadTransaction, actor: Actor, window: Window, *, subscriber_id: str, status: InvocationStatus | None = None
) -> Page[Invocation]:
    """Return a page of a subscriber's deliveries, the newest first; raises `SubscriberNotFound`."""
    subscriber = await get(tx, actor, subscriber_id=subscriber_id)
    scope = allow(actor, Permission.WEBHOOKS_READ)
    return await store.page_invocations(tx, scope, subscriber.id, window, status)


async def get_invocation(tx: ReadTransaction, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Return a delivery of a subscriber, also of a deleted one; raises `InvocationNotFound`."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    return require(await store.find_invocation(tx, scope, subscriber_id, invocation_id), InvocationNotFound)
