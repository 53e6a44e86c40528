"""`python -m bench`: measure, print, and write the tables and the chart of docs/explanation/performance.md."""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fixtures.postgres import Cluster

from bench import data, measurements, report, rule_evaluation, servers, sizing, workloads
from bench import webhooks as hooks
from bench.chart import PICTURE, draw
from bench.doc_sections import write_block
from bench.measurements import Measured
from bench.report import NAMES, Run
from bench.results import Found
from bench.rounds import Clients, Result, Work
from formwright.settings import Settings

GOALS = {"sqlite": (0.3, 0.7, 0.5), "postgres": (0.6, 0.7, 0.5)}
Figures = Iterator[Result | Measured]


def main() -> int:
    """Run the benchmarks that the arguments name; return 1 if a response was wrong or a part failed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few and short rounds on little data; writes no document")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    given = parser.parse_args()
    run = Run(10_000, 3, 0.7, 5, 50_000) if given.quick else Run(100_000, 5, 2.0, 20, 1_000_000)
    load, began, found = os.getloadavg()[0], time.monotonic(), Found()
    for database in ["sqlite", "postgres"] if given.database == "both" else [given.database]:
        with found.trying(f"{NAMES[database]}, the servers"):
            _served(database, run, found)
        found.keep(f"{NAMES[database]}, webhooks", hooks.held(database, run.hooked_s))
        found.keep(f"{NAMES[database]}, statements a delivery", hooks.statements(database))
        found.keep(f"{NAMES[database]}, claims", hooks.backlog(database, run.backlog))
    judged = f"{rule_evaluation.median_ms():.2f} ms"
    minutes = (time.monotonic() - began) / 60
    print(f"The rules of one submission take {judged}. The run took {minutes:.0f} minutes.")
    if not given.quick and given.database == "both":
        write_block("bench", report.text(found, run, load=load, rules=judged, minutes=minutes))
        PICTURE.write_text(draw(found.results), encoding="utf-8")
        with found.trying("docs/guides/sizing.md"):
            sizing.write()
    return 1 if found.wrong else 0


def _served(database: str, run: Run, found: Found) -> None:
    """Compare a server with the baseline server."""
    with _database(database) as (folder, url, pid), ExitStack() as stack:
        clients = stack.enter_context(Clients(run.rounds, run.seconds, pid))
        stock = asyncio.run(data.make(Settings(data_dir=folder, database_url=url), run.count))
        ours = stack.enter_context(servers.formwright(folder, url))
        bare = stack.enter_context(servers.bare(folder, url or str(folder / "formwright.sqlite3")))
        one, pull, in_ = GOALS[database]

        def compared(make: Callable[[], Work]) -> Figures:
            yield clients.compare(database, make(), ours, bare)

        def handed_in(accounts: list[data.Account]) -> Figures:
            result = clients.compare(database, workloads.handing_in(accounts, ours, bare, in_), ours, bare)
            yield result
            if database == "sqlite":
                yield measurements.a_second(result)

        with found.trying(f"{NAMES[database]}, the clients alone"):
            found.ceilings[database] = clients.ceiling(bare, workloads.constant(bare), workloads.CLIENTS)
        parts: dict[str, Figures] = {
            # Memory first, before other benchmarks make the process larger.
            "memory": _one(lambda: measurements.memory(database, stock, ours, bare)),
            "GET one": compared(lambda: workloads.one(stock, ours, bare, one)),
            "a pull": compared(lambda: workloads.pull(stock, ours, bare, pull)),
            "one account": handed_in(stock.accounts[:1]),
            "many accounts": handed_in(stock.accounts),
            "the last page": _one(lambda: measurements.last_as_first(database, clients, stock, ours, bare)),
            "lookups": _one(lambda: measurements.lookups(database, folder, url, ours, bare)),
            "start": _one(lambda: measurements.start(database, folder, url, bare)),
        }
        for what, figures in parts.items():
            found.keep(f"{NAMES[database]}, {what}", figures)
        if database == "postgres":
            found.keep(f"{NAMES[database]}, several processes", _on_each_core(clients, stock, folder, url))


def _on_each_core(clients: Clients, stock: data.Stock, folder: Path, url: str) -> Figures:
    """Measure a machine with as many processes on one database as it has cores."""
    count = os.cpu_count() or 1
    with (
        servers.formwright(folder, url, FORMWRIGHT_WORKERS=str(count)) as ours,
        servers.bare(folder, url, count) as bare,
    ):
        yield clients.compare("postgres", workloads.one(stock, ours, bare, None).of(count), ours, bare)
        for accounts in (stock.accounts[:1], stock.accounts):
            work = workloads.handing_in(accounts, ours, bare, None).of(count)
            yield clients.compare("postgres", work, ours, bare)


def _one(measure: Callable[[], Measured]) -> Figures:
    yield measure()


@contextmanager
def _database(name: str) -> Iterator[tuple[Path, str, int | None]]:
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
        server = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        yield Path(folder), server.create_database("bench") if server else "", server.pid if server else None


if __name__ == "__main__":
    sys.exit(main())
