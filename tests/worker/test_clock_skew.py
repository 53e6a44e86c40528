"""After a clock that was ahead is corrected, nothing waits for the future times it has caused."""

from collections.abc import AsyncIterator

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.webhook_receiver import Receiver

from formwright.core.auth.actor import Scope
from formwright.domain.mail import queue, service
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.domain.webhooks import delivery_queue, store
from formwright.domain.webhooks.delivery_queue import FinishedAttempt
from formwright.domain.webhooks.health import MAX_IN_FLIGHT, PAUSE_AFTER_FAILURES
from formwright.domain.webhooks.models import Attempt
from formwright.domain.webhooks.retry_policy import DEFAULT_POLICY
from formwright.settings import Settings
from formwright.worker.cleanup import correct_due_times

NOON = 1_795_262_400_000
YEAR = 365 * 24 * 3_600_000


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


@pytest.fixture
async def account(own_settings: Settings, clock: SetClock) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield await create_tenant(ctx)


async def _fail(account: Tenant, tries: int) -> None:
    """Let the due deliveries fail this many times."""
    for _ in range(tries):
        now = account.ctx.clock.now()
        async with account.ctx.db.writing() as tx:
            taken = await delivery_queue.claim(tx, account.id, now, 100)
            assert taken
            bad = [
                FinishedAttempt(one, Attempt(one.attempts, now, 1, "error"), succeeded=False, retry_at=now)
                for one in taken
            ]
            await delivery_queue.save_results(tx, bad, now)


async def test_a_delivery_claimed_by_a_killed_worker_arrives(account: Tenant, clock: SetClock) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        for number in range(MAX_IN_FLIGHT):
            await account.submit(f"Taken {number}")
        clock.ms += YEAR
        async with account.ctx.db.writing() as tx:
            assert len(await delivery_queue.claim(tx, account.id, clock.now(), 100)) == MAX_IN_FLIGHT
        clock.ms -= YEAR
        await account.submit("After")
        await correct_due_times(account.ctx)
        # An interrupted attempt counts, and the next one waits as after any other attempt.
        async with run_delivery_worker(account.ctx, 0, 0, 0):
            await receiver.wait_for(MAX_IN_FLIGHT + 1)
    lost = [one.attempts[0] for one in await account.invocations(subscriber) if one.attempts[0].outcome != "success"]
    assert [(one.outcome, one.started, one.duration) for one in lost] == [
        ("interrupted", clock.now(), 0)
    ] * MAX_IN_FLIGHT


async def test_a_delivery_that_failed_with_the_wrong_clock_is_retried_immediately(
    account: Tenant, clock: SetClock
) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        clock.ms += YEAR
        await _fail(account, PAUSE_AFTER_FAILURES)
        async with account.ctx.db.writing() as tx:
            [held] = (await store.lock_health(tx, Scope(account.id), [subscriber.id])).values()
            assert held.paused_until == clock.now() + DEFAULT_POLICY.first_pause_ms
        clock.ms -= YEAR
        await correct_due_times(account.ctx)
        async with run_delivery_worker(account.ctx):
            await receiver.wait_for(1)


async def test_correctly_scheduled_deliveries_stay_scheduled(account: Tenant, clock: SetClock) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        await _fail(account, PAUSE_AFTER_FAILURES)
        await account.submit("Under way")
        clock.ms += DEFAULT_POLICY.first_pause_ms
        async with account.ctx.db.writing() as tx:
            assert await delivery_queue.claim(tx, account.id, clock.now(), 1)
        before = await account.invocations(subscriber)
        await correct_due_times(account.ctx)
        assert await account.invocations(subscriber) == before


async def test_emails_are_corrected_too(account: Tenant, clock: SetClock) -> None:
    post = service.MailSender(account.id, "Harbour", account.ctx.secret_box)
    new = NewMail("invite", "inv_1", "ann@example.com", "Ann", "en", EmailContent("Your task", ["Do it."], None))
    async with account.ctx.db.writing() as tx:
        await service.enqueue(tx, post, new)
        clock.ms += YEAR
        assert len(await queue.claim(tx, account.id, clock.now(), 10)) == 1
    clock.ms -= YEAR
    async with account.ctx.db.reading() as tx:
        assert not await queue.DUE.find_due_accounts(tx, clock.now())
    await correct_due_times(account.ctx)
    async with account.ctx.db.writing() as tx:
        assert len(await queue.claim(tx, account.id, clock.now(), 10)) == 1
    await correct_due_times(account.ctx)
    async with account.ctx.db.reading() as tx:
        assert not await queue.DUE.find_due_accounts(tx, clock.now()), "it is under way"
