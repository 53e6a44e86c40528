"""The tutorials, guides and reference of `docs/`, rendered from the Markdown files that come with the application."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any, cast

from markupsafe import Markup

from formwright.core.lazy_import import LazyModule

# A wheel contains them beside this package; in a checkout they are read from docs/.
_HERE = Path(__file__).resolve()
_FOLDER = next((path for path in (_HERE.parents[1] / "manual", _HERE.parents[4] / "docs") if path.exists()), None)
_SECTIONS = ("tutorials", "guides", "reference")
_CONTENTS = "README.md"
_GUIDES = "/docs/guides"
_OPENAPI = "openapi.json"

# Wide code and tables scroll, so the keyboard has to reach them.
_REPLACEMENTS = {
    "<pre>": '<pre tabindex="0">',
    "<table>": '<div class="table" tabindex="0"><table>',
    "</table>": "</table></div>",
}

_markdown_it = LazyModule("markdown_it")


@dataclass(frozen=True, slots=True)
class Guide:
    """A page: its title, and the HTML below it."""

    title: str
    html: Markup


def list_guides() -> list[str]:
    """Return the paths of all pages below `/docs/guides`, such as `guides/tasks`; the table of contents is empty."""
    return ["" if name == _CONTENTS else name.removesuffix(".md") for name in _list_files()]


@cache
def load_guide(path: str) -> Guide | None:
    """Return the page with this path, or None. Rendered once."""
    # The path is looked up and never used as one.
    name = f"{path}.md" if path else _CONTENTS
    file = _list_files().get(name)
    return _render(name, file.read_text(encoding="utf-8")) if file else None


@cache
def _list_files() -> dict[str, Path]:
    """The files by their path in docs/. There are none if only the package was copied."""
    if _FOLDER is None:
        return {}
    found = [_FOLDER / _CONTENTS, *(file for section in _SECTIONS for file in sorted((_FOLDER / section).glob("*.md")))]
    return {file.relative_to(_FOLDER).as_posix(): file for file in found}


def _render(name: str, text: str) -> Guide:
    """Render a page. HTML in it is escaped. Links lead to pages of this server; those to other files are removed."""
    markdown = _markdown_it.MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    title = tokens[1].content
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrs["id"] = _slug(inline.content)
        if inline.type == "inline":
            inline.children = list(_translate_links(inline.children, name))
    _label_cells(tokens)
    html = cast("str", markdown.renderer.render(tokens[3:], markdown.options, {}))
    for old, new in _REPLACEMENTS.items():
        html = html.replace(old, new)
    return Guide(title, Markup(html))  # noqa: S704 - from our own files


def _label_cells(tokens: Iterable[Any]) -> None:
    """Give each cell of a table the heading of its column, which phones show above it."""
    labels: list[str] = []
    cells = 0
    for opening, inline in pairwise(tokens):
        if opening.type == "thead_open":
            labels, cells = [], 0
        elif opening.type == "th_open":
            labels.append(inline.content)
        elif opening.type == "td_open":
            opening.attrs["data-label"] = labels[cells % len(labels)]
            cells += 1


def _translate_links(tokens: Iterable[Any], name: str) -> Iterable[Any]:
    keeps = True
    for token in tokens:
        if token.type == "link_open":
            target = _translate(str(token.attrs["href"]), name)
            keeps = target is not None
            token.attrs["href"] = target
        if keeps or token.type not in ("link_open", "link_close"):
            yield token


def _translate(link: str, name: str) -> str | None:
    """Return the address of a link on this server, or None if it has no such page. Other sites stay as they are."""
    if link.startswith("#") or ":" in link:
        return link
    path, _, anchor = link.partition("#")
    target = normpath(str(PurePosixPath(name).parent / path))
    if target == _OPENAPI:
        return "/api/v1.0/openapi.json"
    if target not in _list_files():
        return None
    page = "" if target == _CONTENTS else f"/{target.removesuffix('.md')}"
    return f"{_GUIDES}{page}{'#' + anchor if anchor else ''}"


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as forges do."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
