"""The faults: processes are killed, and the database stops immediately."""

import asyncio
import itertools
from dataclasses import dataclass

from chaos.installation import Installation

KILL_EVERY_S = 1.0
STOP_EVERY = 7


@dataclass
class Faults:
    """Counts the faults. Each of `kills` may have interrupted deliveries."""

    servers: int = 0
    workers: int = 0
    databases: int = 0

    @property
    def kills(self) -> int:
        return self.servers + self.workers

    async def strike(self, it: Installation, seconds: float, *, servers_only: bool = False) -> None:
        """Kill a process every second for this long; the database stops in between, if it is a server.

        On a slow machine, this continues until half as many have been killed, for up to ten times as long.
        """
        both = [one for two in zip(it.servers, it.workers, strict=True) for one in two]
        turns = itertools.cycle(it.servers if servers_only else both)
        now = asyncio.get_running_loop().time
        started_at, enough = now(), seconds / KILL_EVERY_S / 2
        for number in itertools.count(1):
            await asyncio.sleep(KILL_EVERY_S / 2)
            if now() >= started_at + (seconds if self.kills >= enough else 10 * seconds):
                return
            if it.cluster and number % STOP_EVERY == STOP_EVERY // 2:
                await self._stop(it)
                continue
            found = next(turns)
            kind = it.workers if found in it.workers else it.servers
            # On a slow machine, starting processes must not be killed over and over: one of each kind continues.
            if await it.work(kind):
                # Kill it while it works, not while its callers still look for it.
                await asyncio.sleep(KILL_EVERY_S / 2)
                found.kill()
                self.workers += kind is it.workers
                self.servers += kind is it.servers

    async def _stop(self, it: Installation) -> None:
        assert it.cluster
        await asyncio.to_thread(it.cluster.stop, immediate=True)
        await asyncio.to_thread(it.cluster.start)
        self.databases += 1
