"""The SQL of the index of answers."""

from collections.abc import Sequence
from typing import NamedTuple

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query


class IndexEntry(NamedTuple):
    """One value of an answer; `place` distinguishes several values of the same submission and field."""

    submission_id: str
    field: str
    place: int
    text: str | None
    number: float | None
    at: int
    """The time by which lists order the submission."""


class IndexableSubmission(NamedTuple):
    """The answers of a submission, and its place in the order in which an index is built."""

    id: str
    data: str
    at: int

    @property
    def place(self) -> str:
        """The place as `list_answers_after` expects it."""
        return f"{self.at}.{self.id}"


async def insert(tx: WriteTransaction, scope: Scope, form_id: str, entries: Sequence[IndexEntry]) -> None:
    if entries:
        await tx.defer(
            "INSERT INTO answer_index (customer_id, form_id, submission_id, field, place, text, number, at)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [(scope.customer_id, form_id, *entry) for entry in entries],
        )


async def delete_entries(tx: WriteTransaction, scope: Scope, submission_ids: Sequence[str], field: str = "") -> None:
    """Delete the entries of these submissions, or only those of a field."""
    of_field = " AND field = $3" if field else ""
    await tx.execute_many(
        f"DELETE FROM answer_index WHERE customer_id = $1 AND submission_id = $2{of_field}",
        [(scope.customer_id, submission_id, *([field] if field else [])) for submission_id in submission_ids],
    )


async def delete_field_entries(tx: WriteTransaction, scope: Scope, form_id: str, field: str, limit: int) -> int:
    """Delete up to `limit` entries of a field; returns the number of deleted entries."""
    query = Query("SELECT submission_id, place FROM answer_index", scope.customer_id)
    query.where("form_id = ?", form_id).where("field = ?", field)
    # Each entry has either a text or a number, and each column has a database index of its own.
    found: list[tuple[str, int]] = []
    for column in ("text", "number"):
        if len(found) < limit:
            sql = f"{query.sql()} AND {column} IS NOT NULL LIMIT {limit - len(found)}"
            found += [(row[0], row[1]) for row in await tx.fetch(sql, *query.args)]
    await tx.execute_many(
        "DELETE FROM answer_index WHERE customer_id = $1 AND submission_id = $2 AND field = $3 AND place = $4",
        [(scope.customer_id, submission_id, field, place) for submission_id, place in found],
    )
    return len(found)


async def list_answers_after(
    tx: ReadTransaction, scope: Scope, form_id: str, after: str, limit: int
) -> list[IndexableSubmission]:
    """Return the next submissions of a form, ordered by time and id, after a place; start with ""."""
    query = Query("SELECT id, data, at FROM submissions", scope.customer_id).where("form_id = ?", form_id)
    if after:
        at, _, last = after.partition(".")
        query.where("(at, id) > (?, ?)", int(at), last)
    rows = await tx.fetch(f"{query.sql()} ORDER BY at, id LIMIT {limit}", *query.args)
    return [IndexableSubmission(*row) for row in rows]
