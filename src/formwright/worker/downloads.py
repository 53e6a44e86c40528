"""Writes the files that people request on pages, and erases persons."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import parse_qsl

import structlog

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.request_context import Caller
from formwright.core.db import due_work
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.customers import service as customers
from formwright.domain.exports import execution, planning, reading, run_queue
from formwright.domain.exports.formats import FORMATS
from formwright.domain.exports.models import (
    ERASURE,
    PERSONAL_DATA_ZIP,
    REPORT_ZIP,
    Download,
    ExportRun,
    Progress,
    RunFile,
)
from formwright.domain.exports.owners import ExportRejected, load_owner
from formwright.domain.exports.planning import FormPlan
from formwright.domain.exports.reading import ExportTimedOut
from formwright.domain.exports.run_queue import ClaimedRun, RunLeaseLost
from formwright.domain.exports.table import OfficeLayout
from formwright.domain.privacy import archive as personal_data
from formwright.domain.privacy import erasure
from formwright.domain.privacy.discovery import find_or_raise
from formwright.domain.privacy.models import NothingFound, Subject, parse_subject
from formwright.domain.reports import archive as reports
from formwright.domain.saved_views.list_query import AccountReader, parse_list_query
from formwright.domain.submissions import service as submissions
from formwright.worker.due_accounts import TaskWorker
from formwright.worker.exports import discard, open_storage, run_with_lease

_POLL_INTERVAL_S = 0.5
_RENEW_S = 1.0
"""Pages show the progress that was saved with the lease."""
_AT_ONCE = 8
_INTERNAL_ERROR = "Something went wrong. Try again."

log = structlog.get_logger()


class DownloadWorker(TaskWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes.

    Unlike exports, the downloads of an account do not wait for each other, because each has somebody who waits for it.
    """

    def __init__(
        self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S, renew_s: float = _RENEW_S
    ) -> None:
        super().__init__(ctx, WorkKind.DOWNLOAD, _AT_ONCE, poll_interval_s=poll_interval_s)
        self._renew_s = renew_s
        self._storage = open_storage(ctx)

    async def run_batch(self) -> int:
        """Start downloads of a batch of due accounts, wait for them, and return the number of accounts."""
        count = await super().run_batch()
        await asyncio.gather(*self._running)
        return count

    async def _work(self, customer_id: str, share: int) -> bool:
        started = 0
        while started < share and (claimed := await self._claim(customer_id)):
            self._start(self._run(claimed))
            started += 1
        async with self._ctx.db.writing() as tx:
            now = self._ctx.clock.now()
            await due_work.settle(
                tx,
                WorkKind.DOWNLOAD,
                customer_id,
                now,
                lambda tx, account, _: run_queue.find_next_download(tx, account),
            )
        return started > 0

    async def _claim(self, customer_id: str) -> ClaimedRun | None:
        async with self._ctx.db.writing() as tx:
            return await run_queue.claim_download(tx, customer_id, self._ctx.clock.now())

    async def _run(self, claimed: ClaimedRun) -> None:
        try:
            await self._run_claimed(claimed)
        except RunLeaseLost:
            with suppress(Unavailable):
                await discard(self._ctx, claimed.run)
        except Unavailable as error:
            # It is repeated when the lease ends.
            log.warning("download interrupted", run=claimed.run.id, detail=str(error))

    async def _run_claimed(self, claimed: ClaimedRun) -> None:
        ctx, run, progress = self._ctx, claimed.run, Progress()
        files, detail = list[RunFile](), ""
        try:
            files = await run_with_lease(ctx, claimed, progress, self._write_files(claimed, progress), self._renew_s)
        except (DomainError, ExportRejected) as error:
            # Without the database, the outcome cannot be saved either. A timeout is final: a repetition would take as
            # long.
            if isinstance(error, Unavailable) and not isinstance(error, ExportTimedOut):
                raise
            detail = error.text if isinstance(error, DomainError) else str(error)
            log.info("download rejected", run=run.id, detail=detail)
        except RunLeaseLost:
            raise
        except Exception:
            log.exception("download failed", run=run.id)
            detail = _INTERNAL_ERROR
        async with ctx.db.writing() as tx:
            now = ctx.clock.now()
            await run_queue.end_download(tx, claimed, now, progress.rows, files, detail)

    async def _write_files(self, claimed: ClaimedRun, progress: Progress) -> list[RunFile]:
        ctx, run = self._ctx, claimed.run
        if run.download is None or run.user_id is None:
            raise TypeError(run.id)
        async with ctx.db.reading() as tx:
            actor = await load_owner(tx, run.customer_id, run.user_id, ctx.clock.now())
            reader = AccountReader(await customers.get(tx, actor), actor)
        # Changes, such as those of an erasure, are attributed to the request.
        request_context.current_caller.set(Caller(run.download.address, actor=actor))
        work = _DownloadWork(ctx, reader, run, run.download, progress)
        if run.download.kind == ERASURE:
            await work.erase(is_repeat=claimed.is_repeat)
            return []
        name = f"{run.download.name}.{run.download.kind}"
        return [await execution.store_download(self._storage, claimed, name, work.write)]


