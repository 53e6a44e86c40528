"""Runs all worker loops concurrently."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.worker.cleanup import clean
from formwright.worker.datasource_sync import Puller
from formwright.worker.index_builder import keep_indexes
from formwright.worker.mail_delivery import Mailer
from formwright.worker.scheduler import Scheduler
from formwright.worker.subscriber_alerts import terms, watch
from formwright.worker.webhook_delivery import Deliverer

_USAGE_S = 5.0

log = structlog.get_logger()


def work(ctx: AppContext) -> tuple[list[Coroutine[Any, Any, None]], Callable[[], None]]:
    """Return the worker's loops, and a function that wakes them after a commit."""
    delivering, mailer = Deliverer(ctx, terms(ctx.settings)), Mailer(ctx)

    def wake() -> None:
        delivering.wake()
        mailer.wake()

    others = [clean(ctx), Puller(ctx).run(), keep_indexes(ctx), watch(ctx), Scheduler(ctx).run()]
    return [delivering.run(), mailer.run(), *others], wake


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
