"""Cleanup of old events and old attempts."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context
from fixtures.server_process import eventually

from formwright.core.auth.actor import Scope
from formwright.core.db.batching import BATCH_ROWS
from formwright.core.db.interface import WriteTransaction
from formwright.domain.api_keys import idempotency
from formwright.domain.mail import service as mail
from formwright.domain.users.auth import throttling
from formwright.domain.webhooks import cleanup, delivery_queue, event_log, redelivery, store
from formwright.domain.webhooks.delivery_queue import FinishedAttempt
from formwright.domain.webhooks.models import Attempt, EventExpired, InvocationStatus, Subscriber
from formwright.settings import Settings
from formwright.worker import cleanup as worker_cleanup
from formwright.worker.cleanup import delete_expired_events

NOW = 1_795_262_400_000
DAY = 24 * 3_600_000


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOW)


@pytest.fixture
async def account(own_settings: Settings, clock: SetClock) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield await create_tenant(ctx)


async def _deliver(account: Tenant) -> None:
    """Deliver everything that is due."""
    now = account.ctx.clock.now()
    async with account.ctx.db.writing() as tx:
        taken = await delivery_queue.claim(tx, account.id, now, 100)
        done = [
            FinishedAttempt(one, Attempt(one.attempts, now, 1, "success"), succeeded=True, retry_at=None)
            for one in taken
        ]
        await delivery_queue.save_results(tx, done, now)


async def _status(account: Tenant, subscriber: Subscriber) -> list[InvocationStatus]:
    return [one.status for one in await account.invocations(subscriber)]


async def test_old_events_are_deleted_in_batches_and_the_newest_stays(
    account: Tenant, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "_BATCH", 2)
    for number in range(5):
        await account.submit(f"Old {number}")
    clock.ms += 20 * DAY
    await account.submit("Newer")
    clock.ms += 10 * DAY - 1
    await delete_expired_events(account.ctx)
    assert await _oldest(account) == 1, "not a millisecond too soon"
    clock.ms += 1000  # Each event has its own millisecond.
    await delete_expired_events(account.ctx)
    [newer] = await account.events()
    assert await _oldest(account) == newer.sequence
    clock.ms += 365 * DAY
    await delete_expired_events(account.ctx)
    assert await account.events() == [newer]


async def _oldest(account: Tenant) -> int | None:
    async with account.ctx.db.reading() as tx:
        return await event_log.oldest_sequence(tx, account.actor)


async def test_waiting_deliveries_of_a_deleted_event_expire(account: Tenant, clock: SetClock) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/")
    await account.submit("Old")
    async with account.ctx.db.writing() as tx:
        await store.disable(tx, Scope(account.id), subscriber.id, "Test", tx.now())
    clock.ms += 31 * DAY
    await account.submit("New")
    await delete_expired_events(account.ctx)
    assert await _status(account, subscriber) == [InvocationStatus.EXPIRED, InvocationStatus.PENDING]


async def test_an_event_that_is_being_delivered_is_kept(account: Tenant, clock: SetClock) -> None:
    await account.subscribe("http://127.0.0.1:9/")
    await account.submit("Old")
    clock.ms += 31 * DAY
    await account.submit("New")
    async with account.ctx.db.writing() as tx:
        assert await delivery_queue.claim(tx, account.id, clock.ms, 1)
    await delete_expired_events(account.ctx)
    assert len(await account.events()) == 2


async def test_an_event_that_is_being_redelivered_is_kept(
    account: Tenant, clock: SetClock, own_settings: Settings
) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/")
    await account.submit("Old")
    await _deliver(account)
    clock.ms += 31 * DAY
    await account.submit("New")
    async with open_migrated_context(own_settings, clock=clock) as other:
        async with account.ctx.db.writing() as tx:
            wish = redelivery.ReplayRequest(after=0)
            await redelivery.replay(tx, account.actor, wish, subscriber_id=subscriber.id)
            # On SQLite, waiting for the only writer blocks this event loop too.
            cleaning = asyncio.create_task(delete_expired_events(other)) if own_settings.is_postgres else None
            await asyncio.sleep(0.2)
        await (cleaning or delete_expired_events(other))
    async with account.ctx.db.writing() as tx:
        lost = await tx.fetch(
            "SELECT 1 FROM deliveries d LEFT JOIN events e ON e.customer_id = d.customer_id AND e.sequence = d.sequence"
            " WHERE d.customer_id = $1 AND e.id IS NULL",
            account.id,
        )
    assert (len(lost), len(await account.events())) == (0, 2 if own_settings.is_postgres else 1)


async def test_a_delivery_without_its_event_has_expired(account: Tenant, clock: SetClock) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/")
    await account.submit("Old")
    await account.submit("New")
    old, _ = await account.events()
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence = $2", account.id, old.sequence)
        [taken] = await delivery_queue.claim(tx, account.id, clock.now() + 1000, 10)
    assert taken.body
    assert await _status(account, subscriber) == [InvocationStatus.EXPIRED, InvocationStatus.PENDING]


async def test_attempts_are_kept_longer_than_bodies_and_cannot_be_redelivered(account: Tenant, clock: SetClock) -> None:
    subscriber = await account.subscribe("http://127.0.0.1:9/")
    await account.submit("Old")
    await _deliver(account)
    clock.ms += 31 * DAY
    await account.submit("New")
    await _deliver(account)
    await delete_expired_events(account.ctx)
    old, _ = await account.invocations(subscriber)
    with pytest.raises(EventExpired):
        async with account.ctx.db.writing() as tx:
            await redelivery.retry(tx, account.actor, subscriber_id=subscriber.id, invocation_id=old.id)
    clock.ms += 60 * DAY
    await delete_expired_events(account.ctx)
    [new] = await account.invocations(subscriber)
    assert new.sequence == old.sequence + 1
    async with account.ctx.db.reading() as tx:
        assert len(await tx.fetch("SELECT 1 FROM attempts WHERE customer_id = $1", account.id)) == 1


async def test_a_failing_cleanup_does_not_affect_the_others(
    account: Tenant, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected error: there is a folder in place of an email file."""
    monkeypatch.setattr(worker_cleanup, "_EVERY_S", 0.05)
    strange = account.ctx.settings.mail_folder / "mail_1.eml"
    strange.mkdir(parents=True)
    os.utime(strange, (0, 0))
    cleaning = asyncio.create_task(worker_cleanup.run_cleanup(account.ctx))
    for _ in range(2):
        await account.submit("Old")
        clock.ms += 31 * DAY
        await account.submit("New")
        await eventually(lambda: _only_newest(account))
    assert not cleaning.done()
    cleaning.cancel()
    with suppress(asyncio.CancelledError):
        await cleaning


