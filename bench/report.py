"""The results as text: a line for each while it runs, and the tables of docs/explanation/performance.md."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench import workloads
from bench.measurements import Measurement
from bench.rounds import Comparison, RoundResults

DATABASE_NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

_FOOTNOTE_MARK = " ¹"
_FOOTNOTE = "\n¹ Depends more on other load of the machine than on Formwright: measure it on a quiet machine.\n"


@dataclass(frozen=True, slots=True)
class Run:
    """The size of a run: submissions, rounds, seconds per round, seconds of events, and due deliveries."""

    submissions: int
    rounds: int
    seconds: float
    webhook_s: float
    backlog: int


class ResultSet(Protocol):
    """The results of a run."""

    comparisons: list[Comparison]
    measurements: list[Measurement]
    ceilings: dict[str, RoundResults]
    failed: list[str]


_RATIOS_HEAD = """\
![Bar chart of the ratios, each with its goal](performance.svg)

| database | work | goal | by processor time | by rate |
|---|---|---|---|---|
"""

_MEASUREMENTS_HEAD = """
| database | work | goal | Formwright | baseline |
|---|---|---|---|---|
"""

_VALUES_HEAD = """
### Absolute values

{machine}.

| database | work | clients | responses/s | baseline | CPU per response | baseline | in PostgreSQL | baseline | wrong |
|---|---|---|---|---|---|---|---|---|---|
"""

_METHOD = """
### How it is measured

- Formwright: `formwright serve`, one process with its worker and its log (one line per request, to a file), plain
  HTTP on loopback, no rate limit; with several processes, the baseline has as many. Baseline: the same server
  (Granian, ASGI, uvloop) and driver (sqlite3; an asyncpg pool of ten connections that are not reset between uses), on
  the same data at the same time.
- The data: {count:,} submissions of ten answers each in one account. SQLite runs with WAL and `synchronous=FULL`,
  PostgreSQL with `fsync` and `synchronous_commit` on.
- *GET one* requests {ids:,} submissions from all over the table, *List submissions* every fourth page from the first
  to the last, with four clients. Each of these responses is first read and compared with the inserted data; afterwards
  every response must be identical. *Create submissions*: each response must be 201 and contain the submitted answers.
  The baseline inserts one row and commits it; Formwright checks the key, looks up form and version, validates, takes
  the account's lock, and also writes an event and an audit entry.
- The clients are one process next to the server with persistent plain sockets, each waiting for its response before
  the next request. With a constant response they reach {ceiling}: results near that are limited by the clients, not
  by the server, so there the processor time is the better measure.
- Formwright and the baseline take turns, {rounds} rounds of {seconds:g} s each after a warm-up; the tables show
  medians. The processor time is `utime` and `stime` of the server's processes (Linux); that of its connections in
  PostgreSQL is in separate columns, without PostgreSQL's background work.
- *Webhooks*: events of 50 accounts are committed at that rate for {webhook_s:g} s, ten per transaction, with one
  subscriber each, and one `formwright worker` delivers them; a fifth of the receivers never respond. The latencies
  are those of the other receivers. The baseline is the same HTTP client with 100 concurrent posts, and events and
  deliveries inserted by the driver.

Repeat it with `make bench`, which took {minutes:.0f} minutes; `make bench ARGS=--quick` is shorter and writes nothing,
`ARGS="--database sqlite"` measures one database. It needs Linux and the server programs of PostgreSQL.
"""


def format_comparison(result: Comparison) -> str:
    """Return one result as a line."""
    ours, baseline = result.ours, result.baseline
    return (
        f"{DATABASE_NAMES[result.database]}, {result.workload.name}: {result.cpu_ratio:.2f} of the baseline by CPU time"
        f" ({ours.cost:.0f} µs, baseline {baseline.cost:.0f} µs), {result.rate_ratio:.2f} by rate"
        f" ({ours.rate:,.0f}/s, baseline {baseline.rate:,.0f}/s), {ours.wrong + baseline.wrong} wrong"
    )


def format_measurement(measurement: Measurement) -> str:
    """Return one measurement as a line."""
    goal = f", goal: {measurement.goal}" if measurement.goal else ""
    baseline = f" (baseline {measurement.baseline})" if measurement.baseline else ""
    return f"{DATABASE_NAMES[measurement.database]}, {measurement.name}: {measurement.value}{baseline}{goal}"


def render(results: ResultSet, run: Run, *, load: float, rules: str, minutes: float) -> str:
    """Return the results of a run for the documentation."""
    ceiling = " and ".join(f"{figures.rate:,.0f}/s" for figures in results.ceilings.values())
    method = _METHOD.format(
        count=run.submissions,
        ids=workloads.IDS,
        rounds=run.rounds,
        seconds=run.seconds,
        webhook_s=run.webhook_s,
        ceiling=ceiling,
        minutes=minutes,
    )
    values = _VALUES_HEAD.format(machine=_describe_machine(load))
    rule_time = f"\nEvaluating the rules of one submission (100 fields, 44 rules) takes {rules}.\n"
    tables = (
        _RATIOS_HEAD
        + _render_rows(map(_ratio_row, results.comparisons))
        + _MEASUREMENTS_HEAD
        + _render_rows(map(_measurement_row, results.measurements))
        + _FOOTNOTE
        + rule_time
    )
    return (
        tables + _render_failures(results.failed) + values + _render_rows(map(_value_row, results.comparisons)) + method
    )


def _render_failures(failed: Sequence[str]) -> str:
    return "".join(f"\n**Not measured, because it failed: {name}.**\n" for name in failed)


def _measurement_row(measurement: Measurement) -> list[str]:
    return [
        DATABASE_NAMES[measurement.database],
        measurement.name + (_FOOTNOTE_MARK if measurement.needs_quiet_machine else ""),
        measurement.goal,
        measurement.value if measurement.is_met else f"**{measurement.value}**",
        measurement.baseline,
    ]


def _render_rows(cells: Iterable[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _ratio_row(result: Comparison) -> list[str]:
    goal = "" if result.workload.goal is None else f"≥ {result.workload.goal}"
    missed = result.workload.goal is not None and result.cpu_ratio < result.workload.goal
    cpu_ratio = f"**{result.cpu_ratio:.2f}**" if missed else f"{result.cpu_ratio:.2f}"
    return [
        DATABASE_NAMES[result.database],
        result.workload.name,
        goal,
        cpu_ratio,
        f"{result.rate_ratio:.2f}{_FOOTNOTE_MARK}",
    ]


def _value_row(result: Comparison) -> list[str]:
    ours, baseline = result.ours, result.baseline
    return [
        DATABASE_NAMES[result.database],
        result.workload.name,
        str(result.workload.clients),
        f"{ours.rate:,.0f}{_format_row_rate(ours.rate, result.workload.rows)}",
        f"{baseline.rate:,.0f}{_format_row_rate(baseline.rate, result.workload.rows)}",
        f"{ours.cost:,.0f} µs",
        f"{baseline.cost:,.0f} µs",
        *(f"{side.database_cost:,.0f} µs" if result.database == "postgres" else "" for side in (ours, baseline)),
        f"{ours.wrong + baseline.wrong} of {ours.responses + baseline.responses:,}",
    ]


def _format_row_rate(rate: float, rows: int) -> str:
    return f" ({rate * rows:,.0f} rows/s)" if rows > 1 else ""


def _describe_machine(load: float) -> str:
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()},"
        " server, clients and database on the same machine, over loopback; load average before the run:"
        f" {load:.1f}"
    )
