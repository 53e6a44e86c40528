"""Runs all worker loops concurrently."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.worker.cleanup import run_cleanup
from formwright.worker.datasource_sync import PullWorker
from formwright.worker.index_builder import build_indexes
from formwright.worker.mail_delivery import MailWorker
from formwright.worker.scheduler import Scheduler
from formwright.worker.subscriber_alerts import retry_policy_from, run_checks
from formwright.worker.webhook_delivery import DeliveryWorker

_USAGE_S = 5.0

log = structlog.get_logger()


def build_loops(ctx: AppContext) -> tuple[list[Coroutine[Any, Any, None]], Callable[[], None]]:
    """Return the worker's loops, and a function that wakes them after a commit."""
    deliveries, mails = DeliveryWorker(ctx, retry_policy_from(ctx.settings)), MailWorker(ctx)

    def wake() -> None:
        deliveries.wake()
        mails.wake()

    others = [run_cleanup(ctx), PullWorker(ctx).run(), build_indexes(ctx), run_checks(ctx), Scheduler(ctx).run()]
    return [deliveries.run(), mails.run(), *others], wake


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
