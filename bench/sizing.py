"""Generates docs/guides/sizing.md from the tables of docs/explanation/performance.md and the text of bench/sizing.md.

`python -m bench.sizing` writes it, and so does each run that writes results, because the estimates
depend on them.
"""

import re
from collections.abc import Mapping
from math import ceil
from pathlib import Path

from bench.doc_sections import PERFORMANCE

PAGE, TEMPLATE = Path("docs/guides/sizing.md"), Path("bench/sizing.md")
_BUSY, _PER_MACHINE, _WORKERS, _POOL = 0.6, 4, 4, 10
_SUBMISSION_BYTES = 3770
"""Bytes of a submission with its event and audit entry on PostgreSQL, as documented on the page."""

Cells = Mapping[tuple[str, str], list[str]]


def write() -> None:
    """Write the page."""
    PAGE.write_text(render(PERFORMANCE.read_text(encoding="utf-8")), encoding="utf-8")


def render(performance: str) -> str:
    """Return the page, calculated from the performance page."""
    measured = _extract_measurements(_parse_values(performance), performance)
    return TEMPLATE.read_text(encoding="utf-8").format(**measured, **_estimate(measured))


def _parse_values(performance: str) -> Cells:
    """Return the table of absolute values: rate, baseline rate, cost … by database and work."""
    table = performance.partition("### Absolute values")[2].partition("### ")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines() if line[:1] == "|"]
    return {(row[0], row[1]): row[3:] for row in rows if len(row) > 4}


def _parse_number(cell: str) -> float:
    found = re.search(r"[\d.,]+", cell)
    if not found:
        raise ValueError(f"no number in {cell!r}")
    return float(found[0].rstrip(".,").replace(",", ""))


def _extract_measurements(cells: Cells, performance: str) -> dict[str, float]:
    alone, many = (f"Create submissions, 32 clients, {whose}" for whose in ("one account", "32 accounts"))
    submitted, read = _find_multi_process_row(cells, many), _find_multi_process_row(cells, "GET one submission")
    lite, pg = (_parse_growth(performance, database) for database in ("SQLite", "PostgreSQL"))
    page = cells["PostgreSQL", "List submissions, 1,000 per page"]
    return {
        "in_rate": _parse_number(submitted[0]),
        "in_ms": _parse_number(submitted[2]) / 1000,
        "one_ms": _parse_number(read[2]) / 1000,
        "page_ms": _parse_number(page[2]) / 1000,
        "pg_in": _parse_number(submitted[4]) / 1000,
        "pg_one": _parse_number(read[4]) / 1000,
        "pg_page": _parse_number(page[4]) / 1000,
        "alone_rate": _parse_number(_find_multi_process_row(cells, alone)[0]),
        "lite_in_rate": _parse_number(cells["SQLite", alone][0]),
        "lite_one_rate": _parse_number(cells["SQLite", "GET one submission"][0]),
        "memory": max(lite["memory"], pg["memory"]),
        "from_": pg["from"],
        "to": pg["to"],
        "pg_grown": pg["grown"],
        "pg_each": pg["each"],
        "pg_more": pg["each"] - _SUBMISSION_BYTES,
        "lite_from": lite["from"],
        "lite_to": lite["to"],
        "lite_grown": lite["grown"],
        "lite_each": lite["each"],
    }


def _find_multi_process_row(cells: Cells, work: str) -> list[str]:
    """Return the results of several processes on one PostgreSQL, as in large installations."""
    return next(row for (_, name), row in cells.items() if re.fullmatch(rf"{re.escape(work)}, \d+ processes", name))


def _parse_growth(performance: str, database: str) -> dict[str, float]:
    """Return the growth from the second size to the last: MB on disk, bytes per submission, peak memory in MB."""
    table = performance.partition(f"| {database} | 10,000 |")[2].partition("\n\n")[0].splitlines()
    sizes = [10_000, *(int(_parse_number(cell)) for cell in table[0].split("|") if re.fullmatch(r"\s*[\d,]+\s*", cell))]
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in table}
    disk = [_parse_number(cell) for cell in rows["disk space"][: len(sizes)]]
    grown = disk[-1] - disk[1]
    memory = max(_parse_number(cell) for cell in rows["peak memory of a process"][: len(sizes)])
    each = grown * 1e6 / (sizes[-1] - sizes[1])
    return {"from": sizes[1], "to": sizes[-1], "grown": grown, "each": each, "memory": memory}


def _estimate(measured: dict[str, float]) -> dict[str, float | str]:
    """Return the estimates of the page. At 1,000 submissions per second, milliseconds per submission are cores."""
    saved, opened, in_page = 2 * measured["in_ms"], 3 * measured["one_ms"], measured["page_ms"] / 1000
    each = measured["in_ms"] + saved + opened + measured["one_ms"] + in_page
    pg_half = 3 * measured["pg_in"] + 4 * measured["pg_one"] + measured["pg_page"] / 1000
    pg_each = 2 * pg_half
    carry = ceil(each / _BUSY / _PER_MACHINE)
    processes = (carry + 1) * _PER_MACHINE
    connections = (processes + _WORKERS) * _POOL
    pg_cores = 8 * ceil(pg_each / _BUSY / 8)
    return {
        "saved": saved,
        "opened": opened,
        "in_page": in_page,
        "each": each,
        "cores": each / _BUSY,
        "carry": "One machine of four cores is enough" if carry == 1 else f"{carry} machines of four cores are enough",
        "machines": carry + 1,
        "processes": processes,
        "processes_gb": processes * measured["memory"] / 1000,
        "machine_gb": _PER_MACHINE * measured["memory"] / 1000,
        "pg_saved": 3 * measured["pg_in"],
        "pg_read": 4 * measured["pg_one"],
        "pg_in_page": measured["pg_page"] / 1000,
        "pg_half": pg_half,
        "pg_each_in": pg_each,
        "pg_busy": pg_each / _BUSY,
        "pg_cores": pg_cores,
        "pg_most": pg_cores + 8,
        "pg_sixth": 4 * ceil((pg_cores + 8) / 6 / 4),
        "connections": connections,
        "max_connections": 50 * ceil((connections + 1) / 50),
        "small": 1.4 / measured["lite_in_rate"],
        "city": 0.14 * each,
        "city_pg": 0.14 * pg_each,
        "city_cores": 2 * ceil(0.14 * each / _BUSY / 2),
        "city_pg_cores": 2 * ceil(0.14 * pg_each / _BUSY / 2),
    }


if __name__ == "__main__":
    write()
