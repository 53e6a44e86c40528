"""The page of a form names all modules that it loads, so that they load at once, and the browser keeps them offline."""

import re
from collections.abc import Iterator
from pathlib import Path

from formwright.web.fill.assets import form_modules
from formwright.web.templating import STATIC, asset

_IMPORT = re.compile(r'^import (?:[^"]* from )?"([^"]+)";', re.MULTILINE)


def _imported(script: Path) -> Iterator[Path]:
    for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
        yield (script.parent / name).resolve()


def _reach(script: Path) -> set[Path]:
    """Return the modules that a script imports, and those that they import."""
    found, left = set[Path](), {*_imported(script)}
    while left:
        found |= left
        left = {one for script in left for one in _imported(script)} - found
    return found


def test_every_module_that_the_page_imports_is_named() -> None:
    found = _reach(STATIC / "fill.js")
    assert STATIC / "fields" / "types.js" in found
    named = form_modules({"ruled": True, "patterns": True}, "en")
    assert {asset(path.relative_to(STATIC).as_posix()) for path in found} <= set(named)


def test_the_modules_of_field_types_know_no_page() -> None:
    found = {path.relative_to(STATIC).as_posix() for path in _reach(STATIC / "fields" / "types.js")}
    others = {name for name in found if not name.startswith("fields/")}
    assert others == {"fill/numbers.js", "fill/patterns.js", "fill/text_length.js"}
