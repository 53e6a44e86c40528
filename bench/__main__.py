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

from bench import bulk_changes, data, measurements, report, rule_evaluation, servers, sizing, workloads
from bench import webhooks as hooks
from bench.chart import CHART, draw
from bench.doc_sections import write_block
from bench.measurements import Measurement
from bench.report import DATABASE_NAMES, Run
from bench.results import Results
from bench.rounds import Comparison, LoadGenerator, Workload
from formwright.settings import Settings

GOALS: dict[str, tuple[float, float, float | None]] = {"sqlite": (0.3, 0.7, 0.5), "postgres": (0.6, 0.7, None)}
"""The minimum ratios to the baseline, by database: reading one submission, listing, and creating them."""
Figures = Iterator[Comparison | Measurement]


def main() -> int:
    """Run the benchmarks that the arguments name; return 1 if a response was wrong or a part failed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few and short rounds on little data; writes no document")
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    run = Run(10_000, 3, 0.7, 5, 50_000) if options.quick else Run(100_000, 5, 2.0, 20, 1_000_000)
    load, started, results = os.getloadavg()[0], time.monotonic(), Results()
    for database in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with results.part(f"{DATABASE_NAMES[database]}, the servers"):
            _benchmark_servers(database, run, results)
        results.add(f"{DATABASE_NAMES[database]}, webhooks", hooks.measure_rates(database, run.webhook_s))
        results.add(f"{DATABASE_NAMES[database]}, statements a delivery", hooks.measure_statements(database))
        results.add(f"{DATABASE_NAMES[database]}, claims", hooks.measure_claims(database, run.backlog))
    rule_time = f"{rule_evaluation.median_ms():.2f} ms"
    minutes = (time.monotonic() - started) / 60
    print(f"The rules of one submission take {rule_time}. The run took {minutes:.0f} minutes.")
    if not options.quick and options.database == "both":
        write_block("bench", report.render(results, run, load=load, rules=rule_time, minutes=minutes))
        CHART.write_text(draw(results.comparisons), encoding="utf-8")
        with results.part("docs/guides/sizing.md"):
            sizing.write()
    return 1 if results.has_failures else 0


def _benchmark_servers(database: str, run: Run, results: Results) -> None:
    """Compare a server with the baseline server."""
    with _database(database) as (folder, url, pid), ExitStack() as stack:
        clients = stack.enter_context(LoadGenerator(run.rounds, run.seconds, [pid] if pid else []))
        dataset = asyncio.run(data.create_dataset(Settings(data_dir=folder, database_url=url), run.submissions))
        ours = stack.enter_context(servers.run_formwright(folder, url))
        baseline = stack.enter_context(servers.run_baseline(folder, url or str(folder / "formwright.sqlite3")))
        get_goal, page_goal, submit_goal = GOALS[database]

        def compare(build: Callable[[], Workload]) -> Figures:
            yield clients.compare(database, build(), ours, baseline)

        def compare_submissions(accounts: list[data.Account]) -> Figures:
            result = clients.compare(
                database, workloads.create_submissions(accounts, ours, baseline, submit_goal), ours, baseline
            )
            yield result
            if database == "sqlite":
                yield measurements.measure_rate(result)

        with results.part(f"{DATABASE_NAMES[database]}, the clients alone"):
            results.ceilings[database] = clients.measure_ceiling(
                baseline, workloads.constant_request(baseline), workloads.CLIENTS
            )
        parts: dict[str, Figures] = {
            # Memory first, before other benchmarks make the process larger.
            "memory": _single(lambda: measurements.measure_memory(database, dataset, ours, baseline)),
            "GET one": compare(lambda: workloads.get_one(dataset, ours, baseline, get_goal)),
            "a pull": compare(lambda: workloads.read_pages(dataset, ours, baseline, page_goal)),
            "one account": compare_submissions(dataset.accounts[:1]),
            "many accounts": compare_submissions(dataset.accounts),
            "bulk": bulk_changes.measure(database, dataset.accounts[1], ours),
            "the last page": _single(
                lambda: measurements.compare_last_page(database, clients, dataset, ours, baseline)
            ),
            "lookups": _single(
                lambda: measurements.measure_lookups(database, folder, url, dataset.accounts[-1], ours, baseline)
            ),
            "start": _single(lambda: measurements.measure_start(database, folder, url, baseline)),
        }
        for name, part_results in parts.items():
            results.add(f"{DATABASE_NAMES[database]}, {name}", part_results)
        if database == "postgres":
            results.add(
                f"{DATABASE_NAMES[database]}, several processes", _benchmark_processes(clients, dataset, folder, url)
            )


def _benchmark_processes(clients: LoadGenerator, dataset: data.Dataset, folder: Path, url: str) -> Figures:
    """Measure a machine with as many processes on one database as it has cores."""
    count = os.cpu_count() or 1
    with (
        servers.run_formwright(folder, url, FORMWRIGHT_WORKERS=str(count)) as ours,
        servers.run_baseline(folder, url, count) as baseline,
    ):
        yield clients.compare(
            "postgres", workloads.get_one(dataset, ours, baseline, None).with_processes(count), ours, baseline
        )
        for accounts in (dataset.accounts[:1], dataset.accounts):
            work = workloads.create_submissions(accounts, ours, baseline, None).with_processes(count)
            yield clients.compare("postgres", work, ours, baseline)


def _single(measure: Callable[[], Measurement]) -> Figures:
    yield measure()


@contextmanager
def _database(name: str) -> Iterator[tuple[Path, str, int | None]]:
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
        server = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        yield Path(folder), server.create_database("bench") if server else "", server.pid if server else None


if __name__ == "__main__":
    sys.exit(main())
