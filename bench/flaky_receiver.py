"""How a receiver keeps up that refuses 30 % of its requests at random. `python -m bench.flaky_receiver` prints it.

One account with one subscriber gets events at a steady rate, with the settings of operators. What waits for its first
attempt is the platform's backlog; what waits for a retry waits for its schedule, whose third attempt comes after 5 min.
"""

import argparse
import asyncio
import os
from multiprocessing.connection import Connection

from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context

from bench.receivers import FLAKY_SHARE, run_receivers
from bench.webhooks import commit_events, create_databases, run_worker
from formwright.domain.webhooks.models import Subscriber
from formwright.settings import Settings

EVENTS_PER_SECOND, LOOK_S = 100, 0.5
_COUNTS = (
    "SELECT COALESCE(sum(CASE WHEN tries = 0 THEN 1 ELSE 0 END), 0), count(*) FROM deliveries"
    " WHERE customer_id = $1 AND subscriber_id = $2"
)


async def _measure(settings: Settings, url: str, pipe: Connection, seconds: float, after: float) -> str:
    async with open_migrated_context(settings) as ctx:
        account = await create_tenant(ctx)
        submission = await account.submit()
        subscriber = await account.subscribe(url)
        pauses: set[int] = set()
        with run_worker(settings):
            watching = asyncio.create_task(_record_pauses(account, subscriber, pauses))
            count = await commit_events([(account, submission)], EVENTS_PER_SECOND, seconds)
            unattempted, _ = await _count_pending(account, subscriber)
            await asyncio.sleep(after)
            unattempted_later, waiting = await _count_pending(account, subscriber)
            watching.cancel()
        pipe.send(True)
        latencies = sorted(pipe.recv())
    p50, p99 = (latencies[len(latencies) * part // 100] for part in (50, 99))
    return (
        f"{count:,} events, first attempts p50 {p50:,.0f} ms, p99 {p99:,.0f} ms; at the end of the load {unattempted:,}"
        f" wait for their first attempt; {after:g} s later {unattempted_later:,} do,"
        f" and {waiting - unattempted_later:,} wait for a retry; held {len(pauses)} times"
    )


async def _count_pending(account: Tenant, subscriber: Subscriber) -> tuple[int, int]:
    """How many wait for their first attempt, and how many wait at all."""
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one(_COUNTS, account.id, subscriber.id)
    assert row  # noqa: S101 - a count has one row
    return int(row[0]), int(row[1])


async def _record_pauses(account: Tenant, subscriber: Subscriber, pauses: set[int]) -> None:
    while True:
        if (paused_until := (await account.subscriber(subscriber.id)).health.paused_until) is not None:
            pauses.add(paused_until)
        await asyncio.sleep(LOOK_S)


def main() -> None:
    """Print it for each database."""
    parser = argparse.ArgumentParser(prog="python -m bench.flaky_receiver", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--receiver", choices=["flaky", "well"], default="flaky", help="well: for comparison")
    parser.add_argument("--seconds", type=float, default=60, help="how long events come")
    parser.add_argument("--after", type=float, default=90, help="how long is waited then")
    options = parser.parse_args()
    print(f"{FLAKY_SHARE:.0%} refused; load average before: {os.getloadavg()[0]:.1f}")
    for database in ("sqlite", "postgres") if options.database == "both" else (options.database,):
        with create_databases(database) as settings_for_name, run_receivers() as (port, pipe):
            result = asyncio.run(
                _measure(
                    settings_for_name("flaky"),
                    f"http://127.0.0.1:{port}/{options.receiver}",
                    pipe,
                    options.seconds,
                    options.after,
                )
            )
            print(f"{database}: {result}", flush=True)


if __name__ == "__main__":
    main()