async def _only_newest(account: Tenant) -> bool:
    return len(await account.events()) == 1


async def test_an_account_whose_cleanup_fails_does_not_affect_others(
    account: Tenant, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await create_tenant(account.ctx)
    for one in (account, other):
        await one.submit("Old")
        await one.submit("Newest")
    clock.ms += 365 * DAY
    last_expired_sequence = cleanup._last_expired_sequence

    async def broken(db: Any, scope: Scope, before: int) -> int | None:
        if scope.customer_id == min(account.id, other.id):
            raise ValueError("broken")
        return await last_expired_sequence(db, scope, before)

    monkeypatch.setattr(cleanup, "_last_expired_sequence", broken)
    with pytest.raises(ExceptionGroup, match="some accounts"):
        await delete_expired_events(account.ctx)
    assert sorted([len(await account.events()), len(await other.events())]) == [1, 2]


MANY = 2_500
REPLY = """INSERT INTO replies (customer_id, id, request, status, location, content, created)
    VALUES ($1, $2, '', 201, '', '', $3)"""
MAIL = """INSERT INTO mails (customer_id, id, purpose, subject_id, address, name, language, subject, status, tries,
    perhaps_twice, detail, created, ended) VALUES ($1, $2, '', '', '', '', '', '', 'SENT', 1, 0, '', 0, $3)"""
TRY = "INSERT INTO throttles (bucket, failures, last, until) VALUES ($1 || $2, 1, $3, 0)"
PASSING = {
    "replies": (REPLY, lambda db, now: idempotency.delete_expired(db, now + idempotency.RETENTION_MS)),
    "mails": (MAIL, lambda db, now: mail.delete_old(db, now + mail.RETENTION_MS + 1)),
    "throttles": (TRY, lambda db, now: throttling.delete_expired(db, now + throttling.RESET_AFTER_MS + 1)),
}


@pytest.mark.parametrize("table", PASSING)
async def test_expired_records_are_deleted_in_batches(account: Tenant, clock: SetClock, table: str) -> None:
    insert, forget = PASSING[table]
    async with account.ctx.db.writing() as tx:
        await tx.execute_many(insert, ((account.id, str(number), clock.ms) for number in range(MANY)))
    left: list[int] = []

    class CountingDatabase:
        @asynccontextmanager
        async def writing(self) -> AsyncIterator[WriteTransaction]:
            async with account.ctx.db.writing() as tx:
                yield tx
                [row] = await tx.fetch(f"SELECT count(*) FROM {table}")
                left.append(row[0])

    await forget(CountingDatabase(), clock.ms)
    assert left == [*range(MANY - BATCH_ROWS, 0, -BATCH_ROWS), 0, 0], "the last transaction finds nothing"
