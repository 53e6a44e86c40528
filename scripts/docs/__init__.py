"""Builds the documentation site from docs/ with Sphinx (`make docs`)."""
