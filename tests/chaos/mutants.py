"""Tests the checks: each guard is removed from a copy of the application, and the checks must detect it.

A guard is a text that occurs exactly once in its file; otherwise the mutant itself is outdated.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chaos.scenarios import Terms, too_late, working

ROOT = Path(__file__).resolve().parents[2]
# Responses are always under way, so a kill happens between two commits.
BUSY = Terms(seconds=12, a_second=2000, clients=16, sinks=("well",), still_s=10, servers_only=True)
_TAKEN_UP_WITHIN_S = 30
_WITHIN_S = 300
_RUNS = 3

Act = Callable[[Path, str], Awaitable[dict[str, Any]]]
ACTS: dict[str, Act] = {
    "busy": lambda folder, url: working(folder, BUSY, url),
    "late": lambda folder, url: too_late(folder, url, _TAKEN_UP_WITHIN_S),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """The removed guard, and the database and scenario in which it must be detected.

    `cuts`: file, text and replacement. `shows`: part of the fault's text, to tell it from other faults.
    """

    name: str
    database: str
    act: str
    shows: str
    cuts: tuple[tuple[str, str, str], ...]


class WrongMutant(Exception):
    """The application has changed: the text of a guard does not occur exactly once, or everything breaks without it."""


_FINISHING, _CLAIMS = "domain/webhooks/delivery_queue.py", "domain/webhooks/delivery_queue.py"
_GROUPS = "core/db/group_commit.py"
_LATE = (
    (
        _GROUPS,
        "            await hooks.run_before_commit(self.raw, self._events)\n",
        "            self.late = self._events, next(iter(self.raw.locks), '')\n",
    ),
    (
        _GROUPS,
        "            group.resolve()\n",
        """            events, account = group.late
            late = await self._begin(account)
            async with late.stack:
                await self._hooks.run_before_commit(late.raw, events)
                await account_lock.save(late.raw)
                await due_work.save(late.raw, late.raw.scheduled)
            group.resolve()
""",
    ),
)
# The primary key of attempts is a guard too: recording an attempt twice changes nothing.
_FENCE = (
    (_FINISHING, "[f for f in finished if f.delivery.id in urls]", "list(finished)"),
    (_FINISHING, '$7, $8, $9)",', '$7, $8, $9) ON CONFLICT DO NOTHING",'),
)
_REAPER = ((_CLAIMS, " AND d.due <= $2 ORDER BY", " AND d.due <= $2 AND d.lease IS NULL ORDER BY"),)
MUTANTS = (
    Mutant("fencing of late results", "sqlite", "late", "twice at once", _FENCE),
    Mutant("fencing of late results", "postgres", "late", "twice at once", _FENCE),
    Mutant("expiry of leases", "sqlite", "late", "no worker takes over", _REAPER),
    Mutant("expiry of leases", "postgres", "late", "no worker takes over", _REAPER),
    Mutant("events in the same transaction", "sqlite", "busy", "have no event", _LATE),
    Mutant("events in the same transaction", "postgres", "busy", "have no event", _LATE),
)


def run(databases: Iterable[str]) -> list[dict[str, Any]]:
    """Run the mutants of these databases, and return the faults detected in each."""
    return [_judged(one) for one in MUTANTS if one.database in databases]


def _judged(mutant: Mutant) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="formwright-mutant-") as folder:
        source = Path(folder, "src")
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "bundles"))
        for cut in mutant.cuts:
            _cut(source / "formwright" / cut[0], *cut[1:])
        # A kill between two commits is a matter of chance, so it does not happen in every run.
        faults = next((found for _ in range(_RUNS) if (found := _faults(mutant, source))), [])
    if faults and not any(mutant.shows in fault for fault in faults):
        raise WrongMutant(f"the proof of '{mutant.name}' found something else: {faults}")
    result = {"name": mutant.name, "database": mutant.database, "found": bool(faults), "faults": faults}
    print("mutant", json.dumps(result), flush=True)
    return result


def _cut(file: Path, text: str, instead: str) -> None:
    whole = file.read_text(encoding="utf-8")
    if whole.count(text) != 1:
        raise WrongMutant(f"{file.name} has {whole.count(text)} times: {text.strip()}")
    file.write_text(whole.replace(text, instead), encoding="utf-8")


def _faults(mutant: Mutant, source: Path) -> list[str]:
    paths = os.pathsep.join(map(str, (source, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-m", "chaos", "--act", mutant.act, "--database", mutant.database],
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=_WITHIN_S,
    )
    try:
        faults: list[str] = json.loads(done.stdout.splitlines()[-1])["faults"]
    except (IndexError, ValueError):
        raise WrongMutant(f"the proof of '{mutant.name}' broke off") from None
    return faults
