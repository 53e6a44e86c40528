"""URLs of the modules that the fill page loads beside its script, for preloading and for the offline cache."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from formwright.web.bundles import load_manifest
from formwright.web.templating import asset, module_urls

_SCRIPT = "fill.js"
_SAME_TEXTS = {"nb": "no", "nn": "no", "zh-hant": "zh-tw", "zh-hk": "zh-tw"}
"""Languages that have the texts of another one."""


def form_modules(data: Mapping[str, Any], language: str) -> list[str]:
    """The modules that the page of a form imports at once; `data` is its `form_data`."""
    needed = needed_modules(
        has_rules=data["ruled"],
        # People type before a pattern matters, except in answers that are there already.
        has_patterns=data["patternsAtOnce"] or (data["patterns"] and "editor" in data),
        has_digests=data["digests"],
        has_lookups=bool(data["lookups"]),
        has_more_types=data["moreTypes"],
        has_device_widgets=data["deviceWidgets"],
    )
    editor = _modules(f"fill/{data['editor']}_editor.js") if "editor" in data else []
    return list(dict.fromkeys([*filter(None, [data["languages"].get(language)]), *needed, *editor]))


def needed_modules(
    *,
    has_rules: bool,
    has_patterns: bool,
    has_digests: bool,
    has_lookups: bool,
    has_more_types: bool,
    has_device_widgets: bool,
) -> list[str]:
    """The modules that only some forms need.

    They are for rules, regular expressions, digests, the rows of lookups on the device, more types of questions, and
    fields for which the device is used: files, signatures, positions and barcodes.
    """
    modules = {
        "survey-js-ui/later": has_more_types,
        "fill/widgets/device_widgets.js": has_device_widgets,
        "fill/rule_compiler.js": has_rules,
        "re2js/build/index.js": has_patterns,
        "fill/digest_algorithms.js": has_digests,
        "fill/offline_rows.js": has_lookups,
    }
    return [url for name, is_needed in modules.items() if is_needed for url in _modules(name)]


def map_modules(has_file: bool) -> list[str]:
    """The modules that draw a map; with the operator's map file, they need one more."""
    return [*_modules("basemap.js"), *(_modules("protomaps-leaflet/dist/esm/index.js") if has_file else ())]


def _modules(name: str) -> list[str]:
    script = module_urls(_SCRIPT)
    return [url for url in module_urls(name) if url not in script]


def translation_module(language: str) -> str | None:
    """The URL of the module with the page's texts in a language; None without one. English is built in."""
    names = _translations()
    tags = (language.lower(), language.lower().split("-")[0])
    name = next((names[one] for tag in tags if (one := _SAME_TEXTS.get(tag, tag)) in names), None)
    return name and asset(name)


@cache
def _translations() -> dict[str, str]:
    names = [name for name in load_manifest() if name.startswith("languages/")]
    return {name.removeprefix("languages/").removesuffix(".js").lower(): name for name in names}
