"""The page of a form names all modules that it may load, so that the browser keeps them for use without a network."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from formwright.web.bundles import FOLDER, STATIC, load_manifest
from formwright.web.fill.assets import map_modules, needed_modules, translation_module
from formwright.web.fill.page_data import DEVICE_WIDGETS, MORE_TYPES
from formwright.web.templating import asset, module_urls

ROOT = Path(__file__).parents[2]
_IMPORT = re.compile(r'^import (?:[^"]* from )?"([^"]+)";', re.MULTILINE)
_LATER = re.compile(r"\bimport\(\s*[\"'`](?:\.\.?/)*([^\"'`]+)[\"'`]\s*\)")
# Types in comments are imported too.
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_EDITORS = re.compile(r"_editor\.js$")


def _imported(script: Path) -> Iterator[Path]:
    for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
        if name.startswith("."):
            yield (script.parent / name).resolve()


def _reach(script: Path) -> set[Path]:
    """Return the modules that a script imports, and those that they import."""
    found, left = set[Path](), {*_imported(script)}
    while left:
        found |= left
        left = {one for script in left for one in _imported(script)} - found
    return found


def _loaded_later() -> set[str]:
    """Return the names of all modules that the script of the page loads when it needs them."""
    first = [STATIC / "fill.js", STATIC / "basemap.js", STATIC / "fill" / "widgets" / "device_widgets.js"]
    scripts = {*first, *(module for script in first for module in _reach(script))}
    found = [
        name for script in scripts for name in _LATER.findall(_COMMENT.sub("", script.read_text(encoding="utf-8")))
    ]
    return {
        next(known for known in load_manifest() if known.endswith(name) or known.startswith(name)) for name in found
    }


def test_every_module_that_the_page_loads_later_is_named() -> None:
    everything = ("rules", "patterns", "digests", "lookups", "more_types", "device_widgets")
    needed = needed_modules(**{f"has_{name}": True for name in everything})
    named = [*needed, *map_modules(has_file=True)]
    later = _loaded_later()
    assert {"fill/rule_compiler.js", "basemap.js", "re2js/build/index.js"} <= later
    assert {asset(name) for name in later if not _EDITORS.search(name)} == set(named)


def test_all_that_a_form_always_needs_is_one_file() -> None:
    assert len(module_urls("fill.js")) == 1
    for name in ("fill/rule_compiler.js", "fill/offline_rows.js", "languages/de.js"):
        assert module_urls(name) == [asset(name), asset("fill.js")]


def test_the_module_of_a_language_has_the_texts_of_the_page_and_of_the_library() -> None:
    assert translation_module("de-AT") == translation_module("de") == asset("languages/de.js")
    assert translation_module("en") is None
    text = (FOLDER / "languages" / "de.js").read_text(encoding="utf-8")
    assert "Absenden" in text
    assert "Abbrechen" in text
    assert "texts" in text
    only_the_buttons = (FOLDER / "languages" / "cs.js").read_text(encoding="utf-8")
    assert "noResults" in only_the_buttons
    assert "fillAgain" not in only_the_buttons


def test_the_page_knows_which_types_are_loaded_later() -> None:
    """Forms with other types do not load them, and would not show the question."""
    text = (ROOT / "scripts" / "survey_parts.mjs").read_text(encoding="utf-8")
    [listed] = re.findall(r"^export const LATER = \[(.*?)^\];", text, re.MULTILINE | re.DOTALL)
    parts = {"ratingitem", "sliderlabel", "checkboxitem", "survey-checkbox-item"}
    found = set(re.findall(r'"([\w-]+)"', listed)) - parts
    assert {name for name in found if not name.startswith("sv-")} == MORE_TYPES


def test_the_page_knows_which_widgets_use_the_device() -> None:
    text = (STATIC / "fill" / "widgets" / "device_widgets.js").read_text(encoding="utf-8")
    assert set(re.findall(r"^  (\w+): render", text, re.MULTILINE)) == DEVICE_WIDGETS


def test_the_service_worker_imports_nothing() -> None:
    """Browsers load it as a classic script, in which imports are errors."""
    text = (FOLDER / "fill" / "sw.js").read_text(encoding="utf-8")
    assert not re.search(r"\b(import|export)\b", text)


def test_the_manifest_lists_existing_files() -> None:
    listed = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    assert all((FOLDER / file).is_file() for one in listed.values() for file in [one["file"], *one["imports"]])


def test_the_modules_of_field_types_know_no_page() -> None:
    found = {path.relative_to(STATIC).as_posix() for path in _reach(STATIC / "fields" / "types.js")}
    others = {name for name in found if not name.startswith("fields/")}
    assert others == {"fill/numbers.js", "fill/patterns.js", "fill/text_length.js"}
