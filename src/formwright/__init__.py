"""Formwright: collect data with forms, and integrate it with other systems through a reliable API."""

__version__ = "0.1.0"
