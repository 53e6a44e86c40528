"""SQL of files."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.files.filenames import without_bidi_controls
from formwright.domain.files.models import MEDIA_FIELD, File, FileState

_COLUMNS = (
    "id, customer_id, form_id, field, name, type, size, hash, place, state, submission_id, idle, created, api_key_id"
)
_FILE = f"SELECT {_COLUMNS} FROM files"
insert = RecordTable[File]("files", _COLUMNS, place="blob_key").insert
_PARAMETERS = 1000
"""How many ids a statement gets at most. The databases accept about 32,000 parameters."""


# Names uploaded before bidi controls were removed still have them in the table.
_file_reader = RecordReader(File, name=without_bidi_controls)


async def find(tx: ReadTransaction, scope: Scope, file_id: str) -> File | None:
    query = Query(_FILE, scope.customer_id).where("id = ?", file_id).in_scope(scope)
    return await _file_reader.find(tx, query)


async def find_all(tx: ReadTransaction, scope: Scope, file_ids: Sequence[str]) -> list[File]:
    """Return the files that exist, in any order."""
    found: list[File] = []
    for at in range(0, len(file_ids), _PARAMETERS):
        query = Query(_FILE, scope.customer_id).one_of("id", file_ids[at : at + _PARAMETERS]).in_scope(scope)
        found += await _file_reader.fetch(tx, query)
    return found


async def find_blob_key(tx: ReadTransaction, scope: Scope, hash_: str) -> str | None:
    """Return the key under which the account already stores this content."""
    row = await tx.fetch_one(
        "SELECT place FROM files WHERE customer_id = $1 AND hash = $2 AND state = $3 LIMIT 1",
        scope.customer_id,
        hash_,
        FileState.READY,
    )
    return row[0] if row else None


async def count_unused(tx: ReadTransaction, scope: Scope, form_id: str, *, by_keys: bool) -> tuple[int, int]:
    """Return how many files of the form no submission refers to, and their total bytes.

    Only those that API keys uploaded are counted, or only the others.
    """
    row = await tx.fetch_one(
        "SELECT COUNT(*), COALESCE(SUM(size), 0) FROM files WHERE customer_id = $1 AND idle IS NOT NULL"
        f" AND form_id = $2 AND api_key_id IS {'NOT ' if by_keys else ''}NULL",
        scope.customer_id,
        form_id,
    )
    return (int(row[0]), int(row[1])) if row else (0, 0)


async def mark_ready(tx: WriteTransaction, scope: Scope, file_id: str) -> bool:
    """Mark the content as stored; return False if the file has been deleted in the meantime."""
    touched = await tx.execute(
        "UPDATE files SET state = $3 WHERE customer_id = $1 AND id = $2 AND state = $4",
        scope.customer_id,
        file_id,
        FileState.READY,
        FileState.ARRIVING,
    )
    return touched == 1


async def attach(tx: WriteTransaction, scope: Scope, submission_id: str, file_ids: Sequence[str]) -> None:
    await tx.execute_many(
        "UPDATE files SET submission_id = $3, idle = NULL WHERE customer_id = $1 AND id = $2",
        [(scope.customer_id, file_id, submission_id) for file_id in file_ids],
    )


async def detach(tx: WriteTransaction, scope: Scope, file_ids: Sequence[str], now: int) -> None:
    await tx.execute_many(
        "UPDATE files SET submission_id = NULL, idle = $3 WHERE customer_id = $1 AND id = $2",
        [(scope.customer_id, file_id, now) for file_id in file_ids],
    )


async def list_media(tx: ReadTransaction, scope: Scope, form_id: str) -> list[File]:
    """Return the media of a form by name."""
    query = Query(_FILE, scope.customer_id).where("form_id = ?", form_id).where("field = ?", MEDIA_FIELD)
    query.where("state = ?", FileState.READY).in_scope(scope)
    rows = await tx.fetch(f"{query.sql()} AND submission_id IS NULL AND idle IS NULL ORDER BY name, id", *query.args)
    return [_file_reader(row) for row in rows]


async def keep_media(tx: WriteTransaction, scope: Scope, file_id: str) -> None:
    """Keep a file although no submission refers to it."""
    await tx.execute("UPDATE files SET idle = NULL WHERE customer_id = $1 AND id = $2", scope.customer_id, file_id)


async def list_ids(tx: ReadTransaction, scope: Scope, submission_id: str) -> list[str]:
    query = Query("SELECT id FROM files", scope.customer_id).where("submission_id = ?", submission_id)
    return [row[0] for row in await tx.fetch(query.sql(), *query.args)]


async def page_of_submission(tx: ReadTransaction, scope: Scope, submission_id: str, window: Window) -> Page[File]:
    query = Query(_FILE, scope.customer_id).where("submission_id = ?", submission_id).in_scope(scope)
    return await _file_reader.page(tx, query, window)


async def list_of_submissions(tx: ReadTransaction, scope: Scope, submission_ids: Sequence[str]) -> list[File]:
    """Return the files that these submissions refer to, in the order of their upload."""
    query = Query(_FILE, scope.customer_id).any_of("submission_id", submission_ids).in_scope(scope)
    return [_file_reader(row) for row in await tx.fetch(f"{query.sql()} ORDER BY created, id", *query.args)]


async def find_accounts_with_unused(tx: ReadTransaction, before: int) -> list[str]:
    rows = await tx.fetch("SELECT DISTINCT customer_id FROM files WHERE idle < $1", before)
    return [row[0] for row in rows]


async def mark_for_deletion(tx: WriteTransaction, scope: Scope, before: int, at_most: int) -> list[File]:
    """Mark files that have been unused since a time, and return them with those of earlier, interrupted cleanups."""
    rows = await tx.fetch(
        f"{_FILE} WHERE customer_id = $1 AND idle < $2 ORDER BY idle, id LIMIT {at_most}", scope.customer_id, before
    )
    files = [_file_reader(row) for row in rows]
    await tx.execute_many(
        "UPDATE files SET state = $3 WHERE customer_id = $1 AND id = $2",
        [(scope.customer_id, file.id, FileState.LEAVING) for file in files],
    )
    return files


async def filter_used_keys(tx: ReadTransaction, scope: Scope, blob_keys: Sequence[str]) -> set[str]:
    """Return those of the blob keys that other files, which are not marked for deletion, use."""
    query = Query("SELECT place FROM files", scope.customer_id).one_of("place", blob_keys)
    query.where("state <> ?", FileState.LEAVING)
    return {row[0] for row in await tx.fetch(query.sql(), *query.args)} if blob_keys else set()


async def delete(tx: WriteTransaction, scope: Scope, file_ids: Sequence[str]) -> None:
    await tx.execute_many(
        "DELETE FROM files WHERE customer_id = $1 AND id = $2", [(scope.customer_id, file_id) for file_id in file_ids]
    )
