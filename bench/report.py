"""The figures in words: a line each while it runs, and docs/performance.md."""

import os
import platform
from collections.abc import Iterable

from bench.rounds import Figures, Result

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

_HEAD = """\
# How fast it is

Written by `make bench`. Every figure stands beside its **bare limit** from the same run: the same server and the same
database driver with nothing in between, that is an application of a few lines which runs the one SQL statement and
sends the stored bytes: no key, no check, no log, no event. The ratios matter; the absolute values are those of one
machine.

## Ratios

1.00 would be as fast as bare. *By processor time* compares what the server's own processes spend on one answer; other
work on the machine disturbs it less. *By rate* compares answers a second, with the clients and PostgreSQL on the same
processors.

| database | work | goal | by processor time | by rate |
|---|---|---|---|---|
"""

_VALUES = """
## Absolute values

{machine}.

| database | work | clients | answers/s | bare | CPU of one answer | bare | wrong answers |
|---|---|---|---|---|---|---|---|
"""

_HOW = """
## How it is measured

- The platform: `formwright serve`, one process with its worker and its log (one line for each request, to a file),
  plain HTTP on loopback, no rate limit. Bare: the same server (Granian, ASGI, uvloop) and driver (sqlite3; an asyncpg
  pool of ten connections that are not reset between two uses), on the same data at the same time.
- The data: {count:,} submissions of ten answers each in one account, made by the domain's own verbs. SQLite runs with
  WAL and `synchronous=FULL`, PostgreSQL with `fsync` and `synchronous_commit` on.
- *GET one* asks for {ids:,} submissions from all over the table, *A page of 100* for the first twenty pages as `next`
  leads. Each of these answers is first read and compared with what was put in; then every answer must be the same
  byte for byte. *Submissions in*: each answer must be 201 and hold the answers that were sent. Bare inserts one row
  and commits it; the platform looks up key, form and version, validates, keeps the account's order, and writes the
  event with it.
- The clients are one process beside the server, plain sockets that are kept, each waiting for its answer before it
  asks again. Against an answer that costs nothing to find they reach {ceiling}: what comes near that is the
  clients' limit and not the server's, so there the processor time tells more.
- Ours and bare take turns, {rounds} rounds of {seconds:g} s each after a warm-up; the tables show medians. The
  processor time is `utime` and `stime` of the server's processes (Linux); PostgreSQL's own is not in it.

Repeat it with `make bench`; `make bench ARGS=--quick` takes a minute and writes nothing, `ARGS="--database sqlite"`
measures one database. It needs Linux and the server programs of PostgreSQL.
"""

_LIMITS = """
## What limits

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
    ceilings: dict[str, Figures],
    *,
    load: float,
    count: int,
    ids: int,
    rounds: int,
    seconds: float,
    why: str,
) -> str:
    """The document. `why` tells what limits: people write it, and a run leaves it as it is."""
    ceiling = " and ".join(f"{figures.rate:,.0f}/s" for figures in ceilings.values())
    how = _HOW.format(count=count, ids=ids, rounds=rounds, seconds=seconds, ceiling=ceiling)
    values = _VALUES.format(machine=_machine(load))
    return _HEAD + _rows(map(_ratio, results)) + values + _rows(map(_value, results)) + how + _LIMITS + why


def why(document: str) -> str:
    """What an earlier document says of the limits."""
    return document.partition(_LIMITS)[2]


def _rows(cells: Iterable[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _ratio(result: Result) -> list[str]:
    goal = "" if result.work.goal is None else f"≥ {result.work.goal}"
    return [NAMES[result.database], result.work.name, goal, f"{result.by_cost:.2f}", f"{result.by_rate:.2f}"]


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
        " server, clients and database on the same machine, over loopback; other work before the run: load average"
        f" {load:.1f}"
    )
