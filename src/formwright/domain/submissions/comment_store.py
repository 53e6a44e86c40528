"""The SQL of comments on submissions."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.submissions.models import Comment

_COLUMNS = "id, customer_id, submission_id, form_id, author_id, body, mentions, created"
_SELECT = f"SELECT {_COLUMNS} FROM submission_comments"
insert = RecordTable[Comment]("submission_comments", _COLUMNS).insert


async def page(tx: ReadTransaction, scope: Scope, submission_id: str, window: Window) -> Page[Comment]:
    """Return a page of the comments on a submission, oldest first."""
    query = Query(_SELECT, scope.customer_id).where("submission_id = ?", submission_id)
    return await _comment_reader.page(tx, query, window)


async def find(tx: ReadTransaction, scope: Scope, submission_id: str, comment_id: str) -> Comment | None:
    row = await tx.fetch_one(
        f"{_SELECT} WHERE customer_id = $1 AND submission_id = $2 AND id = $3",
        scope.customer_id,
        submission_id,
        comment_id,
    )
    return _comment_reader(row) if row else None


async def count(tx: ReadTransaction, scope: Scope, submission_id: str) -> int:
    row = await tx.fetch_one(
        "SELECT count(*) FROM submission_comments WHERE customer_id = $1 AND submission_id = $2",
        scope.customer_id,
        submission_id,
    )
    return int(row[0]) if row else 0


async def delete(tx: WriteTransaction, scope: Scope, submission_id: str, comment_id: str) -> None:
    await tx.execute(
        "DELETE FROM submission_comments WHERE customer_id = $1 AND submission_id = $2 AND id = $3",
        scope.customer_id,
        submission_id,
        comment_id,
    )


async def delete_all(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    await tx.execute(
        "DELETE FROM submission_comments WHERE customer_id = $1 AND submission_id = $2",
        scope.customer_id,
        submission_id,
    )


_comment_reader = RecordReader(Comment)
