"""`python -m chaos`: the fault-injection tests at full length on both databases, and then the mutants.

Prints the results; a run of full length on both databases also writes them to
`docs/explanation/delivery-guarantees.md`. If a fault was found or a mutant was not detected, it writes nothing and
exits with 1.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from fixtures.postgres import Cluster

from bench.doc_sections import write_block
from chaos import mutants, report
from chaos.scenarios import Terms, too_late, working

CALM_S, KILLED_S = 25, 140
PAGE = Path("docs/explanation/delivery-guarantees.md")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument(
        "--seconds",
        type=float,
        default=KILLED_S,
        help="how long everything is killed; a run of less than %(default)s s prints its figures and writes nothing",
    )
    parser.add_argument("--write", type=Path, help="a file for the figures, as JSON")
    parser.add_argument("--act", choices=[*mutants.ACTS, "all"], default="all", help="only one act, as mutants are run")
    given = parser.parse_args()
    if given.act != "all":
        return _one(given.act, given.database)
    chosen = ["sqlite", "postgres"] if given.database == "both" else [given.database]
    load, started_at = os.getloadavg()[0], time.monotonic()
    found = {database: _long(database, given.seconds) for database in chosen}
    dead = mutants.run(chosen)
    if given.write:
        given.write.write_text(json.dumps({"proof": found, "mutants": dead}, indent=1) + "\n", encoding="utf-8")
    text = report.text(found, dead, load=load, seconds=time.monotonic() - started_at)
    print(text)
    right = all(not act["faults"] for acts in found.values() for act in acts.values())
    right = right and all(one["found"] for one in dead)
    if right and given.database == "both" and given.seconds >= KILLED_S:
        write_block("proof", text, PAGE)
    return 0 if right else 1


def _long(database: str, seconds: float) -> dict[str, dict[str, Any]]:
    acts = {
        "alone": Terms(min(CALM_S, seconds), sinks=("well",), calm=True),
        "calm": Terms(min(CALM_S, seconds), calm=True),
        "killed": Terms(seconds, still_s=120),
    }
    found = {}
    # One runner for all scenarios: a server ends with the thread that started it, and threads end with their runner.
    with asyncio.Runner() as runner, place(database) as (folder, cluster):
        for name, terms in acts.items():
            found[name] = _run_scenario(
                runner, database, name, working(folder / name, terms, _url(cluster, name), cluster)
            )
        found["late"] = _run_scenario(runner, database, "late", too_late(folder / "late", _url(cluster, "late")))
    return found


def _run_scenario(runner: asyncio.Runner, database: str, name: str, act: Any) -> dict[str, Any]:
    started_at = time.monotonic()
    result: dict[str, Any] = runner.run(act)
    result["took"] = round(time.monotonic() - started_at)
    print(database, name, json.dumps(result), flush=True)
    return result


def _one(name: str, database: str) -> int:
    """Run one scenario briefly; return 1 if it found a fault, and print it. A step that times out is a fault too."""
    with place(database) as (folder, cluster):
        try:
            result = asyncio.run(mutants.ACTS[name](folder, _url(cluster, name)))
        except AssertionError as error:
            result = {"faults": [str(error)]}
    print(json.dumps(result))
    return 1 if result["faults"] else 0


@contextmanager
def place(database: str) -> Iterator[tuple[Path, Cluster | None]]:
    """A folder and, for PostgreSQL, a durable server."""
    with tempfile.TemporaryDirectory(prefix="formwright-proof-") as folder, ExitStack() as stack:
        cluster = stack.enter_context(Cluster(durable=True)) if database == "postgres" else None
        yield Path(folder), cluster


def _url(cluster: Cluster | None, name: str) -> str:
    return cluster.create_database(name) if cluster else ""


# Spawned processes import this module again and must not start the program.
if __name__ == "__main__":
    sys.exit(main())
