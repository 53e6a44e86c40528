"""What comes about by time alone: looks every second for whose time has come, and does it in a transaction each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import structlog

from formwright.core.kernel.errors import Unavailable
from formwright.core.kernel.seal import Seal
from formwright.core.storage.database import Reading, Writing
from formwright.domain.invites import clockwork as invites
from formwright.domain.tasks import clockwork as tasks
from formwright.house import House

_LOOK_S = 1.0

log = structlog.get_logger()


class _Room(NamedTuple):
    """Who has things that fall due: which they are (account and id), and what to do for one."""

    name: str
    due: Callable[[Reading, int], Awaitable[Sequence[tuple[str, str]]]]
    work: Callable[[Writing, Seal, str, str], Awaitable[Any]]


_ROOMS = (_Room("invite", invites.due, invites.work), _Room("task", tasks.due, tasks.work))


class Clockwork:
    """One loop. Any number of them, in any number of processes, may run on the same database."""

    def __init__(self, house: House, *, look_s: float = _LOOK_S) -> None:
        self._house, self._look_s = house, look_s

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                done = await self.round()
            except Unavailable as error:
                log.warning("what is due waits for the database", detail=str(error))
                done = 0
            except Exception:
                log.exception("the loop of what is due failed and goes on")
                done = 0
            if not done:
                await asyncio.sleep(self._look_s)

    async def round(self) -> int:
        """Do a piece of what is due; answers how many changed. One that fails holds up no other."""
        async with self._house.db.reading() as tx:
            now = self._house.clock.now()
            found = [(room, one) for room in _ROOMS for one in await room.due(tx, now)]
        return sum([await self._one(room, *one) for room, one in found])

    async def _one(self, room: _Room, customer_id: str, id_: str) -> bool:
        try:
            async with self._house.db.writing() as tx:
                done = await room.work(tx, self._house.seal, customer_id, id_)
        except Unavailable:
            raise
        except Exception:
            log.exception("what is due cannot be done", kind=room.name, id=id_)
            return False
        if done:
            log.info("due", kind=room.name, id=id_, status=done.status)
        return done is not None
