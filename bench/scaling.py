"""Whether an account stays fast while it grows. `python -m bench.scaling` (or `make scaling`) writes its table.

Each request is sent several times over HTTP, in rounds of different order; the round with the lowest median counts,
because other load only ever adds time. A small account in the same database is measured alternately, so that
disturbances affect both. A claim is a worker's query before deliveries,
measured in this process.
"""

import argparse
import asyncio
import http.client
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from fixtures.postgres import Cluster

from bench import servers, sizing
from bench.bulk_insert import FIRST, BulkAccount, checkpoint
from bench.data import LIST, SINCE, STEP_MS, cursor_at, make_id
from bench.datasources import SEARCHED, ApiClient, create_lookup_form, peak_mb, rows, write_csv
from bench.doc_sections import write_block
from formwright.bootstrap import open_context
from formwright.cli.demo import FIELDS
from formwright.core.auth import actor as actors
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.users import service as people
from formwright.domain.webhooks import delivery_queue
from formwright.settings import Settings

SIZES = (10_000, 100_000, 1_000_000)
SMALL = SIZES[0]
MAX_GROWTH = 1.5
_ROUNDS, _REPEATS, _CLAIMED = 9, 15, 20
_DAY_MS = 86_400_000
_INDEXED = ("site", "people")
Requests = dict[str, Callable[[], float]]
Timings = dict[str, list[tuple[float, float | None]]]
"""Milliseconds by request and size, for the large account and for the small one at that time."""


class _Rollback(Exception):
    """Rolls back a claim that was only measured."""


class MeasuredAccount:
    """One account on one server, and the requests to it."""

    def __init__(self, server: servers.Server, demo: dict[str, str]) -> None:
        self._server = server
        self._caller = ApiClient(server, demo)
        self._api = self._caller.http
        fields = [field | ({"indexed": True} if field["name"] in _INDEXED else {}) for field in FIELDS]
        form = self._create("/api/v1.0/forms", {"name": "Grown", "fields": fields, "publish": True})
        subscriber = {"name": "Away", "url": "https://receiver.example.org/", "types": ["submission.submitted"]}
        subscriber = self._create("/api/v1.0/webhooks/subscribers", subscriber)
        self.account = BulkAccount(
            self._caller.demo["customerId"], form["id"], form["publishedVersionId"], subscriber["id"], fields
        )
        self._key = demo["apiKey"]
        self._lookup = ""

    def add_lookup(self, folder: Path) -> None:
        """Add a form with a lookup and its request."""
        small = write_csv(folder / "rows.csv", rows(SEARCHED))
        response = self._caller.send("POST", self._caller.base, small, name="C")[1]
        self._lookup = create_lookup_form(self._caller, response["id"])

    def _create(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        response: dict[str, Any] = self._api.post(path, json=body).raise_for_status().json()
        return response

    def paths(self) -> dict[str, str]:
        """Return the paths to request at the current size."""
        count, here, list_ = self.account.count, f"/api/v1.0/customers/{self.account.id}", LIST
        last = cursor_at(self.account.id, count - 101)
        form, middle = self.account.form_id, SINCE + count // 2 * STEP_MS
        since, until = (
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1000)) for ms in (middle, middle + _DAY_MS)
        )
        requests = {
            "GET one submission": f"{here}/submissions/{make_id('sub', count // 3)}",
            "the first page": list_,
            "the last page": f"{list_}?cursor={last}",
            "the newest first": f"{list_}?order=-submitted",
            "by `formId`": f"{list_}?formId={form}",
            "by `status`, which 1 in 100 have": f"{list_}?status=REJECTED",
            "by a status that none has": f"{list_}?status=STARTED",
            "by `userId`": f"{list_}?userId={make_id('usr', 42)}",
            "by `taskId`, which ten have": f"{list_}?taskId={make_id('tsk', 42)}",
            "submitted within a day": f"{list_}?submittedFrom={since}&submittedTo={until}",
            "updated since": f"{list_}?order=updated&updatedFrom={since}",
            "by form and status": f"{list_}?formId={form}&status=REJECTED",
            "by an indexed answer that one has": f"{list_}?formId={form}&answers.site=Harbour+7,+quay+0",
            "by an indexed answer that 1 in 40 have": f"{list_}?formId={form}&answers.people=7",
            "by an answer without index, 1 in 3": f"{list_}?formId={form}&answers.kind=routine",
            "the first events": f"/api/v1.0/webhooks/customer/{self.account.id}/events",
            "the last events": f"/api/v1.0/webhooks/customer/{self.account.id}/events?after={FIRST + count - 100}",
        }
        return requests | ({"a row looked up among 100,000": f"{self._lookup}?q=har&skip=0"} if self._lookup else {})

    def requests(self) -> Requests:
        """Return the requests, each as a function that returns its milliseconds."""
        connection = http.client.HTTPConnection(self._server.host, timeout=600)
        return {name: self._time_get(connection, path) for name, path in self.paths().items()}

    def _time_get(self, connection: http.client.HTTPConnection, path: str) -> Callable[[], float]:
        def ask() -> float:
            started = time.perf_counter()
            connection.request("GET", path, headers={"x-api-key": self._key, "accept": "application/json"})
            response = connection.getresponse()
            body = response.read()
            if response.status != 200:
                raise SystemExit(f"the figure would mean nothing: {path}: {body[:300]!r}")
            return (time.perf_counter() - started) * 1000

        ask()
        return ask


