"""Configuration of Sphinx. `__main__.py` passes the version and the folder with the sources."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import stringify_annotation

HERE = Path(__file__).resolve().parent

project = "Formwright"
html_title = "Formwright"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
default_role = "code"
highlight_language = "text"

# Anchors of headings as on GitHub, so that the same links work there.
myst_heading_anchors = 5

add_module_names = False
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 88

html_theme = "furo"
html_static_path = [str(HERE / "static"), str(HERE / "node_modules" / "@mermaid-js" / "tiny" / "dist")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_js_files = [("diagrams.js", {"type": "module"}), ("versions.js", {"defer": "defer"})]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_theme_options = {"top_of_page_buttons": [], "navigation_with_keys": False}
html_sidebars = {
    "**": [
        "sidebar/scroll-start.html",
        "sidebar/brand.html",
        "sidebar/version.html",
        "sidebar/search.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def _describe_hidden_properties(class_: type) -> Iterator[str]:
    """Return the properties of a `TypedDict` that autodoc takes for methods of `dict`, such as `items`."""
    docs = ModuleAnalyzer.for_module(class_.__module__).find_attr_docs()
    for name in inspect.get_annotations(class_).keys() & vars(dict).keys():
        type_ = stringify_annotation(get_type_hints(class_)[name], "smart")
        yield from ("", f".. py:attribute:: {name}", f"   :type: {type_}", "")
        yield from (f"   {line}" for line in docs[class_.__qualname__, name])


def setup(app: Sphinx) -> None:
    """Keep napoleon away from the descriptions of attributes: it takes what is before a colon for a type."""
    originals: dict[str, list[str]] = {}

    def keep(_app: Sphinx, _what: str, name: str, _object: object, _options: object, lines: list[str]) -> None:
        originals[name] = list(lines)

    def restore(_app: Sphinx, what: str, name: str, object_: Any, _options: object, lines: list[str]) -> None:
        original = originals.pop(name)
        if what in ("attribute", "data"):
            lines[:] = original
        if what == "class":
            lines += _describe_hidden_properties(object_)

    app.connect("autodoc-process-docstring", keep, priority=400)
    app.connect("autodoc-process-docstring", restore, priority=600)
