"""Runs time-based changes of invites and tasks, each due item in its own transaction.

An item that fails is retried after a minute, so that it does not delay others.
"""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import structlog

from formwright.context import AppContext
from formwright.core.crypto import SecretBox
from formwright.core.db import due_work
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.invites import scheduler as invites
from formwright.domain.tasks import scheduler as tasks
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 1.0
_RETRY_MS = 60_000
_AT_ONCE = 100

log = structlog.get_logger()


class _Schedule(NamedTuple):
    """A kind of item that can be due, and what to do with one."""

    due: DueRows
    work: Callable[[WriteTransaction, SecretBox, str, str], Awaitable[Any]]


_SCHEDULES = {
    WorkKind.INVITE: _Schedule(invites.DUE, invites.run_due),
    WorkKind.TASK: _Schedule(tasks.DUE, tasks.run_due),
}


class Scheduler(DueWorker):
    """A worker loop for invites or tasks. Any number of them may run on the same database."""

    def __init__(self, ctx: AppContext, kind: WorkKind, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        super().__init__(ctx, kind, poll_interval_s=poll_interval_s)
        self._kind, self._schedule = kind, _SCHEDULES[kind]
        self._retry_at: dict[str, dict[str, int]] = {}
        """When failed items are retried (milliseconds), by account and id."""
        self._done = 0

    async def run_batch(self) -> int:
        """Run a batch of due items of each account, and return how many changed."""
        before = self._done
        await self._loop.run_batch()
        return self._done - before

    async def _work(self, customer_id: str, _: int) -> bool:
        now = self._ctx.clock.now()
        failed = self._drop_retried(customer_id, now)
        async with self._ctx.db.reading() as tx:
            # Failed items are still due. Without the extra ones, a hundred of them would hide all others.
            due = await self._schedule.due.list_ids(tx, customer_id, now, _AT_ONCE + len(failed))
        ids = [id_ for id_ in due if id_ not in failed][:_AT_ONCE]
        for id_ in ids:
            if not await self._run_item(customer_id, id_):
                failed[id_] = now + _RETRY_MS
        await self._settle(customer_id, failed)
        return bool(ids)

    def _drop_retried(self, customer_id: str, now: int) -> dict[str, int]:
        """Forget the failed items of an account that may be retried, and return the others."""
        failed = self._retry_at.pop(customer_id, {})
        # If the clock was set back, the times would be too late.
        return {id_: at for id_, at in failed.items() if now < at <= now + _RETRY_MS}

    async def _settle(self, customer_id: str, failed: dict[str, int]) -> None:
        if failed:
            self._retry_at[customer_id] = failed

        async def find_next_due(tx: ReadTransaction, customer_id: str, _: int) -> int | None:
            due = await self._schedule.due.find_next_due_except(tx, customer_id, list(failed))
            times = [*failed.values(), *([] if due is None else [due])]
            return min(times, default=None)

        async with self._ctx.db.writing() as tx:
            await due_work.settle(tx, self._kind, customer_id, self._ctx.clock.now(), find_next_due)

    async def _run_item(self, customer_id: str, id_: str) -> bool:
        """Run an item and return whether it succeeded."""
        try:
            async with self._ctx.db.writing() as tx:
                done = await self._schedule.work(tx, self._ctx.secret_box, customer_id, id_)
        except Unavailable:
            raise
        except Exception:
            log.exception("scheduled item failed", kind=self._kind.lower(), id=id_)
            return False
        if done:
            self._done += 1
            log.info("due", kind=self._kind.lower(), id=id_, status=done.status)
        return True