def measure(
    large: MeasuredAccount, small: MeasuredAccount, settings: Settings
) -> dict[str, tuple[float, float | None]]:
    """Return the milliseconds of each request, in the large account and in the small one."""
    requests, small_requests = large.requests(), small.requests()
    requests[f"a claim of {_CLAIMED} deliveries"] = lambda: asyncio.run(_time_claim(settings, large.account.id))
    times: dict[str, list[float]] = {name: [] for name in requests}
    small_times: dict[str, list[float]] = {name: [] for name in small_requests}
    for turn in range(_ROUNDS):
        for name in sorted(requests, key=lambda name: hash((turn, name))):
            repeats = 1 if name.startswith("a claim") else _REPEATS
            times[name].append(median(requests[name]() for _ in range(repeats)))
            if name in small_requests:
                small_times[name].append(median(small_requests[name]() for _ in range(repeats)))
    return {name: (min(ms), min(small_times[name]) if name in small_requests else None) for name, ms in times.items()}


async def _time_claim(settings: Settings, customer_id: str) -> float:
    async with open_context(settings) as ctx:
        times = []
        for _ in range(_REPEATS):
            try:
                async with ctx.db.writing() as tx:
                    started = time.perf_counter()
                    sizes_taken = await delivery_queue.claim(tx, customer_id, tx.now(), _CLAIMED)
                    times.append((time.perf_counter() - started) * 1000)
                    raise _Rollback
            except _Rollback:
                if not sizes_taken:
                    raise SystemExit("nothing was claimed: the figure would mean nothing") from None
        return median(times)


async def _grow(settings: Settings, account: BulkAccount, size: int) -> int:
    async with open_context(settings) as ctx:
        await account.grow(ctx, size)
        return await checkpoint(ctx)


async def _create_small_account(settings: Settings) -> dict[str, str]:
    async with open_context(settings) as ctx, ctx.db.writing() as tx:
        customer, _ = await people.open_account(tx, name="Small", email="small@example.org", password_hash="")
        _, key = await keys.create(tx, actors.system(customer.id), KeyProperties("Bench"), maker_name="Bench")
    return {"customerId": customer.id, "apiKey": key}


Table = dict[str, list[str]]


def run(database: str, folder: Path, url: str, sizes: Sequence[int]) -> tuple[Timings, Table]:
    """Return the times at each size, and the sizes on disk and in memory."""
    times: Timings = {}
    sizes_taken: Table = {"disk space": [], "peak memory of a process": [], "time to insert": []}
    settings = Settings(data_dir=folder, database_url=url)
    with servers.run_formwright(folder, url, FORMWRIGHT_NO_WORKER="1") as server:
        large = MeasuredAccount(server, servers.create_demo(folder, url))
        large.add_lookup(folder)
        small = MeasuredAccount(server, asyncio.run(_create_small_account(settings)))
        asyncio.run(_grow(settings, small.account, SMALL))
        for size in sizes:
            started = time.perf_counter()
            disk = asyncio.run(_grow(settings, large.account, size))
            sizes_taken["time to insert"].append(f"{time.perf_counter() - started:.0f} s")
            sizes_taken["disk space"].append(f"{disk / 1e6:,.0f} MB")
            for name, ms in measure(large, small, settings).items():
                times.setdefault(name, []).append(ms)
            sizes_taken["peak memory of a process"].append(f"{peak_mb(server):.0f} MB")
            print(f"{database}: {size:,}: {sizes_taken}", flush=True)
    return times, sizes_taken


def render_table(database: str, sizes: Sequence[int], times: Timings, sizes_taken: Table) -> str:
    """Return the table of one database."""
    head = "".join(f" {size:,} |" for size in sizes)
    lines = [
        f"| {database} |{head} grows by | beside {SMALL:,} in the same hour |",
        "|---|" + "---|" * (len(sizes) + 2),
    ]
    for name, values in times.items():
        (first, _), (last, small_requests) = values[0], values[-1]
        label = "".join(f" {ms:.2f} ms |" for ms, _ in values)
        overhead = _format_ratio(last / small_requests) if small_requests else ""
        lines.append(f"| {name} |{label} {_format_ratio(last / first)} | {overhead} |")
    lines += [f"| {name} |" + "".join(f" {one} |" for one in values) + " | |" for name, values in sizes_taken.items()]
    return "\n".join(lines) + "\n"


def _format_ratio(ratio: float) -> str:
    return f"**{ratio:.2f}**" if ratio > MAX_GROWTH else f"{ratio:.2f}"


def main() -> None:
    """Measure both databases, or the one given as an argument; write the tables if both were measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("--to", type=int, default=SIZES[-1], help="5000000 for the whole of it")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    sizes = [*(size for size in SIZES if size < options.to), options.to]
    tables = [f"Load average before: {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores.\n"]
    for database in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with _database(database) as (folder, url):
            label = {"sqlite": "SQLite", "postgres": "PostgreSQL"}[database]
            tables.append(render_table(label, sizes, *run(database, folder, url, sizes)))
            print(tables[-1], flush=True)
    if options.database == "both":
        write_block("growth", "\n".join(tables))
        sizing.write()


@contextmanager
def _database(kind: str) -> Iterator[tuple[Path, str]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="formwright-growth-")))
        cluster = stack.enter_context(Cluster(durable=True)) if kind == "postgres" else None
        yield folder, cluster.create_database("bench") if cluster else ""


if __name__ == "__main__":
    main()
