"""What all templates of pages have to follow."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "src" / "formwright" / "web" / "templates"
BREADCRUMBS = re.compile(r'<nav class="breadcrumbs".*?</nav>', re.DOTALL)


def test_items_of_breadcrumbs_keep_the_direction_of_the_page() -> None:
    """A name that is read from right to left would put the sign before it on the other side; `bdi` isolates it."""
    texts = {path.relative_to(TEMPLATES): path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    breadcrumbs = {path: found[0] for path, text in texts.items() if (found := BREADCRUMBS.search(text))}
    assert len(breadcrumbs) > 20
    assert [path for path, text in breadcrumbs.items() if re.search(r"<li[^>]*\bdir=", text)] == []
