"""Permanently deletes what has been in the trash for 30 days."""

import structlog

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.work_kinds import WorkKind
from formwright.domain.trash import purge
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 10.0

log = structlog.get_logger()


class TrashPurger(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        super().__init__(ctx, WorkKind.TRASH, poll_interval_s=poll_interval_s)

    async def _work(self, customer_id: str, _: int) -> bool:
        entry = await purge.purge_next(self._ctx.db, customer_id, self._ctx.clock.now())
        if entry:
            log.info("deleted permanently", kind=entry.kind, id=entry.id)
        async with self._ctx.db.writing() as tx:
            await due_work.settle(tx, WorkKind.TRASH, customer_id, self._ctx.clock.now(), purge.find_next_due)
        return entry is not None