@dataclass(frozen=True, slots=True)
class _DownloadWork:
    """What a download does, for a reader with the permissions of the user who requested it."""

    ctx: AppContext
    reader: AccountReader
    run: ExportRun
    download: Download
    progress: Progress

    async def write(self, file: IO[bytes], folder: Path) -> None:
        """Write the file. Temporary files go into the folder."""
        ctx, actor = self.ctx, self.reader.actor
        if self.download.kind == PERSONAL_DATA_ZIP:
            async with ctx.db.reading(long=True) as tx:
                found = await find_or_raise(tx, actor, self._subject)
            await personal_data.write_zip(ctx.db, ctx.files, actor, found, file, self._report)
        elif self.download.kind == REPORT_ZIP:
            await reports.write_zip(ctx.db, ctx.files, actor, await self._list_ids(), file, self._report)
        else:
            async with ctx.db.reading(long=True) as tx:
                plan = await self._plan(tx)
            format_, timeout_s = FORMATS[self.download.kind], reading.DOWNLOAD_TIMEOUT_S
            await execution.write_table(ctx.db, actor, format_, plan, file, folder, self.progress, timeout_s=timeout_s)

    async def _plan(self, tx: ReadTransaction) -> FormPlan:
        params = parse_qsl(self.download.query.removeprefix("?"), keep_blank_values=True)
        # The last days of the list are counted from when it was shown.
        query = parse_list_query(params, now=self.run.created)
        layout = OfficeLayout(self.download.origin) if self.download.kind == "xlsx" else None
        for_import = ("for", "import") in params
        plan = await planning.plan_download(tx, self.reader, query, for_import=for_import, layout=layout)
        if plan is None:
            raise ExportRejected("The form no longer exists, or you may no longer read its submissions.")
        return plan

    async def _list_ids(self) -> list[str]:
        async with self.ctx.db.reading(long=True) as tx:
            criteria = (await self._plan(tx)).criteria
            found = await submissions.list_revisions(tx, self.reader.actor, criteria, limit=reports.MAX_REPORTS + 1)
        if len(found) > reports.MAX_REPORTS:
            raise ExportRejected(f"There are more than {reports.MAX_REPORTS:,} submissions. Filter the list.")
        return [submission_id for submission_id, _ in found]

    async def erase(self, *, is_repeat: bool) -> None:
        """Erase a person, or what an interrupted erasure has left of them."""
        ctx = self.ctx
        try:
            async for done in erasure.erase(ctx.db, ctx.files, self.reader.actor, self._subject, ctx.clock.now):
                self._report(done.submissions)
        except NothingFound:
            # The process ended between the last step and saving the outcome.
            if not is_repeat:
                raise
        await execution.delete_expired(ctx.db, ctx.files, ctx.clock.now())

    @property
    def _subject(self) -> Subject:
        return parse_subject(dict(parse_qsl(self.download.query)))

    def _report(self, count: int) -> None:
        self.progress.rows = count
