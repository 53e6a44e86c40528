"""What comes about by time alone: looks every second for whose time has come, and does it in a transaction each.

What fails is put off, so that it stands before no other.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import structlog

from formwright.context import AppContext
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.domain.invites import scheduler as invites
from formwright.domain.tasks import scheduler as tasks

_LOOK_S = 1.0
_PUT_OFF_S = 60.0
_AT_ONCE = 100

log = structlog.get_logger()


class _Room(NamedTuple):
    """Who has things that fall due: which they are (account and id), and what to do for one."""

    name: str
    due: Callable[[ReadTransaction, int, int], Awaitable[Sequence[tuple[str, str]]]]
    work: Callable[[WriteTransaction, SecretBox, str, str], Awaitable[Any]]


_ROOMS = (_Room("invite", invites.due, invites.work), _Room("task", tasks.due, tasks.work))


class Scheduler:
    """One loop. Any number of them, in any number of processes, may run on the same database."""

    def __init__(self, ctx: AppContext, *, look_s: float = _LOOK_S) -> None:
        self._ctx, self._look_s = ctx, look_s
        self._put_off: dict[str, float] = {}

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
        at = time.monotonic()
        self._put_off = {id_: until for id_, until in self._put_off.items() if until > at}
        async with self._ctx.db.reading() as tx:
            found = [(room, one) for room in _ROOMS for one in await self._due(tx, room)]
        return sum([await self._one(room, *one) for room, one in found])

    async def _due(self, tx: ReadTransaction, room: _Room) -> Sequence[tuple[str, str]]:
        waiting = await room.due(tx, self._ctx.clock.now(), _AT_ONCE + len(self._put_off))
        return [(customer_id, id_) for customer_id, id_ in waiting if id_ not in self._put_off][:_AT_ONCE]

    async def _one(self, room: _Room, customer_id: str, id_: str) -> bool:
        try:
            async with self._ctx.db.writing() as tx:
                done = await room.work(tx, self._ctx.seal, customer_id, id_)
        except Unavailable:
            raise
        except Exception:
            log.exception("what is due cannot be done", kind=room.name, id=id_)
            self._put_off[id_] = time.monotonic() + _PUT_OFF_S
            return False
        if done:
            log.info("due", kind=room.name, id=id_, status=done.status)
        return done is not None
