"""Builds and clears answer indexes when the indexed fields of a form change, and indexes the texts of submissions."""

import asyncio

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.interface import ReadTransaction
from formwright.core.work_kinds import WorkKind
from formwright.domain.submissions import answer_index
from formwright.domain.submissions.text_search import indexing
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 2.0
_PAUSE_S = 0.02
_RETRY_MS = 60_000


class IndexBuilder(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        super().__init__(ctx, WorkKind.INDEX, poll_interval_s=poll_interval_s)

    async def _work(self, customer_id: str, _: int) -> bool:
        answers_done = await answer_index.run_backfill_step(self._ctx.db, customer_id)
        is_successful = await indexing.run_step(self._ctx.db, customer_id) or answers_done

        async def find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
            if not (
                await answer_index.has_unfinished(tx, customer_id) or await indexing.has_unfinished(tx, customer_id)
            ):
                return None
            return now if is_successful else now + _RETRY_MS

        async with self._ctx.db.writing() as tx:
            await due_work.settle(tx, WorkKind.INDEX, customer_id, self._ctx.clock.now(), find_next_due)
        # Other writers of the account get a chance between batches.
        await asyncio.sleep(_PAUSE_S)
        return is_successful
