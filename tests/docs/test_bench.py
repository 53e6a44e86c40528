"""What the bench writes: its own part of the page and nothing else, and a picture that anybody can read."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import document
from bench.picture import draw
from bench.rounds import Figures, Result, Work

SVG = "{http://www.w3.org/2000/svg}"


def _result(database: str, ours: float, bare: float, goal: float | None) -> Result:
    work = Work("GET <one> & all", goal, 16, [], [])
    return Result(database, work, Figures([1.0], [ours]), Figures([1.0], [bare]))


def test_the_picture_has_a_bar_and_words_for_each_goal_met_or_missed() -> None:
    results = [_result("sqlite", 100, 50, 0.3), _result("postgres", 100, 50, 0.6), _result("sqlite", 9, 9, None)]
    picture = ElementTree.fromstring(draw(results))
    assert [bar.get("class") for bar in picture.iter(f"{SVG}rect")] == ["met", "missed"]
    told = picture.find(f"{SVG}desc")
    assert told is not None
    assert (
        told.text
        == "SQLite: GET <one> & all 0.50 of bare, wanted 0.3; PostgreSQL: GET <one> & all 0.50 of bare, wanted 0.6"
    )


def test_a_run_writes_its_own_part_of_the_page_and_leaves_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text(document.PERFORMANCE.read_text(encoding="utf-8"), encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    monkeypatch.setattr(document, "PERFORMANCE", page)
    document.write_block("bench", "first")
    document.write_block("bench", "second")
    after = page.read_text(encoding="utf-8")
    begin, end = "<!-- bench: written by the program -->\n", "<!-- bench: end -->\n"
    assert after.partition(begin)[2].partition(end)[0].strip() == "second"
    assert (after.partition(begin)[0], after.partition(end)[2]) == (
        before.partition(begin)[0],
        before.partition(end)[2],
    )
    with pytest.raises(SystemExit, match="no place"):
        document.write_block("nothing", "third")
