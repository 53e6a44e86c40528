"""SQL of alerts about new submissions."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.work_kinds import WorkKind
from formwright.domain.submission_alerts.models import Alert, AlertFrequency

_COLUMNS = "customer_id, user_id, form_id, frequency, since, due"
_ALERTS = RecordTable[Alert]("submission_alerts", _COLUMNS)
DUE = DueRows("submission_alerts", columns=_COLUMNS, key="user_id, form_id")


_alert_reader = RecordReader(Alert)


async def find_list_settings(
    tx: ReadTransaction, scope: Scope, user_id: str, form_id: str
) -> tuple[list[str] | None, AlertFrequency | None]:
    row = await tx.fetch_one(
        "SELECT chosen.columns, alert.frequency FROM customers LEFT JOIN submission_columns AS chosen"
        " ON chosen.customer_id = $1 AND chosen.user_id = $2 AND chosen.form_id = $3"
        " LEFT JOIN submission_alerts AS alert"
        " ON alert.customer_id = $1 AND alert.user_id = $2 AND alert.form_id = $3 WHERE customers.customer_id = $1",
        scope.customer_id,
        user_id,
        form_id,
    )
    columns, frequency = row or (None, None)
    return (
        msgspec.json.decode(columns, type=list[str]) if columns else None,
        AlertFrequency(frequency) if frequency else None,
    )


async def replace(tx: WriteTransaction, scope: Scope, user_id: str, form_id: str, alert: Alert | None) -> None:
    """Store the alert of a user for a form, or delete it."""
    await tx.execute(
        "DELETE FROM submission_alerts WHERE customer_id = $1 AND user_id = $2 AND form_id = $3",
        scope.customer_id,
        user_id,
        form_id,
    )
    if alert:
        tx.schedule(WorkKind.SUBMISSION_ALERT, alert.customer_id, alert.due)
        await _ALERTS.insert(tx, alert)


async def list_due(tx: ReadTransaction, scope: Scope, now: int, limit: int) -> list[Alert]:
    """Return the alerts that are due, the longest overdue first."""
    return [_alert_reader(row) for row in await DUE.fetch(tx, scope.customer_id, now, limit)]


async def count_new(tx: ReadTransaction, alert: Alert, limit: int) -> int:
    """Count the submissions that arrived after `alert.since`, but no more than `limit`.

    The time of arrival is that of the first revision: the submission time of an offline device may be days earlier.
    """
    row = await tx.fetch_one(
        "SELECT count(*) FROM (SELECT 1 FROM submissions WHERE customer_id = $1 AND form_id = $2 AND updated > $3"
        " AND status <> 'STARTED' AND NOT EXISTS (SELECT 1 FROM submission_revisions AS earlier"
        " WHERE earlier.customer_id = $1 AND earlier.submission_id = submissions.id AND earlier.updated <= $3)"
        f" LIMIT {limit}) AS found",
        alert.customer_id,
        alert.form_id,
        alert.since,
    )
    return int(row[0]) if row else 0
