"""The SQL of revisions of submissions."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.submissions.models import Revision, SubmissionStatus

_COLUMNS = "revision, version_id, status, data, external_id, user_id, location, submitted, note, updated_by, updated"


async def copy_current(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    """Store the current state of the submission as a revision. Call it before each change."""
    await tx.execute(
        f"INSERT INTO submission_revisions (customer_id, submission_id, {_COLUMNS})"
        f" SELECT customer_id, id, {_COLUMNS} FROM submissions WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        submission_id,
    )


async def delete_all(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    await tx.execute(
        "DELETE FROM submission_revisions WHERE customer_id = $1 AND submission_id = $2",
        scope.customer_id,
        submission_id,
    )


async def page(tx: ReadTransaction, scope: Scope, submission_id: str, window: Window) -> Page[Revision]:
    """Return a page of the revisions, oldest first; the last one is the submission itself."""
    after = window.after.number if window.after else -1
    rows = await tx.fetch(
        f"SELECT submission_id AS id, {_COLUMNS} FROM submission_revisions"
        " WHERE customer_id = $1 AND submission_id = $2 AND revision > $3"
        f" UNION ALL SELECT id, {_COLUMNS} FROM submissions WHERE customer_id = $1 AND id = $2 AND revision > $3"
        f" ORDER BY revision LIMIT {window.limit + 1}",
        scope.customer_id,
        submission_id,
        after,
    )
    found = [_revision(row) for row in rows]
    return cut_page(found, window.limit, lambda item: Position(item.revision, item.submission_id))


async def find(tx: ReadTransaction, scope: Scope, submission_id: str, revision: int) -> Revision | None:
    """Return an earlier revision; None for the current state and for a number that the submission never had."""
    row = await tx.fetch_one(
        f"SELECT submission_id, {_COLUMNS} FROM submission_revisions"
        " WHERE customer_id = $1 AND submission_id = $2 AND revision = $3",
        scope.customer_id,
        submission_id,
        revision,
    )
    return _revision(row) if row else None


def _revision(row: Row) -> Revision:
    submission_id, revision, version_id, status, *rest = row
    return Revision(submission_id, revision, version_id, SubmissionStatus(status), *rest)
