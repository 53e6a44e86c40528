"""SQL of staged files."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.domain.datasources.staged_files.models import ACTIVE_STATES, Choices, Preview, Upload, UploadState

_COLUMNS = (
    "id, customer_id, user_id, datasource_id, fresh, file_name, kind, size, state,"
    " choices, preview, seen, done, touched"
)
_UPLOAD = f"SELECT {_COLUMNS} FROM datasource_uploads"
insert = RecordTable[Upload]("datasource_uploads", _COLUMNS, fresh="is_new").insert
_BY_ID = "customer_id = $1 AND id = $2"
_ACTIVE_STATES = ", ".join(f"'{state}'" for state in ACTIVE_STATES)


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_upload_reader = RecordReader(Upload)


async def find(tx: ReadTransaction, scope: Scope, user_id: str, upload_id: str, after: int) -> Upload | None:
    """Return a user's own file if it was last used after a time."""
    sql = f"{_UPLOAD} WHERE {_BY_ID} AND user_id = $3 AND touched > $4"
    row = await tx.fetch_one(sql, scope.customer_id, upload_id, user_id, after)
    return _upload_reader(row) if row else None


async def count_unfinished(tx: ReadTransaction, scope: Scope) -> int:
    """Return how many files of the account have not been imported yet."""
    sql = f"SELECT COUNT(*) FROM datasource_uploads WHERE customer_id = $1 AND state <> '{UploadState.DONE}'"
    row = await tx.fetch_one(sql, scope.customer_id)
    return int(row[0]) if row else 0


async def list_importing(tx: ReadTransaction, scope: Scope, after: int) -> list[Upload]:
    """Return up to 100 files of the account that are being imported and have reported progress after a time."""
    sql = (
        f"{_UPLOAD} WHERE customer_id = $1 AND state = '{UploadState.IMPORTING}' AND touched > $2 ORDER BY id LIMIT 100"
    )
    return [_upload_reader(row) for row in await tx.fetch(sql, scope.customer_id, after)]


async def try_start(
    tx: WriteTransaction, upload: Upload, state: UploadState, choices: Choices, now: int, silent_since: int
) -> bool:
    """Reserve the file for a job; return False while another job runs, or if the file has been imported."""
    sql = (
        "UPDATE datasource_uploads SET state = $3, choices = $4, seen = 0, done = -1, touched = $5"
        f" WHERE {_BY_ID} AND state <> '{UploadState.DONE}' AND (state NOT IN ({_ACTIVE_STATES}) OR touched < $6)"
    )
    args = (upload.customer_id, upload.id, state, _to_json(choices), now, silent_since)
    return bool(await tx.execute(sql, *args))


async def save_progress(tx: WriteTransaction, upload: Upload, seen: int, done: int, now: int) -> None:
    """Save the progress of the running job."""
    sql = (
        "UPDATE datasource_uploads SET seen = $3, done = $4, touched = $5"
        f" WHERE {_BY_ID} AND state IN ({_ACTIVE_STATES})"
    )
    await tx.execute(sql, upload.customer_id, upload.id, seen, done, now)


async def finish(tx: WriteTransaction, upload: Upload, state: UploadState, preview: Preview, now: int) -> None:
    """Save the result of a job."""
    sql = f"UPDATE datasource_uploads SET state = $3, preview = $4, touched = $5 WHERE {_BY_ID}"
    await tx.execute(sql, upload.customer_id, upload.id, state, _to_json(preview), now)


async def delete(tx: WriteTransaction, upload: Upload) -> None:
    await tx.execute(f"DELETE FROM datasource_uploads WHERE {_BY_ID}", upload.customer_id, upload.id)


async def find_idle(tx: ReadTransaction, before: int) -> list[Upload]:
    """Return up to 100 files, of all accounts, that have not been used since a time."""
    rows = await tx.fetch(f"{_UPLOAD} WHERE touched < $1 ORDER BY customer_id, id LIMIT 100", before)
    return [_upload_reader(row) for row in rows]
