"""How long an import of a million rows takes, and how fast lookups are. `python -m bench.datasources`.

The server is a separate process with default settings. The baseline is the same rows inserted by the driver alone into
the same tables and indexes, and the same search as plain SQL.
"""

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import asyncpg
import httpx
from fixtures.postgres import Cluster

from bench import servers
from bench.servers import Server
from formwright.domain.datasources.limits import SEGMENT_ROWS
from formwright.domain.datasources.search.normalize import to_search_text

IMPORT_S, MEMORY_MB, SEARCH_MS = 60, 300, 20
CLIENTS, TYPED = 16, 40
PAUSE_S = (0.1, 0.3)
"""Seconds between two letters of a fast typist."""
SEARCHED = 100_000
_random = random.Random(7)
_SOUNDS = [a + b + c for a in "bdfghjklmnprstvwz" for b in "aeiou" for c in ("", "", "l", "n", "r", "s", "t")]
_WORDS = ["".join(_random.choice(_SOUNDS) for _ in range(_random.randint(2, 4))).title() for _ in range(40_000)]
COLUMNS = ("number", "name", "company", "mail", "phone", "street", "zip", "town", "limit", "since")


def rows(count: int, changed: int = 0) -> Iterator[list[str]]:
    """Yield customers; every `changed`-th of them has moved."""
    rng = random.Random(11)
    for number in range(count):
        name, company, town = rng.choice(_WORDS), rng.choice(_WORDS), rng.choice(_WORDS)
        street = f"{rng.choice(_WORDS)}straße {rng.randint(1, 200)}"
        if changed and number % changed == 0:
            street = "Moved 1"
        yield [
            f"C-{number:07}",
            f"{name} Müller {rng.choice(_WORDS)}",
            f"{company} GmbH",
            f"{name}@{company}.example".lower(),
            f"+49 {rng.randint(10**7, 10**9)}",
            street,
            f"{rng.randint(1000, 99999):05}",
            town,
            str(rng.randint(0, 100_000)),
            f"20{rng.randint(10, 25)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        ]


def write_csv(path: Path, table: Iterator[list[str]]) -> Path:
    """Write the rows to a file."""
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(COLUMNS) + "\n")
        for row in table:
            file.write(",".join(row) + "\n")
    return path


Part = tuple[list[tuple[int, str, str]], list[tuple[int, int, str]]]
"""The rows and texts of one transaction."""


class ApiClient:
    """An integration with an API key."""

    def __init__(self, server: Server, demo: dict[str, Any]) -> None:
        self.demo = demo
        self.base = f"/api/v1.0/customers/{demo['customerId']}/datasources"
        self.http = httpx.Client(
            base_url=f"http://{server.host}", headers={"x-api-key": demo["apiKey"]}, timeout=httpx.Timeout(600)
        )

    def send(self, method: str, url: str, file: Path, **query: str) -> tuple[float, dict[str, Any]]:
        """Upload a file of rows; return the seconds until the import is complete."""
        started = time.perf_counter()
        with file.open("rb") as content:
            response = self.http.request(
                method, url, content=content, params=query, headers={"content-type": "text/csv"}
            )
        if response.status_code not in (200, 201):
            raise SystemExit(f"the figure would mean nothing: {response.text}")
        return time.perf_counter() - started, response.json()


def peak_mb(server: Server) -> float:
    """Return the peak memory of any process of the server, in MB (VmHWM)."""
    peaks = []
    for pid in servers.list_process_tree(server.process.pid):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        peaks += [int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")]
    return max(peaks)


def import_baseline(folder: Path, url: str, count: int) -> float:
    """Return the seconds to insert prepared rows into tables and indexes like ours: rows, and their text by column."""
    table = list(rows(count))
    parts = [
        (
            [(number, row[0], "{}" + "|".join(row)) for number, row in enumerate(part, start)],
            [(start, column, to_search_text(cells)) for column, cells in enumerate(zip(*part, strict=True))],
        )
        for start in range(0, count, SEGMENT_ROWS)
        if (part := table[start : start + SEGMENT_ROWS])
    ]
    del table
    return (
        asyncio.run(_import_baseline_postgres(url, parts))
        if url
        else _import_baseline_sqlite(folder / "bare.sqlite3", parts)
    )


def _import_baseline_sqlite(path: Path, parts: list[Part]) -> float:
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE r (number INTEGER PRIMARY KEY, key TEXT, data TEXT);"
        "CREATE UNIQUE INDEX r_key ON r (key);"
        "CREATE TABLE t (first INTEGER, name INTEGER, text TEXT, PRIMARY KEY (first, name))"
    )
    started = time.perf_counter()
    for rows_part, texts in parts:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO r VALUES (?, ?, ?)", rows_part)
        db.executemany("INSERT INTO t VALUES (?, ?, ?)", texts)
        db.execute("COMMIT")
    elapsed = time.perf_counter() - started
    db.close()
    return elapsed


