"""The figures in words: a line each while it runs, and the part of docs/performance.md that a run writes."""

import os
import platform
from collections.abc import Iterable

from bench.measured import Measured
from bench.rounds import Figures, Result

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

_HEAD = """\
![The ratios as bars, each with its goal](performance.svg)

| database | work | goal | by processor time | by rate |
|---|---|---|---|---|
"""

_OTHERS = """
| database | work | goal | the platform | bare |
|---|---|---|---|---|
"""

_VALUES = """
### Absolute values

{machine}.

| database | work | clients | answers/s | bare | CPU of one answer | bare | wrong answers |
|---|---|---|---|---|---|---|---|
"""

_HOW = """
### How it is measured

- The platform: `formwright serve`, one process with its worker and its log (one line for each request, to a file),
  plain HTTP on loopback, no rate limit. Bare: the same server (Granian, ASGI, uvloop) and driver (sqlite3; an asyncpg
  pool of ten connections that are not reset between two uses), on the same data at the same time.
- The data: {count:,} submissions of ten answers each in one account. SQLite runs with WAL and `synchronous=FULL`,
  PostgreSQL with `fsync` and `synchronous_commit` on.
- *GET one* asks for {ids:,} submissions from all over the table, *A pull* for every fourth of its pages from the first
  to the last, by four clients. Each of these answers is first read and compared with what was put in; then every answer
  must be the same byte for byte. *Submissions in*: each answer must be 201 and hold the answers that were sent. Bare
  inserts one row and commits it; the platform makes sure of the key, looks up form and version, validates, keeps the
  account's order, and writes event and audit line with it.
- The clients are one process beside the server, plain sockets that are kept, each waiting for its answer before it
  asks again. Against an answer that costs nothing to find they reach {ceiling}: what comes near that is the
  clients' limit and not the server's, so there the processor time tells more.
- Ours and bare take turns, {rounds} rounds of {seconds:g} s each after a warm-up; the tables show medians. The
  processor time is `utime` and `stime` of the server's processes (Linux); PostgreSQL's own is not in it.

Repeat it with `make bench`; `make bench ARGS=--quick` takes two minutes and writes nothing, `ARGS="--database sqlite"`
measures one database. It needs Linux and the server programs of PostgreSQL.
"""


def line(result: Result) -> str:
    """One result in one line."""
    ours, bare = result.ours, result.bare
    return (
        f"{NAMES[result.database]}, {result.work.name}: {result.by_cost:.2f} of bare by processor time"
        f" ({ours.cost:.0f} µs, bare {bare.cost:.0f} µs), {result.by_rate:.2f} by rate"
        f" ({ours.rate:,.0f}/s, bare {bare.rate:,.0f}/s), {ours.wrong + bare.wrong} wrong"
    )


def text(
    results: list[Result],
    others: list[Measured],
    ceilings: dict[str, Figures],
    *,
    load: float,
    count: int,
    ids: int,
    rounds: int,
    seconds: float,
    rules: str,
) -> str:
    """What a run found, for the document."""
    ceiling = " and ".join(f"{figures.rate:,.0f}/s" for figures in ceilings.values())
    how = _HOW.format(count=count, ids=ids, rounds=rounds, seconds=seconds, ceiling=ceiling)
    values = _VALUES.format(machine=_machine(load))
    judged = f"\nThe answers of one submission of 100 fields with 44 rules are judged in {rules}.\n"
    tables = _HEAD + _rows(map(_ratio, results)) + _OTHERS + _rows(map(_other, others)) + judged
    return tables + values + _rows(map(_value, results)) + how


def _other(one: Measured) -> list[str]:
    return [NAMES[one.database], one.work, one.goal, one.value if one.met else f"**{one.value}**", one.bare]


def _rows(cells: Iterable[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _ratio(result: Result) -> list[str]:
    goal = "" if result.work.goal is None else f"≥ {result.work.goal}"
    missed = result.work.goal is not None and result.by_cost < result.work.goal
    by_cost = f"**{result.by_cost:.2f}**" if missed else f"{result.by_cost:.2f}"
    return [NAMES[result.database], result.work.name, goal, by_cost, f"{result.by_rate:.2f}"]


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
