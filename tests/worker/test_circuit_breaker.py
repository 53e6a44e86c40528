"""Failing subscribers are paused, probed, resumed, reported and disabled. The tests set the clock."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.server_process import eventually
from fixtures.webhook_receiver import OK, Arrival, Receiver, Reply

from formwright.core.db import account_lock
from formwright.core.events import Event, EventType
from formwright.core.pagination import Window
from formwright.domain.mail import service as mails
from formwright.domain.webhooks import delivery_queue, event_log, failing_subscribers
from formwright.domain.webhooks.health import FIRST_PAUSE_MS, MAX_IN_FLIGHT, MAX_PAUSE_MS, PAUSE_AFTER_FAILURES
from formwright.domain.webhooks.models import Invocation, InvocationStatus, Subscriber, SubscriberStatus
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY, RetryPolicy
from formwright.settings import Settings
from formwright.worker.missed_work import add_missed_work
from formwright.worker.subscriber_alerts import SubscriberAlerts, enqueue_alerts

NOON = 1_795_262_400_000
HOUR = 3_600_000
SCHEDULE = (0, *[5] * 199)


class FlakyReceiver:
    """A receiver that fails until it is set to succeed."""

    def __init__(self) -> None:
        self.is_healthy = False
        self.gate: asyncio.Event | None = None

    async def __call__(self, _: Arrival) -> Reply:
        if self.gate:
            await self.gate.wait()
        return OK if self.is_healthy else (500, {}, b"no")


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


@pytest.fixture
async def account(own_settings: Settings, clock: SetClock) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield await create_tenant(ctx)


@asynccontextmanager
async def refusing(account: Tenant, events: int) -> AsyncIterator[tuple[FlakyReceiver, Receiver, Subscriber]]:
    """Run a receiver that rejects everything, with this many events to deliver."""
    flaky = FlakyReceiver()
    async with run_delivery_worker(account.ctx, *SCHEDULE), Receiver(flaky) as receiver:
        subscriber = await account.subscribe(receiver.url)
        for number in range(events):
            await account.submit(f"Site {number}")
        yield flaky, receiver, subscriber


async def _tries(account: Tenant, subscriber: Subscriber, count: int) -> list[Invocation]:
    """Return the deliveries once there have been this many attempts and none is running."""

    async def look() -> list[Invocation] | None:
        found = await account.invocations(subscriber)
        written = sum(len(one.attempts) for one in found)
        return found if written == sum(one.attempt_count for one in found) == count else None

    found: list[Invocation] = await eventually(look)
    return found


async def _quiet() -> None:
    """Wait for several rounds of the worker, in which nothing may happen."""
    await asyncio.sleep(0.12)


async def test_after_ten_failures_the_subscriber_is_paused_and_probed_with_one_delivery(
    account: Tenant, clock: SetClock
) -> None:
    async with refusing(account, 1) as (_, receiver, subscriber):
        for number in range(1, PAUSE_AFTER_FAILURES + 1):
            clock.ms += 10_000
            await _tries(account, subscriber, number)
        held = (await account.subscriber(subscriber.id)).health
        assert (held.failures, held.max_in_flight, held.pause_ms) == (PAUSE_AFTER_FAILURES, 1, FIRST_PAUSE_MS)
        for number in range(20):
            await account.submit(f"Waiting {number}")
        await _quiet()
        assert len(receiver.arrivals) == PAUSE_AFTER_FAILURES
        for probe in range(1, 13):
            held = (await account.subscriber(subscriber.id)).health
            assert held.paused_until is not None
            assert held.pause_ms == min(FIRST_PAUSE_MS * 2 ** (probe - 1), MAX_PAUSE_MS)
            clock.ms = held.paused_until - 1
            await _quiet()
            assert len(receiver.arrivals) == PAUSE_AFTER_FAILURES + probe - 1, "not before"
            clock.ms = held.paused_until
            found = await _tries(account, subscriber, PAUSE_AFTER_FAILURES + probe)
        assert receiver.most_under_way == 1
        assert sum(one.attempt_count == 0 for one in found) == 21 - len({arrival.id for arrival in receiver.arrivals})


@pytest.mark.slow
async def test_a_flaky_receiver_is_not_paused_and_one_that_is_down_uses_no_attempts(
    account: Tenant, clock: SetClock
) -> None:
    """The clock stands still, so a paused receiver stays paused, and rejected deliveries are due again immediately."""
    refusals = random.Random(30)

    async def flaky(_: Arrival) -> Reply:
        return (503, {}, b"") if refusals.random() < 0.3 else OK

    async def down(_: Arrival) -> Reply:
        return 503, {}, b""

    async with run_delivery_worker(account.ctx, *[0] * 50), Receiver(flaky) as often, Receiver(down) as never:
        held, subscriber = await account.subscribe(never.url), await account.subscribe(often.url)
        submission = await account.submit()
        for _ in range(6):
            async with account.ctx.db.writing() as tx:
                await account_lock.next_timestamp(tx, account.id)
                for _ in range(50):
                    tx.record(Event(EventType.SUBMISSION_SUBMITTED, account.id, submission))
        await _none_waits(account, subscriber)
        assert len(often.arrivals) > 301 / 0.75, "about 30 % of the attempts were refused"
        assert often.most_under_way <= MAX_IN_FLIGHT
        assert (await account.subscriber(subscriber.id)).health.paused_until is None
        burned = len(never.arrivals)
        assert await _waiting(account, held) == (301, burned)
        assert burned <= 2 * MAX_IN_FLIGHT, "only what was under way when it was held"
        clock.ms += FIRST_PAUSE_MS
        await never.wait_for(burned + 1)
        await _quiet()
        assert await _waiting(account, held) == (301, burned + 1), "one probe"


async def _waiting(account: Tenant, subscriber: Subscriber) -> tuple[int, int]:
    """Return how many deliveries wait, and how many attempts they have used."""
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one(
            "SELECT count(*), COALESCE(sum(tries), 0) FROM deliveries WHERE customer_id = $1 AND subscriber_id = $2",
            account.id,
            subscriber.id,
        )
    assert row
    return int(row[0]), int(row[1])


async def _none_waits(account: Tenant, subscriber: Subscriber) -> None:
    async def look() -> bool:
        return await _waiting(account, subscriber) == (0, 0)

    await eventually(look, 120)


async def test_after_a_success_deliveries_increase_gradually(account: Tenant, clock: SetClock) -> None:
    async with refusing(account, 1) as (flaky, receiver, subscriber):
        for number in range(1, PAUSE_AFTER_FAILURES + 1):
            clock.ms += 10_000
            await _tries(account, subscriber, number)
        for number in range(30):
            await account.submit(f"Waiting {number}")
        flaky.is_healthy, flaky.gate = True, asyncio.Event()
        clock.ms += HOUR
        for wide in (1, 2, 4, 8, 10):
            await _under_way(receiver, wide)
            _answer(flaky, wide)
        done = await _all_succeeded(account, subscriber, 31)
        assert receiver.most_under_way == 10
        assert len(done) == 31
        assert (await account.subscriber(subscriber.id)).health.failing_since is None


async def _under_way(receiver: Receiver, count: int) -> None:
    async def look() -> bool:
        return receiver.under_way == count

    await eventually(look)
    await _quiet()
    assert receiver.under_way == count


def _answer(flaky: FlakyReceiver, wide: int) -> None:
    """Respond to the running requests. Later ones wait again, except at the widest concurrency."""
    gate, flaky.gate = flaky.gate, (asyncio.Event() if wide < MAX_IN_FLIGHT else None)
    assert gate
    gate.set()


async def _all_succeeded(account: Tenant, subscriber: Subscriber, count: int) -> list[Invocation]:
    async def look() -> list[Invocation] | None:
        found = await account.invocations(subscriber)
        return found if [one.status for one in found] == [InvocationStatus.SUCCEEDED] * count else None

    found: list[Invocation] = await eventually(look)
    return found


async def test_owners_are_notified_after_a_day_and_the_subscriber_is_disabled_after_five(
    account: Tenant, clock: SetClock
) -> None:
    async with refusing(account, 1) as (flaky, receiver, subscriber):
        for number in range(1, PAUSE_AFTER_FAILURES + 1):
            clock.ms += 10_000
            await _tries(account, subscriber, number)
        # A probe fails at each of these hours, counted from the first failure.
        for number, (hour, notified) in enumerate(
            (
                (23.9, []),
                (25, ["subscriber.failing"]),
                (119, ["subscriber.failing"]),
                (121, ["subscriber.failing", "subscriber.disabled"]),
            ),
            PAUSE_AFTER_FAILURES + 1,
        ):
            clock.ms = NOON + int(hour * HOUR)
            await _tries(account, subscriber, number)
            for _ in range(2):
                await SubscriberAlerts(account.ctx).run_batch()
            assert await _notified(account) == notified
        disabled = await account.subscriber(subscriber.id)
        assert (disabled.status, disabled.reason) == (SubscriberStatus.DISABLED, "No delivery succeeded for 120 hours.")
        flaky.is_healthy = True
        clock.ms += 10 * HOUR
        await account.submit("After the end")
        await _quiet()
        assert len(receiver.arrivals) == PAUSE_AFTER_FAILURES + 4
    assert await _mails(account) == ["Webhook “Test” has been failing for a day", "Webhook “Test” was disabled"]


async def test_an_error_with_one_subscriber_does_not_affect_others(account: Tenant) -> None:
    broken, well = sorted([account, await create_tenant(account.ctx)], key=lambda one: one.id)
    for one in (broken, well):
        await one.subscribe("http://127.0.0.1:9/")
        async with one.ctx.db.writing() as tx:
            await tx.execute(
                "UPDATE subscribers SET failing = 0, failed = $2 WHERE customer_id = $1", one.id, 25 * HOUR
            )
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE subscribers SET types = 'no JSON' WHERE customer_id = $1", broken.id)
    await add_missed_work(account.ctx)
    await SubscriberAlerts(account.ctx).run_batch()
    assert await _notified(well) == ["subscriber.failing"]


async def _notified(account: Tenant) -> list[str]:
    async with account.ctx.db.reading() as tx:
        types = ["subscriber.failing", "subscriber.disabled"]
        return [
            event.type
            for event in (await event_log.page(tx, account.actor, Window(100), event_log.EventFilter(types))).items
        ]


async def _mails(account: Tenant) -> list[str]:
    async with account.ctx.db.reading() as tx:
        found = (await mails.page(tx, account.actor, Window(10))).items
    return [mail.subject for mail in found][::-1]


async def test_410_notifies_the_owners_immediately(account: Tenant) -> None:
    async def gone(_: Arrival) -> Reply:
        return 410, {}, b""

    async with run_delivery_worker(account.ctx, *SCHEDULE), Receiver(gone) as receiver:
        await account.subscribe(receiver.url)
        await account.submit()

        async def look() -> bool:
            return await _notified(account) == ["subscriber.disabled"]

        await eventually(look)
    assert await _mails(account) == ["Webhook “Test” was disabled"]


@pytest.mark.slow
async def test_a_hundred_hanging_receivers_do_not_delay_others(account: Tenant) -> None:
    """Receivers without a free slot are skipped, however long ago they were served."""
    ctx = account.ctx
    for _ in range(99):
        await account.subscribe("http://127.0.0.1:9/hangs")
    for number in range(MAX_IN_FLIGHT + 1):
        await account.submit(f"Site {number}")
    async with ctx.db.writing() as tx:
        assert len(await delivery_queue.claim(tx, account.id, NOON, 5000)) == 99 * 10
    last = await account.subscribe("http://127.0.0.1:9/well")
    await account.submit("One more")
    async with ctx.db.writing() as tx:
        assert [one.subscriber_id for one in await delivery_queue.claim(tx, account.id, NOON, 5000)] == [last.id]


async def test_a_delivery_that_kills_every_worker_fails_in_the_end(account: Tenant, clock: SetClock) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/kills")
    await account.submit()
    taken = []
    for _ in range(6):
        async with account.ctx.db.writing() as tx:
            taken.append(len(await delivery_queue.claim(tx, account.id, clock.ms, 10, RetryPolicy((0, 5, 5)))))
        clock.ms += DEFAULT_POLICY.lease_ms + 1
    assert taken == [1, 1, 1, 0, 0, 0]
    [invocation] = await account.invocations(subscriber)
    assert (invocation.status, invocation.attempt_count) == (InvocationStatus.FAILED, 3)
    assert [one.outcome for one in invocation.attempts] == ["interrupted"] * 3


async def test_an_interrupted_attempt_is_retried_like_any_other(account: Tenant, clock: SetClock) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/slow")
    await account.submit()
    async with account.ctx.db.writing() as tx:
        assert await delivery_queue.claim(tx, account.id, clock.ms, 10, RetryPolicy((0, 3600)))
    clock.ms += DEFAULT_POLICY.lease_ms + 1
    async with account.ctx.db.writing() as tx:
        assert await delivery_queue.claim(tx, account.id, clock.ms, 10, RetryPolicy((0, 3600))) == []
    [invocation] = await account.invocations(subscriber)
    assert [one.outcome for one in invocation.attempts] == ["interrupted"]
    assert invocation.due is not None
    assert 0.8 * HOUR <= invocation.due - NOON <= 1.2 * HOUR


async def test_each_delivery_names_the_previous_one(account: Tenant) -> None:
    async with run_delivery_worker(account.ctx), Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit("One")
        for site in ("Two", "Three"):
            await account.submit(site)
        await _all_succeeded(account, subscriber, 3)
    events = [event.sequence for event in await account.events()]
    places = sorted(
        (int(a.headers["formwright-sequence"]), int(a.headers["formwright-previous"])) for a in receiver.arrivals
    )
    assert places == list(zip(events, [0, *events], strict=False))


async def test_the_email_links_to_the_page_of_the_webhook(own_settings: Settings) -> None:
    async with open_migrated_context(replace(own_settings, base_url="https://forms.example.org")) as ctx:
        account = await create_tenant(ctx)
        subscriber = await account.subscribe("http://127.0.0.1:9/")
        async with ctx.db.writing() as tx:
            event = await failing_subscribers.disable_gone(tx, account.id, subscriber.id)
            assert event
            await enqueue_alerts(tx, ctx, event)
        async with ctx.db.reading() as tx:
            row = await tx.fetch_one("SELECT body FROM mails WHERE customer_id = $1", account.id)
        assert row
        assert f"https://forms.example.org/settings/connections/webhooks/{subscriber.id}" in ctx.secret_box.open(row[0])
