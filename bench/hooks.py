"""How fast webhooks are: `python -m bench.hooks` measures and prints a table; a fifth of the receivers hang.

Events are committed by the platform's own verbs in transactions of ten, as an import does it: what makes a submission
is measured elsewhere. The worker is `formwright worker`, the receivers are a process of their own.
"""

import argparse
import asyncio
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import asyncpg
from rig.houses import Tenant, opened, settings_for, tenant
from rig.postgres import Cluster

from bench import servers
from bench.hooks_rows import claims_of_a_backlog, statements_a_delivery
from formwright.core.storage import order
from formwright.domain.submissions.events import SubmissionSubmitted
from formwright.settings import Settings

ACCOUNTS, HANG_EVERY, EVENTS = 50, 5, 10
_spawned = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Rate:
    """What came of feeding so many events a second: those committed, and the waits of first tries in ms, sorted."""

    wanted: int
    committed: float
    healthy: int
    arrived: int
    waits: list[float]
    cpu: float

    def line(self, name: str) -> str:
        """A row of the table."""
        p50, p99 = (self.waits[len(self.waits) * part // 100] if self.waits else 0 for part in (50, 99))
        return (
            f"| {name}, {self.wanted}/s | committed {self.committed:,.0f}/s, arrived at the healthy {self.arrived:,}"
            f" of {self.healthy:,}, p50 {p50:,.0f} ms, p99 {p99:,.0f} ms, worker {self.cpu:.2f} cores |"
        )


class _Sink(asyncio.Protocol):
    """Answers at once, or never; keeps when each event came, and when it happened."""

    def __init__(self, came: dict[bytes, tuple[float, bytes]]) -> None:
        self._came, self._got = came, b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, ended, body = self._got.partition(b"\r\n\r\n")
        if not ended or len(body) < int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]):
            return
        self._got = b""
        if head.startswith(b"POST /hang"):
            return
        event = head.partition(b"webhook-id:")[2].split(b"\r\n")[0].strip()
        self._came.setdefault(event, (time.time(), body.partition(b'"timestamp":"')[2][:24]))
        self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def _receive(pipe: Connection) -> None:
    async def run() -> None:
        came: dict[bytes, tuple[float, bytes]] = {}
        server = await asyncio.get_running_loop().create_server(lambda: _Sink(came), "127.0.0.1", 0, backlog=1000)
        pipe.send(server.sockets[0].getsockname()[1])
        while await asyncio.to_thread(pipe.recv):
            pipe.send([(at - datetime.fromisoformat(when.decode()).timestamp()) * 1000 for at, when in came.values()])
            came.clear()

    asyncio.run(run())


@contextmanager
def _receivers() -> Iterator[tuple[int, Connection]]:
    here, there = multiprocessing.Pipe()
    process = _spawned.Process(target=_receive, args=(there,), daemon=True)
    process.start()
    yield here.recv(), here
    process.kill()
    process.join()


async def _rate(settings: Settings, port: int, pipe: Connection, wanted: int, seconds: float) -> Rate:
    async with opened(settings) as house:
        tenants = [await tenant(house) for _ in range(ACCOUNTS)]
        kept = [(one, await one.submit()) for one in tenants]
        for number, one in enumerate(tenants):
            await one.subscribe(f"http://127.0.0.1:{port}/{'hang' if number % HANG_EVERY == 0 else 'well'}")
        with _worker(settings) as process:
            # A minute's worth of hanging is what it meets; the first seconds, until they are held, are the worst.
            before, begun = _cpu(process), time.monotonic()
            count = await _feed(kept, wanted, seconds)
            fed = time.monotonic() - begun
            healthy = count * (HANG_EVERY - 1) // HANG_EVERY
            await asyncio.sleep(3)
            used, took = _cpu(process) - before, time.monotonic() - begun
            pipe.send(True)
            waits = sorted(pipe.recv())
    return Rate(wanted, count / fed, healthy, len(waits), waits, used / took)


async def _feed(kept: list[tuple[Tenant, Any]], wanted: int, seconds: float) -> int:
    """Commit events at that pace, or as near as it goes; answers how many."""
    rounds = round(wanted * seconds / EVENTS / len(kept))
    begun, room = time.monotonic(), asyncio.Semaphore(4)

    async def one(account: Tenant, submission: Any) -> None:
        try:
            async with account.house.db.writing() as tx:
                await order.stamp(tx, account.id)
                for _ in range(EVENTS):
                    tx.record(SubmissionSubmitted(account.id, submission))
        finally:
            room.release()

    under_way = []
    for number in range(rounds * len(kept)):
        pause = begun + number * EVENTS / wanted - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        await room.acquire()
        under_way.append(asyncio.create_task(one(*kept[number % len(kept)])))
    await asyncio.gather(*under_way)
    return rounds * len(kept) * EVENTS


@contextmanager
def _worker(settings: Settings) -> Iterator["subprocess.Popen[bytes]"]:
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


async def _bare_posts(port: int, seconds: float) -> float:
    """What the same client does alone, 100 at once."""
    count, end = 0, time.monotonic() + seconds

    async def one(session: aiohttp.ClientSession) -> None:
        nonlocal count
        while time.monotonic() < end:
            async with session.post(f"http://127.0.0.1:{port}/well", data=b'{"timestamp":"2026-01-01T00:00:00.000Z"}'):
                count += 1

    async with aiohttp.ClientSession(headers={"webhook-id": "bare"}, connector=aiohttp.TCPConnector(limit=100)) as http:
        await asyncio.gather(*(one(http) for _ in range(100)))
    return count / seconds


async def _bare_inserts(url: str, seconds: float) -> float:
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hooks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short, and a small backlog")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    given = parser.parse_args()
    seconds, rows = (5.0, 50_000) if given.quick else (30.0, 1_000_000)
    print(f"load average before: {os.getloadavg()[0]:.1f}\n\n| what | measured |\n|---|---|")
    for database in ("sqlite", "postgres") if given.database == "both" else (given.database,):
        _measure(database, seconds, rows)
    return 0


def _measure(name: str, seconds: float, rows: int) -> None:
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
        cluster = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        port, pipe = stack.enter_context(_receivers())

        def own(part: str) -> Settings:
            return settings_for(Path(folder, part), cluster.create_database(part) if cluster else "")

        print(f"| {name}, bare posts | {asyncio.run(_bare_posts(port, 2)):,.0f}/s |", flush=True)
        if cluster:
            print(
                f"| {name}, bare inserts | {asyncio.run(_bare_inserts(cluster.url(), 2)):,.0f} events/s |", flush=True
            )
        pipe.send(True)
        pipe.recv()
        for wanted in (300,) if name == "sqlite" else (300, 1000):
            print(asyncio.run(_rate(own(f"rate{wanted}"), port, pipe, wanted, seconds)).line(name), flush=True)
        for words, figure in asyncio.run(statements_a_delivery(own("statements"), port)):
            print(f"| {name}, {words} | {figure} |", flush=True)
        for words, spans in asyncio.run(claims_of_a_backlog(own("backlog"), rows)):
            print(f"| {name}, {words} | median {median(spans):.1f} ms, worst {max(spans):.1f} ms |", flush=True)
        with suppress(OSError):
            pipe.send(False)


if __name__ == "__main__":
    sys.exit(main())
