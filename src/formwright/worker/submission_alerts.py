"""Sends the emails about new submissions that users have asked for."""

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.work_kinds import WorkKind
from formwright.domain.submission_alerts import service as alerts
from formwright.domain.submission_alerts.service import AlertMailer
from formwright.worker.due_accounts import DueWorker

_POLL_INTERVAL_S = 5.0


class SubmissionAlerts(DueWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, *, poll_interval_s: float = _POLL_INTERVAL_S) -> None:
        super().__init__(ctx, WorkKind.SUBMISSION_ALERT, poll_interval_s=poll_interval_s)
        self._mailer = AlertMailer(ctx.secret_box, ctx.settings.base_url)

    async def _work(self, customer_id: str, _: int) -> bool:
        async with self._ctx.db.writing() as tx:
            now = self._ctx.clock.now()
            count = await alerts.run_due(tx, customer_id, self._mailer, now)
            await due_work.settle(tx, WorkKind.SUBMISSION_ALERT, customer_id, now, alerts.DUE.find_next_due)
        return count > 0