async def _import_baseline_postgres(url: str, parts: list[Part]) -> float:
    db = await asyncpg.connect(url)
    await db.execute(
        "CREATE TABLE r (number BIGINT PRIMARY KEY, key TEXT UNIQUE, data TEXT);"
        "CREATE TABLE t (first BIGINT, name BIGINT, text TEXT, PRIMARY KEY (first, name));"
        "ALTER TABLE t ALTER COLUMN text SET STORAGE EXTERNAL"
    )
    started = time.perf_counter()
    for rows_part, texts in parts:
        async with db.transaction():
            await db.copy_records_to_table("r", records=rows_part)
            await db.copy_records_to_table("t", records=texts)
    elapsed = time.perf_counter() - started
    await db.close()
    return elapsed


def create_lookup_form(client: ApiClient, datasource_id: str) -> str:
    """Return the address at which a fill page searches rows."""
    field: dict[str, Any] = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": datasource_id}
    field |= {"display": ["name", "town"]}
    form = client.http.post("/api/v1.0/forms", json={"name": "Visit", "fields": [field], "publish": True}).json()
    return str(form["fillPath"]) + "/lookup/client"


async def measure_searches(
    server: Server, path: str, *, pause: tuple[float, float], people: range = range(CLIENTS)
) -> list[float]:
    """Return the milliseconds of each response while users type words, or parts of words, letter by letter."""
    elapsed: list[float] = []
    async with httpx.AsyncClient(
        base_url=f"http://{server.host}", limits=httpx.Limits(max_connections=CLIENTS)
    ) as http:

        async def person(number: int) -> None:
            rng = random.Random(number)
            for _ in range(TYPED // 5):
                word = rng.choice(_WORDS).lower()
                word = word[rng.randint(0, max(0, len(word) - 5)) :]
                for length in range(1, min(len(word), 6)):
                    await asyncio.sleep(rng.uniform(*pause))
                    started = time.perf_counter()
                    response = await http.get(path, params={"q": word[:length], "skip": "0"})
                    elapsed.append((time.perf_counter() - started) * 1000)
                    response.raise_for_status()

        await asyncio.gather(*(person(number) for number in people))
    return elapsed


def format_percentiles(elapsed: list[float]) -> str:
    """Return the median and the 95th and 99th percentiles."""
    parts = quantiles(elapsed, n=100)
    return f"median {parts[49]:.1f} ms, p95 {parts[94]:.1f} ms, p99 {parts[98]:.1f} ms"


def main() -> None:
    """Measure both databases, or the one given as an argument."""
    parser = argparse.ArgumentParser(prog="python -m bench.datasources", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    for database in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with _database(database) as (folder, url):
            _measure(database, folder, url, options.rows)


def _measure(database: str, folder: Path, url: str, count: int) -> None:
    with servers.run_formwright(folder, url) as server:
        client = ApiClient(server, servers.create_demo(folder, url))
        small = write_csv(folder / "small.csv", rows(SEARCHED))
        _, rows_part = client.send("POST", client.base, small, name="Searched")
        path = create_lookup_form(client, rows_part["id"])
        asyncio.run(measure_searches(server, path, pause=(0, 0), people=range(999, 1000)))
        before = server.cpu()
        with_pause = asyncio.run(measure_searches(server, path, pause=PAUSE_S))
        cpu_ms = (server.cpu() - before) * 1000 / len(with_pause)
        print(
            f"{database}: search in {SEARCHED:,}, {CLIENTS} people typing: {format_percentiles(with_pause)};"
            f" wanted p99 {SEARCH_MS} ms; {cpu_ms:.1f} ms of processor each in our process"
        )
        without_pause = asyncio.run(measure_searches(server, path, pause=(0, 0)))
        print(
            f"{database}: the same without a pause ({CLIENTS} at once, always): {format_percentiles(without_pause)}",
            flush=True,
        )
        big = write_csv(folder / "big.csv", rows(count))
        before = server.cpu()
        elapsed, rows_part = client.send("POST", client.base, big, name="Big")
        cpu = server.cpu() - before
        memory = peak_mb(server)
        print(
            f"{database}: {count:,} rows of 10 columns in {elapsed:.1f} s ({cpu:.1f} s of processor in our process),"
            f" peak {memory:.0f} MB; wanted {IMPORT_S} s, {MEMORY_MB} MB"
        )
        rng = write_csv(folder / "some.csv", (row for n, row in enumerate(rows(count, 1000)) if n % 1000 == 0))
        upsert_s, report = client.send("POST", f"{client.base}/{rows_part['id']}/rows", rng)
        print(f"{database}: an upsert of {report['updated']:,} changed rows among them in {upsert_s:.2f} s", flush=True)
    print(f"{database}: the baseline for those rows: {import_baseline(folder, url, count):.1f} s", flush=True)


@contextmanager
def _database(name: str) -> Iterator[tuple[Path, str]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        yield folder, cluster.create_database("bench") if cluster else ""


if __name__ == "__main__":
    main()
