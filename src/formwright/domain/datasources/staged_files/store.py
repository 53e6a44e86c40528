"""The SQL of files of rows that wait."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.domain.datasources.staged_files.models import WORKING, Choices, Preview, State, Upload

_MEMBERS = (
    "id, customer_id, user_id, datasource_id, fresh, file_name, kind, size, state,"
    " choices, preview, seen, done, touched"
)
_UPLOAD = f"SELECT {_MEMBERS} FROM datasource_uploads"
_ONE = "customer_id = $1 AND id = $2"
_WORKING = ", ".join(f"'{state}'" for state in WORKING)


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _upload(row: Row) -> Upload:
    upload_id, customer_id, user_id, datasource_id, fresh, file_name, kind, size, state, *rest = row
    choices, preview, seen, done, touched = rest
    return Upload(
        upload_id,
        customer_id,
        user_id,
        datasource_id,
        bool(fresh),
        file_name,
        kind,
        size,
        State(state),
        msgspec.json.decode(choices, type=Choices),
        msgspec.json.decode(preview, type=Preview),
        seen,
        done,
        touched,
    )


async def insert(tx: WriteTransaction, upload: Upload) -> None:
    await tx.execute(
        f"INSERT INTO datasource_uploads ({_MEMBERS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
        " $14)",
        upload.id,
        upload.customer_id,
        upload.user_id,
        upload.datasource_id,
        int(upload.fresh),
        upload.file_name,
        upload.kind,
        upload.size,
        upload.state,
        _text(upload.choices),
        _text(upload.preview),
        upload.seen,
        upload.done,
        upload.touched,
    )


async def find(tx: ReadTransaction, scope: Scope, user_id: str, upload_id: str, after: int) -> Upload | None:
    """A person's own file, touched after a time."""
    sql = f"{_UPLOAD} WHERE {_ONE} AND user_id = $3 AND touched > $4"
    row = await tx.fetch_one(sql, scope.customer_id, upload_id, user_id, after)
    return _upload(row) if row else None


async def waiting(tx: ReadTransaction, scope: Scope) -> int:
    """How many files of the account have a content."""
    sql = f"SELECT COUNT(*) FROM datasource_uploads WHERE customer_id = $1 AND state <> '{State.DONE}'"
    row = await tx.fetch_one(sql, scope.customer_id)
    return int(row[0]) if row else 0


async def under_way(tx: ReadTransaction, scope: Scope, after: int) -> list[Upload]:
    """Those of the account that are being imported, with a sign of life after a time."""
    sql = f"{_UPLOAD} WHERE customer_id = $1 AND state = '{State.IMPORTING}' AND touched > $2 ORDER BY id LIMIT 100"
    return [_upload(row) for row in await tx.fetch(sql, scope.customer_id, after)]


async def begin(
    tx: WriteTransaction, upload: Upload, state: State, choices: Choices, now: int, silent_since: int
) -> bool:
    """Let one alone work on it; False while another does, or when it was taken in."""
    sql = (
        "UPDATE datasource_uploads SET state = $3, choices = $4, seen = 0, done = -1, touched = $5"
        f" WHERE {_ONE} AND state <> '{State.DONE}' AND (state NOT IN ({_WORKING}) OR touched < $6)"
    )
    args = (upload.customer_id, upload.id, state, _text(choices), now, silent_since)
    return bool(await tx.execute(sql, *args))


async def note(tx: WriteTransaction, upload: Upload, seen: int, done: int, now: int) -> None:
    """Write down how far the work is."""
    sql = f"UPDATE datasource_uploads SET seen = $3, done = $4, touched = $5 WHERE {_ONE} AND state IN ({_WORKING})"
    await tx.execute(sql, upload.customer_id, upload.id, seen, done, now)


async def finish(tx: WriteTransaction, upload: Upload, state: State, preview: Preview, now: int) -> None:
    """Write down what came of the work."""
    sql = f"UPDATE datasource_uploads SET state = $3, preview = $4, touched = $5 WHERE {_ONE}"
    await tx.execute(sql, upload.customer_id, upload.id, state, _text(preview), now)


async def delete(tx: WriteTransaction, upload: Upload) -> None:
    await tx.execute(f"DELETE FROM datasource_uploads WHERE {_ONE}", upload.customer_id, upload.id)


async def idle(tx: ReadTransaction, before: int) -> list[Upload]:
    """Of all accounts: files that nobody has touched since a time."""
    rows = await tx.fetch(f"{_UPLOAD} WHERE touched < $1 ORDER BY customer_id, id LIMIT 100", before)
    return [_upload(row) for row in rows]
