"""How fast webhooks are, while a fifth of the receivers hang. `python -m bench.webhooks` prints them at length.

Events are committed by the platform's own verbs in transactions of ten, as an import does it: what makes a submission
is measured elsewhere. The worker is `formwright worker`, the receivers are a process of their own.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import asyncpg
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.postgres import Cluster

from bench import servers
from bench.measurements import Measurement
from bench.receivers import run_receivers
from bench.webhook_queries import count_statements, time_claims
from formwright.core.db import account_lock
from formwright.core.events import Event, EventType
from formwright.settings import Settings

RATES = {"sqlite": 300, "postgres": 1000}
"""Events a second that are to be held."""
WAIT_MS = 1000
ACCOUNTS, HANG_EVERY, EVENTS = 50, 5, 10
_MIN_SHARE = 0.98


@dataclass(frozen=True, slots=True)
class RateResult:
    """The results at this rate of events: those committed, and the sorted latencies of first attempts in ms."""

    target: int
    committed: float
    healthy: int
    latencies: list[float]
    cpu: float

    def to_measurement(self, database: str, baseline: str) -> Measurement:
        """As a row: met where the rate was held, all arrived at who is well, and in time."""
        p50, p99 = (self.latencies[len(self.latencies) * part // 100] if self.latencies else 0 for part in (50, 99))
        arrived = "all" if len(self.latencies) == self.healthy else f"{len(self.latencies):,} of {self.healthy:,}"
        met = self.committed >= _MIN_SHARE * self.target and arrived == "all" and p99 < WAIT_MS
        work = f"Webhooks, {self.target:,} events/s, a fifth of the receivers hang: commit to first try, median, p99"
        value = f"{self.committed:,.0f}/s, {arrived} arrived, {p50:,.0f} ms, {p99:,.0f} ms; worker {self.cpu:.2f} cores"
        return Measurement(
            database, work, f"held, p99 < {WAIT_MS / 1000:.0f} s", value, baseline, met, needs_quiet_machine=True
        )


async def _measure_rate(settings: Settings, port: int, pipe: Connection, target: int, seconds: float) -> RateResult:
    async with open_migrated_context(settings) as ctx:
        tenants = [await create_tenant(ctx) for _ in range(ACCOUNTS)]
        submissions = [(account, await account.submit()) for account in tenants]
        for number, account in enumerate(tenants):
            await account.subscribe(f"http://127.0.0.1:{port}/{'hang' if number % HANG_EVERY == 0 else 'well'}")
        with run_worker(settings) as process:
            # A minute's worth of hanging is what it meets; the first seconds, until they are held, are the worst.
            before, started = _cpu(process), time.monotonic()
            count = await commit_events(submissions, target, seconds)
            fed = time.monotonic() - started
            healthy = count * (HANG_EVERY - 1) // HANG_EVERY
            await asyncio.sleep(3)
            cpu, duration = _cpu(process) - before, time.monotonic() - started
            pipe.send(True)
            waits = sorted(pipe.recv())
    return RateResult(target, count / fed, healthy, waits, cpu / duration)


async def commit_events(submissions: list[tuple[Tenant, Any]], rate: int, seconds: float) -> int:
    """Commit events at that pace, or as near as it goes; answers how many."""
    rounds = round(rate * seconds / EVENTS / len(submissions))
    started, slots = time.monotonic(), asyncio.Semaphore(4)

    async def account(account: Tenant, submission: Any) -> None:
        try:
            async with account.ctx.db.writing() as tx:
                await account_lock.next_timestamp(tx, account.id)
                for _ in range(EVENTS):
                    tx.record(Event(EventType.SUBMISSION_SUBMITTED, account.id, submission))
        finally:
            slots.release()

    under_way = []
    for number in range(rounds * len(submissions)):
        pause = started + number * EVENTS / rate - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        await slots.acquire()
        under_way.append(asyncio.create_task(account(*submissions[number % len(submissions)])))
    await asyncio.gather(*under_way)
    return rounds * len(submissions) * EVENTS


@contextmanager
def run_worker(settings: Settings) -> Iterator["subprocess.Popen[bytes]"]:
    environment = servers.environment(settings.data_dir, settings.database_url)
    environment["FORMWRIGHT_WEBHOOK_ALLOW"] = "127.0.0.0/8"
    process = subprocess.Popen(
        [sys.executable, "-m", "formwright", "worker"],
        env=environment,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    try:
        if process.stdout and process.stdout.readline():
            yield process
    finally:
        process.kill()
        process.wait()


def _cpu(process: "subprocess.Popen[bytes]") -> float:
    return servers.Server(process, 0, 0.0).cpu()


async def _baseline_posts(port: int, seconds: float) -> float:
    """What the same client does alone, 100 at once."""
    count, end = 0, time.monotonic() + seconds

    async def account(session: aiohttp.ClientSession) -> None:
        nonlocal count
        while time.monotonic() < end:
            async with session.post(f"http://127.0.0.1:{port}/well", data=b'{"timestamp":"2026-01-01T00:00:00.000Z"}'):
                count += 1

    async with aiohttp.ClientSession(headers={"webhook-id": "bare"}, connector=aiohttp.TCPConnector(limit=100)) as http:
        await asyncio.gather(*(account(http) for _ in range(100)))
    return count / seconds


async def _baseline_inserts(url: str, seconds: float) -> float:
    """Events and deliveries in, ten of each in a transaction, by the driver alone."""
    connection, count = await asyncpg.connect(url), 0
    await connection.execute("CREATE TABLE IF NOT EXISTS bare (id BIGINT PRIMARY KEY, body TEXT)")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        async with connection.transaction():
            rows = [(count + number, "x" * 600) for number in range(EVENTS)]
            await connection.executemany("INSERT INTO bare VALUES ($1, $2)", rows)
            await connection.executemany("INSERT INTO bare VALUES ($1, $2)", [(-1 - i, "x" * 100) for i, _ in rows])
        count += EVENTS
    await connection.close()
    return count / seconds


@contextmanager
def create_databases(database: str) -> Iterator[Callable[[str], Settings]]:
    """Makes settings for a database of its own by name."""
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder:
        if database == "sqlite":
            yield lambda name: settings_for(Path(folder, name), "")
            return
        with Cluster(durable=True) as cluster:
            yield lambda name: settings_for(Path(folder, name), cluster.create_database(name))


def measure_rates(database: str, seconds: float, rates: Sequence[int] = ()) -> Iterator[Measurement]:
    """Events at each rate for so long; beside it what the same client and driver do alone."""
    with create_databases(database) as settings_for_name, run_receivers() as (port, pipe):
        baseline = f"{asyncio.run(_baseline_posts(port, 2)):,.0f} posts/s"
        if database == "postgres":
            baseline += (
                f", {asyncio.run(_baseline_inserts(settings_for_name('bare').database_url, 2)):,.0f} events/s in"
            )
        pipe.send(True)
        pipe.recv()
        for target in rates or (RATES[database],):
            yield asyncio.run(
                _measure_rate(settings_for_name(f"rate{target}"), port, pipe, target, seconds)
            ).to_measurement(database, baseline)


def measure_statements(database: str) -> Iterator[Measurement]:
    """How many a delivery takes."""
    with create_databases(database) as settings_for_name, run_receivers() as (port, _):
        for name, value in asyncio.run(count_statements(settings_for_name("statements"), port)):
            yield Measurement(database, name, "", value, "", True)


def measure_claims(database: str, rows: int) -> Iterator[Measurement]:
    """What a claim costs where so many are due."""
    with create_databases(database) as settings_for_name:
        for name, spans in asyncio.run(time_claims(settings_for_name("backlog"), rows)):
            yield Measurement(database, name, "", f"{median(spans):.1f} ms, {max(spans):.1f} ms", "", True)


def main() -> None:
    """Print all of it, at more rates and for longer than `make bench` does."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhooks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short, and a small backlog")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    seconds, rows = (5.0, 50_000) if options.quick else (30.0, 1_000_000)
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    for database in ("sqlite", "postgres") if options.database == "both" else (options.database,):
        rates = sorted({300, RATES[database]})
        for part in (
            measure_rates(database, seconds, rates),
            measure_statements(database),
            measure_claims(database, rows),
        ):
            for account in part:
                print(f"{database}, {account.name}: {account.value} (bare {account.baseline})", flush=True)


if __name__ == "__main__":
    main()
