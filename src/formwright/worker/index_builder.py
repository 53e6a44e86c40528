"""Builds and clears answer indexes in small batches after a form starts or stops indexing a field."""

import asyncio

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.domain.submissions.answer_index import run_backfill_step

_POLL_INTERVAL_S = 2.0
_PAUSE_S = 0.02

log = structlog.get_logger()


async def build_indexes(ctx: AppContext) -> None:
    """Run until cancelled. Safe to run in several processes; pauses between batches let other writers in."""
    while True:
        try:
            more = await run_backfill_step(ctx.db)
        except Unavailable as error:
            log.warning("answer indexing delayed: database unavailable", detail=str(error))
            more = False
        except Exception:
            log.exception("answer indexing failed")
            more = False
        await asyncio.sleep(_PAUSE_S if more else _POLL_INTERVAL_S)
