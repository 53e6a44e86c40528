"""The navigation of the site: the sections and links of docs/README.md, so that both always agree."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CONTENTS = DOCS / "README.md"
# The home page of the site is the README of the repository; docs/README.md becomes the navigation beside it.
HOME = ROOT / "README.md"

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \[[^\]]+\]\(([^)#\s]+\.md)\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the navigation: its title, and its pages in order."""

    title: str
    pages: tuple[Path, ...]


def list_sections() -> list[Section]:
    """Return the sections of the navigation, in the order of docs/README.md.

    The design decisions are the last section; their files are numbered in the order of the list.
    """
    _, *parts = _SECTION.split(CONTENTS.read_text(encoding="utf-8"))
    sections = [
        Section(title, tuple((DOCS / target).resolve() for target in _ENTRY.findall(text)))
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    return [*sections, Section("Design decisions", tuple(sorted((DOCS / "decisions").glob("*.md"))))]


def list_pages() -> set[Path]:
    """Return all pages that belong into the navigation: every Markdown file in docs/ except its table of contents."""
    return set(DOCS.rglob("*.md")) - {CONTENTS}


def site_path(page: Path) -> str:
    """Return where a page of the repository is on the site: `guides/tasks.md` for `docs/guides/tasks.md`."""
    if page in (HOME, CONTENTS):
        return "index.md"
    if page.is_relative_to(DOCS):
        return page.relative_to(DOCS).as_posix()
    path = page.relative_to(ROOT)
    # A README is named after its folder.
    path = path.parent.with_suffix(".md") if path.name == "README.md" else path
    return path.as_posix().lower()


def sort_versions(names: Sequence[str]) -> list[str]:
    """Sort the names of versions: the working tree (`main`), then the numbers from the newest to the oldest."""
    numbers = [name for name in names if "." in name]
    others = [name for name in names if "." not in name]
    return [*others, *sorted(numbers, key=lambda name: [int(part) for part in name.split(".")], reverse=True)]
