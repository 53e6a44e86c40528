"""The promise of a commit that several transactions share."""

import asyncio
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any

from formwright.core.kernel import spent


class Promise:
    """Kept by one commit, for all that share it."""

    def __init__(self) -> None:
        self._committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._committer: asyncio.Task[None] | None = None

    @property
    def settled(self) -> bool:
        """Whether it was kept or broken."""
        return self._committed.done()

    def ask(self, commit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let it be committed. Who asks first queues the commit behind all that wait by now: they share it."""
        self._committer = self._committer or asyncio.create_task(commit())

    def keep(self) -> None:
        """It is committed."""
        self._committed.set_result(None)

    def fail(self, error: Exception) -> None:
        """Nothing was written; whoever waits gets this error."""
        if not self.settled:
            self._committed.set_exception(error)
            self._committed.exception()  # Seen: not every transaction still waits for it.

    async def wait(self) -> None:
        """Until it is kept. The commit goes on also where nobody waits any more."""
        start = perf_counter()
        await asyncio.shield(self._committed)
        spent.waited(perf_counter() - start)
