"""Runs exports, and deletes their files when they expire."""

import asyncio
from contextlib import suppress

import structlog

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.exports import execution, notifications, run_queue
from formwright.domain.exports.models import ExportRun, RunFile
from formwright.domain.exports.owners import ExportRejected
from formwright.domain.exports.run_queue import ClaimedRun, RunLeaseLost
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 1.0
_RENEW_S = 15.0
_AT_ONCE = 2
"""Exports that run at the same time in a process. Each one is limited by the computing thread anyway."""
_CLEANUP_BATCH = 100
_INTERNAL_ERROR = "An internal error occurred. Tell the operator of this server."

log = structlog.get_logger()


class ExportWorker(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(
        self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S, renew_s: float = _RENEW_S
    ) -> None:
        super().__init__(ctx, WorkKind.EXPORT, poll_interval_s=poll_interval_s)
        self._renew_s = renew_s
        self._storage = execution.Storage(ctx.files, ctx.settings.exports_folder, ctx.destination_rules)
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

    async def _run_claimed(self, claimed: ClaimedRun) -> None:
        run, export = claimed.run, claimed.export
        try:
            files = await self._write_files(claimed)
        except RunLeaseLost:
            await self._discard(claimed)
            return
        except ExportRejected as error:
            await self._fail(claimed, str(error))
            return
        except Unavailable:
            raise
        except Exception:
            log.exception("export failed", export=export.id, run=run.id)
            await self._fail(claimed, _INTERNAL_ERROR)
            return
        try:
            async with self._ctx.db.writing() as tx:
                done = await run_queue.complete(tx, claimed, files, self._ctx.clock.now())
                await self._notify(tx, claimed, done)
        except RunLeaseLost:
            await self._discard(claimed)
            return
        log.info("export completed", export=export.id, run=run.id, rows=done.rows)

    async def _write_files(self, claimed: ClaimedRun) -> list[RunFile]:
        """Write the files while the lease is renewed. Raises `RunLeaseLost` if that fails."""
        rows = 0

        def report(count: int) -> None:
            nonlocal rows
            rows = count

        async def renew() -> None:
            while True:
                await asyncio.sleep(self._renew_s)
                with suppress(Unavailable):
                    async with self._ctx.db.writing() as tx:
                        if not await run_queue.renew_lease(tx, claimed, self._ctx.clock.now(), rows):
                            return

        writing = asyncio.create_task(
            execution.write_files(self._ctx.db, self._storage, claimed, self._ctx.clock.now(), report)
        )
        renewing = asyncio.create_task(renew())
        try:
            await asyncio.wait([writing, renewing], return_when=asyncio.FIRST_COMPLETED)
            if not writing.done():
                raise RunLeaseLost()
            return await writing
        finally:
            for task in (writing, renewing):
                task.cancel()
            await asyncio.gather(writing, renewing, return_exceptions=True)

    async def _fail(self, claimed: ClaimedRun, detail: str) -> None:
        with suppress(RunLeaseLost):
            async with self._ctx.db.writing() as tx:
                run = await run_queue.fail(tx, claimed, detail, self._ctx.clock.now())
                await self._notify(tx, claimed, run)
            log.info("export failed", export=claimed.export.id, run=run.id, detail=detail)

    async def _notify(self, tx: WriteTransaction, claimed: ClaimedRun, run: ExportRun) -> None:
        ctx = self._ctx
        await notifications.notify_recipients(tx, ctx.secret_box, ctx.settings.base_url, claimed.export, run)

    async def _discard(self, claimed: ClaimedRun) -> None:
        """Delete what was stored for an export that was deleted during the run. Another worker's files stay."""
        async with self._ctx.db.reading() as tx:
            is_deleted = await run_queue.is_deleted(tx, claimed)
        if is_deleted:
            await execution.delete_run_files(self._ctx.files, claimed.run)


async def delete_expired_files(ctx: AppContext) -> None:
    """Delete the files of runs that have expired or whose export was deleted."""
    while True:
        async with ctx.db.reading() as tx:
            expired = await run_queue.list_expired(tx, ctx.clock.now(), _CLEANUP_BATCH)
        for run in expired:
            await execution.delete_run_files(ctx.files, run)
            async with ctx.db.writing() as tx:
                await run_queue.forget_files(tx, run)
        if len(expired) < _CLEANUP_BATCH:
            return
