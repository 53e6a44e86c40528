"""Runs imports of submissions, one at a time for each account."""

import asyncio

import structlog

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.db import due_work
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.submissions.imports import runner
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import LEASE_MS, SubmissionsImport
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 2.0

log = structlog.get_logger()


class ImportWorker(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        super().__init__(ctx, WorkKind.IMPORT, poll_interval_s=poll_interval_s)

    async def _work(self, customer_id: str, _: int) -> bool:
        ctx = self._ctx
        async with ctx.db.writing() as tx:
            record = await imports.claim(tx, customer_id, ctx.clock.now())
        if record:
            await self._run(record)
        async with ctx.db.writing() as tx:
            await due_work.settle(tx, WorkKind.IMPORT, customer_id, ctx.clock.now(), imports.DUE.find_next_due)
        return record is not None

    async def _run(self, record: SubmissionsImport) -> None:
        heartbeat = asyncio.create_task(self._renew_lease(record))
        try:
            # The audit log names who started the import.
            request_context.set_actor(record.actor)
            ended = await runner.run(self._ctx.db, self._ctx.files, record)
            log.info("import", id=ended.id, status=ended.status, imported=ended.imported, rejected=ended.rejected)
        except runner.LeaseLost:
            log.warning("import continues in another worker", id=record.id)
        finally:
            heartbeat.cancel()
            await asyncio.gather(heartbeat, return_exceptions=True)

    async def _renew_lease(self, record: SubmissionsImport) -> None:
        while True:
            await asyncio.sleep(LEASE_MS / 4000)
            try:
                async with self._ctx.db.writing() as tx:
                    await imports.renew_lease(tx, record, self._ctx.clock.now())
            except Unavailable:
                continue
