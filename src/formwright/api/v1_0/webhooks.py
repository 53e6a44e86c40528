"""Webhooks: subscribers, what was sent to them, and the event log."""

from typing import Any

import msgspec

from formwright.api.answer import Ready
from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.form_ids import check_forms
from formwright.api.v1_0.wire import events as events_wire
from formwright.api.v1_0.wire import subscribers as wire
from formwright.api.v1_0.wire.basics import given
from formwright.api.v1_0.wire.receivers import Subscriber, subscriber
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.paging import Place, Window
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.webhooks import log
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.model import (
    EventNotFound,
    InvocationNotFound,
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
async def create_subscriber(call: Call, body: wire.SubscriberCreate) -> wire.SubscriberMade:
    """Register a URL to which the events are sent from here on.

    What is sent is signed as Standard Webhooks 1.0.0 says, with the `secret` that is answered here and never again.
    """
    async with call.writing() as tx:
        await check_forms(tx, call.actor, body.form_ids)
        record, secret = await webhooks.subscribe(
            tx, call.actor, body.new(), seal=call.house.seal, check_url=call.house.wall.check_url
        )
    return wire.made(record, secret)


@operation(
    "GET",
    ("listSubscribers", _SUBSCRIBERS),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound,),
)
async def list_subscribers(call: Call, query: PageQuery) -> List[Subscriber]:
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
async def get_subscriber(call: Call, subscriber_id: str) -> Subscriber:
    """Read one subscriber; its secret is not shown again."""
    async with call.reading() as tx:
        return subscriber(await webhooks.get(tx, call.actor, subscriber_id=subscriber_id))


@operation(
    "PUT",
    ("changeSubscriber", _SUBSCRIBERS + "/{subscriberId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    raises=(CustomerNotFound, SubscriberNotFound, Invalid),
)
async def change_subscriber(call: Call, subscriber_id: str, body: wire.SubscriberChange) -> Subscriber:
    """Change a subscriber, disable or enable it; what is not named stays as it is."""
    async with call.writing() as tx:
        await check_forms(tx, call.actor, given(body.form_ids) or [])
        record = await webhooks.change(
            tx,
            call.actor,
            body.change(),
            subscriber_id=subscriber_id,
            seal=call.house.seal,
            check_url=call.house.wall.check_url,
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
async def delete_subscriber(call: Call, subscriber_id: str) -> None:
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
async def list_invocations(call: Call, subscriber_id: str, query: wire.InvocationQuery) -> List[wire.Invocation]:
    """List what was and will be sent to a subscriber, the newest first, with every try."""
    async with call.reading() as tx:
        page = await webhooks.invocations(
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
async def get_invocation(call: Call, subscriber_id: str, invocation_id: str) -> wire.Invocation:
    """Read one invocation with its tries."""
    async with call.reading() as tx:
        record = await webhooks.invocation(tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    return wire.invocation(record)


@operation(
    "GET",
    ("listEvents", _WEBHOOKS + "/events"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound,),
)
async def list_events(call: Call, query: events_wire.EventQuery) -> Ready[events_wire.EventList]:
    """Read the event log in the order of the commits.

    Who has seen a sequence never later finds one before it: what was missed is everything behind the last one seen.
    """
    window, types = query.window(), query.types()
    if query.after is not None and window.after is None:
        window = Window(query.limit, Place(query.after, _LAST_OF_A_SEQUENCE))
    async with call.reading() as tx:
        # In this order: what comes in or goes between two of them is not said to have been seen.
        newest = await log.newest(tx, call.actor)
        page = await log.page_shown(tx, call.actor, window, types=types, form_ids=query.form_id)
        oldest = await log.oldest(tx, call.actor)
    return call.ready_listing(page, oldestAvailable=oldest, newestAvailable=newest)


@operation(
    "GET",
    ("getEvent", _WEBHOOKS + "/events/{eventId}"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound, EventNotFound),
)
async def get_event(call: Call, event_id: str) -> events_wire.Event[dict[str, Any]]:
    """Read one event, byte for byte as it was sent."""
    async with call.reading() as tx:
        record = await log.get(tx, call.actor, event_id=event_id)
    return msgspec.Raw(record.body)  # type: ignore[return-value]


OPERATIONS = [
    *create_subscriber,
    *list_subscribers,
    *get_subscriber,
    *change_subscriber,
    *delete_subscriber,
    *list_invocations,
    *get_invocation,
    *list_events,
    *get_event,
]
