"""Due work is found account by account: none is missed, and an account that fails delays only itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, run_delivery_worker
from fixtures.server_process import eventually
from fixtures.webhook_receiver import Receiver

from formwright.core.db import due_work
from formwright.core.db.interface import DatabaseBusy, ReadTransaction
from formwright.core.work_kinds import WorkKind
from formwright.settings import Settings
from formwright.worker import due_accounts
from formwright.worker.due_accounts import DueWorkLoop, Pauses
from formwright.worker.missed_work import add_missed_work

KIND = WorkKind.WEBHOOK
NOON = 1_795_262_400_000


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


@pytest.fixture
async def account(own_settings: Settings, clock: SetClock) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield await create_tenant(ctx)


async def _schedule(account: Tenant, due: int) -> None:
    async with account.ctx.db.writing() as tx:
        tx.schedule(KIND, account.id, due)


async def _settle(account: Tenant, due: int | None) -> None:
    """Settle the account's row: its next work is due at this time."""

    async def find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
        return due

    async with account.ctx.db.writing() as tx:
        await due_work.settle(tx, KIND, account.id, account.ctx.clock.now(), find_next_due)


async def _row(account: Tenant) -> int | None:
    async with account.ctx.db.reading() as tx:
        sql = "SELECT due FROM due_work WHERE kind = $1 AND customer_id = $2"
        row = await tx.fetch_one(sql, KIND, account.id)
    return row[0] if row else None


async def _list_due(account: Tenant) -> list[str]:
    async with account.ctx.db.reading() as tx:
        return await due_work.list_due(tx, KIND, account.ctx.clock.now(), 10)


async def test_the_earliest_time_is_kept_until_the_work_is_settled(account: Tenant) -> None:
    for due, kept in ((NOON + 5, NOON + 5), (NOON + 9, NOON + 5), (NOON + 1, NOON + 1)):
        await _schedule(account, due)
        assert await _row(account) == kept
    await _settle(account, NOON + 7)
    assert await _row(account) == NOON + 7
    await _settle(account, None)
    assert await _row(account) is None
    await _settle(account, NOON + 7)
    assert await _row(account) == NOON + 7


async def test_a_rolled_back_transaction_schedules_nothing(account: Tenant) -> None:
    with suppress(ZeroDivisionError):
        async with account.ctx.db.writing(account=account.id) as tx:
            tx.schedule(KIND, account.id, NOON)
            raise ZeroDivisionError
    await asyncio.gather(*(_schedule(account, NOON + n) for n in (3, 1, 2)))
    assert await _row(account) == NOON + 1


async def test_accounts_take_turns(account: Tenant, clock: SetClock) -> None:
    other = await create_tenant(account.ctx)
    await _schedule(account, NOON - 9)
    await _schedule(other, NOON - 5)
    assert await _list_due(account) == [account.id, other.id]
    await _settle(account, NOON - 9)
    assert await _list_due(account) == [other.id, account.id]


async def test_a_change_committed_between_the_work_and_its_settling_is_not_missed(account: Tenant) -> None:
    """A change that is being committed waits for a worker that has found no more work, and then writes its row."""
    await _schedule(account, NOON)
    looking, go_on = asyncio.Event(), asyncio.Event()

    async def find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
        looking.set()
        await go_on.wait()
        return None

    async def work() -> None:
        async with account.ctx.db.writing() as tx:
            await due_work.settle(tx, KIND, account.id, NOON, find_next_due)

    working = asyncio.create_task(work())
    await looking.wait()
    changing = asyncio.create_task(_schedule(account, NOON))
    # Without the lock, the change would be committed by now.
    await asyncio.wait({changing}, timeout=0.2)
    go_on.set()
    await asyncio.gather(working, changing)
    assert await _row(account) == NOON


async def test_all_events_arrive_while_several_workers_settle(account: Tenant, own_settings: Settings) -> None:
    """Nothing but the table tells the workers of work, so a row deleted too early would leave an event undelivered."""
    async with (
        open_migrated_context(own_settings, clock=account.ctx.clock) as other,
        Receiver() as receiver,
        run_delivery_worker(account.ctx),
        run_delivery_worker(other),
    ):
        await account.subscribe(receiver.url)
        for _ in range(30):
            await asyncio.gather(*(account.submit() for _ in range(2)))
        await receiver.wait_for(60)
        await eventually(lambda: _is_settled(account))


async def _is_settled(account: Tenant) -> bool:
    return await _row(account) is None


