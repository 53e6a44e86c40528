"""Exports of all submissions of a form, beside a program that only copies them: `python -m bench.exports`.

The baseline reads the same rows with the database's driver, and writes them with the module `csv` as they are stored.
"""

import argparse
import asyncio
import csv
import resource
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import asyncpg
from fixtures.postgres import Cluster

from bench.data import Account, create_dataset
from formwright.bootstrap import open_context
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.garbage_collection import tune_garbage_collection
from formwright.core.offload import offload
from formwright.domain.exports.formats import FORMATS
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.table import Table, build_table
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.submissions.models import SubmissionFilter
from formwright.settings import Settings

GOALS = {"csv": 100_000, "parquet": 200_000, "ndjson": 200_000}
"""Rows per second."""
_SELECT = "SELECT id, status, submitted, updated, data FROM submissions WHERE customer_id = {} ORDER BY at, id"


async def _load_table(ctx: AppContext, account: Account) -> Table:
    actor = actors.system(account.id)
    async with ctx.db.reading() as tx:
        form = await forms.get(tx, actor, form_id=account.form_id)
        version = await versions.get(tx, actor, form_id=form.id, version_id=account.version_id)
        return await build_table(tx, actor, form, version.definition.fields, DisplayContext("en", "Europe/Berlin"))


async def export(ctx: AppContext, account: Account, kind: str, folder: Path) -> int:
    """Write all submissions, and return how many they are."""
    format_, table, count = FORMATS[kind], await _load_table(ctx, account), 0
    with (folder / f"export.{kind}").open("w+b") as file:
        writer = format_.open_writer(file, table, folder)
        criteria = SubmissionFilter(form_ids=[account.form_id])
        batches = iter_batches(ctx.db, actors.system(account.id), format_, table, criteria, timeout_s=3600)
        async for batch in batches:
            await offload(writer.add, batch)
            count += len(batch)
        writer.close()
    return count


async def copy(settings: Settings, account: Account, folder: Path) -> int:
    """Copy the rows with the driver and the module `csv`, and return how many they are."""
    count = 0
    with (folder / "copy.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        if settings.is_postgres:
            connection = await asyncpg.connect(settings.database_url)
            async with connection.transaction():
                async for row in connection.cursor(_SELECT.format("$1"), account.id, prefetch=1000):
                    writer.writerow(row)
                    count += 1
            await connection.close()
            return count
        for row in sqlite3.connect(folder / "formwright.sqlite3").execute(_SELECT.format("?"), (account.id,)):
            writer.writerow(row)
            count += 1
    return count


async def measure(database: str, settings: Settings, submissions: int, rounds: int) -> None:
    """Print the rows per second of each format, and by how much the process grows."""
    account = (await create_dataset(settings, submissions)).accounts[0]
    folder = settings.data_dir
    async with open_context(settings) as ctx:
        # As the processes of the server and the worker do.
        tune_garbage_collection()
        rates: dict[str, list[float]] = {kind: [] for kind in ("copy", *GOALS)}
        for number in range(rounds):
            for kind, values in rates.items():
                before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
                work = copy(settings, account, folder) if kind == "copy" else export(ctx, account, kind, folder)
                if await work != submissions:
                    raise SystemExit(f"{kind}: rows are missing")
                values.append(submissions / (time.perf_counter() - start))
                grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
                print(f"{database} {kind}, round {number + 1}: {values[-1]:,.0f} rows/s, {grown} MB more", flush=True)
    baseline = median(rates.pop("copy"))
    for kind, values in rates.items():
        ratio = median(values) / baseline
        print(f"{database} {kind}: {median(values):,.0f} rows/s, wanted {GOALS[kind]:,}; {ratio:.2f} of the copy")


@contextmanager
def _settings(database: str) -> Iterator[Settings]:
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder:
        if database == "sqlite":
            yield Settings(data_dir=Path(folder))
            return
        with Cluster(durable=True) as cluster:
            yield Settings(data_dir=Path(folder), database_url=cluster.create_database("bench"))


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    parser = argparse.ArgumentParser(prog="python -m bench.exports", description=__doc__)
    parser.add_argument("--submissions", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    for database in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with _settings(database) as settings:
            asyncio.run(measure(database, settings, options.submissions, options.rounds))


if __name__ == "__main__":
    main()
