"""Operations on webhooks: subscribers, their deliveries (invocations), and the event log."""

from typing import Any

import msgspec

from formwright.api.context import ReadContext, WriteContext
from formwright.api.http_messages import PreencodedJson
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.form_checks import check_forms
from formwright.api.v1_0.schemas import events as events_wire
from formwright.api.v1_0.schemas import webhooks as schemas
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.api.v1_0.schemas.subscriber import Subscriber, subscriber
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Position, Window
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
"""Sorts after every id, so that the position is after all events with this sequence number."""

OPERATIONS = OperationGroup("Webhooks", reads=Permission.WEBHOOKS_READ, writes=Permission.WEBHOOKS_MANAGE)


@OPERATIONS.declare(
    "POST",
    ("createSubscriber", "/webhooks/subscribers"),
    ("createCustomerSubscriber", _SUBSCRIBERS),
    location=_SUBSCRIBERS + "/{id}",
    raises=(SubscriberLimitReached, Invalid),
)
async def create_subscriber(call: WriteContext, body: schemas.SubscriberCreate) -> schemas.SubscriberWithSecret:
    """Create a subscriber.

    Registers a URL that receives events from now on, signed according to Standard Webhooks 1.0.0. The response contains
    the signing `secret`, which is not shown again. Private addresses are rejected unless the operator allows them.

    `/webhooks/subscribers` and `/webhooks/customer/{customerId}/subscribers` are equivalent.
    """
    await check_forms(call.tx, call.actor, body.form_ids)
    record, secret = await webhooks.subscribe(
        call.tx,
        call.actor,
        body.to_domain(),
        secret_box=call.ctx.secret_box,
        check_url=call.ctx.address_policy.check_url,
    )
    return schemas.subscriber_with_secret(record, secret)


@OPERATIONS.declare("GET", ("listSubscribers", _SUBSCRIBERS))
async def list_subscribers(call: ReadContext, query: PageQuery) -> List[Subscriber]:
    """List subscribers.

    Returns subscribers in order of creation, without their secrets.
    """
    return call.listing(await webhooks.page(call.tx, call.actor, query.window()), subscriber)


@OPERATIONS.declare("GET", ("getSubscriber", _SUBSCRIBERS + "/{subscriberId}"), raises=(SubscriberNotFound,))
async def get_subscriber(call: ReadContext, subscriber_id: str) -> Subscriber:
    """Get a subscriber.

    Returns its settings and its health. The secret and the values of headers are not shown again.
    """
    return subscriber(await webhooks.get(call.tx, call.actor, subscriber_id=subscriber_id))


@OPERATIONS.declare("PUT", ("updateSubscriber", _SUBSCRIBERS + "/{subscriberId}"), raises=(SubscriberNotFound, Invalid))
async def update_subscriber(call: WriteContext, subscriber_id: str, body: schemas.SubscriberUpdate) -> Subscriber:
    """Update a subscriber.

    Properties you omit stay unchanged. While a subscriber is `DISABLED`, new events wait; they are sent once it is
    `ACTIVE` again. If you change `url` to another server, send the values of `headers` again.
    """
    await check_forms(call.tx, call.actor, value_or_none(body.form_ids) or [])
    record = await webhooks.change(
        call.tx,
        call.actor,
        body.change(),
        subscriber_id=subscriber_id,
        secret_box=call.ctx.secret_box,
        check_url=call.ctx.address_policy.check_url,
    )
    return subscriber(record)


@OPERATIONS.declare("DELETE", ("deleteSubscriber", _SUBSCRIBERS + "/{subscriberId}"), raises=(SubscriberNotFound,))
async def delete_subscriber(call: WriteContext, subscriber_id: str) -> None:
    """Delete a subscriber.

    Deletes the subscriber and its pending deliveries.
    """
    await webhooks.unsubscribe(call.tx, call.actor, subscriber_id=subscriber_id)


