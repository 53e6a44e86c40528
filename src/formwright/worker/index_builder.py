"""Fills and clears the indexes of answers, a piece at a time, when a form marks a field or no longer does."""

import asyncio

import structlog

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.domain.submissions.answer_index import fill_some

_LOOK_S = 2.0
_PAUSE_S = 0.02

log = structlog.get_logger()


async def keep_indexes(ctx: AppContext) -> None:
    """Until cancelled. Several processes may do so side by side; between two pieces those who write have their turn."""
    while True:
        try:
            more = await fill_some(ctx.db)
        except Unavailable as error:
            log.warning("indexes of answers wait for the database", detail=str(error))
            more = False
        except Exception:
            log.exception("an index of answers cannot be filled")
            more = False
        await asyncio.sleep(_PAUSE_S if more else _LOOK_S)
