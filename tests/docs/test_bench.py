"""What the benchmarks write: only their own section of the page, and an accessible chart."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chaos import report as table

from bench import doc_sections, report, scaling, sizing
from bench.chart import draw
from bench.measurements import Measurement
from bench.results import Results
from bench.rounds import Comparison, RoundResults, Workload

SVG = "{http://www.w3.org/2000/svg}"


def _result(database: str, ours: float, bare: float, goal: float | None) -> Comparison:
    work = Workload("GET <one> & all", goal, 16, [], [])
    return Comparison(database, work, RoundResults([1.0], [ours], [1.0]), RoundResults([1.0], [bare], [1.0]))


def test_the_chart_has_a_bar_and_text_for_each_goal() -> None:
    results = [_result("sqlite", 100, 50, 0.3), _result("postgres", 100, 50, 0.6), _result("sqlite", 9, 9, None)]
    picture = ElementTree.fromstring(draw(results))
    assert [bar.get("class") for bar in picture.iter(f"{SVG}rect")] == ["met", "missed"]
    description = picture.find(f"{SVG}desc")
    assert description is not None
    sqlite, postgres = (f"{name}: GET <one> & all 0.50 of the baseline, goal" for name in ("SQLite", "PostgreSQL"))
    assert description.text == f"{sqlite} 0.3; {postgres} 0.6"


def test_a_run_replaces_only_its_own_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text(doc_sections.PERFORMANCE.read_text(encoding="utf-8"), encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    monkeypatch.setattr(doc_sections, "PERFORMANCE", page)
    doc_sections.write_block("bench", "first")
    doc_sections.write_block("bench", "second")
    after = page.read_text(encoding="utf-8")
    begin, end = "<!-- bench: written by the program -->\n", "<!-- bench: end -->\n"
    assert after.partition(begin)[2].partition(end)[0].strip() == "second"
    assert (after.partition(begin)[0], after.partition(end)[2]) == (
        before.partition(begin)[0],
        before.partition(end)[2],
    )
    with pytest.raises(SystemExit, match="no place"):
        doc_sections.write_block("nothing", "third")


def test_the_chaos_tests_write_their_results_into_the_guarantees(tmp_path: Path) -> None:
    page = tmp_path / "delivery-guarantees.md"
    page.write_text(Path("docs/explanation/delivery-guarantees.md").read_text(encoding="utf-8"), encoding="utf-8")
    every = {"acknowledged": 9, "arrivals": 4000, "lost": 0, "lies": 0, "doubled": 3, "bound": 30, "most": 10}
    killed = every | {"killed": 70, "events": 1234, "took": 150, "wellMs": {"p50": 38, "p99": 1234}}
    late = every | {"stopped": 1, "events": 1, "took": 12}
    dead = [{"name": "fencing", "database": "postgres", "found": True, "faults": ["lost", "twice"]}]
    found = {"sqlite": {"killed": killed}, "postgres": {"late": late}}
    doc_sections.write_block("proof", table.text(found, dead, load=0.2, seconds=660), page)
    written = page.read_text(encoding="utf-8")
    assert "load average before: 0.2. The run took 11.0 minutes." in written
    assert "| SQLite | the same, with processes killed | 150 s | 70 | 0 | 9 | 1,234 | 4,000 | **0** |" in written
    assert "| **0** | 0 | 3 (30) | 10 | 38 ms, 1,234 ms |\n" in written
    assert "| PostgreSQL | a suspended worker resumes too late | 12 s | 1 stopped | 0 |" in written
    assert "\n\n| removed | database | found |\n| --- | --- | --- |\n| fencing | PostgreSQL | lost |\n" in written


def test_a_failing_part_is_reported_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def parts() -> Iterator[Comparison | Measurement]:
        yield _result("sqlite", 100, 50, 0.3)
        raise SystemExit("the disk was full")

    found = Results()
    found.add("SQLite, a pull", parts())
    found.add(
        "SQLite, start",
        iter([Measurement("sqlite", "Start", "< 2 s", "1 s", "0.1 s", is_met=True, needs_quiet_machine=True)]),
    )
    assert "the disk was full" in capsys.readouterr().err
    assert found.has_failures
    written = report.render(found, report.Run(1, 1, 1, 1, 1), load=0.5, rules="1 ms", minutes=9)
    assert "**Not measured, because it failed: SQLite, a pull (the disk was full).**" in written
    assert "| SQLite | GET <one> & all | ≥ 0.3 | 0.50 |" in written
    assert "| SQLite | Start ¹ | < 2 s | 1 s | 0.1 s |" in written


def test_the_sizing_page_is_calculated_from_a_run() -> None:
    works = ("GET one submission", "List submissions, 1,000 per page", "Create submissions, 32 clients, one account")
    figures = RoundResults([500.0], [2000.0], [1000.0])
    all_of_them = [Workload(work, 0.5, 16, [], []) for work in (*works, "Create submissions, 32 clients, 32 accounts")]
    results = [
        *(Comparison(database, work, figures, figures) for database in ("sqlite", "postgres") for work in all_of_them),
        *(Comparison("postgres", work.with_processes(4), figures, figures) for work in all_of_them),
    ]
    run = report.render(Results(results), report.Run(1, 1, 1, 1, 1), load=0.5, rules="1 ms", minutes=9)
    taken = {"disk space": ["1 MB", "10 MB", "1,010 MB"], "peak memory of a process": ["200 MB"] * 3}
    grown = [
        scaling.render_table(name, (10_000, 100_000, 600_000), {"GET one": [(1.0, 1.0)] * 3}, taken)
        for name in ("SQLite", "PostgreSQL")
    ]
    page = sizing.render("\n".join([run, *grown]))
    assert "| submissions created per second in one account, SQLite | 500 |" in page
    assert "SQLite | 1,000 MB, 2,000 bytes per submission |" in page
    # Three writes and four reads of 2 ms each, and 2 µs for a page.
    assert "    1,000/s × 14.0 ms = 14.0 cores;  at 60 % utilisation: 23.3 cores" in page
    assert "6 machines of four cores are enough; **7** still work if one fails" in page
    assert "28 processes × 200 MB = 5.6 GB, or 0.8 GB per machine" in page


def test_the_sizing_page_is_current() -> None:
    performance = doc_sections.PERFORMANCE.read_text(encoding="utf-8")
    assert sizing.PAGE.read_text(encoding="utf-8") == sizing.render(performance), "run python -m bench.sizing"
