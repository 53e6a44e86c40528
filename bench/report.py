"""The results as text: a line for each while it runs, and the tables of docs/explanation/performance.md."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench import workloads
from bench.measurements import Measured
from bench.rounds import Figures, Result

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

_QUIET = " ¹"
_MARKED = "\n¹ Depends more on other load of the machine than on Formwright: measure it on a quiet machine.\n"


@dataclass(frozen=True, slots=True)
class Run:
    """The amount of work: submissions, rounds and their seconds, the seconds of events, the deliveries due."""

    count: int
    rounds: int
    seconds: float
    hooked_s: float
    backlog: int


class Figured(Protocol):
    """The results of a run."""

    results: list[Result]
    others: list[Measured]
    ceilings: dict[str, Figures]
    failed: list[str]


_HEAD = """\
![Bar chart of the ratios, each with its goal](performance.svg)

| database | work | goal | by processor time | by rate |
|---|---|---|---|---|
"""

_OTHERS = """
| database | work | goal | Formwright | baseline |
|---|---|---|---|---|
"""

_VALUES = """
### Absolute values

{machine}.

| database | work | clients | responses/s | baseline | CPU per response | baseline | in PostgreSQL | baseline | wrong |
|---|---|---|---|---|---|---|---|---|---|
"""

_HOW = """
### How it is measured

- Formwright: `formwright serve`, one process with its worker and its log (one line per request, to a file), plain
  HTTP on loopback, no rate limit; with several processes, the baseline has as many. Baseline: the same server
  (Granian, ASGI, uvloop) and driver (sqlite3; an asyncpg pool of ten connections that are not reset between uses), on
  the same data at the same time.
- The data: {count:,} submissions of ten answers each in one account. SQLite runs with WAL and `synchronous=FULL`,
  PostgreSQL with `fsync` and `synchronous_commit` on.
- *GET one* requests {ids:,} submissions from all over the table, *A pull* every fourth of its pages from the first to
  the last, with four clients. Each of these responses is first read and compared with the inserted data; afterwards
  every response must be identical. *Submissions in*: each response must be 201 and contain the submitted answers. The
  baseline inserts one row and commits it; Formwright checks the key, looks up form and version, validates, keeps the
  account's order, and writes an event and an audit entry with it.
- The clients are one process next to the server with persistent plain sockets, each waiting for its response before
  the next request. With a constant response they reach {ceiling}: results near that are limited by the clients, not
  by the server, so there the processor time is the better measure.
- Formwright and the baseline take turns, {rounds} rounds of {seconds:g} s each after a warm-up; the tables show
  medians. The processor time is `utime` and `stime` of the server's processes (Linux); that of its connections in
  PostgreSQL is in separate columns, without PostgreSQL's background work.
- *Webhooks*: events of 50 accounts are committed at that rate for {hooked:g} s, ten per transaction, with one
  subscriber each, and one `formwright worker` delivers them; a fifth of the receivers never respond. The latencies
  are those of the other receivers. The baseline is the same HTTP client with 100 concurrent posts, and events and
  deliveries inserted by the driver.

Repeat it with `make bench`, which took {minutes:.0f} minutes; `make bench ARGS=--quick` is shorter and writes nothing,
`ARGS="--database sqlite"` measures one database. It needs Linux and the server programs of PostgreSQL.
"""


def line(result: Result) -> str:
    """Return one result as a line."""
    ours, bare = result.ours, result.bare
    return (
        f"{NAMES[result.database]}, {result.work.name}: {result.by_cost:.2f} of bare by processor time"
        f" ({ours.cost:.0f} µs, bare {bare.cost:.0f} µs), {result.by_rate:.2f} by rate"
        f" ({ours.rate:,.0f}/s, bare {bare.rate:,.0f}/s), {ours.wrong + bare.wrong} wrong"
    )


def said(one: Measured) -> str:
    """Return one measurement as a line."""
    wanted = f", wanted: {one.goal}" if one.goal else ""
    return f"{NAMES[one.database]}, {one.work}: {one.value}{f' (bare {one.bare})' if one.bare else ''}{wanted}"


def text(found: Figured, run: Run, *, load: float, rules: str, minutes: float) -> str:
    """Return the results of a run for the documentation."""
    ceiling = " and ".join(f"{figures.rate:,.0f}/s" for figures in found.ceilings.values())
    how = _HOW.format(count=run.count, ids=workloads.IDS, rounds=run.rounds, seconds=run.seconds, hooked=run.hooked_s,
                      ceiling=ceiling, minutes=minutes)  # fmt: skip
    values = _VALUES.format(machine=_machine(load))
    judged = f"\nEvaluating the rules of one submission (100 fields, 44 rules) takes {rules}.\n"
    tables = _HEAD + _rows(map(_ratio, found.results)) + _OTHERS + _rows(map(_other, found.others)) + _MARKED + judged
    return tables + _missing(found.failed) + values + _rows(map(_value, found.results)) + how


def _missing(failed: Sequence[str]) -> str:
    return "".join(f"\n**Not measured, for it failed: {what}.**\n" for what in failed)


def _other(one: Measured) -> list[str]:
    work = one.work + (_QUIET if one.quiet else "")
    return [NAMES[one.database], work, one.goal, one.value if one.met else f"**{one.value}**", one.bare]


def _rows(cells: Iterable[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _ratio(result: Result) -> list[str]:
    goal = "" if result.work.goal is None else f"≥ {result.work.goal}"
    missed = result.work.goal is not None and result.by_cost < result.work.goal
    by_cost = f"**{result.by_cost:.2f}**" if missed else f"{result.by_cost:.2f}"
    return [NAMES[result.database], result.work.name, goal, by_cost, f"{result.by_rate:.2f}{_QUIET}"]


def _value(result: Result) -> list[str]:
    ours, bare = result.ours, result.bare
    return [
        NAMES[result.database],
        result.work.name,
        str(result.work.clients),
        f"{ours.rate:,.0f}{_rows_a_second(ours.rate, result.work.rows)}",
        f"{bare.rate:,.0f}{_rows_a_second(bare.rate, result.work.rows)}",
        f"{ours.cost:,.0f} µs",
        f"{bare.cost:,.0f} µs",
        *(f"{side.database_cost:,.0f} µs" if result.database == "postgres" else "" for side in (ours, bare)),
        f"{ours.wrong + bare.wrong} of {ours.answers + bare.answers:,}",
    ]


def _rows_a_second(rate: float, rows: int) -> str:
    return f" ({rate * rows:,.0f} rows/s)" if rows > 1 else ""


def _machine(load: float) -> str:
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()},"
        " server, clients and database on the same machine, over loopback; load average before the run:"
        f" {load:.1f}"
    )
