"""Runs long computations outside the event loop.

A single thread runs all of them, one after another, because each further busy thread would make the event loop wait
longer for the GIL. The functions must consist of short steps, because a single call into C may hold the GIL until it
returns.
"""

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SMALL_BYTES = 16 * 1024
"""Bodies up to this size are parsed in the event loop, because passing them to a thread would take longer."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="computing")


async def offload(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function in the thread, and return its result or raise its exception."""
    context = contextvars.copy_context()
    call = functools.partial(context.run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_thread, call)
