"""Workers that are killed, lose their lease, or run concurrently."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.server_process import Server, eventually
from fixtures.webhook_receiver import OK, Receiver, Reply, never

from formwright.context import AppContext
from formwright.domain.webhooks import delivery_queue
from formwright.domain.webhooks.delivery_queue import FinishedAttempt
from formwright.domain.webhooks.health import MAX_IN_FLIGHT
from formwright.domain.webhooks.models import Attempt, Delivery, Invocation, InvocationStatus
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY
from formwright.settings import Settings


@pytest.fixture
async def account(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


def _later() -> SetClock:
    """Return a clock at a time when all current leases have expired."""
    return SetClock(time.time_ns() // 1_000_000 + DEFAULT_POLICY.lease_ms + 600_000)


async def _claim(account: Tenant, ctx: AppContext) -> list[Delivery]:
    async with ctx.db.writing() as tx:
        return await delivery_queue.claim(tx, account.id, ctx.clock.now(), 10)


async def _succeeded(account: Tenant, subscriber_id: str, count: int) -> list[Invocation]:
    subscriber = await account.subscriber(subscriber_id)

    async def look() -> list[Invocation] | None:
        found = await account.invocations(subscriber)
        return found if [one.status for one in found] == [InvocationStatus.SUCCEEDED] * count else None

    found: list[Invocation] = await eventually(look)
    return found


async def test_the_attempt_of_a_killed_worker_is_recorded_and_repeated_by_another(
    account: Tenant, own_settings: Settings, tmp_path: Path
) -> None:
    """The process of `formwright worker` is killed while it waits for the receiver."""
    worker = Server(tmp_path, database_url=own_settings.database_url, WEBHOOK_ALLOW="127.0.0.0/8")
    async with Receiver(never) as hanging:
        port = hanging.port
        subscriber = await account.subscribe(hanging.url)
        await account.submit()
        worker.spawn("worker")
        try:
            [lost] = await hanging.wait_for(1)
        finally:
            worker.close()
    async with (
        Receiver(port=port) as receiver,
        open_migrated_context(own_settings, clock=_later()) as ctx,
        run_delivery_worker(ctx),
    ):
        [invocation] = await _succeeded(account, subscriber.id, 1)
    assert [one.id for one in receiver.arrivals] == [lost.id]
    assert receiver.arrivals[0].body == lost.body
    interrupted, arrived = invocation.attempts
    assert (interrupted.number, interrupted.outcome) == (1, "interrupted")
    assert (arrived.number, arrived.outcome) == (2, "success")
    assert invocation.attempt_count == 2


async def test_a_leased_delivery_is_claimed_by_nobody_else(account: Tenant, own_settings: Settings) -> None:
    async with Receiver() as receiver, open_migrated_context(own_settings) as other:
        await account.subscribe(receiver.url)
        await account.submit()
        assert len(await _claim(account, account.ctx)) == 1
        assert await _claim(account, other) == []


async def test_a_worker_that_has_lost_its_lease_changes_nothing(account: Tenant, own_settings: Settings) -> None:
    async with Receiver() as receiver, open_migrated_context(own_settings, clock=_later()) as ctx:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        [stale] = await _claim(account, account.ctx)
        [held] = await _claim(account, ctx)
        assert (held.id, held.attempts) == (stale.id, 2)
        [before] = await account.invocations(subscriber)
        late = Attempt(stale.attempts, 1, 1, "success", status_code=200)
        async with account.ctx.db.writing() as tx:
            await delivery_queue.save_results(tx, [FinishedAttempt(stale, late, succeeded=True, retry_at=None)], 1)
            await delivery_queue.save_results(tx, [FinishedAttempt(stale, late, succeeded=False, retry_at=1)], 1)
        assert await account.invocations(subscriber) == [before]
        async with ctx.db.writing() as tx:
            await delivery_queue.save_results(
                tx, [FinishedAttempt(held, Attempt(2, 1, 1, "success"), succeeded=True, retry_at=None)], 1
            )
        [ended] = await account.invocations(subscriber)
        assert (ended.status, [one.outcome for one in ended.attempts]) == ("SUCCEEDED", ["interrupted", "success"])


async def test_two_workers_deliver_each_event_once(account: Tenant, own_settings: Settings) -> None:
    async def short(_: object) -> Reply:
        await asyncio.sleep(0.005)
        return OK

    async with (
        open_migrated_context(own_settings) as other,
        run_delivery_worker(account.ctx),
        run_delivery_worker(other),
        Receiver(short) as receiver,
    ):
        subscriber = await account.subscribe(receiver.url)
        await asyncio.gather(*(account.submit(f"Site {number}") for number in range(120)))
        await _succeeded(account, subscriber.id, 120)
        events = await account.events()
        assert receiver.ids == {event.id: 1 for event in events}
        assert receiver.most_under_way <= MAX_IN_FLIGHT


async def test_a_stopped_worker_finishes_running_deliveries(account: Tenant) -> None:
    async def short(_: object) -> Reply:
        await asyncio.sleep(0.3)
        return OK

    async with Receiver(short) as receiver:
        async with run_delivery_worker(account.ctx):
            subscriber = await account.subscribe(receiver.url)
            await account.submit()
            await receiver.wait_for(1)
        [invocation] = await account.invocations(subscriber)
    assert (invocation.status, len(receiver.arrivals)) == (InvocationStatus.SUCCEEDED, 1)
