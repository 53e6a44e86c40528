"""What is done to deliveries: send a test, try one again, cancel one, replay a part of the log; and another secret."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.v1_0.wire import subscribers as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.webhooks import redelivery, replaying, rotation
from formwright.domain.webhooks.model import (
    InvocationEnded,
    InvocationNotFound,
    InvocationNotKept,
    InvocationUnderWay,
    SubscriberDisabled,
    SubscriberGone,
    SubscriberNotFound,
)

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
    raises=(CustomerNotFound, SubscriberNotFound, SubscriberDisabled),
)
async def test_subscriber(call: Call, subscriber_id: str) -> wire.Invocation:
    """Send a subscriber a test: an event of the type `test`, once, that stands in no log.

    The answer is the delivery as it waits; read it again to see what came back.
    """
    async with call.writing() as tx:
        test = call.house.catalogue.test(call.actor.customer_id, tx.new_id("evt"), tx.now())
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
        SubscriberDisabled,
        InvocationUnderWay,
        InvocationNotKept,
    ),
)
async def retry_invocation(call: Call, subscriber_id: str, invocation_id: str) -> wire.Invocation:
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
    raises=(CustomerNotFound, InvocationNotFound, InvocationEnded, InvocationUnderWay),
)
async def cancel_invocation(call: Call, subscriber_id: str, invocation_id: str) -> None:
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
async def replay_events(call: Call, subscriber_id: str, body: wire.ReplayWish) -> wire.Replayed:
    """Send a part of the log once more: what this subscriber wants of it.

    Each event is a delivery of its own, tried on the full schedule. At most 10,000 at once: while `more` is true, ask
    again with `throughSequence` as `afterSequence`.
    """
    async with call.writing() as tx:
        return wire.replayed(await replaying.replay(tx, call.actor, body.wish(), subscriber_id=subscriber_id))


@operation(
    "POST",
    ("rotateSecret", _SUBSCRIBER + "/rotate-secret"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_MANAGE,
    raises=(CustomerNotFound, SubscriberNotFound, Invalid),
)
async def rotate_secret(call: Call, subscriber_id: str, body: wire.Rotation) -> wire.SubscriberMade:
    """Give a subscriber another secret, answered here and never again.

    For `overlapHours` both sign: each delivery then carries two signatures, and either secret verifies it.
    """
    async with call.writing() as tx:
        record, secret = await rotation.rotate(
            tx,
            call.actor,
            subscriber_id=subscriber_id,
            overlap_ms=body.overlap_hours * _HOUR_MS,
            seal=call.house.seal,
        )
    return wire.made(record, secret)


OPERATIONS = [*replay_events, *rotate_secret, *test_subscriber, *retry_invocation, *cancel_invocation]
