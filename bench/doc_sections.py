"""The page that the figures are written to: each part of it that a program writes stands between two marks."""

from pathlib import Path

PERFORMANCE = Path("docs/explanation/performance.md")


def write_block(name: str, text: str, on: Path | None = None) -> None:
    """Put `text` in the place of what stood between the marks of this name, on the page of figures or another."""
    file = on or PERFORMANCE
    begin, end = f"<!-- {name}: written by the program -->\n", f"<!-- {name}: end -->\n"
    page = file.read_text(encoding="utf-8")
    before, found, rest = page.partition(begin)
    after = rest.partition(end)[2]
    if not found or end not in rest:
        raise SystemExit(f"{file} has no place for {name}")
    file.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