@OPERATIONS.declare(
    "GET",
    ("listInvocations", _SUBSCRIBERS + "/{subscriberId}/invocations"),
    raises=(SubscriberNotFound,),
)
async def list_invocations(
    call: ReadContext, subscriber_id: str, query: schemas.InvocationQuery
) -> List[schemas.Invocation]:
    """List the deliveries of a subscriber.

    Returns past and pending deliveries, newest first, each with all attempts and the first 2 KiB of each response.
    """
    page = await webhooks.page_invocations(
        call.tx, call.actor, query.window(), subscriber_id=subscriber_id, status=query.status
    )
    return call.listing(page, schemas.invocation)


@OPERATIONS.declare(
    "GET",
    ("getInvocation", _SUBSCRIBERS + "/{subscriberId}/invocations/{invocationId}"),
    raises=(InvocationNotFound,),
)
async def get_invocation(call: ReadContext, subscriber_id: str, invocation_id: str) -> schemas.Invocation:
    """Get a delivery.

    Returns the delivery of one event to one subscriber, with all attempts.
    """
    record = await webhooks.get_invocation(
        call.tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id
    )
    return schemas.invocation(record)


@OPERATIONS.declare("GET", ("listEvents", _WEBHOOKS + "/events"))
async def list_events(call: ReadContext, query: events_wire.EventQuery) -> PreencodedJson[events_wire.EventList]:
    """List events.

    Returns the event log in the order in which changes were committed. `sequence` has no gaps, and no event is ever
    added before one you have seen. To catch up, pass the `sequence` of the last event you processed as `after`, and
    follow `next` until it is null. With `order=-sequence`, the newest event comes first.

    If you filter by type or form, store `newestAvailable` of the last page instead of the last `sequence`. If
    `oldestAvailable` is greater than your last `sequence` + 1, you have missed events that are no longer stored.
    """
    window, filter_ = query.window(), query.to_filter()
    if query.after is not None and window.after is None:
        window = Window(query.limit, Position(query.after, _LAST_OF_A_SEQUENCE))
    # In this order: what comes in or goes between two of them is not said to have been seen.
    newest = await event_log.newest_sequence(call.tx, call.actor)
    page = await event_log.page_rendered(call.tx, call.actor, window, filter_)
    oldest = await event_log.oldest_sequence(call.tx, call.actor)
    return call.ready_listing(page, oldestAvailable=oldest, newestAvailable=newest)


@OPERATIONS.declare("GET", ("getEvent", _WEBHOOKS + "/events/{eventId}"), raises=(EventNotFound,))
async def get_event(call: ReadContext, event_id: str) -> events_wire.Event[dict[str, Any]]:
    """Get an event.

    Returns the event byte for byte as it is delivered. Events older than the operator's retention period, by default 30
    days, return 404 `event.not_found`.
    """
    record = await event_log.get(call.tx, call.actor, event_id=event_id)
    return msgspec.Raw(record.body)  # type: ignore[return-value]


_SUBSCRIBER = "/webhooks/customer/{customerId}/subscribers/{subscriberId}"
_HOUR_MS = 3_600_000
_INVOCATION = _SUBSCRIBER + "/invocations/{invocationId}"
DELIVERY_OPERATIONS = OperationGroup("Webhooks", writes=Permission.WEBHOOKS_MANAGE)


@DELIVERY_OPERATIONS.declare(
    "POST",
    ("replayEvents", _SUBSCRIBER + "/replay"),
    status=202,
    raises=(SubscriberNotFound, Invalid),
)
async def replay_events(call: WriteContext, subscriber_id: str, body: schemas.EventReplayCreate) -> schemas.EventReplay:
    """Replay events.

    Sends events of the log that match the subscriber once more. Each event is a new delivery with the full retry
    schedule. One request creates at most 10,000 deliveries: while `more` is true, repeat it with `throughSequence` as
    `afterSequence`.
    """
    return schemas.event_replay(
        await redelivery.replay(call.tx, call.actor, body.to_request(), subscriber_id=subscriber_id)
    )


