"""Work that a request starts and does not wait for longer than a second.

How far it is, and who continues it if the process ends, is stored with what it works on.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Self

import structlog

from formwright.web.http import Request

_INITIAL_WAIT_S = 1.0

log = structlog.get_logger()


class TaskRunner:
    """The tasks of this process. On exit, they are cancelled and awaited."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Coroutine[Any, Any, None], *, is_quick: bool = True) -> None:
        """Start a task, and unless it is known to take longer, wait up to one second: most finish within that time."""
        task = asyncio.create_task(work)
        # The event loop itself has only weak references to tasks.
        self._tasks.add(task)
        task.add_done_callback(self._remove_task)
        if is_quick:
            # Not `wait_for`, which would cancel the task when the time is over.
            await asyncio.wait([task], timeout=_INITIAL_WAIT_S)

    def _remove_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        # Nobody awaits the task, so an error would not appear in the log otherwise.
        if not task.cancelled() and (error := task.exception()):
            log.error("background task failed", exc_info=error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def get_task_runner(request: Request) -> TaskRunner:
    """Return the task runner of the process that serves this request."""
    runner: TaskRunner = request.app.state.task_runner
    return runner
