"""Hourly cleanup of expired data, and repair of due times that were written while the clock was ahead."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.domain.api_keys import idempotency
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.datasources.cleanup import delete_ended_rows
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.files.cleanup import delete_unreferenced
from formwright.domain.mail import queue
from formwright.domain.mail import service as mail
from formwright.domain.submissions.imports import service as imports
from formwright.domain.users.auth import throttling
from formwright.domain.webhooks import cleanup, clock_skew
from formwright.worker.exports import delete_expired_files
from formwright.worker.missed_work import add_missed_work
from formwright.worker.subscriber_alerts import retry_policy_from

_EVERY_S = 3600.0
_DAY_MS = 24 * 3600 * 1000

log = structlog.get_logger()


async def run_cleanup(ctx: AppContext) -> None:
    """Run every cleanup now and then every hour, until cancelled. Safe to run in several processes."""
    while True:
        for kind in (
            correct_due_times,
            _delete_unreferenced_files,
            _delete_ended_rows,
            _delete_idle_uploads,
            _delete_old_imports,
            _delete_old_mails,
            _delete_old_throttles,
            delete_expired_events,
            _delete_old_replies,
            _delete_old_bulk_changes,
            delete_expired_files,
        ):
            await _run_one(ctx, kind)
        await asyncio.sleep(_EVERY_S)


async def _run_one(ctx: AppContext, cleanup_task: Callable[[AppContext], Awaitable[None]]) -> None:
    """Run one cleanup. Errors are logged, so that the others still run."""
    try:
        await cleanup_task(ctx)
    except Unavailable as error:
        name = cleanup_task.__name__.strip("_")
        log.warning("cleanup skipped: database unavailable", kind=name, detail=str(error))
    except Exception:
        log.exception("cleanup failed", kind=cleanup_task.__name__.strip("_"))


async def correct_due_times(ctx: AppContext) -> None:
    """Make deliveries and emails due now whose next attempt was scheduled while the clock was ahead."""
    now = ctx.clock.now()
    deliveries = await clock_skew.correct_due_times(ctx.db, now, retry_policy_from(ctx.settings))
    async with ctx.db.writing() as tx:
        mails = await queue.correct_due_times(tx, now)
    if deliveries or mails:
        # The rows in `due_work` were written with the same wrong clock, and may be too late as well.
        await add_missed_work(ctx)
        log.warning(
            "the clock was ahead: deferred deliveries and emails are due now", deliveries=deliveries, mails=mails
        )


async def _delete_unreferenced_files(ctx: AppContext) -> None:
    if count := await delete_unreferenced(ctx.db, ctx.files, ctx.clock.now()):
        log.info("unused files deleted", count=count)


async def _delete_ended_rows(ctx: AppContext) -> None:
    if count := await delete_ended_rows(ctx.db, ctx.clock.now()):
        log.info("old rows of data sources deleted", count=count)


async def _delete_idle_uploads(ctx: AppContext) -> None:
    await uploads.delete_idle(ctx.db, ctx.files, ctx.clock.now())


async def _delete_old_imports(ctx: AppContext) -> None:
    await imports.delete_old(ctx.db, ctx.files, ctx.clock.now())


async def _delete_old_mails(ctx: AppContext) -> None:
    await mail.delete_old(ctx.db, ctx.clock.now())
    await asyncio.to_thread(ctx.mail_transport.delete_before, ctx.clock.now() - mail.RETENTION_MS)


async def _delete_old_throttles(ctx: AppContext) -> None:
    await throttling.delete_expired(ctx.db, ctx.clock.now())


async def _delete_old_replies(ctx: AppContext) -> None:
    await idempotency.delete_expired(ctx.db, ctx.clock.now())


async def _delete_old_bulk_changes(ctx: AppContext) -> None:
    await bulk_changes.delete_expired(ctx.db, ctx.clock.now())


async def delete_expired_events(ctx: AppContext) -> None:
    """Delete events and delivery logs that are past their retention period."""
    events, deliveries = await cleanup.delete_expired(
        ctx.db,
        ctx.clock.now(),
        event_retention_ms=ctx.settings.event_days * _DAY_MS,
        delivery_retention_ms=ctx.settings.delivery_days * _DAY_MS,
    )
    if events or deliveries:
        log.info("old events and deliveries deleted", events=events, deliveries=deliveries)
