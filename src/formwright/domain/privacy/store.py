"""The SQL that finds and erases a person's data in the tables of all packages."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, fetch_count, in_array
from formwright.domain.privacy.models import PersonalData

_CHUNK = 1000


def _json(values: Sequence[str]) -> str:
    return msgspec.json.encode(sorted(values)).decode()


async def list_invite_ids(tx: ReadTransaction, scope: Scope, user_id: str, addresses: Sequence[str]) -> list[str]:
    """Return the ids of the invites that were sent to the user or to one of the email addresses."""
    rows = await tx.fetch(
        f"SELECT id FROM invites WHERE customer_id = $1 AND (user_id = $2 OR email {in_array('$3')}) ORDER BY id",
        scope.customer_id,
        user_id,
        _json(addresses),
    )
    return [row[0] for row in rows]


async def count_files(tx: ReadTransaction, scope: Scope, submission_ids: Sequence[str]) -> int:
    query = Query("SELECT count(*) FROM files", scope.customer_id).any_of("submission_id", submission_ids)
    return await fetch_count(tx, query)


async def count_mails(tx: ReadTransaction, scope: Scope, addresses: Sequence[str], subject_ids: Sequence[str]) -> int:
    row = await tx.fetch_one(
        f"SELECT count(*) FROM mails WHERE {_MAIL_CONDITION}", *_mail_args(scope, addresses, subject_ids)
    )
    return int(row[0]) if row else 0


# Mails about a task or a webhook are matched by the user's current address. Because it may have belonged to another
# person before, the task must be the user's, too, or the name must match.
_MAIL_CONDITION = (
    f"customer_id = $1 AND (address {in_array('$2')} OR subject_id {in_array('$3')}"
    " OR purpose = 'task' AND (subject_id, address) IN"
    " (SELECT t.task_id, u.email FROM users u"
    " JOIN task_recipients t ON t.customer_id = u.customer_id AND t.user_id = u.id"
    f" WHERE u.customer_id = $1 AND u.id {in_array('$3')}"
    # A user in the trash.
    " UNION ALL SELECT t.task_id,"
    " /*postgres u.content::jsonb ->> 'email'*//*sqlite json_extract(u.content, '$.email')*/ FROM trash_rows u"
    " JOIN task_recipients t ON t.customer_id = u.customer_id AND t.user_id = u.id"
    f" WHERE u.customer_id = $1 AND u.source = 'users' AND u.id {in_array('$3')})"
    " OR purpose = 'subscriber' AND (address, name) IN"
    f" (SELECT email, name FROM users WHERE customer_id = $1 AND id {in_array('$3')}))"
)


def _mail_args(scope: Scope, addresses: Sequence[str], subject_ids: Sequence[str]) -> tuple[str, str, str]:
    return scope.customer_id, _json(addresses), _json(subject_ids)


async def delete_mails(
    tx: WriteTransaction, scope: Scope, addresses: Sequence[str], subject_ids: Sequence[str]
) -> None:
    """Delete the mails; those that are still queued are not sent."""
    await tx.execute(f"DELETE FROM mails WHERE {_MAIL_CONDITION}", *_mail_args(scope, addresses, subject_ids))


_MAIL_COLUMNS = "address, name, subject, status, created"


async def list_mails(
    tx: ReadTransaction, scope: Scope, addresses: Sequence[str], subject_ids: Sequence[str]
) -> Sequence[Row]:
    return await tx.fetch(
        f"SELECT {_MAIL_COLUMNS} FROM mails WHERE {_MAIL_CONDITION} ORDER BY created",
        *_mail_args(scope, addresses, subject_ids),
    )


async def list_events_after(tx: ReadTransaction, scope: Scope, sequence: int) -> Sequence[Row]:
    """Return the next batch of events: sequence, id and body of each."""
    return await tx.fetch(
        "SELECT sequence, id, body FROM events WHERE customer_id = $1 AND sequence > $2"
        f" ORDER BY sequence LIMIT {_CHUNK}",
        scope.customer_id,
        sequence,
    )


async def list_deletions_after(tx: ReadTransaction, scope: Scope, sequence: int) -> Sequence[Row]:
    """Return the next batch of `submission.deleted` events: sequence and body of each."""
    return await tx.fetch(
        "SELECT sequence, body FROM events WHERE customer_id = $1 AND type = 'submission.deleted' AND sequence > $2"
        f" ORDER BY sequence LIMIT {_CHUNK}",
        scope.customer_id,
        sequence,
    )


async def clear_invites(tx: WriteTransaction, scope: Scope, invite_ids: Sequence[str], address: str) -> None:
    """Remove the personal data from invites; only their status and history remain."""
    ids = _json(invite_ids)
    await tx.execute(
        "UPDATE invites SET email = $3, name = '', message = '', data = '{}', reason = NULL, external_id = NULL"
        f" WHERE customer_id = $1 AND id {in_array('$2')}",
        scope.customer_id,
        ids,
        address,
    )
    await tx.execute(
        f"UPDATE invite_steps SET who = '', detail = '' WHERE customer_id = $1 AND invite_id {in_array('$2')}",
        scope.customer_id,
        ids,
    )


async def clear_user(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """Delete what belongs to the user alone. Their name and address are changed by `management.edit`."""
    for table in (
        "sign_ins",
        "sessions",
        "password_links",
        "second_factors",
        "recovery_codes",
        "user_identities",
        "provisioned_users",
        "submission_alerts",
        "submission_columns",
        "dismissed_checklists",
        "datasource_uploads",
        "bulk_changes",
    ):
        await tx.execute(f"DELETE FROM {table} WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)
    # A declined task has a copy of the last reason. Keep it if another recipient gave the same reason.
    await tx.execute(
        "UPDATE tasks SET reason = NULL WHERE customer_id = $1 AND status = 'DECLINED' AND id IN"
        " (SELECT task_id FROM task_recipients WHERE customer_id = $1 AND user_id = $2) AND NOT EXISTS"
        " (SELECT 1 FROM task_recipients AS other WHERE other.customer_id = $1 AND other.task_id = tasks.id"
        " AND other.user_id <> $2 AND other.reason = tasks.reason)",
        scope.customer_id,
        user_id,
    )
    for sql in (
        "DELETE FROM saved_views WHERE customer_id = $1 AND owner_id = $2",
        "DELETE FROM submission_comments WHERE customer_id = $1 AND author_id = $2",
        "UPDATE users SET password_hash = NULL, origin = NULL WHERE customer_id = $1 AND id = $2",
        "UPDATE task_recipients SET reason = NULL WHERE customer_id = $1 AND user_id = $2",
        "UPDATE api_keys SET maker_name = '' WHERE customer_id = $1 AND maker_id = $2",
    ):
        await tx.execute(sql, scope.customer_id, user_id)


async def list_comment_ids(tx: ReadTransaction, scope: Scope, user_id: str) -> list[str]:
    """Return the ids of the comments that the user wrote."""
    rows = await tx.fetch(
        "SELECT id FROM submission_comments WHERE customer_id = $1 AND author_id = $2", scope.customer_id, user_id
    )
    return [row[0] for row in rows]


async def clear_audit(tx: WriteTransaction, scope: Scope, ids: Sequence[str]) -> None:
    """Remove names and addresses from audit entries. The database's triggers reject any other change of the log."""
    for sql in (
        f"UPDATE audit_log SET actor_name = '', address = '' WHERE customer_id = $1 AND actor_id {in_array('$2')}",
        f"UPDATE audit_log SET resource_name = '' WHERE customer_id = $1 AND resource_id {in_array('$2')}",
    ):
        await tx.execute(sql, scope.customer_id, _json(ids))


