"""Webhooks: subscribers, what was sent to them, and the event log.

What is done to deliveries: send a test, try one again, cancel one, replay a part of the log; and another secret.
"""

from typing import Any

import msgspec

from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.pagination import List, PageQuery
from formwright.api.response import PreencodedJson
from formwright.api.v1_0.form_checks import check_forms
from formwright.api.v1_0.schemas import events as events_wire
from formwright.api.v1_0.schemas import webhooks as wire
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.api.v1_0.schemas.subscriber import Subscriber, subscriber
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Place, Window
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.webhooks import event_log, redelivery, secret_rotation
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import (
    EventExpired,
    EventNotFound,
    InvocationEnded,
    InvocationInProgress,
    InvocationNotFound,
    SubscriberGone,
    SubscriberIsDisabled,
    SubscriberLimitReached,
    SubscriberNotFound,
)

_WEBHOOKS = "/webhooks/customer/{customerId}"
_SUBSCRIBERS = _WEBHOOKS + "/subscribers"
_LAST_OF_A_SEQUENCE = "~"
"""Sorts behind every id, so that the place stands behind the whole sequence number."""


@operation(
    "POST",
    ("createSubscriber", "/webhooks/subscribers"),
    ("createCustomerSubscriber", _SUBSCRIBERS),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    status=201,
    location=_SUBSCRIBERS + "/{id}",
    raises=(CustomerNotFound, SubscriberLimitReached, Invalid),
)
async def create_subscriber(call: RequestContext, body: wire.SubscriberCreate) -> wire.SubscriberWithSecret:
    """Register a URL to which the events are sent from here on.

    What is sent is signed as Standard Webhooks 1.0.0 says, with the `secret` that is answered here and never again.
    """
    async with call.writing() as tx:
        await check_forms(tx, call.actor, body.form_ids)
        record, secret = await webhooks.subscribe(
            tx,
            call.actor,
            body.to_domain(),
            secret_box=call.ctx.secret_box,
            check_url=call.ctx.address_policy.check_url,
        )
    return wire.subscriber_with_secret(record, secret)


@operation(
    "GET",
    ("listSubscribers", _SUBSCRIBERS),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound,),
)
async def list_subscribers(call: RequestContext, query: PageQuery) -> List[Subscriber]:
    """List the account's subscribers in the order in which they came."""
    async with call.reading() as tx:
        return call.listing(await webhooks.page(tx, call.actor, query.window()), subscriber)


