"""The sources of the documentation site. `make docs` checks links, anchors and the rest when it builds the site."""

import json
import re
from collections import Counter
from pathlib import Path

import formwright_client
import pytest
from formwright_client._sync.resource import Resource

from scripts.docs import sources
from scripts.docs.navigation import DOCS, list_pages, list_sections, sort_versions
from scripts.docs.other_hosts import find_other_hosts


def find(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text, re.MULTILINE))


def test_every_page_is_in_the_navigation_exactly_once() -> None:
    entries = Counter(page for section in list_sections() for page in section.pages)
    assert [page for page, count in entries.items() if count > 1 or not page.exists()] == []
    assert list_pages() - set(entries) == set()


def test_the_sources_contain_every_operation_schema_and_class(tmp_path: Path) -> None:
    sources.write_sources(tmp_path)
    api = "".join(path.read_text() for path in (tmp_path / "api").glob("*.md"))
    document = json.loads((DOCS / "openapi.json").read_text())
    operations = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}
    assert operations == find(r"^\((?!schema-)(\w+)\)=$", api)
    assert set(document["components"]["schemas"]) == find(r"^\(schema-(\w+)\)=$", api)
    client = (tmp_path / "clients/python-reference.md").read_text()
    assert set(formwright_client.__all__) == find(r"^\.\. auto\w+:: formwright_client\.(?:encoding\.)?(\w+)$", client)
    assert len(list((tmp_path / "clients/python").glob("*.md"))) == len(Resource.__subclasses__())
    home = (tmp_path / "index.md").read_text()
    for folder in ("api", "clients/python", "clients/python/schemas"):
        assert {path.stem for path in (tmp_path / folder).glob("*.md")} == find(rf"^{folder}/([^/\s]+)$", home)


def test_an_orphan_page_and_a_dead_link_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tutorial, *others = list_sections()
    monkeypatch.setattr(sources, "list_sections", lambda: others)
    with pytest.raises(sources.InvalidSources, match=r"docs/tutorials/quick-start\.md is not in the navigation"):
        sources.write_sources(tmp_path)
    monkeypatch.setattr(sources, "list_pages", lambda: list_pages() - set(tutorial.pages))
    with pytest.raises(sources.InvalidSources, match=r"README\.md: docs/tutorials/quick-start\.md is not on the site"):
        sources.write_sources(tmp_path)


def test_loading_from_another_host_is_found_and_links_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://b.example">b</a> <script src="a.js"></script> <img src="a.png">')
    (tmp_path / "a.css").write_text('@import "a.css"; a { background: url(data:image/png;base64,//) }')
    assert list(find_other_hosts(tmp_path)) == []
    (tmp_path / "b.html").write_text(
        '<link rel="stylesheet" href="//b.example/a.css"> <img alt="" src="http://b.example/">'
    )
    (tmp_path / "b.css").write_text('@font-face { src: url("https://b.example/a.woff2") }')
    assert [found.partition(":")[0] for found in find_other_hosts(tmp_path)] == ["b.css", "b.html", "b.html"]


def test_versions_are_sorted_by_number() -> None:
    assert sort_versions(["0.9.0", "main", "0.10.0", "1.0.0"]) == ["main", "1.0.0", "0.10.0", "0.9.0"]
