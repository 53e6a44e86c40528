"""Work that goes on when its page was left."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Self

import structlog
from litestar import Request

_AT_ONCE_S = 1.0

log = structlog.get_logger()


class Running:
    """What this process has under way. When the process stops, it is told to, and waited for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin it, and wait a second for it: most is done by then."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        await asyncio.wait([task], timeout=_AT_ONCE_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work beside the requests failed", exc_info=error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def running_of(request: Request[Any, Any, Any]) -> Running:
    """What the process that serves this request has under way."""
    running: Running = request.app.state.running
    return running