@DELIVERY_OPERATIONS.declare(
    "POST",
    ("rotateSubscriberSecret", _SUBSCRIBER + "/rotate-secret"),
    raises=(SubscriberNotFound, Invalid),
)
async def rotate_subscriber_secret(
    call: WriteContext, subscriber_id: str, body: schemas.SecretRotation
) -> schemas.SubscriberWithSecret:
    """Rotate the secret of a subscriber.

    Returns a new secret, which is not shown again. For `overlapHours`, deliveries are signed with the old secret too,
    so they carry two signatures, and either secret verifies them.
    """
    record, secret = await secret_rotation.rotate(
        call.tx,
        call.actor,
        subscriber_id=subscriber_id,
        overlap_ms=body.overlap_hours * _HOUR_MS,
        secret_box=call.ctx.secret_box,
    )
    return schemas.subscriber_with_secret(record, secret)


@DELIVERY_OPERATIONS.declare(
    "POST",
    ("testSubscriber", _SUBSCRIBER + "/test"),
    status=202,
    location=_SUBSCRIBER + "/invocations/{id}",
    raises=(SubscriberNotFound, SubscriberIsDisabled),
)
async def test_subscriber(call: WriteContext, subscriber_id: str) -> schemas.Invocation:
    """Send a test event.

    Sends an event of the type `test` once, without retries. The test event is not in the event log, and its `sequence`
    is 0. The response is the pending delivery: read it again for the result. If the subscriber is disabled, the
    response is 409 `subscriber.is_disabled`.
    """
    test = call.ctx.catalogue.build_test_event(call.actor.customer_id, call.tx.new_id("evt"), call.tx.now())
    return schemas.invocation(await redelivery.send_test(call.tx, call.actor, test, subscriber_id=subscriber_id))


@DELIVERY_OPERATIONS.declare(
    "POST",
    ("retryInvocation", _INVOCATION + "/retry"),
    status=202,
    raises=(InvocationNotFound, SubscriberGone, SubscriberIsDisabled, InvocationInProgress, EventExpired),
)
async def retry_invocation(call: WriteContext, subscriber_id: str, invocation_id: str) -> schemas.Invocation:
    """Retry a delivery.

    Sends a pending delivery now, even if the subscriber is paused. A delivery that has ended starts its schedule again;
    its earlier attempts stay in the list. The response is the pending delivery: read it again for the result.
    """
    record = await redelivery.retry(call.tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    return schemas.invocation(record)


@DELIVERY_OPERATIONS.declare(
    "POST",
    ("retryFailedInvocations", _SUBSCRIBER + "/retry-failed"),
    status=202,
    raises=(SubscriberNotFound, SubscriberIsDisabled),
)
async def retry_failed_invocations(call: WriteContext, subscriber_id: str) -> schemas.FailedInvocationRetry:
    """Retry all failed deliveries.

    Starts the schedule of failed deliveries again, the oldest first, if their events are still stored, and sends
    pending deliveries now whose last attempt failed. One request restarts at most 10,000 failed deliveries: while
    `more` is true, repeat it. With `dryRun=true`, nothing is sent, and `count` is how many would be.
    """
    return schemas.failed_retry(await redelivery.retry_failed(call.tx, call.actor, subscriber_id=subscriber_id))


@DELIVERY_OPERATIONS.declare(
    "DELETE",
    ("cancelInvocation", _INVOCATION),
    raises=(InvocationNotFound, InvocationEnded, InvocationInProgress),
)
async def cancel_invocation(call: WriteContext, subscriber_id: str, invocation_id: str) -> None:
    """Cancel a delivery.

    Cancels a pending delivery, which stays in the list as `CANCELLED`. The response is 409 `invocation.ended` if it has
    already ended, and 409 `invocation.under_way` while an attempt is running.
    """
    await redelivery.cancel(call.tx, call.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
