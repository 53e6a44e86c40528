"""The figures of a long run, as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
_HEAD = (
    "| database | seconds | processes killed | database stops | events | arrivals | lost | said but not so | doubled"
    " (allowed) | most in flight | p99 alone | p99 beside bad ones |\n" + "|---" * 12 + "|\n"
)


def text(found: Mapping[str, Mapping[str, Any]], dead: Sequence[Mapping[str, Any]]) -> str:
    """A table of the proof, and one of the mutants."""
    rows = [_row(NAMES[database], acts) for database, acts in found.items()]
    lines = [f"| {one['name']} | {NAMES[one['database']]} | {_first(one)} |" for one in dead]
    return "\n".join([_HEAD + "\n".join(rows), "", "| taken out | database | found |\n|---|---|---|", *lines])


def _row(name: str, acts: Mapping[str, Any]) -> str:
    one = acts["killed"]
    cells = [
        name,
        f"{one['seconds']:g}",
        one["killed"],
        one["databaseStops"],
        f"{one['events']:,}",
        f"{one['arrivals']:,}",
        one["lost"],
        one["lies"],
        f"{one['doubled']} ({one['bound']})",
        one["most"],
        f"{acts['alone']['wellP99Ms']} ms",
        f"{acts['calm']['wellP99Ms']} ms",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _first(mutant: Mapping[str, Any]) -> str:
    return mutant["faults"][0] if mutant["faults"] else "**no**"
