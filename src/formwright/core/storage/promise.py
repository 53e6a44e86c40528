"""The promise of a commit that several transactions share."""

import asyncio
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any

from formwright.core.kernel import spent


class Promise:
    """Kept by one commit, for all that share it."""

    def __init__(self) -> None:
        self.settled = False
        """Whether it was kept or broken."""
        self._error: Exception | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._committer: asyncio.Task[None] | None = None

    def ask(self, commit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let it be committed. Who asks first queues the commit behind all that wait by now: they share it."""
        self._committer = self._committer or asyncio.create_task(commit())

    def keep(self) -> None:
        """It is committed."""
        self._settle(None)

    def fail(self, error: Exception) -> None:
        """Nothing was written; whoever waits gets this error."""
        if not self.settled:
            self._settle(error)

    def _settle(self, error: Exception | None) -> None:
        self.settled, self._error = True, error
        for one in self._waiting:
            if not one.done():  # Else nobody waits there any more.
                one.set_result(None)

    async def wait(self) -> None:
        """Until it is kept. The commit goes on also where nobody waits any more."""
        start = perf_counter()
        if not self.settled:
            # One for each, so that who is cancelled ends its own waiting alone.
            mine = asyncio.get_running_loop().create_future()
            self._waiting.append(mine)
            await mine
        spent.waited(perf_counter() - start)
        if self._error:
            raise self._error
