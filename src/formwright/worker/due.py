"""What comes about by time alone: looks every second for whose time has come, and does it in a transaction each."""

import asyncio

import structlog

from formwright.core.kernel.errors import Unavailable
from formwright.domain.invites import clockwork as invites
from formwright.house import House

_LOOK_S = 1.0

log = structlog.get_logger()


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
            found = await invites.due(tx, self._house.clock.now())
        return sum([await self._invite(*one) for one in found])

    async def _invite(self, customer_id: str, invite_id: str) -> bool:
        try:
            async with self._house.db.writing() as tx:
                done = await invites.work(tx, self._house.seal, customer_id, invite_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("what is due for an invite cannot be done", invite=invite_id)
            return False
        if done:
            log.info("invite", invite=invite_id, status=done.status)
        return done is not None
