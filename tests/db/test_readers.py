"""Readers block nobody, and leave nothing behind for later readers."""

import asyncio
from pathlib import Path

from fixtures.app_contexts import create_tenant, open_migrated_context, settings_for

from formwright.core.db.group_commit import wait_until_done
from formwright.settings import Settings

_MANY = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < {}) SELECT {} FROM many"


async def test_an_abandoned_stream_does_not_keep_an_old_snapshot(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as ctx:
        account = await create_tenant(ctx)
        async with ctx.db.reading() as tx:
            rows = tx.stream(_MANY.format(5000, "(SELECT count(*) FROM submissions)"))
            await anext(rows)
        await account.submit()
        async with ctx.db.reading() as tx:
            assert await tx.fetch_one("SELECT count(*) FROM submissions") == (1,)
        await rows.aclose()


async def test_long_reads_do_not_delay_a_commit(tmp_path: Path) -> None:
    async with open_migrated_context(settings_for(tmp_path)) as ctx:
        account = await create_tenant(ctx)

        async def read() -> None:
            async with ctx.db.reading(long=True) as tx:
                await tx.fetch(_MANY.format(10**9, "count(*)"))

        readers = [asyncio.create_task(read()) for _ in range(50)]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(60):
            await account.submit()
        assert not any(reader.done() for reader in readers)
        for reader in readers:
            reader.cancel()
        await asyncio.wait(readers)


async def test_wait_until_done_waits_despite_repeated_cancellation() -> None:
    end, results = asyncio.Event(), []
    task = asyncio.create_task(wait_until_done(end.wait(), lambda: results.append("stop")))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.sleep(0.01)
    assert (task.done(), results) == (False, ["stop"])
    end.set()
    await asyncio.wait([task])
    assert task.cancelled()
