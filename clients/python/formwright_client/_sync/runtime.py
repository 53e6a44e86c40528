"""What waits: the only module of this package that is written by hand."""

from collections.abc import Callable
from threading import Lock
from time import sleep
from typing import ParamSpec, TypeVar

__all__ = ["Lock", "run_blocking", "sleep"]

P = ParamSpec("P")
T = TypeVar("T")


def run_blocking(function: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> T:
    """Call a function that waits for the disk. There is no event loop that it would block."""
    return function(*args, **named)
