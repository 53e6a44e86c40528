"""Garbage collection of long-running processes."""

import gc

_THRESHOLD = 10_000
"""The number of allocations after which the youngest generation is collected."""


def tune_garbage_collection() -> None:
    """Exclude all existing objects from garbage collection, and collect less often than by default.

    Call it after startup. Those objects live as long as the process. Concurrent requests and exports allocate more than
    the default of 700 objects at once, and reference counting frees nearly all of them.
    """
    gc.freeze()
    gc.set_threshold(_THRESHOLD)