async def delete_replies(tx: WriteTransaction, scope: Scope, ids: Sequence[str]) -> None:
    """Delete the stored responses to requests that created these resources, so that they are not returned again.

    Responses without a location, such as those to imports and actions, are deleted, too: they are encrypted, so it is
    unknown whether they contain personal data.
    """
    await tx.execute(
        "DELETE FROM replies WHERE customer_id = $1"
        # An id has 30 characters: three letters, an underscore and 26 others.
        f" AND (location = '' OR /*postgres right(location, 30)*//*sqlite substr(location, -30)*/ {in_array('$2')}"
        # A comment, by its submission: the location ends with `sub_…/comments/cmt_…`.
        f" OR /*postgres left(right(location, 70), 30)*//*sqlite substr(location, -70, 30)*/ {in_array('$2')})",
        scope.customer_id,
        _json(ids),
    )


Records = tuple[Sequence[str], Sequence[Row]]
"""The names of the columns, and the rows."""
_INVITE_COLUMNS = (
    "id, form_id, status, email, name, language, message, data, expires, reason, external_id, submission_id, sent,"
    " opened, started, completed, created"
)
_SESSION_COLUMNS = "created, ends, seen, address, agent"
_TASK_COLUMNS = "task_id, status, submission_id, at, reason"
_COMMENT_COLUMNS = "id, submission_id, author_id, body, created"
_AUDIT_COLUMNS = "at, address, action, resource_id"