async def test_an_unreachable_account_delays_only_itself(account: Tenant) -> None:
    others = [await create_tenant(account.ctx) for _ in range(2 * due_accounts.AT_ONCE)]
    for one in (account, *others):
        await _schedule(one, NOON)
    done: set[str] = set()
    by_id = {one.id: one for one in others}

    async def work(customer_id: str, share: int) -> bool:
        if customer_id == account.id:
            raise DatabaseBusy("its machine is down")
        await _settle(by_id[customer_id], None)
        done.add(customer_id)
        return True

    loop = DueWorkLoop(account.ctx, KIND, work, poll_interval_s=0.01)
    job = asyncio.create_task(loop.run())

    async def all_done() -> bool:
        return done == by_id.keys()

    await eventually(all_done)
    job.cancel()
    with suppress(asyncio.CancelledError):
        await job
    assert await _list_due(account) == [account.id], "its work is still due"


async def test_work_that_hangs_does_not_occupy_the_loop(account: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_accounts, "_SLOW_S", 0.05)
    monkeypatch.setattr(due_accounts, "AT_ONCE", 1)
    other = await create_tenant(account.ctx)
    await _schedule(account, NOON - 1)
    await _schedule(other, NOON)
    end, done = asyncio.Event(), asyncio.Event()

    async def work(customer_id: str, share: int) -> bool:
        if customer_id == account.id:
            await end.wait()
        else:
            done.set()
        return False

    job = asyncio.create_task(DueWorkLoop(account.ctx, KIND, work, poll_interval_s=0.01).run())
    await done.wait()
    end.set()
    job.cancel()
    with suppress(asyncio.CancelledError):
        await job


async def test_work_that_hangs_does_not_occupy_the_capacity(account: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_accounts, "_SLOW_S", 3600)
    other = await create_tenant(account.ctx)
    await _schedule(account, NOON)
    started, end, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work(customer_id: str, share: int) -> bool:
        if customer_id == account.id:
            started.set()
            await end.wait()
        else:
            done.set()
        return False

    loop = DueWorkLoop(account.ctx, KIND, work, poll_interval_s=0.01, capacity=lambda: 8)
    job = asyncio.create_task(loop.run())
    await started.wait()
    await _schedule(other, NOON)
    await done.wait()
    end.set()
    job.cancel()
    with suppress(asyncio.CancelledError):
        await job


def test_pauses_double_and_end_with_the_first_success() -> None:
    now = 0.0
    pauses = Pauses(KIND, lambda: now)
    lengths = []
    for _ in range(8):
        pauses.start("cus_a", DatabaseBusy())
        start = now
        while not pauses.is_over("cus_a"):
            now += 1
        lengths.append(now - start)
    assert lengths == [1, 2, 4, 8, 16, 32, 60, 60]
    pauses.start("cus_a", DatabaseBusy())
    pauses.start("cus_b", DatabaseBusy())
    pauses.end("cus_b")
    assert "cus_b" not in pauses
    assert pauses.is_over("cus_a"), "its machine may be back, too"


async def test_paused_accounts_are_retried_one_at_a_time(account: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_accounts, "_FIRST_PAUSE_S", 0.0)
    tenants = [account, *[await create_tenant(account.ctx) for _ in range(3)]]
    for one in tenants:
        await _schedule(one, NOON)
    running, most, tries = 0, [0, 0], 0

    async def work(customer_id: str, share: int) -> bool:
        nonlocal running, tries
        running, tries = running + 1, tries + 1
        is_retry = tries > len(tenants)
        most[is_retry] = max(most[is_retry], running)
        await asyncio.sleep(0.01)
        running -= 1
        raise DatabaseBusy

    loop = DueWorkLoop(account.ctx, KIND, work, poll_interval_s=0.01)
    for _ in range(4):
        await loop.run_batch()
    assert most == [4, 1]
    assert tries == 7


@pytest.mark.parametrize(
    "lose",
    ["DELETE FROM due_work WHERE customer_id = $1", "UPDATE due_work SET due = due + 9999 WHERE customer_id = $1"],
)
async def test_missed_work_is_found(account: Tenant, lose: str) -> None:
    """The row is missing, or from a time when the clock was ahead."""
    async with Receiver() as receiver:
        await account.subscribe(receiver.url)
        await account.submit()
        async with account.ctx.db.writing() as tx:
            await tx.execute(lose, account.id)
        assert await _list_due(account) == []
        async with run_delivery_worker(account.ctx):
            await add_missed_work(account.ctx)
            await receiver.wait_for(1)
