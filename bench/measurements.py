"""Measurements other than rounds: lookups, memory, the start. Each has a baseline too."""

import asyncio
import http.client
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import asyncpg

from bench import datasources, servers, workloads
from bench.data import Stock
from bench.datasources import PAUSE_S, SEARCH_MS, SEARCHED, Caller, look_up_form, write_csv
from bench.rounds import Clients, Result
from bench.servers import Server
from bench.workloads import PAGE

PULLED = 1_000_000
MEMORY_MB, START_S, A_SECOND = 50, 2.0, 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """A measurement, its baseline, and its goal if there is one."""

    database: str
    work: str
    goal: str
    value: str
    bare: str
    met: bool
    quiet: bool = False
    """It depends more on other load of the machine than on the application."""


def lookups(database: str, folder: Path, url: str, ours: Server, bare: Server) -> Measured:
    """Sixteen users type words into a lookup over 100,000 rows."""
    caller = Caller(ours, servers.demo(folder, url))
    made = write_csv(folder / "looked-up.csv", datasources.rows(SEARCHED))
    path = look_up_form(caller, caller.send("POST", caller.base, made, name="Looked up")[1]["id"])
    asyncio.run(_bare_rows(folder, url))
    (median_ms, p99, cpu), (bare_median, bare_p99, _) = (_typed(*at) for at in ((ours, path), (bare, "/lookup")))
    return Measured(
        database,
        f"Lookup among {SEARCHED:,} rows, 16 people typing: median, p99",
        f"p99 < {SEARCH_MS} ms",
        f"{median_ms:.1f} ms, {p99:.1f} ms; {cpu:.1f} ms of processor each",
        f"{bare_median:.1f} ms, {bare_p99:.1f} ms",
        p99 < SEARCH_MS,
        quiet=True,
    )


def _typed(server: Server, path: str) -> tuple[float, float, float]:
    """Return the median, the 99th percentile, and the processor time of the server for each request, in ms."""
    asyncio.run(datasources.search_ms(server, path, pause=(0, 0), people=range(999, 1000)))
    before = server.cpu()
    took = asyncio.run(datasources.search_ms(server, path, pause=PAUSE_S))
    parts = quantiles(took, n=100)
    return parts[49], parts[98], (server.cpu() - before) * 1000 / len(took)


async def _bare_rows(folder: Path, url: str) -> None:
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


def memory(database: str, stock: Stock, ours: Server, bare: Server) -> Measured:
    """Measure how much memory the server gains while a million rows are read from it."""
    account = stock.accounts[0]
    ours_path = f"/api/v1.0/submissions?limit={PAGE}"
    added, bare_added = (
        _added(ours, ours_path, account.key),
        _added(bare, f"/page/{account.id}/{PAGE}/0/", ""),
    )
    work = f"A pull of {PULLED:,} rows, {PAGE:,} a page: memory added"
    return Measured(database, work, f"< {MEMORY_MB} MB", f"{added:.0f} MB", f"{bare_added:.0f} MB", added < MEMORY_MB)


def _added(server: Server, first: str, key: str) -> float:
    """Follow the links between pages, and begin again at the end."""
    connection = http.client.HTTPConnection(server.host, timeout=60)
    before, most, path = servers.memory_mb(server), 0.0, first
    for page in range(PULLED // PAGE):
        connection.request("GET", path, headers={"x-api-key": key})
        body = connection.getresponse().read()
        path = _next(body) or first if key else first
        if page % 50 == 49:
            most = max(most, servers.memory_mb(server))
    connection.close()
    return max(0.0, most - before)


def _next(body: bytes) -> str:
    """Return the path of the next page, which is at the end of the body."""
    told = body[-600:].rpartition(b'"next":')[2].strip(b'"}').decode()
    return "" if told == "null" else "/api/" + told.partition("/api/")[2]


def start(database: str, folder: Path, url: str, bare: Server) -> Measured:
    """Measure the time from the command to the first response, with existing data: the median of three."""
    took = []
    for _ in range(3):
        with servers.formwright(folder, url) as server:
            took.append(server.begun_s)
    begun, goal = median(took), f"< {START_S:.0f} s"
    return Measured(
        database,
        "Start to first answer",
        goal,
        f"{begun:.2f} s",
        f"{bare.begun_s:.2f} s",
        begun < START_S,
        quiet=True,
    )


def a_second(result: Result) -> Measured:
    """Return the submissions created per second, where that is a goal by itself."""
    rate = result.ours.rate
    work = f"{result.work.name}: a second"
    bare = f"{result.bare.rate:,.0f}"
    return Measured(result.database, work, f"≥ {A_SECOND:,}", f"{rate:,.0f}", bare, rate >= A_SECOND, quiet=True)


def last_as_first(database: str, clients: Clients, stock: Stock, ours: Server, bare: Server) -> Measured:
    """Measure how much longer the last page takes than the first."""
    first, last = (clients.compare(database, work, ours, bare) for work in workloads.ends(stock, ours, bare))
    ratio, bare_ratio = first.ours.rate / last.ours.rate, first.bare.rate / last.bare.rate
    work = f"The last page of {len(stock.rows):,} beside the first, time"
    return Measured(database, work, "as fast", f"{ratio:.2f} ×", f"{bare_ratio:.2f} ×", ratio < 1.2)
