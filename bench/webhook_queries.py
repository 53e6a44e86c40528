"""What a claim costs on a long backlog, and how many statements a delivery costs."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fixtures.app_contexts import create_tenant, open_migrated_context

from formwright.context import AppContext
from formwright.core.db import postgres_connection, sqlite
from formwright.core.events import Event, EventType
from formwright.domain.webhooks import delivery_queue
from formwright.settings import Settings
from formwright.worker.webhook_delivery import DeliveryWorker

CLAIMS, SUBSCRIBERS, DELIVERIES, EVENTS_PER_TRANSACTION = 15, 10, 1000, 20
Figures = list[tuple[str, list[float]]]
_COPIES = (
    "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, previous, event_id, type, created, due, tries)"
    " SELECT customer_id, id || '_' || n, subscriber_id, sequence, previous, event_id, type, created, due, tries"
    " FROM deliveries, (/*postgres SELECT generate_series(1, $1::int) AS n*//*sqlite WITH RECURSIVE c(n) AS"
    " (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1) SELECT n FROM c*/) many"
)


async def time_claims(settings: Settings, rows: int) -> Figures:
    """Milliseconds of claims of ten and of a hundred, with so many due deliveries of ten subscribers."""
    async with open_migrated_context(settings) as ctx:
        account = await create_tenant(ctx)
        for _ in range(SUBSCRIBERS):
            await account.subscribe("http://127.0.0.1:9/")
        await account.submit()
        async with ctx.db.writing() as tx:
            await tx.execute(_COPIES, rows // SUBSCRIBERS - 1, long=True)
        await _analyze(ctx)
        results: Figures = []
        for limit in (10, 100):
            times = [await _claim(ctx, account.id, limit) for _ in range(CLAIMS)]
            results.append((f"A claim of {limit} among {rows:,} due deliveries: median, worst", times))
        return results


async def _analyze(ctx: AppContext) -> None:
    """What a server does by itself within minutes."""
    async with ctx.db.writing() as tx:
        await tx.execute("ANALYZE", long=True)


async def _claim(ctx: AppContext, customer_id: str, limit: int) -> float:
    """One, and all places free again after it: each finds a backlog as long, and nobody in flight."""
    started = time.perf_counter()
    async with ctx.db.writing() as tx:
        deliveries = await delivery_queue.claim(tx, customer_id, ctx.clock.now(), limit)
    elapsed = (time.perf_counter() - started) * 1000
    if len(deliveries) != limit:
        raise RuntimeError(f"{len(deliveries)} were taken, not {limit}")
    async with ctx.db.writing() as tx:
        keys = [(delivery.customer_id, delivery.id) for delivery in deliveries]
        await tx.execute_many("DELETE FROM deliveries WHERE customer_id = $1 AND id = $2", keys)
    return elapsed


async def count_statements(settings: Settings, port: int) -> list[tuple[str, str]]:
    """From the event's row to the delivery's end. A statement for many rows counts once for each row."""
    async with open_migrated_context(settings) as ctx:
        account = await create_tenant(ctx)
        submission = await account.submit()
        for _ in range(4):
            await account.subscribe(f"http://127.0.0.1:{port}/well")
        with _count_statements() as (statements, calls):
            task = asyncio.create_task(DeliveryWorker(ctx).run())
            for _ in range(DELIVERIES // 4 // EVENTS_PER_TRANSACTION):
                async with ctx.db.writing() as tx:
                    for _ in range(EVENTS_PER_TRANSACTION):
                        tx.record(Event(EventType.SUBMISSION_SUBMITTED, account.id, submission))
            await _wait_until_empty(ctx)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    name = f"Statements a delivery, of {DELIVERIES:,}"
    return [(name, f"{statements.total() / DELIVERIES:.1f}, in {calls.total() / DELIVERIES:.1f} calls of the driver")]


async def _wait_until_empty(ctx: AppContext) -> None:
    """Looks on a connection of its own, so that its looking is not counted."""
    while True:
        async with ctx.db.reading() as tx:
            if not await tx.fetch("SELECT 1 FROM deliveries LIMIT 1 -- looking"):
                return
        await asyncio.sleep(0.05)


@contextmanager
def _count_statements() -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Every statement of either database: how often it was run, and in how many calls."""
    statements: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    writing = [
        (cls, name)
        for cls in (sqlite._SqliteTransaction, postgres_connection.PostgresTransaction)
        for name in ("execute", "execute_many")
    ]
    methods = [(sqlite._Statements, "fetch"), (postgres_connection.Statements, "fetch"), *writing]
    originals = [(owner, name, getattr(owner, name)) for owner, name in methods]
    for owner, name, original in originals:
        setattr(owner, name, _wrap_with_counter(original, statements, calls))
    try:
        yield statements, calls
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def _wrap_with_counter(original: Any, statements: Counter[str], calls: Counter[str]) -> Any:
    async def counting(self: Any, sql: str, *args: Any, **kwargs: Any) -> Any:
        if "-- looking" not in sql:
            count = len(args[0]) if original.__name__ == "execute_many" else 1
            statements[sql] += count
            calls[sql] += 1
        return await original(self, sql, *args, **kwargs)

    return counting
