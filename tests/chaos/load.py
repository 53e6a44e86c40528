"""Clients that create submissions, and record an id only once it is acknowledged."""

import asyncio
from pathlib import Path

from chaos.installation import Installation
from chaos.journal import Notes


class Posting:
    """Counts the outcomes as `acknowledged` and `unanswered`."""

    def __init__(self, it: Installation, notes: Path, clients: int, a_second: float) -> None:
        self._it, self._notes, self._clients, self._pause_s = it, Notes(notes), clients, clients / a_second
        self.acknowledged = self.unanswered = 0

    async def go_on(self) -> None:
        """Run until cancelled."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._clients):
                group.create_task(self._one(number))

    async def _one(self, number: int) -> None:
        async with self._it.client(number % len(self._it.addresses)) as http:
            while True:
                # A client that was cancelled during a response recorded nothing, and so proves nothing.
                if created := await self._it.post(http, self.acknowledged):
                    await self._notes.write({"id": created})
                    self.acknowledged += 1
                else:
                    self.unanswered += 1
                await asyncio.sleep(self._pause_s)
