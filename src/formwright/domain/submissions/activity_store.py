"""The SQL that says how many submissions were received, and when."""

from collections.abc import Sequence
from itertools import pairwise

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.domain.submissions.models import SubmissionStatus

_RECEIVED = [status for status in SubmissionStatus if status is not SubmissionStatus.STARTED]


def _received(columns: str, scope: Scope) -> Query:
    """Return the query for all submissions that were submitted. The statuses are listed for the sake of the index."""
    return Query(f"SELECT {columns} FROM submissions", scope.customer_id).one_of("status", _RECEIVED)


async def count_by_period(
    tx: ReadTransaction, scope: Scope, bounds: Sequence[int], limit: int, form_id: str | None
) -> list[int]:
    """Return the number of submissions from each bound to the next, but no more than `limit` for each."""
    query = _received("1", scope).in_scope(scope)
    query = query.one_of("form_id", [form_id]) if form_id else query.form_by_form()
    parts = []
    for number, (start, end) in enumerate(pairwise(bounds)):
        period = f"{query.sql()} AND at >= {query.bind(start)} AND at < {query.bind(end)} LIMIT {limit}"
        parts.append(f"SELECT {number} AS period, count(*) AS received FROM ({period}) AS found")
    rows = await tx.fetch(" UNION ALL ".join(parts), *query.args)
    return [int(received) for _, received in sorted((row[0], row[1]) for row in rows)]


async def last_received(tx: ReadTransaction, scope: Scope, form_ids: Sequence[str]) -> dict[str, int]:
    # A subquery for each form reads one entry of the index. GROUP BY would read all entries of all forms, and so would
    # `form_id = forms.id ORDER BY at`: PostgreSQL then looks for the forms without submissions in the order of `at`.
    newest = (
        "SELECT at FROM submissions WHERE customer_id = $1 AND form_id >= forms.id AND form_id <= forms.id"
        f" AND status <> '{SubmissionStatus.STARTED}' ORDER BY form_id DESC, at DESC LIMIT 1"
    )
    query = Query(f"SELECT id, ({newest}) FROM forms", scope.customer_id).any_of("id", form_ids).in_scope(scope, "id")
    rows = await tx.fetch(query.sql(), *query.args)
    return {row[0]: int(row[1]) for row in rows if row[1] is not None}


async def has_received(tx: ReadTransaction, scope: Scope) -> bool:
    query = _received("1", scope).in_scope(scope)
    return await tx.fetch_one(f"{query.sql()} LIMIT 1", *query.args) is not None