async def load_records(tx: ReadTransaction, scope: Scope, data: PersonalData) -> dict[str, Records]:
    """Return the data other than submissions and the user's own record, by kind."""
    invites = Query(f"SELECT {_INVITE_COLUMNS} FROM invites", scope.customer_id).any_of("id", data.invite_ids)
    subject_ids = [id_ for id_ in (*data.invite_ids, data.user_id) if id_]
    user = (scope.customer_id, data.user_id)
    return {
        "invites": (_INVITE_COLUMNS.split(", "), await tx.fetch(invites.sql(), *invites.args)),
        "mails": (_MAIL_COLUMNS.split(", "), await list_mails(tx, scope, data.addresses, subject_ids)),
        "sessions": (
            _SESSION_COLUMNS.split(", "),
            await tx.fetch(f"SELECT {_SESSION_COLUMNS} FROM sessions WHERE customer_id = $1 AND user_id = $2", *user),
        ),
        "tasks": (
            _TASK_COLUMNS.split(", "),
            await tx.fetch(
                f"SELECT {_TASK_COLUMNS} FROM task_recipients WHERE customer_id = $1 AND user_id = $2", *user
            ),
        ),
        "comments": (
            _COMMENT_COLUMNS.split(", "),
            await tx.fetch(
                f"SELECT {_COMMENT_COLUMNS} FROM submission_comments WHERE customer_id = $1"
                f" AND (author_id = $2 OR submission_id {in_array('$3')}) ORDER BY created, id",
                *user,
                _json(data.submission_ids),
            ),
        ),
        "done": (
            _AUDIT_COLUMNS.split(", "),
            await tx.fetch(f"SELECT {_AUDIT_COLUMNS} FROM audit_log WHERE customer_id = $1 AND actor_id = $2", *user),
        ),
    }


async def expire_exports(tx: WriteTransaction, scope: Scope) -> None:
    """Let the files of all exports expire: they may contain the person's data. The cleanup deletes the contents."""
    await tx.execute(
        "UPDATE export_runs SET expires = 0 WHERE customer_id = $1 AND expires IS NOT NULL AND user_id IS NULL",
        scope.customer_id,
    )


async def expire_downloads(tx: WriteTransaction, scope: Scope, form_ids: Sequence[str], user_id: str) -> None:
    """End all downloads of these forms, all of the user, and every zip of personal data of the account.

    A worker that runs one of them loses its lease. Erasures have no file, and go on.
    """
    await tx.execute(
        "UPDATE export_runs SET expires = 0, download_due = NULL, lease = NULL WHERE customer_id = $1"
        f" AND user_id IS NOT NULL AND (form_id {in_array('$2')} OR (form_id IS NULL"
        " AND /*postgres download::jsonb ->> 'kind'*//*sqlite json_extract(download, '$.kind')*/ = 'zip')"
        " OR (user_id = $3 AND"
        " /*postgres download::jsonb ->> 'kind'*//*sqlite json_extract(download, '$.kind')*/ <> 'erasure'))",
        scope.customer_id,
        _json(form_ids),
        user_id,
    )


async def expire_imports(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """Let all imports of submissions expire that are not running, and those of the user that are.

    Their problems quote cells, and files that wait contain any rows. The cleanup deletes the files and the records. A
    worker that runs such an import finds that it has ended, and rolls its batch back.
    """
    await tx.execute(
        "UPDATE submission_imports SET status = 'FAILED', ended = 0, due = NULL, errors = '[]', file_name = ''"
        " WHERE customer_id = $1 AND (ended IS NOT NULL OR status = 'ARRIVING'"
        " OR /*postgres actor::jsonb ->> 'id'*//*sqlite json_extract(actor, '$.id')*/ = $2)",
        scope.customer_id,
        user_id,
    )
