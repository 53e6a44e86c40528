"""Formwright: collect data with forms, and hand it on through an API that keeps its word."""

__version__ = "0.1.0"
