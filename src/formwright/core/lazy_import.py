"""Lazy imports of large modules that a process may never need, so that it starts faster.

Only for modules that are slow to import and rarely used, and never to break the dependency rules between layers.
"""

import importlib
from typing import Any


class LazyModule:
    """A proxy for a module that imports it when one of its attributes is first used."""

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._module), name)
