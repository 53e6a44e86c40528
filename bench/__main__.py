"""`python -m bench`: measure, say it, and write its part of docs/performance.md and the picture there."""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rig.postgres import Cluster

from bench import data, measured, report, rules, servers, works
from bench.document import write_block
from bench.measured import Measured
from bench.picture import PICTURE, draw
from bench.rounds import Clients, Figures, Result
from formwright.settings import Settings

GOALS = {"sqlite": (0.3, 0.7, 0.5), "postgres": (0.6, 0.7, 0.5)}


def main() -> int:
    """Measure what the arguments name; 1 when an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few and short rounds on little data; writes no document")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    given = parser.parse_args()
    count, rounds, seconds = (10_000, 3, 0.7) if given.quick else (100_000, 5, 2.0)
    load = os.getloadavg()[0]
    results: list[Result] = []
    others: list[Measured] = []
    ceilings: dict[str, Figures] = {}
    with Clients(rounds, seconds) as clients:
        for database in ["sqlite", "postgres"] if given.database == "both" else [given.database]:
            found, also, ceilings[database] = _measure(database, count, clients)
            results, others = results + found, others + also
    judged = f"{rules.median_ms():.2f} ms"
    if not given.quick and given.database == "both":
        facts = {"count": count, "ids": works.IDS, "rounds": rounds, "seconds": seconds, "rules": judged}
        write_block("bench", report.text(results, others, ceilings, load=load, **facts))
        PICTURE.write_text(draw(results), encoding="utf-8")
    return 1 if any(side.wrong for result in results for side in (result.ours, result.bare)) else 0


def _measure(database: str, count: int, clients: Clients) -> tuple[list[Result], list[Measured], Figures]:
    one, pull, handing_in = GOALS[database]
    with _database(database) as (folder, url), ExitStack() as stack:
        stock = asyncio.run(data.make(Settings(data_dir=folder, database_url=url), count))
        ours = stack.enter_context(servers.formwright(folder, url))
        bare = stack.enter_context(servers.bare(folder, url or str(folder / "formwright.sqlite3")))
        ceiling = clients.ceiling(bare, works.constant(bare), works.CLIENTS)
        todo = [works.one(stock, ours, bare, one), works.pull(stock, ours, bare, pull)]
        for name, accounts in (("one account", stock.accounts[:1]), (f"{data.ACCOUNTS} accounts", stock.accounts)):
            title = f"Submissions in, {works.HANDING_IN} clients, {name}"
            todo.append(works.handing_in(title, accounts, ours, bare, handing_in))
        # Memory first: nothing that was done before shall have made room for it.
        others = [measured.memory(database, stock, ours, bare)]
        results = [_done(clients.compare(database, work, ours, bare)) for work in todo]
        others += [
            measured.last_as_first(database, clients, stock, ours, bare),
            measured.lookups(database, folder, url, ours, bare),
            measured.start(database, folder, url, bare),
        ]
        print("\n".join(f"{one.database}, {one.work}: {one.value} (bare {one.bare}), {one.goal}" for one in others))
        return results, others, ceiling


def _done(result: Result) -> Result:
    print(report.line(result), flush=True)
    return result


@contextmanager
def _database(name: str) -> Iterator[tuple[Path, str]]:
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
        server = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        yield Path(folder), server.create_database("bench") if server else ""


sys.exit(main())
