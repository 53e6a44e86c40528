"""URLs of the files that the fill page loads, for preloading and for the offline cache."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from formwright.web.templating import STATIC, VENDOR, asset

_ROW_MODULES = ("text_normalization.js", "offline_rows.js", "lookup_row_storage.js")
_EDITING_MODULES = ("answer_editor.js", "submission_editor.js", "respondent_editor.js", "unchanged_answers.js")
_LAZY_MODULES = ("rule_compiler.js", "sw.js", "prefill_editor.js", *_EDITING_MODULES, *_ROW_MODULES)


def form_modules(data: Mapping[str, Any], language: str) -> list[str]:
    """The modules that the page of a form loads at once; `data` is its `form_data`."""
    return [
        *page_modules(language),
        *(rule_modules() if data["ruled"] else ()),
        *(pattern_modules() if data["patterns"] else ()),
    ]


def page_modules(language: str) -> list[str]:
    """The modules that the page always loads, with the translation for this language if there is one."""
    return [*_common_modules(), *translation_modules([language])]


@cache
def _common_modules() -> list[str]:
    own = [path.name for path in (STATIC / "fill").glob("*.js") if path.name not in _LAZY_MODULES]
    folders = [f"{path.parent.name}/{path.name}" for name in ("shared", "widgets") for path in _list_scripts(name)]
    fields = sorted(path.name for path in (STATIC / "fields").glob("*.js"))
    return [
        *(asset(f"fields/{name}") for name in fields),
        *(asset(f"fill/{name}") for name in sorted([*own, *folders, "texts/en.js"])),
    ]


@cache
def rule_modules() -> list[str]:
    """The modules that evaluate rules, for forms with rules."""
    library = [asset(f"vendor/cel/{path.name}") for path in sorted((VENDOR / "cel").glob("*.js"))]
    return [asset("fill/rule_compiler.js"), *library]


def pattern_modules() -> list[str]:
    """The modules that evaluate regular expressions, for forms with patterns."""
    return [asset("vendor/re2js/index.min.js")]


def row_modules() -> list[str]:
    """The modules that store the rows of lookups offline, for forms with lookups."""
    return [asset(f"fill/{name}") for name in _ROW_MODULES]


def translation_modules(languages: Iterable[str]) -> list[str]:
    """The modules with our own texts in these languages, where they exist. English is always loaded."""
    roots = {tag.split("-")[0] for tag in languages}
    return [asset(f"fill/texts/{path.name}") for path in _list_scripts("texts") if path.stem in roots - {"en"}]


def library_translation(language: str) -> str | None:
    """The URL of the form library's own texts in a language; None if it has none. English is built in."""
    urls = _library_translations()
    tag = language.lower()
    return urls.get(tag) or urls.get(tag.split("-")[0])


@cache
def _library_translations() -> dict[str, str]:
    return {path.stem.lower(): asset(f"vendor/i18n/{path.name}") for path in (VENDOR / "i18n").glob("*.js")}


def _list_scripts(folder: str) -> list[Path]:
    return sorted((STATIC / "fill" / folder).glob("*.js"))
