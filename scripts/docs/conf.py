"""Configuration of Sphinx. `__main__.py` passes the version and the folder with the sources."""

from pathlib import Path

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
