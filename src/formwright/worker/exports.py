"""Runs exports, and deletes their files when they expire."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import structlog

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.exports import execution, notifications, run_queue
from formwright.domain.exports.models import ExportRun, Progress
from formwright.domain.exports.owners import ExportRejected
from formwright.domain.exports.run_queue import ClaimedExport, ClaimedRun, RunLeaseLost
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 1.0
_RENEW_S = 15.0
_AT_ONCE = 2
"""Exports that run at the same time in a process. Each one is limited by the computing thread anyway."""
INTERNAL_ERROR = "An internal error occurred. Tell the operator of this server."

Result = TypeVar("Result")

log = structlog.get_logger()


def open_storage(ctx: AppContext) -> execution.Storage:
    """Return where the files of runs are stored."""
    return execution.Storage(ctx.files, ctx.settings.exports_folder, ctx.destination_rules)


async def run_with_lease(
    ctx: AppContext, claimed: ClaimedRun, progress: Progress, work: Coroutine[Any, Any, Result], renew_s: float
) -> Result:
    """Do the work of a run while its lease is renewed. Raises `RunLeaseLost` if that fails."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(renew_s)
            # There is time for more renewals before the lease ends.
            with suppress(Unavailable):
                async with ctx.db.writing() as tx:
                    if not await run_queue.renew_lease(tx, claimed, ctx.clock.now(), progress):
                        return

    working, renewing = asyncio.create_task(work), asyncio.create_task(renew())
    try:
        await asyncio.wait([working, renewing], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RunLeaseLost()
        return await working
    finally:
        for task in (working, renewing):
            task.cancel()
        await asyncio.gather(working, renewing, return_exceptions=True)


async def discard(ctx: AppContext, run: ExportRun) -> None:
    """Delete what was stored for a run that was deleted meanwhile. Another worker's files stay."""
    async with ctx.db.reading() as tx:
        is_deleted = await run_queue.is_deleted(tx, run)
    if is_deleted:
        await execution.delete_run_files(ctx.files, run)


class ExportWorker(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(
        self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S, renew_s: float = _RENEW_S
    ) -> None:
        super().__init__(ctx, WorkKind.EXPORT, poll_interval_s=poll_interval_s)
        self._renew_s = renew_s
        self._storage = open_storage(ctx)
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def _work(self, customer_id: str, _: int) -> bool:
        async with self._slots:
            async with self._ctx.db.writing() as tx:
                started = await run_queue.start_due(tx, customer_id, self._ctx.clock.now())
            async with self._ctx.db.writing() as tx:
                claimed = await run_queue.claim(tx, customer_id, self._ctx.clock.now())
            if claimed:
                await self._run_claimed(claimed)
        async with self._ctx.db.writing() as tx:
            now = self._ctx.clock.now()
            await due_work.settle(
                tx, WorkKind.EXPORT, customer_id, now, lambda tx, account, _: run_queue.find_next_due(tx, account)
            )
        return bool(started or claimed)

    async def _run_claimed(self, claimed: ClaimedExport) -> None:
        ctx, run, export, progress = self._ctx, claimed.run, claimed.export, Progress()
        try:
            writing = execution.write_files(ctx.db, self._storage, claimed, ctx.clock.now(), progress)
            files = await run_with_lease(ctx, claimed, progress, writing, self._renew_s)
        except RunLeaseLost:
            await discard(ctx, run)
            return
        except ExportRejected as error:
            await self._fail(claimed, str(error))
            return
        except Unavailable:
            raise
        except Exception:
            log.exception("export failed", export=export.id, run=run.id)
            await self._fail(claimed, INTERNAL_ERROR)
            return
        try:
            async with self._ctx.db.writing() as tx:
                # In one transaction: nobody is notified of a run that did not complete, and no notification is lost.
                done = await run_queue.complete(tx, claimed, files, self._ctx.clock.now())
                await self._notify(tx, claimed, done)
        except RunLeaseLost:
            await discard(ctx, run)
            return
        log.info("export completed", export=export.id, run=run.id, rows=done.rows)

    async def _fail(self, claimed: ClaimedExport, detail: str) -> None:
        with suppress(RunLeaseLost):
            async with self._ctx.db.writing() as tx:
                run = await run_queue.fail(tx, claimed, detail, self._ctx.clock.now())
                await self._notify(tx, claimed, run)
            log.info("export failed", export=claimed.export.id, run=run.id, detail=detail)

    async def _notify(self, tx: WriteTransaction, claimed: ClaimedExport, run: ExportRun) -> None:
        ctx = self._ctx
        await notifications.notify_recipients(tx, ctx.secret_box, ctx.settings.base_url, claimed.export, run)


async def delete_expired_files(ctx: AppContext) -> None:
    """Delete the files of runs that have expired or whose export was deleted, and what killed processes have left."""
    await execution.delete_expired(ctx.db, ctx.files, ctx.clock.now())
    await asyncio.to_thread(execution.delete_left_files, ctx.settings.exports_folder)
