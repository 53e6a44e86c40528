"""Runs time-based changes of invites and tasks: checks every second and runs each due item in its own transaction.

An item that fails is retried after a minute, so that it does not delay others.
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

_POLL_INTERVAL_S = 1.0
_RETRY_S = 60.0
_AT_ONCE = 100

log = structlog.get_logger()


class _Schedule(NamedTuple):
    """A kind of item that can be due: a query for due items (account and id), and the function that processes each."""

    name: str
    due: Callable[[ReadTransaction, int, int], Awaitable[Sequence[tuple[str, str]]]]
    work: Callable[[WriteTransaction, SecretBox, str, str], Awaitable[Any]]


_SCHEDULES = (_Schedule("invite", invites.find_due, invites.run_due), _Schedule("task", tasks.find_due, tasks.run_due))


class Scheduler:
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        self._ctx, self._poll_interval_s = ctx, poll_interval_s
        self._retry_at: dict[str, float] = {}

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            try:
                done = await self.run_batch()
            except Unavailable as error:
                log.warning("scheduled items delayed: database unavailable", detail=str(error))
                done = 0
            except Exception:
                log.exception("scheduler loop failed and continues")
                done = 0
            if not done:
                await asyncio.sleep(self._poll_interval_s)

    async def run_batch(self) -> int:
        """Run a batch of due items and return how many changed. A failing item does not affect the others."""
        now = time.monotonic()
        self._retry_at = {id_: until for id_, until in self._retry_at.items() if until > now}
        async with self._ctx.db.reading() as tx:
            found = [(schedule, one) for schedule in _SCHEDULES for one in await self._find_due(tx, schedule)]
        return sum([await self._run_item(schedule, *one) for schedule, one in found])

    async def _find_due(self, tx: ReadTransaction, schedule: _Schedule) -> Sequence[tuple[str, str]]:
        waiting = await schedule.due(tx, self._ctx.clock.now(), _AT_ONCE + len(self._retry_at))
        return [(customer_id, id_) for customer_id, id_ in waiting if id_ not in self._retry_at][:_AT_ONCE]

    async def _run_item(self, schedule: _Schedule, customer_id: str, id_: str) -> bool:
        try:
            async with self._ctx.db.writing() as tx:
                done = await schedule.work(tx, self._ctx.secret_box, customer_id, id_)
        except Unavailable:
            raise
        except Exception:
            log.exception("scheduled item failed", kind=schedule.name, id=id_)
            self._retry_at[id_] = time.monotonic() + _RETRY_S
            return False
        if done:
            log.info("due", kind=schedule.name, id=id_, status=done.status)
        return done is not None
