"""Deliveries to real receivers that respond correctly, with errors, late or not at all."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.http_sinks import a_client
from fixtures.server_process import eventually
from fixtures.webhook_receiver import OK, Arrival, Receiver, Reply, always, in_turn, never

from formwright.core.auth.actor import Scope
from formwright.core.net.http_client import UNREACHABLE
from formwright.core.net.ssrf_guard import AddressPolicy
from formwright.core.work_kinds import WorkKind
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionImport
from formwright.domain.webhooks import secret_rotation, store
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import (
    Invocation,
    InvocationStatus,
    Subscriber,
    SubscriberChange,
    SubscriberStatus,
)
from formwright.settings import Settings


@pytest.fixture
async def account(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


@asynccontextmanager
async def sent(account: Tenant, receiver: Receiver, *schedule: float) -> AsyncIterator[Subscriber]:
    """Create a submission whose event is to be delivered to the receiver."""
    async with run_delivery_worker(account.ctx, *schedule), receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        yield subscriber


async def _ended(account: Tenant, subscriber: Subscriber, count: int = 1) -> list[Invocation]:
    async def look() -> list[Invocation] | None:
        found = await account.invocations(subscriber)
        done = len(found) == count and all(one.status is not InvocationStatus.PENDING for one in found)
        return found if done else None

    found: list[Invocation] = await eventually(look)
    return found


async def test_an_attempt_does_not_reveal_internal_host_names(account: Tenant) -> None:
    async def lookup(host: str) -> Sequence[str]:
        if host == "internal.example":
            return ["10.0.0.1"]
        await asyncio.sleep(0.05)
        raise OSError(-2, "Name or service not known")

    async with (
        a_client(AddressPolicy(), lookup) as outbound,
        run_delivery_worker(replace(account.ctx, http_client=outbound), 0),
    ):
        hooks = [await account.subscribe(f"https://{host}.example/hook") for host in ("internal", "missing")]
        await account.submit()
        found = [(await _ended(account, hook))[0].attempts for hook in hooks]
    attempts = {(one.number, one.outcome, one.error, one.status_code, one.duration) for [one] in found}
    assert attempts == {(1, "dns", f"dns: {UNREACHABLE}", None, 0)}


async def test_a_commit_with_deliveries_wakes_the_worker(own_settings: Settings) -> None:
    woken: list[Collection[WorkKind]] = []
    async with open_migrated_context(own_settings, on_commit=woken.append) as ctx:
        account = await create_tenant(ctx)
        await asyncio.gather(*(account.submit() for _ in range(9)))
        assert all(set(kinds) == {WorkKind.INDEX} for kinds in woken), "nobody has subscribed"
        woken.clear()
        await account.subscribe("http://127.0.0.1:9/")
        await asyncio.gather(*(account.submit() for _ in range(9)))
        shared = len(woken)
        async with ctx.db.writing() as tx:
            await submissions.import_submission(
                tx, account.actor, form_id=account.form.id, payload=SubmissionImport({"site": "Alone"})
            )
    assert 1 <= shared <= 3, "once for all that share a commit"
    # One change in 32 also schedules the text index.
    assert [set(kinds) - {WorkKind.INDEX} for kinds in woken] == [{WorkKind.WEBHOOK}] * (shared + 1)


async def test_a_500_response_is_retried_with_the_same_id_and_body(account: Tenant) -> None:
    async with sent(account, Receiver(in_turn((500, {}, b"no"), (302, {}, b""), OK))) as subscriber:
        [invocation] = await _ended(account, subscriber)
    [event] = await account.events()
    assert invocation.status is InvocationStatus.SUCCEEDED
    seen = [(one.number, one.outcome, one.status_code, one.response_body) for one in invocation.attempts]
    assert seen == [(1, "refused", 500, "no"), (2, "refused", 302, ""), (3, "success", 200, "ok")]
    assert invocation.event_id == event.id


async def test_each_attempt_is_signed_with_its_own_timestamp(account: Tenant) -> None:
    receiver = Receiver(in_turn((500, {}, b""), OK))
    async with sent(account, receiver, 0, 1.3) as subscriber:
        await _ended(account, subscriber)
    first, second = receiver.arrivals
    [event] = await account.events()
    assert first.id == second.id == event.id
    assert first.body == second.body == event.body.encode()
    assert int(first.headers["webhook-timestamp"]) < int(second.headers["webhook-timestamp"])
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]


async def test_410_ends_the_delivery_and_disables_the_subscriber(account: Tenant) -> None:
    async with sent(account, Receiver(always(410))) as subscriber:
        [invocation] = await _ended(account, subscriber)
        assert invocation.status is InvocationStatus.FAILED
        disabled = await account.subscriber(subscriber.id)
        assert (disabled.status, disabled.reason) == (SubscriberStatus.DISABLED, "The receiver responded 410 Gone.")


@dataclass
class RespondsAfterMove:
    """Responds with its status once `moved` is set."""

    status: int
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, _: Arrival) -> Reply:
        await self.moved.wait()
        return self.status, {}, b""


async def _move(account: Tenant, subscriber: Subscriber, url: str) -> None:
    secret_box, check_url, what = (
        account.ctx.secret_box,
        account.ctx.address_policy.check_url,
        SubscriberChange(url=url),
    )
    async with account.ctx.db.writing() as tx:
        await webhooks.change(
            tx, account.actor, what, subscriber_id=subscriber.id, secret_box=secret_box, check_url=check_url
        )


async def test_a_410_from_the_previous_url_does_not_disable_the_subscriber(account: Tenant) -> None:
    async with Receiver() as after, sent(account, before := Receiver(gone := RespondsAfterMove(410))) as subscriber:
        await before.wait_for(1)
        await _move(account, subscriber, after.url)
        gone.moved.set()
        [invocation] = await _ended(account, subscriber)
        assert (await account.subscriber(subscriber.id)).status is SubscriberStatus.ACTIVE
    assert (invocation.status, len(after.arrivals)) == (InvocationStatus.SUCCEEDED, 1)
    assert [one.status_code for one in invocation.attempts] == [410, 200]


async def test_failures_at_the_previous_url_do_not_pause_the_new_one(account: Tenant) -> None:
    failing = RespondsAfterMove(500)
    async with run_delivery_worker(account.ctx), Receiver() as after, Receiver(failing) as before:
        subscriber = await account.subscribe(before.url)
        for number in range(5):
            await account.submit(f"Site {number}")
        await before.wait_for(5)
        await _move(account, subscriber, after.url)
        failing.moved.set()
        found = await _ended(account, subscriber, 5)
    assert {one.status for one in found} == {InvocationStatus.SUCCEEDED}
    assert [[try_.status_code for try_ in one.attempts] for one in found] == [[500, 200]] * 5


async def test_retry_after_is_honoured_up_to_twice_the_step(account: Tenant) -> None:
    receiver = Receiver(in_turn((503, {"Retry-After": "2"}, b""), OK))
    async with sent(account, receiver, 0, 1) as subscriber:
        [invocation] = await _ended(account, subscriber)
    first, second = invocation.attempts
    assert second.started - first.started >= 1950  # tests/unit/test_retry_policy.py covers the upper limit.


async def test_a_delivery_fails_at_the_end_of_its_schedule(account: Tenant) -> None:
    receiver = Receiver(always(500))
    async with sent(account, receiver, 0, 0.05, 0.05) as subscriber:
        [invocation] = await _ended(account, subscriber)
        await asyncio.sleep(0.3)
    assert (invocation.status, invocation.attempt_count, len(receiver.arrivals)) == (InvocationStatus.FAILED, 3, 3)
    assert [one.number for one in invocation.attempts] == [1, 2, 3]
    assert invocation.due is None


async def test_a_refused_connection_is_a_failed_attempt(account: Tenant) -> None:
    async with Receiver() as gone:
        url = gone.url
    async with run_delivery_worker(account.ctx, 0):
        subscriber = await account.subscribe(url)
        await account.submit()
        [invocation] = await _ended(account, subscriber)
    [attempt] = invocation.attempts
    assert (invocation.status, attempt.outcome, attempt.status_code) == (InvocationStatus.FAILED, "connect", None)
    assert attempt.error


async def test_2_kib_of_the_response_are_stored_as_text(account: Tenant) -> None:
    answer = b"\0\xff" + b"x" * 100_000
    async with sent(account, Receiver(always(200, answer))) as subscriber:
        [invocation] = await _ended(account, subscriber)
    kept = invocation.attempts[0].response_body
    assert kept == "\ufffd\ufffd" + "x" * 2046


async def test_a_hanging_receiver_does_not_delay_others(account: Tenant) -> None:
    hanging, well = Receiver(never), Receiver()
    async with run_delivery_worker(account.ctx), hanging, well:
        to_hanging = await account.subscribe(hanging.url)
        to_well = await account.subscribe(well.url)
        for number in range(40):
            await account.submit(f"Site {number}")
        delivered = await _ended(account, to_well, 40)
        assert len(well.ids) == 40
        slowest = max(one.attempts[0].started - one.created for one in delivered)
        assert slowest < 3000, "milliseconds"
        assert hanging.under_way == hanging.most_under_way == 10
        assert all(one.status is InvocationStatus.PENDING for one in await account.invocations(to_hanging))
    assert well.most_under_way <= 10


async def test_a_subscriber_deleted_during_a_delivery_leaves_nothing_behind(account: Tenant) -> None:
    let_go = asyncio.Event()

    async def slow(_: object) -> tuple[int, dict[str, str], bytes]:
        await let_go.wait()
        return OK

    receiver = Receiver(slow)
    async with sent(account, receiver) as subscriber:
        await receiver.wait_for(1)
        async with account.ctx.db.writing() as tx:
            await webhooks.unsubscribe(tx, account.actor, subscriber_id=subscriber.id)
        let_go.set()
        well = Receiver()
        async with well:
            other = await account.subscribe(well.url)
            await account.submit()
            await _ended(account, other)
    for table in ("deliveries", "invocations", "attempts"):
        async with account.ctx.db.reading() as tx:
            rows = await tx.fetch(f"SELECT * FROM {table} WHERE customer_id = $1", account.id)
        assert len(rows) == (0 if table == "deliveries" else 1), "the remaining row belongs to the other subscriber"
    assert len(receiver.arrivals) == 1


async def test_a_secret_that_cannot_be_decrypted_is_a_failed_attempt(account: Tenant, own_settings: Settings) -> None:
    strange = replace(own_settings, secret_key="another secret of this installation")
    async with Receiver() as receiver, open_migrated_context(strange) as ctx:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        async with run_delivery_worker(ctx, 0):
            [invocation] = await _ended(account, subscriber)
    [attempt] = invocation.attempts
    assert attempt.outcome == "secret"
    assert "FORMWRIGHT_SECRET_KEY" in (attempt.error or "")
    assert receiver.arrivals == []


async def test_a_new_secret_replaces_one_that_cannot_be_decrypted(account: Tenant, own_settings: Settings) -> None:
    strange = replace(own_settings, secret_key="another secret of this installation")
    async with Receiver() as receiver, open_migrated_context(strange) as ctx:
        subscriber = await account.subscribe(receiver.url)
        async with ctx.db.writing() as tx:
            await secret_rotation.rotate(
                tx, account.actor, subscriber_id=subscriber.id, overlap_ms=60_000, secret_box=ctx.secret_box
            )
        await account.submit()
        async with run_delivery_worker(ctx, 0):
            [invocation] = await _ended(account, subscriber)
    assert invocation.status is InvocationStatus.SUCCEEDED
    assert len(receiver.arrivals[0].headers["webhook-signature"].split()) == 1


async def test_deliveries_of_a_disabled_subscriber_keep_waiting(account: Tenant) -> None:
    async with Receiver() as receiver:
        subscriber = await account.subscribe(receiver.url)
        await account.submit()
        async with account.ctx.db.writing() as tx:
            await store.disable(tx, Scope(account.id), subscriber.id, "Test", tx.now())
        async with run_delivery_worker(account.ctx):
            other = await account.subscribe(receiver.url)
            await account.submit()
            await _ended(account, other)
        waiting = await account.invocations(subscriber)
    # Events published after it was disabled wait too, so that enabling it loses nothing.
    assert [(one.status, one.attempt_count) for one in waiting] == [(InvocationStatus.PENDING, 0)] * 2
    assert len(receiver.arrivals) == 1
