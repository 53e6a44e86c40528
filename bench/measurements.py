"""Measurements other than rounds: lookups, memory, the start. Each has a baseline too."""

import asyncio
import http.client
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import asyncpg

from bench import datasources, servers, workloads
from bench.data import Account, Dataset
from bench.datasources import PAUSE_S, SEARCH_MS, SEARCHED, ApiClient, create_lookup_form, write_csv
from bench.rounds import Comparison, LoadGenerator
from bench.servers import Server
from bench.workloads import PAGE

EXPORTED_ROWS = 1_000_000
MEMORY_MB, START_S, MIN_RATE = 50, 2.0, 1000


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement, its baseline, and its goal if there is one."""

    database: str
    name: str
    goal: str
    value: str
    baseline: str
    is_met: bool
    needs_quiet_machine: bool = False
    """Whether it depends more on other load of the machine than on the application."""


def measure_lookups(
    database: str, folder: Path, url: str, account: Account, ours: Server, baseline: Server
) -> Measurement:
    """Measure searches while sixteen users type words into a lookup over 100,000 rows."""
    client = ApiClient(ours, {"customerId": account.id, "apiKey": account.key})
    file = write_csv(folder / "looked-up.csv", datasources.rows(SEARCHED))
    path = create_lookup_form(client, client.send("POST", client.base, file, name="Looked up")[1]["id"])
    asyncio.run(_insert_baseline_rows(folder, url))
    (median_ms, p99, cpu), (baseline_median, baseline_p99, _) = (
        _measure_typing(*at) for at in ((ours, path), (baseline, "/lookup"))
    )
    return Measurement(
        database,
        f"Lookup among {SEARCHED:,} rows, 16 users typing: median, p99",
        f"p99 < {SEARCH_MS} ms",
        f"{median_ms:.1f} ms, {p99:.1f} ms; {cpu:.1f} ms CPU each",
        f"{baseline_median:.1f} ms, {baseline_p99:.1f} ms",
        p99 < SEARCH_MS,
        needs_quiet_machine=True,
    )


def _measure_typing(server: Server, path: str) -> tuple[float, float, float]:
    """Return the median, the 99th percentile, and the processor time of the server for each request, in ms."""
    asyncio.run(datasources.measure_searches(server, path, pause=(0, 0), people=range(999, 1000)))
    before = server.cpu()
    times = asyncio.run(datasources.measure_searches(server, path, pause=PAUSE_S))
    parts = quantiles(times, n=100)
    return parts[49], parts[98], (server.cpu() - before) * 1000 / len(times)


async def _insert_baseline_rows(folder: Path, url: str) -> None:
    """Insert the same rows into a table whose only column is searched."""
    rows = [(row[0], '"' + " ".join(row).lower() + '"') for row in datasources.rows(SEARCHED)]
    if not url:
        with sqlite3.connect(folder / "formwright.sqlite3", timeout=60) as db:
            db.execute("CREATE TABLE bench_rows (key TEXT PRIMARY KEY, text TEXT)")
            db.executemany("INSERT INTO bench_rows VALUES (?, ?)", rows)
        return
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE bench_rows (key TEXT PRIMARY KEY, text TEXT)")
    await connection.copy_records_to_table("bench_rows", records=rows)
    await connection.execute("ANALYZE bench_rows")
    await connection.close()


def measure_memory(database: str, dataset: Dataset, ours: Server, baseline: Server) -> Measurement:
    """Measure how much memory the server gains while a million rows are read from it."""
    account = dataset.accounts[0]
    ours_path = f"/api/v1.0/submissions?limit={PAGE}"
    added, baseline_added = (
        _measure_added_memory(ours, ours_path, account.key),
        _measure_added_memory(baseline, f"/page/{account.id}/{PAGE}/0/", ""),
    )
    name = f"Reading {EXPORTED_ROWS:,} submissions, {PAGE:,} per page: memory growth"
    return Measurement(
        database, name, f"< {MEMORY_MB} MB", f"{added:.0f} MB", f"{baseline_added:.0f} MB", added < MEMORY_MB
    )


def _measure_added_memory(server: Server, first: str, key: str) -> float:
    """Read pages by following their links, from the first again after the last; return the growth in MB."""
    connection = http.client.HTTPConnection(server.host, timeout=60)
    before, peak, path = servers.memory_mb(server), 0.0, first
    for page in range(EXPORTED_ROWS // PAGE):
        connection.request("GET", path, headers={"x-api-key": key})
        body = connection.getresponse().read()
        path = _next_path(body) or first if key else first
        if page % 50 == 49:
            peak = max(peak, servers.memory_mb(server))
    connection.close()
    return max(0.0, peak - before)


def _next_path(body: bytes) -> str:
    """Return the path of the next page, which is at the end of the body."""
    link = body[-600:].rpartition(b'"next":')[2].strip(b'"}').decode()
    return "" if link == "null" else "/api/" + link.partition("/api/")[2]


def measure_start(database: str, folder: Path, url: str, baseline: Server) -> Measurement:
    """Measure the time from the command to the first response, with existing data: the median of three."""
    times = []
    for _ in range(3):
        with servers.run_formwright(folder, url) as server:
            times.append(server.start_s)
    start_s, goal = median(times), f"< {START_S:.0f} s"
    return Measurement(
        database,
        "Start to first response",
        goal,
        f"{start_s:.2f} s",
        f"{baseline.start_s:.2f} s",
        start_s < START_S,
        needs_quiet_machine=True,
    )


def measure_rate(result: Comparison) -> Measurement:
    """Return the submissions created per second as a measurement of its own."""
    rate = result.ours.rate
    name = f"{result.workload.name}: per second"
    baseline = f"{result.baseline.rate:,.0f}"
    return Measurement(
        result.database, name, f"≥ {MIN_RATE:,}", f"{rate:,.0f}", baseline, rate >= MIN_RATE, needs_quiet_machine=True
    )


def compare_last_page(
    database: str, clients: LoadGenerator, dataset: Dataset, ours: Server, baseline: Server
) -> Measurement:
    """Measure how much longer the last page takes than the first."""
    first, last = (
        clients.compare(database, workload, ours, baseline)
        for workload in workloads.first_and_last_page(dataset, ours, baseline)
    )
    ratio, baseline_ratio = first.ours.rate / last.ours.rate, first.baseline.rate / last.baseline.rate
    name = f"The last page of {len(dataset.rows):,} submissions relative to the first: time"
    return Measurement(database, name, "as fast", f"{ratio:.2f} ×", f"{baseline_ratio:.2f} ×", ratio < 1.2)
