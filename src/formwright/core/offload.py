"""Long computations, away from the event loop.

One thread does all of them, one after another: every further thread that computes would make the event loop wait longer
for the interpreter. What is called here must consist of short steps, since a single call into C may hold the
interpreter to its end.
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
"""A body of this size is read at once: handing it to a thread would take longer."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="computing")


async def offload(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `function` in the thread, and return what it returns or raise what it raises."""
    context = contextvars.copy_context()
    call = functools.partial(context.run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_thread, call)
