"""Pulls by workers that run concurrently, are killed, lose their lease, are stopped, or have a wrong clock."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from factories.row_files import CSV, csv_file
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context
from fixtures.row_source import (
    Ask,
    Source,
    SyncedDatasource,
    create_synced_datasource,
    page,
    pull_settings,
    run_pull_worker,
    stuck,
)
from fixtures.server_process import Server, eventually

from formwright.context import AppContext
from formwright.core.auth.actor import Scope
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources import store
from formwright.domain.datasources.models import PullStatus
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.sync import queue as claims
from formwright.domain.datasources.sync.queue import ClaimedPull, PullFailure, PullSuccess
from formwright.domain.datasources.sync.service import PullSettings
from formwright.settings import Settings
from formwright.worker.missed_work import add_missed_work

ONE = csv_file([("number", "name"), ("C-1", "Harbour"), ("C-2", "Mill")])
TWO = csv_file([("number", "name"), ("C-9", "Another")])
DAY_MS = 86_400_000


@pytest.fixture
async def account(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


def _now() -> int:
    return time.time_ns() // 1_000_000


async def _take(account: Tenant, ctx: AppContext) -> list[ClaimedPull]:
    async with ctx.db.writing() as tx:
        return await claims.claim(tx, account.id, ctx.clock.now(), 10)


async def slow(ask: Ask, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.3)
    await page(ONE, content_type=CSV)(ask, writer)


async def slower(ask: Ask, writer: asyncio.StreamWriter) -> None:
    """Respond after a lease that is not renewed has expired."""
    await asyncio.sleep(1.5)
    await slow(ask, writer)


async def test_only_one_of_several_workers_pulls(account: Tenant, own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as other, Source(slow) as source:
        async with run_pull_worker(account.ctx), run_pull_worker(other), run_pull_worker(other):
            tables = [await create_synced_datasource(account, source.url) for _ in range(6)]
            for table in tables:
                await table.wait_until_ended()
        assert len(source.asks) == 6
        assert [len(await table.history()) for table in tables] == [1] * 6


async def test_a_renewed_lease_keeps_the_pull(account: Tenant, own_settings: Settings) -> None:
    async with (
        open_migrated_context(own_settings) as other,
        Source(slower) as source,
        run_pull_worker(account.ctx, lease_ms=700),
        run_pull_worker(other, lease_ms=700),
    ):
        table = await create_synced_datasource(account, source.url)
        assert (await table.wait_until_ended()).status is PullStatus.DONE
    assert len(source.asks) == 1


async def test_refreshing_a_running_pull_starts_no_second_one(account: Tenant) -> None:
    async with Source(slow) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)

        async def runs() -> bool:
            return (await table.pull()).status is PullStatus.RUNNING

        await eventually(runs)
        state = await table.refresh()
        assert (state.status, state.due) == (PullStatus.RUNNING, None)
        ended = await table.wait_until_ended()
        assert (ended.due or 0) - (ended.ended or 0) == DAY_MS
        await asyncio.sleep(0.1)
    assert len(source.asks) == 1


async def test_the_pull_of_a_killed_worker_is_repeated_by_another(
    account: Tenant, own_settings: Settings, tmp_path: Path
) -> None:
    """The process of `formwright worker` is killed while it waits for the source."""
    worker = Server(tmp_path, database_url=own_settings.database_url, WEBHOOK_ALLOW="127.0.0.0/8")
    async with Source(stuck) as source:
        table = await create_synced_datasource(account, source.url, headers={"Authorization": "Bearer s3cret"})
        worker.spawn("worker")
        try:
            await eventually(lambda: _was_requested(source), 30)
        finally:
            worker.close()
        assert (await table.pull()).status is PullStatus.RUNNING
        assert await _take(account, account.ctx) == []
        source.talk = page(ONE, content_type=CSV)
        later = SetClock(_now() + claims.LEASE_MS + 1000)
        async with open_migrated_context(own_settings, clock=later) as ctx, run_pull_worker(ctx):
            state = await table.wait_until_ended()
    assert (state.status, state.rows, len(source.asks)) == (PullStatus.DONE, 2, 2)
    assert "s3cret" not in worker.log() + worker.words()


async def _was_requested(source: Source) -> bool:
    return bool(source.asks)


async def test_a_pull_that_kills_every_worker_fails_in_the_end(account: Tenant, own_settings: Settings) -> None:
    async with Source(page(ONE, content_type=CSV)) as source:
        table = await create_synced_datasource(account, source.url)
        for number in range(claims.MAX_ATTEMPTS):
            clock = SetClock(_now() + number * 2 * claims.LEASE_MS)
            async with open_migrated_context(own_settings, clock=clock) as ctx:
                assert len(await _take(account, ctx)) == 1
        clock.ms += 2 * claims.LEASE_MS
        async with open_migrated_context(own_settings, clock=clock) as ctx, run_pull_worker(ctx):
            state = await table.wait_until_ended()
            assert (state.status, state.detail) == (
                PullStatus.FAILED,
                "The server stopped 3 times while it was pulling.",
            )
            assert source.asks == []
            assert (await _again(table, clock)).status is PullStatus.DONE


async def _again(table: SyncedDatasource, clock: SetClock) -> Any:
    """Pull again at the time of the clock."""
    state = await table.pull()
    clock.ms = (state.due or 0) + 1
    return await table.wait_until_ended(state.started)


async def test_a_worker_that_has_lost_its_lease_changes_nothing(account: Tenant, own_settings: Settings) -> None:
    later = SetClock(_now())
    async with Source(page(ONE)) as source, open_migrated_context(own_settings, clock=later) as ctx:
        table = await create_synced_datasource(account, source.url)
        [stale] = await _take(account, account.ctx)
        later.ms = _now() + claims.LEASE_MS + 1000  # Creating the data source may have taken longer than a second.
        [held] = await _take(account, ctx)
        before = await table.pull()
        for outcome in (PullSuccess(PullStatus.DONE, 7, 9), PullFailure("Late."), claims.PullDeferral()):
            async with account.ctx.db.writing() as tx:
                await claims.save_outcome(tx, stale, outcome, 1)
        async with account.ctx.db.writing() as tx:
            assert not await claims.renew_lease(tx, stale, 1)
        assert await table.pull() == before
        assert await table.history() == []
        async with ctx.db.writing() as tx:
            await claims.save_outcome(tx, held, PullFailure("In time."), ctx.clock.now())
        assert (await table.pull()).detail == "In time."


async def test_a_pull_from_the_previous_url_changes_nothing(account: Tenant) -> None:
    """The URL is changed while the worker waits for the response."""
    go = asyncio.Event()

    async def respond_later(ask: Ask, writer: asyncio.StreamWriter) -> None:
        await go.wait()
        await page(ONE, content_type=CSV)(ask, writer)

    async with (
        Source(respond_later) as source,
        Source(page(TWO, content_type=CSV)) as new,
        run_pull_worker(account.ctx),
    ):
        table = await create_synced_datasource(account, source.url)
        await eventually(lambda: _was_requested(source))
        await _alter(table, pull_settings(account.ctx, new.url))
        assert (await table.wait_until_ended()).status is PullStatus.DONE
        go.set()
        await asyncio.sleep(0.3)
        assert list(await table.rows()) == ["C-9"]
        assert (await table.pull()).url == new.url
        assert len(await table.history()) == 1


async def test_a_data_source_without_its_pull_keeps_its_rows(account: Tenant) -> None:
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        await table.wait_until_ended()
        await _alter(table, PullSettings(None, account.ctx.secret_box, account.ctx.address_policy.check_url))
        now = await table.now()
        assert (now.pull, now.row_count, now.revision) == (None, 2, 3)
        await asyncio.sleep(0.1)
    assert len(source.asks) == 1


async def _alter(table: SyncedDatasource, pull: PullSettings) -> None:
    tenant = table.tenant
    await datasources.update(tenant.ctx.db, tenant.actor, DatasourceChanges(), pull, datasource_id=table.id)


async def test_a_pull_waits_a_minute_for_another_import(account: Tenant) -> None:
    async with Source(page(ONE, content_type=CSV)) as source:
        table = await create_synced_datasource(account, source.url)
        async with account.ctx.db.writing() as tx:
            assert await store.acquire_lease(tx, Scope(account.id), table.id, "imp_x", tx.now(), tx.now() + 600_000)
        async with run_pull_worker(account.ctx):
            await eventually(lambda: _waits(table))
        state = await table.pull()
        assert (state.status, state.started, len(source.asks)) == (None, None, 1)
        assert 50_000 < (state.due or 0) - _now() <= claims.RETRY_MS
        assert await table.events("datasource.failed") == []


async def _waits(table: SyncedDatasource) -> bool:
    return ((await table.pull()).due or 0) > _now()


async def test_a_stopped_worker_releases_its_pull(account: Tenant) -> None:
    async with Source(stuck) as source:
        async with run_pull_worker(account.ctx):
            table = await create_synced_datasource(account, source.url)
            await eventually(lambda: _was_requested(source))
        state = await table.pull()
        assert (state.status, state.started) == (None, None)
        assert (state.due or 0) <= _now()
        source.talk = page(ONE, content_type=CSV)
        async with run_pull_worker(account.ctx):
            assert (await table.wait_until_ended()).status is PullStatus.DONE


async def test_a_pull_that_was_due_several_times_runs_once(account: Tenant, own_settings: Settings) -> None:
    async with Source(page(ONE, content_type=CSV)) as source:
        table = await create_synced_datasource(account, source.url, every="PT15M")
        async with run_pull_worker(account.ctx):
            state = await table.wait_until_ended()
        clock = SetClock(_now() + 3 * DAY_MS)
        async with open_migrated_context(own_settings, clock=clock) as ctx, run_pull_worker(ctx):
            late = await table.wait_until_ended(state.started)
            await asyncio.sleep(0.1)
        assert late.due == clock.ms + 15 * 60_000
    assert len(source.asks) == 2


async def test_a_failing_pull_is_retried_with_increasing_delays(account: Tenant, own_settings: Settings) -> None:
    async with Source(page(b"Sorry", "500 Broken")) as source:
        table = await create_synced_datasource(account, source.url, every="PT2H")
        clock, waited = SetClock(_now() + 1), []
        async with open_migrated_context(own_settings, clock=clock) as ctx, run_pull_worker(ctx):
            state = await table.wait_until_ended()
            for talk in [*[source.talk] * 4, page(ONE, content_type=CSV), page(b"Sorry", "500 Broken")]:
                waited.append(((state.due or 0) - (state.ended or 0)) // 60_000)
                source.talk = talk
                clock.ms = (state.due or 0) + 1
                state = await table.wait_until_ended(state.started)
            waited.append(((state.due or 0) - (state.ended or 0)) // 60_000)
        assert waited == [15, 30, 60, 120, 120, 120, 15]


async def test_a_clock_that_is_set_back_delays_pulls_until_the_next_check(
    account: Tenant, own_settings: Settings
) -> None:
    clock = SetClock(_now() + 300 * DAY_MS)
    async with Source(page(ONE, content_type=CSV)) as source:
        table = await create_synced_datasource(account, source.url)
        async with open_migrated_context(own_settings, clock=clock) as ctx, run_pull_worker(ctx):
            state = await table.wait_until_ended()
            assert state.due == clock.ms + DAY_MS
        async with run_pull_worker(account.ctx):
            await add_missed_work(account.ctx)
            back = await table.wait_until_ended(state.started)
            await asyncio.sleep(0.1)
        assert (back.due or 0) <= _now() + DAY_MS
    assert len(source.asks) == 2
