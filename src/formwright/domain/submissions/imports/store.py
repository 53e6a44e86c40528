"""The SQL of imports of submissions."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.submissions.imports.models import (
    ACTIVE,
    SubmissionImportStatus,
    SubmissionsImport,
)

_COLUMNS = (
    "id, customer_id, form_id, version_id, file_name, kind, size, actor, options, status, errors, total, checked,"
    " imported, rejected, next_line, due, tries, created, updated, revision, ended"
)
_SELECT = f"SELECT {_COLUMNS} FROM submission_imports"
insert = RecordTable[SubmissionsImport]("submission_imports", _COLUMNS).insert
_STAGED = f"status = '{SubmissionImportStatus.ARRIVING}'"
_ACTIVE = ", ".join(f"'{status}'" for status in ACTIVE)
DUE = DueRows("submission_imports")


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_import_reader = RecordReader(SubmissionsImport)


async def find(tx: ReadTransaction, scope: Scope, import_id: str) -> SubmissionsImport | None:
    query = Query(_SELECT, scope.customer_id).where("id = ?", import_id).in_scope(scope)
    return await _import_reader.find(tx, query)


async def page(tx: ReadTransaction, scope: Scope, form_id: str | None, window: Window) -> Page[SubmissionsImport]:
    """Return a page of the imports that have been started, newest first."""
    query = Query(_SELECT, scope.customer_id).where(f"NOT {_STAGED}").in_scope(scope)
    if form_id:
        query.where("form_id = ?", form_id)
    return await _import_reader.page(tx, query, window, descending=True)


async def count(tx: ReadTransaction, scope: Scope, statuses: Sequence[SubmissionImportStatus]) -> int:
    """Return how many imports of the account have one of the statuses."""
    listed = ", ".join(f"'{status}'" for status in statuses)
    sql = f"SELECT COUNT(*) FROM submission_imports WHERE customer_id = $1 AND status IN ({listed})"
    row = await tx.fetch_one(sql, scope.customer_id)
    return int(row[0]) if row else 0


async def save_options(tx: WriteTransaction, record: SubmissionsImport, now: int) -> None:
    """Save the options of an import that has not been started, and that it was used now."""
    await tx.execute(
        "UPDATE submission_imports SET options = $3, version_id = $4, updated = $5 WHERE customer_id = $1 AND id = $2"
        f" AND {_STAGED}",
        record.customer_id,
        record.id,
        _to_json(record.options),
        record.version_id,
        now,
    )


async def queue(tx: WriteTransaction, record: SubmissionsImport, now: int) -> bool:
    """Let workers take the import, whose file has been stored; return False if it has been started already."""
    changed = await tx.execute(
        "UPDATE submission_imports SET status = $3, due = $4, updated = $4, options = $5, version_id = $6, actor = $7"
        f" WHERE customer_id = $1 AND id = $2 AND {_STAGED}",
        record.customer_id,
        record.id,
        SubmissionImportStatus.QUEUED,
        now,
        _to_json(record.options),
        record.version_id,
        _to_json(record.actor),
    )
    return changed == 1


async def claim(tx: WriteTransaction, customer_id: str, now: int, lease: int) -> SubmissionsImport | None:
    """Take the oldest import of the account that is due, until the end of the lease."""
    row = await tx.fetch_one(
        "UPDATE submission_imports SET due = $3, tries = tries + 1, revision = revision + 1, updated = $2"
        " WHERE customer_id = $1 AND id = (SELECT id FROM submission_imports WHERE customer_id = $1 AND due <= $2"
        f" ORDER BY due, id LIMIT 1 /*postgres FOR UPDATE*/) RETURNING {_COLUMNS}",
        customer_id,
        now,
        lease,
    )
    return _import_reader(row) if row else None


async def save(tx: WriteTransaction, record: SubmissionsImport) -> bool:
    """Save the progress; return False if another worker has taken the import since."""
    changed = await tx.execute(
        "UPDATE submission_imports SET status = $4, errors = $5, total = $6, checked = $7, imported = $8,"
        " rejected = $9, next_line = $10, due = $11, updated = $12, revision = revision + 1, ended = $13"
        # Each claim increases `tries`. So a worker that has lost its lease changes nothing.
        f" WHERE customer_id = $1 AND id = $2 AND tries = $3 AND status IN ({_ACTIVE})",
        record.customer_id,
        record.id,
        record.tries,
        record.status,
        _to_json(record.errors),
        record.total,
        record.checked,
        record.imported,
        record.rejected,
        record.next_line,
        record.due,
        record.updated,
        record.ended,
    )
    return changed == 1


async def renew_lease(tx: WriteTransaction, record: SubmissionsImport, lease: int) -> None:
    await tx.execute(
        "UPDATE submission_imports SET due = $4 WHERE customer_id = $1 AND id = $2 AND tries = $3"
        f" AND status IN ({_ACTIVE})",
        record.customer_id,
        record.id,
        record.tries,
        lease,
    )


async def find_old(tx: ReadTransaction, ended_before: int, used_before: int) -> list[SubmissionsImport]:
    """Return up to 100 imports of all accounts that ended before a time, or were not started.

    The latter were last used before `used_before`.
    """
    rows = await tx.fetch(
        f"{_SELECT} WHERE ended < $1 OR ({_STAGED} AND updated < $2) ORDER BY customer_id, id LIMIT 100",
        ended_before,
        used_before,
    )
    return [_import_reader(row) for row in rows]


async def delete(tx: WriteTransaction, record: SubmissionsImport) -> None:
    await tx.execute("DELETE FROM submission_imports WHERE customer_id = $1 AND id = $2", record.customer_id, record.id)
