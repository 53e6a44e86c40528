"""Writes the sources of the site: the pages of the repository, and those generated from the API and the client."""

import json
import re
import shutil
from collections.abc import Iterator
from html import escape
from os.path import relpath
from pathlib import Path

from scripts.docs.api_reference import render_api_pages
from scripts.docs.client_reference import render_client_pages
from scripts.docs.navigation import CONTENTS, DOCS, HOME, ROOT, list_pages, list_sections, site_path

_LINK = re.compile(r"(?<=\]\()([^)\s#]+)")
_FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


class InvalidSources(ValueError):
    """A page is not in the navigation, or links to a file that does not exist or to a page that is not on the site."""


def write_sources(target: Path) -> None:
    """Write all sources into `target`, which is emptied first. Raises `InvalidSources`."""
    shutil.rmtree(target, ignore_errors=True)
    sections = [(section.title, list(section.pages)) for section in list_sections()]
    pages = [HOME, *(page for _, found in sections for page in found)]
    if orphans := sorted(list_pages() - set(pages)):
        raise InvalidSources(f"{orphans[0].relative_to(ROOT)} is not in the navigation. Add it to docs/README.md.")
    known = {page: site_path(page) for page in [*pages, CONTENTS]}
    for page in pages:
        _write(target / known[page], _translate(page, known, target))
    document = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))
    api_pages = render_api_pages(document)
    for name, text in api_pages.items():
        _write(target / "api" / name, text)
    client_pages = render_client_pages()
    for name, text in client_pages.items():
        _write(target / "clients" / name, text)
    trees = {title: [known[page] for page in found] for title, found in sections}
    decisions = trees.pop("Design decisions")
    _write(target / "decisions" / "index.md", "# Design decisions\n" + _render_tree("", decisions, "decisions"))
    trees["Explanation"].append("decisions/index.md")
    trees["REST API"] = [f"api/{name}" for name in api_pages]
    trees["Python client"] = [f"clients/{name}" for name in client_pages]
    home = target / known[HOME]
    home.write_text(home.read_text(encoding="utf-8") + "".join(_render_trees(trees)), encoding="utf-8")


def _translate(page: Path, known: dict[Path, str], target: Path) -> str:
    """Return the text of a page with the links that are valid on the site.

    Files that are not pages, such as pictures, are copied.
    """
    here = Path(known[page]).parent

    def place(match: re.Match[str]) -> str:
        link = match[1]
        if re.match(r"[a-z]+:", link):
            return link
        file = (page.parent / link).resolve()
        if not file.exists() or (file.suffix == ".md" and file not in known):
            raise InvalidSources(f"{page.relative_to(ROOT)}: {link} is not on the site. Add it to docs/README.md.")
        if file not in known:
            copy = target / file.relative_to(DOCS if file.is_relative_to(DOCS) else ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            return relpath(copy, target / here)
        return relpath(known[file], here)

    parts = _FENCE.split(page.read_text(encoding="utf-8"))
    return "".join(_render_fence(part) if part.startswith("```") else _LINK.sub(place, part) for part in parts)


def _render_fence(fence: str) -> str:
    """Return a fenced block; a diagram as the element that `diagrams.js` draws, and whose text is shown without it."""
    language, _, text = fence.removeprefix("```").removesuffix("```").partition("\n")
    return f'<pre class="diagram" tabindex="0">{escape(text)}</pre>' if language == "mermaid" else fence


def _render_trees(trees: dict[str, list[str]]) -> Iterator[str]:
    for title, pages in trees.items():
        yield _render_tree(title, pages, ".", hidden=True)


def _render_tree(title: str, pages: list[str], folder: str, *, hidden: bool = False) -> str:
    options = [*([f":caption: {title}"] if title else []), *([":hidden:"] if hidden else []), ":maxdepth: 1", ""]
    names = [relpath(page, folder).removesuffix(".md") for page in pages]
    return "\n".join(["", "```{toctree}", *options, *names, "```", ""])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
