"""Formwright: collect data with forms, and integrate it with other systems through a reliable API."""

import atexit
import gc

__version__ = "0.1.0"

# msgspec 0.22 frees a type twice when some classes are deleted (decision 76). The last collection would delete them.
atexit.register(gc.freeze)
