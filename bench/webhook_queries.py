"""What a claim costs on a long backlog, and how many statements a delivery costs."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fixtures.app_contexts import opened, tenant

from formwright.context import AppContext
from formwright.core.db import postgres_connection, sqlite
from formwright.domain.submissions.events import SubmissionSubmitted
from formwright.domain.webhooks import delivery_queue
from formwright.settings import Settings
from formwright.worker.webhook_delivery import DeliveryWorker

CLAIMS, SUBSCRIBERS, DELIVERIES, IN_A_TRANSACTION = 15, 10, 1000, 20
Figures = list[tuple[str, list[float]]]
_COPIES = (
    "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, previous, event_id, type, created, due, tries)"
    " SELECT customer_id, id || '_' || n, subscriber_id, sequence, previous, event_id, type, created, due, tries"
    " FROM deliveries, (/*postgres SELECT generate_series(1, $1::int) AS n*//*sqlite WITH RECURSIVE c(n) AS"
    " (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1) SELECT n FROM c*/) many"
)


async def claims_of_a_backlog(settings: Settings, rows: int) -> Figures:
    """Milliseconds of claims of ten and of a hundred, with so many due deliveries of ten subscribers."""
    async with opened(settings) as ctx:
        account = await tenant(ctx)
        for _ in range(SUBSCRIBERS):
            await account.subscribe("http://127.0.0.1:9/")
        await account.submit()
        async with ctx.db.writing() as tx:
            await tx.execute(_COPIES, rows // SUBSCRIBERS - 1, long=True)
        await _know(ctx)
        found: Figures = []
        for at_most in (10, 100):
            spans = [await _claim(ctx, at_most) for _ in range(CLAIMS)]
            found.append((f"A claim of {at_most} among {rows:,} due deliveries: median, worst", spans))
        return found


async def _know(ctx: AppContext) -> None:
    """What a server does by itself within minutes."""
    async with ctx.db.writing() as tx:
        await tx.execute("ANALYZE", long=True)


async def _claim(ctx: AppContext, at_most: int) -> float:
    """One, and all places free again after it: each finds a backlog as long, and nobody in flight."""
    begun = time.perf_counter()
    async with ctx.db.writing() as tx:
        taken = await delivery_queue.claim(tx, ctx.clock.now(), at_most)
    spent = (time.perf_counter() - begun) * 1000
    if len(taken) != at_most:
        raise RuntimeError(f"{len(taken)} were taken, not {at_most}")
    async with ctx.db.writing() as tx:
        keys = [(one.customer_id, one.id) for one in taken]
        await tx.execute_many("DELETE FROM deliveries WHERE customer_id = $1 AND id = $2", keys)
    return spent


async def statements_a_delivery(settings: Settings, port: int) -> list[tuple[str, str]]:
    """From the event's row to the delivery's end. A statement for many rows counts once for each row."""
    async with opened(settings) as ctx:
        account = await tenant(ctx)
        kept = await account.submit()
        for _ in range(4):
            await account.subscribe(f"http://127.0.0.1:{port}/well")
        with _counted() as (statements, calls):
            job = asyncio.create_task(DeliveryWorker(ctx).run())
            for _ in range(DELIVERIES // 4 // IN_A_TRANSACTION):
                async with ctx.db.writing() as tx:
                    for _ in range(IN_A_TRANSACTION):
                        tx.record(SubmissionSubmitted(account.id, kept))
            await _drained(ctx)
            job.cancel()
            with suppress(asyncio.CancelledError):
                await job
    words = f"Statements a delivery, of {DELIVERIES:,}"
    return [(words, f"{statements.total() / DELIVERIES:.1f}, in {calls.total() / DELIVERIES:.1f} calls of the driver")]


async def _drained(ctx: AppContext) -> None:
    """Looks on a connection of its own, so that its looking is not counted."""
    while True:
        async with ctx.db.reading() as tx:
            if not await tx.fetch("SELECT 1 FROM deliveries LIMIT 1 -- looking"):
                return
        await asyncio.sleep(0.05)


@contextmanager
def _counted() -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Every statement of either database: how often it was run, and in how many calls."""
    statements: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    writing = [
        (of, name)
        for of in (sqlite._SqliteTransaction, postgres_connection.PostgresTransaction)
        for name in ("execute", "execute_many")
    ]
    places = [(sqlite._Statements, "fetch"), (postgres_connection.Statements, "fetch"), *writing]
    before = [(owner, name, getattr(owner, name)) for owner, name in places]
    for owner, name, real in before:
        setattr(owner, name, _counting(real, statements, calls))
    try:
        yield statements, calls
    finally:
        for owner, name, real in before:
            setattr(owner, name, real)


def _counting(real: Any, statements: Counter[str], calls: Counter[str]) -> Any:
    async def counting(self: Any, sql: str, *args: Any, **named: Any) -> Any:
        if "-- looking" not in sql:
            many = len(args[0]) if real.__name__ == "execute_many" else 1
            statements[sql] += many
            calls[sql] += 1
        return await real(self, sql, *args, **named)

    return counting
