"""The SQL of lists in the order of answers, which reads the index of answers in its order."""

from collections.abc import Callable

from formwright.core.db.interface import ReadTransaction, Row
from formwright.core.db.query import Query
from formwright.core.pagination import Position, Window
from formwright.domain.submissions.answer_order import AnswerOrder

_ENTRIES = (
    "(SELECT submission_id AS sorted_id, at AS sorted_at, {0} AS sorted_value FROM answer_index"
    " WHERE customer_id = $1 AND form_id = {1} AND field = {2} AND {0} IS NOT NULL) AS sorted"
)
_NO_ANSWER = (
    "NOT EXISTS (SELECT 1 FROM answer_index WHERE answer_index.customer_id = $1"
    " AND answer_index.submission_id = submissions.id AND answer_index.field = ?)"
)


async def fetch_rows(
    tx: ReadTransaction, order: AnswerOrder, window: Window, build: Callable[[], Query], has_candidates: bool
) -> list[Row]:
    """Return the rows of a page, and one more: those with an answer before the others, or after them if reversed.

    `build` returns the query of the list. `has_candidates` says that it is restricted to a few submissions.
    """
    after, rows = window.after, list[Row]()
    value = order.read_key(after) if after else None
    parts = [False, True] if order.missing_first else [True, False]
    if after:
        parts = parts[parts.index(value is not None) :]
    for with_answer in parts:
        limit = window.limit + 1 - len(rows)
        if with_answer and limit:
            query = build().where("id = sorted_id")
            entries = _ENTRIES.format(order.column, query.bind(order.form_id), query.bind(order.field.name))
            _start_after(query, order, after, value)
            # CROSS JOIN fixes the order in which SQLite reads the tables: the index first, if it has to read many.
            tables = f"submissions CROSS JOIN {entries}" if has_candidates else f"{entries} CROSS JOIN submissions"
            sql = query.sql().replace("submissions WHERE ", f"{tables} WHERE ", 1)
            by = "sorted_value {0}, sorted_at {0}, sorted_id {0}".format("DESC" if order.is_descending else "ASC")
            rows += await tx.fetch(f"{sql} ORDER BY {by} LIMIT {limit}", *query.args)
        elif limit:
            query = build().where(_NO_ANSWER, order.field.name)
            rest = Window(limit - 1, after)
            rows += await tx.fetch(query.window(rest, "at", descending=order.is_descending), *query.args)
        after = None  # The other part is read from its beginning.
    return rows


def _start_after(query: Query, order: AnswerOrder, after: Position | None, value: str | float | None) -> None:
    if after:
        sign = "<" if order.is_descending else ">"
        query.where(f"(sorted_value, sorted_at, sorted_id) {sign} (?, ?, ?)", value, after.number, after.id)
