"""Replayed events, rotated secrets and custom headers, as receivers see them."""

import time
from collections.abc import AsyncIterator

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.webhook_receiver import Arrival, Receiver
from standardwebhooks import Webhook, WebhookVerificationError

from formwright.core.errors import Invalid
from formwright.domain.webhooks import redelivery, secret_rotation
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import NewSubscriber, Subscriber, SubscriberChange
from formwright.domain.webhooks.redelivery import Replay, ReplayRequest
from formwright.settings import Settings

NOW = 1_795_262_400_000
HOUR = 3_600_000


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOW)


@pytest.fixture
async def account(own_settings: Settings, clock: SetClock) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield await create_tenant(ctx)


async def _subscribe(account: Tenant, url: str, **headers: str) -> tuple[Subscriber, str]:
    new = NewSubscriber("Test", url, ["submission.*"], [], headers)
    async with account.ctx.db.writing() as tx:
        return await webhooks.subscribe(
            tx, account.actor, new, secret_box=account.ctx.secret_box, check_url=lambda _: None
        )


async def _replay(account: Tenant, subscriber: Subscriber, wish: ReplayRequest) -> Replay:
    async with account.ctx.db.writing() as tx:
        return await redelivery.replay(tx, account.actor, wish, subscriber_id=subscriber.id)


def _places(arrivals: list[Arrival]) -> list[tuple[int, int]]:
    return sorted((int(a.headers["formwright-sequence"]), int(a.headers["formwright-previous"])) for a in arrivals)


async def test_a_replay_sends_the_selected_events_with_their_positions(account: Tenant, clock: SetClock) -> None:
    for site in ("One", "Two", "Three"):
        clock.ms += HOUR
        await account.submit(site)
    first, second, third = [event.sequence for event in await account.events()]
    async with run_delivery_worker(account.ctx), Receiver() as receiver:
        subscriber, _ = await _subscribe(account, receiver.url)
        assert await _replay(account, subscriber, ReplayRequest(after=first)) == Replay(2, third, more=False)
        assert _places(await receiver.wait_for(2)) == [(second, first), (third, second)]
        receiver.arrivals.clear()
        assert (await _replay(account, subscriber, ReplayRequest(since=NOW + 3 * HOUR))).count == 1
        assert _places(await receiver.wait_for(1)) == [(third, second)]
        receiver.arrivals.clear()
        assert (await _replay(account, subscriber, ReplayRequest(after=0))).count == 3
        assert _places(await receiver.wait_for(3)) == [(first, 0), (second, first), (third, second)]
        assert (await _replay(account, subscriber, ReplayRequest(after=0, types=["submission.deleted"]))).count == 0
        assert (await _replay(account, subscriber, ReplayRequest(since=NOW + 4 * HOUR))).count == 0


async def test_a_long_replay_continues_after_an_interruption(account: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redelivery, "REPLAY_BATCH", 2)
    for number in range(5):
        await account.submit(f"Site {number}")
    sequences = [event.sequence for event in await account.events()]
    subscriber, _ = await _subscribe(account, "http://127.0.0.1:9/")
    after, created = 0, []
    while True:
        done = await _replay(account, subscriber, ReplayRequest(after=after))
        created.append(done.count)
        after = done.through
        if not done.more:
            break
    assert created == [2, 2, 1]
    assert [one.sequence for one in await account.invocations(subscriber)] == sequences


async def test_a_replay_of_deleted_events_reports_the_oldest_stored_one(account: Tenant) -> None:
    for number in range(3):
        await account.submit(f"Site {number}")
    subscriber, _ = await _subscribe(account, "http://127.0.0.1:9/")
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 4", account.id)
    for wish, pointer in ((ReplayRequest(after=0), "/afterSequence"), (ReplayRequest(since=0), "/since")):
        with pytest.raises(Invalid) as refused:
            await _replay(account, subscriber, wish)
        [fault] = refused.value.faults
        assert (fault.pointer, fault.code) == (pointer, "replay.not_kept")
        assert "afterSequence 3" in fault.detail
    assert await account.invocations(subscriber) == []
    assert (await _replay(account, subscriber, ReplayRequest(after=3))).count == 3


async def test_during_a_rotation_both_secrets_verify_and_afterwards_only_the_new_one(
    account: Tenant, clock: SetClock
) -> None:
    clock.ms = time.time_ns() // 1_000_000  # The verifier uses the system clock.
    async with run_delivery_worker(account.ctx), Receiver() as receiver:
        subscriber, old = await _subscribe(account, receiver.url)
        async with account.ctx.db.writing() as tx:
            _, new = await secret_rotation.rotate(
                tx, account.actor, subscriber_id=subscriber.id, overlap_ms=10_000, secret_box=account.ctx.secret_box
            )
        await account.submit("Within")
        await receiver.wait_for(1)
        clock.ms += 10_001
        await account.submit("After")
        within, after = await receiver.wait_for(2)
    for secret in (old, new):
        Webhook(secret).verify(within.body, within.headers)
    Webhook(new).verify(after.body, after.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(after.body, after.headers)


async def test_all_secrets_of_repeated_rotations_verify(account: Tenant, clock: SetClock) -> None:
    clock.ms = time.time_ns() // 1_000_000  # The verifier uses the system clock.
    async with run_delivery_worker(account.ctx), Receiver() as receiver:
        subscriber, first = await _subscribe(account, receiver.url)
        secrets = [first]
        for _ in range(6):
            async with account.ctx.db.writing() as tx:
                _, new = await secret_rotation.rotate(
                    tx, account.actor, subscriber_id=subscriber.id, overlap_ms=10_000, secret_box=account.ctx.secret_box
                )
            secrets.append(new)
        await account.submit()
        [arrival] = await receiver.wait_for(1)
    assert len(arrival.headers["webhook-signature"].split()) == len(secrets)
    for secret in secrets:
        Webhook(secret).verify(arrival.body, arrival.headers)


async def test_custom_headers_arrive_and_are_stored_encrypted(account: Tenant) -> None:
    async with run_delivery_worker(account.ctx), Receiver() as receiver:
        subscriber, _ = await _subscribe(account, receiver.url, **{"Authorization": "Bearer 4711", "X-From": "forms"})
        await account.submit()
        [arrival] = await receiver.wait_for(1)
        assert (arrival.headers["authorization"], arrival.headers["x-from"]) == ("Bearer 4711", "forms")
        async with account.ctx.db.reading() as tx:
            row = await tx.fetch_one("SELECT * FROM subscribers WHERE customer_id = $1", account.id)
        assert row
        assert "4711" not in str(list(row))
        await _change(account, subscriber, SubscriberChange(headers={"Authorization": None}))
        await account.submit("Again")
        kept = (await receiver.wait_for(2))[1].headers
        assert (kept["authorization"], kept.get("x-from")) == ("Bearer 4711", None)
        with pytest.raises(Invalid) as refused:
            await _change(account, subscriber, SubscriberChange(url="https://other.example.org/"))
        assert [(f.pointer, f.code) for f in refused.value.faults] == [
            ("/headers/Authorization", "subscriber.header.again")
        ]


async def _change(account: Tenant, subscriber: Subscriber, change: SubscriberChange) -> None:
    async with account.ctx.db.writing() as tx:
        await webhooks.change(
            tx,
            account.actor,
            change,
            subscriber_id=subscriber.id,
            secret_box=account.ctx.secret_box,
            check_url=lambda _: None,
        )
