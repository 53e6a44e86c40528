"""SQL of receipts."""

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.work_kinds import WorkKind
from formwright.domain.receipts.models import Receipt, ReceiptOutcome, ReceiptSettings

_COLUMNS = "customer_id, form_id, recipient, field, since, due"
_SETTINGS = RecordTable[ReceiptSettings]("receipt_settings", _COLUMNS)
insert = RecordTable[Receipt]("receipts", "customer_id, submission_id, form_id, outcome, address, created").insert_many
DUE = DueRows("receipt_settings", columns=_COLUMNS, key="form_id")


_settings_reader = RecordReader(ReceiptSettings)


async def find_settings(tx: ReadTransaction, scope: Scope, form_id: str) -> ReceiptSettings | None:
    row = await tx.fetch_one(
        f"SELECT {_COLUMNS} FROM receipt_settings WHERE customer_id = $1 AND form_id = $2", scope.customer_id, form_id
    )
    return _settings_reader(row) if row else None


async def replace_settings(tx: WriteTransaction, settings: ReceiptSettings) -> None:
    """Store the settings of a form, or delete them if nobody gets receipts."""
    await tx.execute(
        "DELETE FROM receipt_settings WHERE customer_id = $1 AND form_id = $2", settings.customer_id, settings.form_id
    )
    if settings.recipient:
        tx.schedule(WorkKind.RECEIPT, settings.customer_id, settings.due)
        await _SETTINGS.insert(tx, settings)


async def list_due(tx: ReadTransaction, scope: Scope, now: int, limit: int) -> list[ReceiptSettings]:
    """Return the settings of forms that are due, the longest overdue first."""
    return [_settings_reader(row) for row in await DUE.fetch(tx, scope.customer_id, now, limit)]


async def list_new(tx: ReadTransaction, settings: ReceiptSettings, until: int, limit: int) -> list[tuple[str, int]]:
    """Return id and time of the submissions from the form's page that became complete after `since`, oldest first.

    A submission that was complete before, at an earlier revision, is not new, and one that has a receipt neither.
    """
    rows = await tx.fetch(
        "SELECT id, updated FROM submissions WHERE customer_id = $1 AND form_id = $2 AND updated > $3 AND updated <= $4"
        " AND status <> 'STARTED' AND client_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM submission_revisions AS earlier WHERE earlier.customer_id = $1"
        " AND earlier.submission_id = submissions.id AND earlier.updated <= $3 AND earlier.status <> 'STARTED')"
        " AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.customer_id = $1"
        f" AND receipts.submission_id = submissions.id) ORDER BY updated, id LIMIT {limit}",
        settings.customer_id,
        settings.form_id,
        settings.since,
        until,
    )
    return [(str(row[0]), int(row[1])) for row in rows]


async def count_to_address(tx: ReadTransaction, scope: Scope, address: str, after: int, limit: int) -> int:
    """Count the receipts to this mailbox that were queued after a time (milliseconds), but no more than `limit`."""
    row = await tx.fetch_one(
        "SELECT count(*) FROM (SELECT 1 FROM receipts WHERE customer_id = $1 AND address = $2 AND created > $3"
        f" AND outcome = 'QUEUED' LIMIT {limit}) AS found",
        scope.customer_id,
        address,
        after,
    )
    return int(row[0]) if row else 0


async def count_of_form(
    tx: ReadTransaction, scope: Scope, form_id: str, outcome: ReceiptOutcome, after: int, limit: int
) -> int:
    """Count the receipts of a form with this outcome after a time (milliseconds), but no more than `limit`."""
    row = await tx.fetch_one(
        "SELECT count(*) FROM (SELECT 1 FROM receipts WHERE customer_id = $1 AND form_id = $2 AND outcome = $3"
        f" AND created > $4 LIMIT {limit}) AS found",
        scope.customer_id,
        form_id,
        outcome,
        after,
    )
    return int(row[0]) if row else 0
