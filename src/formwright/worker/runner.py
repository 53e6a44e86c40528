"""Runs all worker loops concurrently."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.worker.cleanup import run_cleanup
from formwright.worker.datasource_sync import PullWorker
from formwright.worker.downloads import DownloadWorker
from formwright.worker.due_accounts import DueWorker
from formwright.worker.exports import ExportWorker
from formwright.worker.index_builder import IndexBuilder
from formwright.worker.mail_delivery import MailWorker
from formwright.worker.missed_work import check_missed_work
from formwright.worker.receipts import ReceiptWorker
from formwright.worker.scheduler import Scheduler
from formwright.worker.submission_alerts import SubmissionAlerts
from formwright.worker.submission_imports import ImportWorker
from formwright.worker.subscriber_alerts import SubscriberAlerts, retry_policy_from
from formwright.worker.trash_purger import TrashPurger
from formwright.worker.webhook_delivery import DeliveryWorker

_USAGE_S = 5.0

log = structlog.get_logger()


def build_loops(ctx: AppContext) -> tuple[list[Coroutine[Any, Any, None]], Callable[[Collection[WorkKind]], None]]:
    """Return the worker's loops, and a function that wakes those for some kinds of work after a commit."""
    loops: dict[WorkKind, DueWorker] = {
        WorkKind.WEBHOOK: DeliveryWorker(ctx, retry_policy_from(ctx.settings)),
        WorkKind.MAIL: MailWorker(ctx),
        WorkKind.PULL: PullWorker(ctx),
        WorkKind.TASK: Scheduler(ctx, WorkKind.TASK),
        WorkKind.INVITE: Scheduler(ctx, WorkKind.INVITE),
        WorkKind.INDEX: IndexBuilder(ctx),
        WorkKind.WEBHOOK_ALERT: SubscriberAlerts(ctx),
        WorkKind.TRASH: TrashPurger(ctx),
        WorkKind.IMPORT: ImportWorker(ctx),
        WorkKind.EXPORT: ExportWorker(ctx),
        WorkKind.DOWNLOAD: DownloadWorker(ctx),
        WorkKind.SUBMISSION_ALERT: SubmissionAlerts(ctx),
        WorkKind.RECEIPT: ReceiptWorker(ctx),
    }

    def wake(kinds: Collection[WorkKind]) -> None:
        for kind in kinds:
            loops[kind].wake()

    return [*(loop.run() for loop in loops.values()), run_cleanup(ctx), check_missed_work(ctx)], wake


async def write_usage(ctx: AppContext) -> None:
    """Store every few seconds which API keys were used, until cancelled, and once more at the end."""
    try:
        while True:
            await asyncio.sleep(_USAGE_S)
            await _write_usage(ctx)
    finally:
        await _write_usage(ctx)


async def _write_usage(ctx: AppContext) -> None:
    try:
        await ctx.usage.flush(ctx.db)
    except Unavailable as error:
        log.warning("API key usage not stored: database unavailable", detail=str(error))
    except Exception:
        log.exception("API key usage could not be stored")