@operation(
    "GET",
    ("getSubscriber", _SUBSCRIBERS + "/{subscriberId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound, SubscriberNotFound),
)
async def get_subscriber(call: RequestContext, subscriber_id: str) -> Subscriber:
    """Read one subscriber; its secret is not shown again."""
    async with call.reading() as tx:
        return subscriber(await webhooks.get(tx, call.actor, subscriber_id=subscriber_id))


@operation(
    "PUT",
    ("updateSubscriber", _SUBSCRIBERS + "/{subscriberId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    raises=(CustomerNotFound, SubscriberNotFound, Invalid),
)
async def update_subscriber(call: RequestContext, subscriber_id: str, body: wire.SubscriberUpdate) -> Subscriber:
    """Change a subscriber, disable or enable it; what is not named stays as it is."""
    async with call.writing() as tx:
        await check_forms(tx, call.actor, value_or_none(body.form_ids) or [])
        record = await webhooks.change(
            tx,
            call.actor,
            body.change(),
            subscriber_id=subscriber_id,
            secret_box=call.ctx.secret_box,
            check_url=call.ctx.address_policy.check_url,
        )
    return subscriber(record)


@operation(
    "DELETE",
    ("deleteSubscriber", _SUBSCRIBERS + "/{subscriberId}"),
    tag="Webhooks",
    status=204,
    permission=Permission.WEBHOOKS_MANAGE,
    raises=(CustomerNotFound, SubscriberNotFound),
)
async def delete_subscriber(call: RequestContext, subscriber_id: str) -> None:
    """Remove a subscriber, with what still waits for it."""
    async with call.writing() as tx:
        await webhooks.unsubscribe(tx, call.actor, subscriber_id=subscriber_id)


@operation(
    "GET",
    ("listInvocations", _SUBSCRIBERS + "/{subscriberId}/invocations"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound, SubscriberNotFound),
)
async def list_invocations(
    call: RequestContext, subscriber_id: str, query: wire.InvocationQuery
) -> List[wire.Invocation]:
    """List what was and will be sent to a subscriber, the newest first, with every try."""
    async with call.reading() as tx:
        page = await webhooks.page_invocations(
            tx, call.actor, query.window(), subscriber_id=subscriber_id, status=query.status
        )
    return call.listing(page, wire.invocation)


@operation(
    "GET",
    ("getInvocation", _SUBSCRIBERS + "/{subscriberId}/invocations/{invocationId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound, InvocationNotFound),
)
async def get_invocation(call: RequestContext, subscriber_id: str, invocation_id: str) -> wire.Invocation:
    """Read one invocation with its tries."""
    async with call.reading() as tx:
        record = await webhooks.get_invocation(tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    return wire.invocation(record)


@operation(
    "GET",
    ("listEvents", _WEBHOOKS + "/events"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound,),
)
async def list_events(call: RequestContext, query: events_wire.EventQuery) -> PreencodedJson[events_wire.EventList]:
    """Read the event log in the order of the commits.

    Who has seen a sequence never later finds one before it: what was missed is everything behind the last one seen.
    """
    window, types = query.window(), query.types()
    if query.after is not None and window.after is None:
        window = Window(query.limit, Place(query.after, _LAST_OF_A_SEQUENCE))
    async with call.reading() as tx:
        # In this order: what comes in or goes between two of them is not said to have been seen.
        newest = await event_log.newest_sequence(tx, call.actor)
        page = await event_log.page_rendered(tx, call.actor, window, types=types, form_ids=query.form_id)
        oldest = await event_log.oldest_sequence(tx, call.actor)
    return call.ready_listing(page, oldestAvailable=oldest, newestAvailable=newest)


@operation(
    "GET",
    ("getEvent", _WEBHOOKS + "/events/{eventId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound, EventNotFound),
)
async def get_event(call: RequestContext, event_id: str) -> events_wire.Event[dict[str, Any]]:
    """Read one event, byte for byte as it was sent."""
    async with call.reading() as tx:
        record = await event_log.get(tx, call.actor, event_id=event_id)
    return msgspec.Raw(record.body)  # type: ignore[return-value]


OPERATIONS = [
    *create_subscriber,
    *list_subscribers,
    *get_subscriber,
    *update_subscriber,
    *delete_subscriber,
    *list_invocations,
    *get_invocation,
    *list_events,
    *get_event,
]


_SUBSCRIBER = "/webhooks/customer/{customerId}/subscribers/{subscriberId}"
_HOUR_MS = 3_600_000
_INVOCATION = _SUBSCRIBER + "/invocations/{invocationId}"


@operation(
    "POST",
    ("testSubscriber", _SUBSCRIBER + "/test"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    status=202,
    location=_SUBSCRIBER + "/invocations/{id}",
    raises=(CustomerNotFound, SubscriberNotFound, SubscriberIsDisabled),
)
async def test_subscriber(call: RequestContext, subscriber_id: str) -> wire.Invocation:
    """Send a subscriber a test: an event of the type `test`, once, that stands in no log.

    The answer is the delivery as it waits; read it again to see what came back.
    """
    async with call.writing() as tx:
        test = call.ctx.catalogue.build_test_event(call.actor.customer_id, tx.new_id("evt"), tx.now())
        return wire.invocation(await redelivery.send_test(tx, call.actor, test, subscriber_id=subscriber_id))


@operation(
    "POST",
    ("retryInvocation", _INVOCATION + "/retry"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    status=202,
    raises=(
        CustomerNotFound,
        InvocationNotFound,
        SubscriberGone,
        SubscriberIsDisabled,
        InvocationInProgress,
        EventExpired,
    ),
)
async def retry_invocation(call: RequestContext, subscriber_id: str, invocation_id: str) -> wire.Invocation:
    """Send it now: one that waits is due at once, one that has ended begins its schedule anew."""
    async with call.writing() as tx:
        record = await redelivery.retry(tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    return wire.invocation(record)


@operation(
    "DELETE",
    ("cancelInvocation", _INVOCATION),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    status=204,
    raises=(CustomerNotFound, InvocationNotFound, InvocationEnded, InvocationInProgress),
)
async def cancel_invocation(call: RequestContext, subscriber_id: str, invocation_id: str) -> None:
    """Cancel a delivery that waits. It stays in the list as `CANCELLED`."""
    async with call.writing() as tx:
        await redelivery.cancel(tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


@operation(
    "POST",
    ("replayEvents", _SUBSCRIBER + "/replay"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    status=202,
    raises=(CustomerNotFound, SubscriberNotFound, Invalid),
)
async def replay_events(call: RequestContext, subscriber_id: str, body: wire.EventReplayCreate) -> wire.EventReplay:
    """Send a part of the log once more: what this subscriber wants of it.

    Each event is a delivery of its own, tried on the full schedule. At most 10,000 at once: while `more` is true, ask
    again with `throughSequence` as `afterSequence`.
    """
    async with call.writing() as tx:
        return wire.event_replay(
            await redelivery.replay(tx, call.actor, body.to_request(), subscriber_id=subscriber_id)
        )


@operation(
    "POST",
    ("rotateSubscriberSecret", _SUBSCRIBER + "/rotate-secret"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    raises=(CustomerNotFound, SubscriberNotFound, Invalid),
)
async def rotate_subscriber_secret(
    call: RequestContext, subscriber_id: str, body: wire.SecretRotation
) -> wire.SubscriberWithSecret:
    """Give a subscriber another secret, answered here and never again.

    For `overlapHours` both sign: each delivery then carries two signatures, and either secret verifies it.
    """
    async with call.writing() as tx:
        record, secret = await secret_rotation.rotate(
            tx,
            call.actor,
            subscriber_id=subscriber_id,
            overlap_ms=body.overlap_hours * _HOUR_MS,
            secret_box=call.ctx.secret_box,
        )
    return wire.subscriber_with_secret(record, secret)


DELIVERY_OPERATIONS = [
    *replay_events,
    *rotate_subscriber_secret,
    *test_subscriber,
    *retry_invocation,
    *cancel_invocation,
]
