"""Large modules that a process may never need: read when they are first used, so that it starts sooner.

Only for what takes long to read and is seldom used; never to get round a floor.
"""

import importlib
from typing import Any


class LazyModule:
    """Stands for a module: reads it when the first of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._module), name)
