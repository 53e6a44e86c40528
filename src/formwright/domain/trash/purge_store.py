"""The SQL that permanently deletes what belongs to a record in the trash, batch by batch."""

from collections.abc import Collection, Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import in_array

_OF_SUBMISSION = (
    ("submission_revisions", "submission_id"),
    ("submission_comments", "submission_id"),
    ("answer_index", "submission_id"),
    ("link_devices", "submission_id"),
    ("receipts", "submission_id"),
    ("return_links", "submission_id"),
    ("submissions", "id"),
)
_OF_TASK = (("task_recipients", "task_id"), ("tasks", "id"))
_OF_INVITE = (("invite_links", "invite_id"), ("invite_steps", "invite_id"), ("invites", "id"))
_OF_FORM = (
    ("versions", "form_id"),
    ("form_fields", "form_id"),
    ("import_reports", "form_id"),
    ("report_templates", "form_id"),
    ("receipt_settings", "form_id"),
    ("submission_alerts", "form_id"),
    ("submission_columns", "form_id"),
    ("saved_views", "form_id"),
    ("fill_links", "form_id"),
    ("link_counts", "form_id"),
    ("link_devices", "form_id"),
    ("fill_quotas", "holder"),
    ("feed_tables", "resource_id"),
    ("grants", "resource_id"),
)
_OF_USER = (
    ("sessions", "user_id"),
    ("password_links", "user_id"),
    ("second_factors", "user_id"),
    ("recovery_codes", "user_id"),
    ("user_identities", "user_id"),
    ("provisioned_users", "user_id"),
    ("submission_alerts", "user_id"),
    ("submission_columns", "user_id"),
    ("dismissed_checklists", "user_id"),
    ("datasource_uploads", "user_id"),
    ("saved_views", "owner_id"),
)
_OF_FOLDER = (("saved_views", "folder_id"), ("grants", "resource_id"))
_OF_DATASOURCE = (
    ("datasource_imports", "datasource_id"),
    ("datasource_versions", "datasource_id"),
    ("datasource_uploads", "datasource_id"),
    ("feed_tables", "resource_id"),
)
Tables = Sequence[tuple[str, str]]


def _to_json(ids: Collection[str]) -> str:
    return msgspec.json.encode(sorted(ids)).decode()


def _deletes(tables: Tables) -> tuple[str, ...]:
    return tuple(
        f"DELETE FROM {table} WHERE customer_id = $1 AND {column} {in_array('$2')}" for table, column in tables
    )


_SUBMISSION_DELETES = _deletes(_OF_SUBMISSION)
_TASK_DELETES = _deletes(_OF_TASK)
_INVITE_DELETES = _deletes(_OF_INVITE)
_FORM_DELETES = _deletes(_OF_FORM)
_USER_DELETES = _deletes(_OF_USER)
_FOLDER_DELETES = _deletes(_OF_FOLDER)
_DATASOURCE_DELETES = _deletes(_OF_DATASOURCE)


async def list_submission_ids(tx: ReadTransaction, scope: Scope, form_id: str, limit: int) -> list[str]:
    rows = await tx.fetch(
        f"SELECT id FROM submissions WHERE customer_id = $1 AND form_id = $2 ORDER BY at, id LIMIT {limit}",
        scope.customer_id,
        form_id,
    )
    return [str(row[0]) for row in rows]


async def delete_submissions(tx: WriteTransaction, scope: Scope, submission_ids: Sequence[str]) -> None:
    """Delete submissions with their revisions, comments and index entries."""
    for sql in _SUBMISSION_DELETES:
        await tx.execute(sql, scope.customer_id, _to_json(submission_ids))


async def delete_tasks(tx: WriteTransaction, scope: Scope, form_id: str, limit: int) -> int:
    """Delete up to `limit` tasks of a form, and return how many."""
    rows = await tx.fetch(
        f"SELECT id FROM tasks WHERE customer_id = $1 AND form_id = $2 LIMIT {limit}", scope.customer_id, form_id
    )
    for sql in _TASK_DELETES if rows else ():
        await tx.execute(sql, scope.customer_id, _to_json([row[0] for row in rows]))
    return len(rows)


async def delete_invites(tx: WriteTransaction, scope: Scope, form_id: str, limit: int) -> int:
    """Delete up to `limit` invites of a form with their links and their history, and return how many."""
    rows = await tx.fetch(
        f"SELECT id FROM invites WHERE customer_id = $1 AND form_id = $2 LIMIT {limit}", scope.customer_id, form_id
    )
    for sql in _INVITE_DELETES if rows else ():
        await tx.execute(sql, scope.customer_id, _to_json([row[0] for row in rows]))
    return len(rows)


