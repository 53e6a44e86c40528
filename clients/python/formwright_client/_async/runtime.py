"""What waits: the only module whose synchronous variant is written by hand."""

from asyncio import Lock, sleep
from asyncio import to_thread as run_blocking

__all__ = ["Lock", "run_blocking", "sleep"]
