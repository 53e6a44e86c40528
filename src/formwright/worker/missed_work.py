"""Finds due work that the table `due_work` does not know, and adds it.

This happens if a process of a previous version created the work, the clock was set back, or Citus lost its coordinator
between the commits of the account's machine and its own. The queries look at all accounts, so they run rarely.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.datasources.sync import queue as pulls
from formwright.domain.exports import run_queue as exports
from formwright.domain.invites import scheduler as invites
from formwright.domain.mail import queue as mails
from formwright.domain.receipts import service as receipts
from formwright.domain.submission_alerts import service as submission_alerts
from formwright.domain.submissions import answer_index
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.text_search import indexing
from formwright.domain.tasks import scheduler as tasks
from formwright.domain.trash import purge
from formwright.domain.webhooks import delivery_queue, failing_subscribers

_EVERY_S = 300.0

FindDueAccounts = Callable[[ReadTransaction, int], Awaitable[list[str]]]
"""Returns the ids of all accounts with due work at a time (milliseconds)."""

_QUERIES: dict[WorkKind, FindDueAccounts] = {
    WorkKind.WEBHOOK: delivery_queue.find_due_accounts,
    WorkKind.MAIL: mails.DUE.find_due_accounts,
    WorkKind.PULL: pulls.find_due_accounts,
    WorkKind.TASK: tasks.DUE.find_due_accounts,
    WorkKind.INVITE: invites.DUE.find_due_accounts,
    WorkKind.IMPORT: imports.DUE.find_due_accounts,
    WorkKind.EXPORT: exports.find_due_accounts,
    WorkKind.DOWNLOAD: exports.find_accounts_with_downloads,
    WorkKind.INDEX: lambda tx, _: _find_unindexed_accounts(tx),
    WorkKind.WEBHOOK_ALERT: lambda tx, _: failing_subscribers.find_due_accounts(tx),
    WorkKind.SUBMISSION_ALERT: submission_alerts.DUE.find_due_accounts,
    WorkKind.RECEIPT: receipts.DUE.find_due_accounts,
    WorkKind.TRASH: purge.find_due_accounts,
}

log = structlog.get_logger()


async def _find_unindexed_accounts(tx: ReadTransaction) -> list[str]:
    return sorted({*await answer_index.find_due_accounts(tx), *await indexing.find_due_accounts(tx)})


async def check_missed_work(ctx: AppContext) -> None:
    """Check now and every five minutes, until cancelled. Safe to run in several processes."""
    while True:
        await add_missed_work(ctx)
        await asyncio.sleep(_EVERY_S)


async def add_missed_work(ctx: AppContext) -> None:
    """Make missed work of every kind due. Errors are logged, so that the other kinds are still checked."""
    for kind, find_due_accounts in _QUERIES.items():
        try:
            await _add_missed(ctx, kind, find_due_accounts)
        except Unavailable as error:
            log.warning("check for missed work skipped: database unavailable", kind=kind, detail=str(error))
        except Exception:
            log.exception("check for missed work failed", kind=kind)


async def _add_missed(ctx: AppContext, kind: WorkKind, find_due_accounts: FindDueAccounts) -> None:
    now = ctx.clock.now()
    async with ctx.db.reading() as tx:
        missed = await due_work.find_missing(tx, kind, await find_due_accounts(tx, now), now)
    if missed:
        async with ctx.db.writing() as tx:
            for customer_id in missed:
                tx.schedule(kind, customer_id, now)
        log.info("missed work is due now", kind=kind, accounts=len(missed))
