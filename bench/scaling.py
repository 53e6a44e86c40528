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
from bench.bulk_insert import FIRST, Account, settle
from bench.data import LIST, SINCE, STEP_MS, cursor_at, name
from bench.datasources import SEARCHED, Caller, look_up_form, peak_mb, rows, write_csv
from bench.doc_sections import write_block
from formwright.bootstrap import open_context
from formwright.cli.demo import FIELDS
from formwright.core.auth import actor as actors
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyCreate
from formwright.domain.users import service as people
from formwright.domain.webhooks import delivery_queue
from formwright.settings import Settings

SIZES = (10_000, 100_000, 1_000_000)
SMALL = SIZES[0]
FLAT = 1.5
_ROUNDS, _ASKS, _CLAIMED = 9, 15, 20
_DAY_MS = 86_400_000
_INDEXED = ("site", "people")
Asked = dict[str, Callable[[], float]]
Took = dict[str, list[tuple[float, float | None]]]
"""Milliseconds by request and size, for the large account and for the small one at that time."""


class _NotKept(Exception):
    """Rolls back a claim that was only measured."""


class Grower:
    """One account on one server, and the requests to it."""

    def __init__(self, server: servers.Server, demo: dict[str, str]) -> None:
        self._server = server
        self._caller = Caller(server, demo)
        self._api = self._caller.http
        fields = [field | ({"indexed": True} if field["name"] in _INDEXED else {}) for field in FIELDS]
        form = self._made("/api/v1.0/forms", {"name": "Grown", "fields": fields, "publish": True})
        hook = {"name": "Away", "url": "https://receiver.example.org/", "types": ["submission.submitted"]}
        subscriber = self._made("/api/v1.0/webhooks/subscribers", hook)
        self.account = Account(
            self._caller.demo["customerId"], form["id"], form["publishedVersionId"], subscriber["id"], fields
        )
        self._key = demo["apiKey"]
        self._lookup = ""

    def look_up(self, folder: Path) -> None:
        """Add a form with a lookup and its request."""
        small = write_csv(folder / "rows.csv", rows(SEARCHED))
        made = self._caller.send("POST", self._caller.base, small, name="C")[1]
        self._lookup = look_up_form(self._caller, made["id"])

    def _made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = self._api.post(path, json=body).raise_for_status().json()
        return made

    def paths(self) -> dict[str, str]:
        """Return the paths to request at the current size."""
        count, here, list_ = self.account.count, f"/api/v1.0/customers/{self.account.id}", LIST
        last = cursor_at(self.account.id, count - 101)
        form, middle = self.account.form_id, SINCE + count // 2 * STEP_MS
        since, until = (
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1000)) for ms in (middle, middle + _DAY_MS)
        )
        asked = {
            "GET one submission": f"{here}/submissions/{name('sub', count // 3)}",
            "the first page": list_,
            "the last page": f"{list_}?cursor={last}",
            "the newest first": f"{list_}?order=-submitted",
            "by `formId`": f"{list_}?formId={form}",
            "by `status`, which 1 in 100 have": f"{list_}?status=REJECTED",
            "by a status that none has": f"{list_}?status=STARTED",
            "by `userId`": f"{list_}?userId={name('usr', 42)}",
            "by `taskId`, which ten have": f"{list_}?taskId={name('tsk', 42)}",
            "submitted within a day": f"{list_}?submittedFrom={since}&submittedTo={until}",
            "updated since": f"{list_}?order=updated&updatedFrom={since}",
            "by form and status": f"{list_}?formId={form}&status=REJECTED",
            "by an indexed answer that one has": f"{list_}?formId={form}&answers.site=Harbour+7,+quay+0",
            "by an indexed answer that 1 in 40 have": f"{list_}?formId={form}&answers.people=7",
            "by an answer without index, 1 in 3": f"{list_}?formId={form}&answers.kind=routine",
            "the first events": f"/api/v1.0/webhooks/customer/{self.account.id}/events",
            "the last events": f"/api/v1.0/webhooks/customer/{self.account.id}/events?after={FIRST + count - 100}",
        }
        return asked | ({"a row looked up among 100,000": f"{self._lookup}?q=har&skip=0"} if self._lookup else {})

    def asked(self) -> Asked:
        """Return the requests, each as a function that returns its milliseconds."""
        connection = http.client.HTTPConnection(self._server.host, timeout=600)
        return {what: self._get(connection, path) for what, path in self.paths().items()}

    def _get(self, connection: http.client.HTTPConnection, path: str) -> Callable[[], float]:
        def ask() -> float:
            began = time.perf_counter()
            connection.request("GET", path, headers={"x-api-key": self._key, "accept": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise SystemExit(f"the figure would mean nothing: {path}: {body[:300]!r}")
            return (time.perf_counter() - began) * 1000

        ask()
        return ask


def measure(large: Grower, small: Grower, settings: Settings) -> dict[str, tuple[float, float | None]]:
    """Return the milliseconds of each request, in the large account and in the small one."""
    asked, beside = large.asked(), small.asked()
    asked[f"a claim of {_CLAIMED} deliveries"] = lambda: asyncio.run(_claim(settings))
    took: dict[str, list[float]] = {what: [] for what in asked}
    took_beside: dict[str, list[float]] = {what: [] for what in beside}
    for turn in range(_ROUNDS):
        for what in sorted(asked, key=lambda what: hash((turn, what))):
            asks = 1 if what.startswith("a claim") else _ASKS
            took[what].append(median(asked[what]() for _ in range(asks)))
            if what in beside:
                took_beside[what].append(median(beside[what]() for _ in range(asks)))
    return {what: (min(ms), min(took_beside[what]) if what in beside else None) for what, ms in took.items()}


async def _claim(settings: Settings) -> float:
    async with open_context(settings) as ctx:
        took = []
        for _ in range(_ASKS):
            try:
                async with ctx.db.writing() as tx:
                    began = time.perf_counter()
                    taken = await delivery_queue.claim(tx, tx.now(), _CLAIMED)
                    took.append((time.perf_counter() - began) * 1000)
                    raise _NotKept
            except _NotKept:
                if not taken:
                    raise SystemExit("nothing was claimed: the figure would mean nothing") from None
        return median(took)


async def _grow(settings: Settings, account: Account, size: int) -> int:
    async with open_context(settings) as ctx:
        await account.grow(ctx, size)
        return await settle(ctx)


async def _neighbour(settings: Settings) -> dict[str, str]:
    async with open_context(settings) as ctx, ctx.db.writing() as tx:
        customer, _ = await people.open_account(tx, name="Small", email="small@example.org", password_hash="")
        _, key = await keys.create(tx, actors.system(customer.id), KeyCreate("Bench"), maker_name="Bench")
    return {"customerId": customer.id, "apiKey": key}


Table = dict[str, list[str]]


def run(database: str, folder: Path, url: str, sizes: Sequence[int]) -> tuple[Took, Table]:
    """Return the times at each size, and the sizes on disk and in memory."""
    took: Took = {}
    taken: Table = {"on the disk": [], "the most memory of a process": [], "to put them in": []}
    settings = Settings(data_dir=folder, database_url=url)
    with servers.formwright(folder, url, FORMWRIGHT_NO_WORKER="1") as server:
        grower = Grower(server, servers.demo(folder, url))
        grower.look_up(folder)
        small = Grower(server, asyncio.run(_neighbour(settings)))
        asyncio.run(_grow(settings, small.account, SMALL))
        for size in sizes:
            began = time.perf_counter()
            disk = asyncio.run(_grow(settings, grower.account, size))
            taken["to put them in"].append(f"{time.perf_counter() - began:.0f} s")
            taken["on the disk"].append(f"{disk / 1e6:,.0f} MB")
            for what, ms in measure(grower, small, settings).items():
                took.setdefault(what, []).append(ms)
            taken["the most memory of a process"].append(f"{peak_mb(server):.0f} MB")
            print(f"{database}: {size:,}: {taken}", flush=True)
    return took, taken


def told(database: str, sizes: Sequence[int], took: Took, taken: Table) -> str:
    """Return the table of one database."""
    head = "".join(f" {size:,} |" for size in sizes)
    lines = [
        f"| {database} |{head} grows by | beside {SMALL:,} in the same hour |",
        "|---|" + "---|" * (len(sizes) + 2),
    ]
    for what, figures in took.items():
        (first, _), (last, beside) = figures[0], figures[-1]
        shown = "".join(f" {ms:.2f} ms |" for ms, _ in figures)
        lines.append(f"| {what} |{shown} {_marked(last / first)} | {_marked(last / beside) if beside else ''} |")
    lines += [f"| {what} |" + "".join(f" {one} |" for one in values) + " | |" for what, values in taken.items()]
    return "\n".join(lines) + "\n"


def _marked(ratio: float) -> str:
    return f"**{ratio:.2f}**" if ratio > FLAT else f"{ratio:.2f}"


def main() -> None:
    """Measure both databases, or the one given as an argument; write the tables if both were measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("--to", type=int, default=SIZES[-1], help="5000000 for the whole of it")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    given = parser.parse_args()
    sizes = [*(size for size in SIZES if size < given.to), given.to]
    tables = [f"Load average before: {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores.\n"]
    for database in ["sqlite", "postgres"] if given.database == "both" else [given.database]:
        with _database(database) as (folder, url):
            shown = {"sqlite": "SQLite", "postgres": "PostgreSQL"}[database]
            tables.append(told(shown, sizes, *run(database, folder, url, sizes)))
            print(tables[-1], flush=True)
    if given.database == "both":
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
