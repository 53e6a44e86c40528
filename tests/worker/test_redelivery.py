"""Testing, resending and cancelling single deliveries, with a real receiver."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.server_process import eventually
from fixtures.webhook_receiver import OK, Receiver, always, in_turn

from formwright.core.auth.actor import Actor
from formwright.domain.webhooks import delivery_queue, redelivery
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import (
    Invocation,
    InvocationEnded,
    InvocationInProgress,
    InvocationNotFound,
    InvocationStatus,
    Subscriber,
    SubscriberChange,
    SubscriberGone,
    SubscriberIsDisabled,
    SubscriberStatus,
)
from formwright.settings import Settings


@pytest.fixture
async def account(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


async def probe(account: Tenant, subscriber: Subscriber) -> Invocation:
    async with account.ctx.db.writing() as tx:
        test = account.ctx.catalogue.build_test_event(account.id, tx.new_id("evt"), tx.now())
        return await redelivery.send_test(tx, account.actor, test, subscriber_id=subscriber.id)


async def retried(account: Tenant, one: Invocation, actor: Actor | None = None) -> Invocation:
    async with account.ctx.db.writing() as tx:
        return await redelivery.retry(tx, actor or account.actor, subscriber_id=one.subscriber_id, invocation_id=one.id)


async def cancelled(account: Tenant, one: Invocation) -> Invocation:
    async with account.ctx.db.writing() as tx:
        return await redelivery.cancel(tx, account.actor, subscriber_id=one.subscriber_id, invocation_id=one.id)


async def becomes(account: Tenant, one: Invocation, status: InvocationStatus) -> Invocation:
    async def look() -> Invocation | None:
        async with account.ctx.db.reading() as tx:
            found = await webhooks.get_invocation(
                tx, account.actor, subscriber_id=one.subscriber_id, invocation_id=one.id
            )
        return found if found.status is status else None

    found: Invocation = await eventually(look)
    return found


async def switch(account: Tenant, subscriber: Subscriber, status: SubscriberStatus) -> Subscriber:
    async with account.ctx.db.writing() as tx:
        check_url = account.ctx.address_policy.check_url
        change = SubscriberChange(status=status)
        return await webhooks.change(
            tx,
            account.actor,
            change,
            subscriber_id=subscriber.id,
            secret_box=account.ctx.secret_box,
            check_url=check_url,
        )


@asynccontextmanager
async def sink(account: Tenant, receiver: Receiver, *schedule: float) -> AsyncIterator[Subscriber]:
    async with run_delivery_worker(account.ctx, *schedule), receiver:
        yield await account.subscribe(receiver.url)


async def test_a_test_event_is_signed_and_not_logged(account: Tenant) -> None:
    receiver = Receiver()
    async with sink(account, receiver) as subscriber:
        one = await becomes(account, await probe(account, subscriber), InvocationStatus.SUCCEEDED)
    body: dict[str, Any] = json.loads(receiver.arrivals[0].body)
    assert (body["type"], body["sequence"], body["customerId"]) == ("test", 0, account.id)
    assert receiver.arrivals[0].headers["webhook-id"] == body["id"] == one.event_id
    assert await account.events() == []
    async with account.ctx.db.reading() as tx:
        assert json.loads(await redelivery.get_body(tx, account.actor, one) or "") == body


async def test_a_failed_test_event_is_not_retried(account: Tenant) -> None:
    async with sink(account, Receiver(always(500, b"broken"))) as subscriber:
        one = await becomes(account, await probe(account, subscriber), InvocationStatus.FAILED)
    assert [(attempt.number, attempt.response_body) for attempt in one.attempts] == [(1, "broken")]


async def test_a_failed_delivery_is_resent_with_the_full_schedule(account: Tenant) -> None:
    bad = (500, {}, b"")
    receiver = Receiver(in_turn(bad, bad, bad, OK))
    async with sink(account, receiver, 0, 0.02) as subscriber:
        await account.submit()
        [first] = await account.invocations(subscriber)
        failed = await becomes(account, first, InvocationStatus.FAILED)
        assert len(failed.attempts) == 2
        waiting = await retried(account, failed)
        assert (waiting.id, waiting.status) == (failed.id, InvocationStatus.PENDING)
        done = await becomes(account, failed, InvocationStatus.SUCCEEDED)
    assert [attempt.number for attempt in done.attempts] == [1, 2, 3, 4]
    assert len({arrival.body for arrival in receiver.arrivals}) == 1


async def test_a_waiting_delivery_is_resent_immediately(account: Tenant) -> None:
    receiver = Receiver(in_turn((500, {}, b""), OK))
    async with sink(account, receiver, 0, 9999) as subscriber:
        await account.submit()

        async def tried() -> list[Invocation]:
            return [one for one in await account.invocations(subscriber) if one.attempts]

        [waiting] = await eventually(tried)
        await retried(account, waiting)
        await becomes(account, waiting, InvocationStatus.SUCCEEDED)


async def test_a_cancelled_delivery_is_never_sent(account: Tenant) -> None:
    receiver = Receiver()
    async with receiver:
        subscriber = await account.subscribe(receiver.url)
        for _ in range(2):
            await account.submit()
        first, second = await account.invocations(subscriber)
        gone = await cancelled(account, first)
        assert (gone.status, gone.due) == (InvocationStatus.CANCELLED, None)
        with pytest.raises(InvocationEnded):
            await cancelled(account, first)
        async with run_delivery_worker(account.ctx):
            await becomes(account, second, InvocationStatus.SUCCEEDED)
            assert len(receiver.arrivals) == 1
            await retried(account, gone)
            await becomes(account, first, InvocationStatus.SUCCEEDED)


async def test_a_running_delivery_is_neither_cancelled_nor_sent_twice(account: Tenant) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        [one] = await account.invocations(subscriber)
        async with account.ctx.db.writing() as tx:
            [taken] = await delivery_queue.claim(tx, account.id, account.ctx.clock.now(), 1)
        for act in (cancelled, retried):
            with pytest.raises(InvocationInProgress):
                await act(account, one)
        assert taken.id == one.id


async def test_a_delivery_cancelled_during_a_claim_is_either_claimed_or_cancelled(account: Tenant) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        for _ in range(8):
            await account.submit()
        waiting = await account.invocations(subscriber)

        async def take() -> list[str]:
            async with account.ctx.db.writing() as tx:
                return [one.id for one in await delivery_queue.claim(tx, account.id, account.ctx.clock.now(), 4)]

        async def cancel(one: Invocation) -> list[str]:
            try:
                return [(await cancelled(account, one)).id]
            except InvocationInProgress:
                return []

        came = await asyncio.gather(take(), *(cancel(one) for one in waiting), take())
        ids = [one for found in came for one in found]
    assert sorted(ids) == sorted(one.id for one in waiting)


async def test_nothing_is_sent_to_a_disabled_subscriber_until_it_is_enabled(account: Tenant) -> None:
    receiver = Receiver()
    async with sink(account, receiver) as subscriber:
        await switch(account, subscriber, SubscriberStatus.DISABLED)
        with pytest.raises(SubscriberIsDisabled):
            await probe(account, subscriber)
        await account.submit()
        [waiting] = await account.invocations(subscriber)
        with pytest.raises(SubscriberIsDisabled):
            await retried(account, waiting)
        assert receiver.arrivals == []
        await switch(account, subscriber, SubscriberStatus.ACTIVE)
        await becomes(account, waiting, InvocationStatus.SUCCEEDED)


async def test_deliveries_of_a_deleted_subscriber_can_be_read_but_not_resent(account: Tenant) -> None:
    async with sink(account, Receiver()) as subscriber:
        one = await becomes(account, await probe(account, subscriber), InvocationStatus.SUCCEEDED)
    async with account.ctx.db.writing() as tx:
        await webhooks.unsubscribe(tx, account.actor, subscriber_id=subscriber.id)
    with pytest.raises(SubscriberGone):
        await retried(account, one)


async def test_a_delivery_of_another_account_is_not_found(account: Tenant) -> None:
    other = await create_tenant(account.ctx)
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        [one] = await account.invocations(subscriber)
        with pytest.raises(InvocationNotFound):
            await retried(account, one, other.actor)
