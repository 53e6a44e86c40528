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


def test_every_module_that_the_page_imports_is_named() -> None:
    found, left = set[Path](), {STATIC / "fill.js"}
    while left:
        script = left.pop()
        found.add(script)
        left |= {*_imported(script)} - found
    named = form_modules({"ruled": True, "patterns": True}, "en")
    assert STATIC / "fields" / "types.js" in found
    assert {asset(path.relative_to(STATIC).as_posix()) for path in found - {STATIC / "fill.js"}} <= set(named)
