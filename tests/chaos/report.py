"""The results of a full run as text."""

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
ACTS = {
    "alone": "one healthy receiver",
    "calm": "healthy and failing receivers",
    "killed": "the same, with processes killed",
    "late": "a suspended worker resumes too late",
}
_HEADS = (
    *("database", "scenario", "took", "killed", "database stops", "acknowledged", "events", "arrivals", "**lost**"),
    *("logged but not received", "duplicates (allowed)", "most in flight", "healthy receiver: p50, p99"),
)
_MACHINE = (
    "{system} on {machine}, {cores} cores, CPython {python}; servers, workers, receivers, clients and database all on"
    " the same machine; load average before: {load:.1f}. The run took {minutes:.1f} minutes."
)


def text(
    found: Mapping[str, Mapping[str, Any]], dead: Sequence[Mapping[str, Any]], *, load: float, seconds: float
) -> str:
    """Return the machine, a table of the scenarios, and one of the mutants."""
    rows = [_row(NAMES[database], ACTS[name], act) for database, acts in found.items() for name, act in acts.items()]
    mutants = [[one["name"], NAMES[one["database"]], _first(one)] for one in dead]
    tables = [_table(_HEADS, rows), _table(("removed", "database", "found"), mutants)]
    return "\n".join([_machine(load, seconds), "", *tables])


def _machine(load: float, seconds: float) -> str:
    return _MACHINE.format(
        system=platform.system(),
        machine=platform.machine(),
        cores=os.cpu_count(),
        python=platform.python_version(),
        load=load,
        minutes=seconds / 60,
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _row(database: str, name: str, one: Mapping[str, Any]) -> list[object]:
    waits = one.get("wellMs")
    return [
        database,
        name,
        f"{one['took']} s",
        one.get("killed", 0) or (f"{one['stopped']} stopped" if "stopped" in one else 0),
        one.get("databaseStops", 0),
        f"{one['acknowledged']:,}",
        f"{one['events']:,}",
        f"{one['arrivals']:,}",
        f"**{one['lost']}**",
        one["lies"],
        f"{one['doubled']} ({one['bound']})",
        one["most"],
        f"{waits['p50']:,} ms, {waits['p99']:,} ms" if waits else "",
    ]


def _first(mutant: Mapping[str, Any]) -> str:
    return mutant["faults"][0] if mutant["faults"] else "**no**"