async def delete_rows(tx: WriteTransaction, scope: Scope, datasource_id: str, limit: int) -> int:
    """Delete up to `limit` rows of a data source, and return how many."""
    rows = await tx.fetch(
        f"SELECT number FROM datasource_rows WHERE customer_id = $1 AND datasource_id = $2 LIMIT {limit}",
        scope.customer_id,
        datasource_id,
    )
    if rows:
        await tx.execute(
            "DELETE FROM datasource_rows WHERE customer_id = $1 AND datasource_id = $2"
            f" AND number {in_array('$3', 'bigint')}",
            scope.customer_id,
            datasource_id,
            msgspec.json.encode([row[0] for row in rows]).decode(),
        )
    return len(rows)


async def delete_segments(tx: WriteTransaction, scope: Scope, datasource_id: str, limit: int) -> int:
    """Delete up to `limit` segments of a data source with their texts, and return how many."""
    rows = await tx.fetch(
        f"SELECT id FROM datasource_segments WHERE customer_id = $1 AND datasource_id = $2 LIMIT {limit}",
        scope.customer_id,
        datasource_id,
    )
    ids = _to_json([row[0] for row in rows])
    for sql in (
        f"DELETE FROM datasource_texts WHERE customer_id = $1 AND segment_id {in_array('$2')}",
        f"DELETE FROM datasource_segments WHERE customer_id = $1 AND id {in_array('$2')}",
    ):
        await tx.execute(sql, scope.customer_id, ids)
    return len(rows)


async def delete_rest_of_forms(tx: WriteTransaction, scope: Scope, form_ids: Sequence[str]) -> None:
    """Delete the versions, links, views and grants of these forms, and what of them is in the trash."""
    for sql in _FORM_DELETES:
        await tx.execute(sql, scope.customer_id, _to_json(form_ids))
    ids = _to_json(form_ids)
    await tx.execute(
        "DELETE FROM trash_rows WHERE customer_id = $1 AND entry_id IN (SELECT id FROM trash"
        f" WHERE customer_id = $1 AND parent_id {in_array('$2')})",
        scope.customer_id,
        ids,
    )
    await tx.execute(f"DELETE FROM trash WHERE customer_id = $1 AND parent_id {in_array('$2')}", scope.customer_id, ids)
    # The cleanup deletes the files of imports and then their records. A worker that runs one finds that it has ended.
    await tx.execute(
        "UPDATE submission_imports SET status = 'FAILED', ended = 0, due = NULL, errors = '[]', file_name = ''"
        f" WHERE customer_id = $1 AND form_id {in_array('$2')}",
        scope.customer_id,
        ids,
    )
    # Files that were uploaded and never submitted are due for the cleanup already.
    await tx.execute(
        f"UPDATE files SET submission_id = NULL, idle = 0 WHERE customer_id = $1 AND form_id {in_array('$2')}",
        scope.customer_id,
        ids,
    )


async def delete_rest_of_folders(tx: WriteTransaction, scope: Scope, folder_ids: Sequence[str]) -> None:
    """Delete the views and grants of these folders."""
    for sql in _FOLDER_DELETES:
        await tx.execute(sql, scope.customer_id, _to_json(folder_ids))


async def delete_versions_of_block(tx: WriteTransaction, scope: Scope, block_id: str) -> None:
    await tx.execute(
        "DELETE FROM question_block_versions WHERE customer_id = $1 AND block_id = $2", scope.customer_id, block_id
    )


async def delete_rest_of_datasource(tx: WriteTransaction, scope: Scope, datasource_id: str) -> None:
    """Delete the import history of a data source, and its rows in the trash."""
    for sql in _DATASOURCE_DELETES:
        await tx.execute(sql, scope.customer_id, _to_json([datasource_id]))
    await tx.execute(
        "DELETE FROM trash_rows WHERE customer_id = $1 AND entry_id IN (SELECT id FROM trash"
        " WHERE customer_id = $1 AND parent_id = $2)",
        scope.customer_id,
        datasource_id,
    )
    await tx.execute("DELETE FROM trash WHERE customer_id = $1 AND parent_id = $2", scope.customer_id, datasource_id)


async def delete_rest_of_user(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """Delete what belongs to the user alone, such as their second factor. What they did and submitted stays."""
    for sql in _USER_DELETES:
        await tx.execute(sql, scope.customer_id, _to_json([user_id]))


async def list_events(
    tx: ReadTransaction, scope: Scope, form_ids: Collection[str], noun: str, sequence: int, limit: int
) -> list[tuple[int, str, str | None, str]]:
    """Return the next events about these forms and what hangs on them, or of a noun.

    Each is its sequence, its id, the id of its form, and its body.
    """
    rows = await tx.fetch(
        "SELECT sequence, id, form_id, body FROM events WHERE customer_id = $1 AND sequence > $2"
        f" AND (form_id {in_array('$3')} OR type LIKE $4) ORDER BY sequence LIMIT {limit}",
        scope.customer_id,
        sequence,
        _to_json(form_ids),
        f"{noun}.%",
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]
