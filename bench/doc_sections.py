"""Replaces the generated sections of documentation pages, which are enclosed in markers."""

from pathlib import Path

PERFORMANCE = Path("docs/explanation/performance.md")


def write_block(name: str, text: str, on: Path | None = None) -> None:
    """Replace the text between the markers of this name on the performance page, or on another page."""
    file = on or PERFORMANCE
    begin, end = f"<!-- {name}: written by the program -->\n", f"<!-- {name}: end -->\n"
    page = file.read_text(encoding="utf-8")
    before, found, rest = page.partition(begin)
    after = rest.partition(end)[2]
    if not found or end not in rest:
        raise SystemExit(f"{file} has no place for {name}")
    file.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
