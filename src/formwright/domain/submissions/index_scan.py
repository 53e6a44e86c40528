"""Lists filtered by the value of an answer: reads the next candidates from the index of answers, in the list's order.

The candidates only may match, because the index contains truncated and outdated values. The query compares their
answers again, so the caller may have to read more candidates to fill a page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Position
from formwright.domain.submissions import answer_filters_sql
from formwright.domain.submissions.answer_filters import Condition, Operator, Value
from formwright.domain.submissions.models import SubmissionFilter

_MAX_RUNS = 8
"""The index has one run of entries for each form and value, ordered by time. A list merges at most this number."""
_ENTRIES = "SELECT at, submission_id FROM answer_index"


@dataclass(frozen=True, slots=True)
class IndexRuns:
    """The runs of index entries, each a form id and a value, that meet a condition with EQ or IN."""

    field: str
    column: str
    runs: Sequence[tuple[str, Value]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ids of the submissions that can be on a page.

    They are complete up to the place `until` in the list, or to the end if it is None. The page must not go beyond that
    place, so that a submission which moves there in the meantime does not hide others.
    """

    ids: Sequence[str]
    until: Position | None = None


async def next_candidates(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, after: Position | None, size: int
) -> Candidates | None:
    """Return the next candidates of a list, by the condition for which `size` index entries get furthest in the list.

    None if no index has the list's order.
    """
    found = [await _scan_runs(tx, scope, criteria, runs, after, size) for runs in _find_index_runs(criteria)]
    return max(found, key=lambda item: (item.until is None, _progress(criteria, item.until)), default=None)


def _progress(criteria: SubmissionFilter, until: Position | None) -> int:
    return 0 if until is None else -until.number if criteria.order.is_descending else until.number


def _find_index_runs(criteria: SubmissionFilter) -> Sequence[IndexRuns]:
    """Return the conditions by whose runs the list can be read.

    Empty if the list has another order, or if another property of the filter may leave fewer submissions.
    """
    by_person = criteria.user_id or criteria.task_id or criteria.invite_id
    if (
        criteria.ids
        or criteria.statuses
        or criteria.external_ids
        or by_person
        or criteria.order.by_update
        or criteria.by_answer
        or any(one is not None for one in (criteria.created_from, criteria.updated_from, criteria.updated_to))
    ):
        return []
    indexed = [condition for condition in criteria.answers if answer_filters_sql.can_use_index(condition)]
    found = [runs for condition in indexed if (runs := _to_index_runs(condition))]
    return found if len(found) == len(indexed) else []


def _to_index_runs(condition: Condition) -> IndexRuns | None:
    if condition.operator not in (Operator.EQ, Operator.IN):
        return None
    [alternative] = condition.alternatives
    column, values = answer_filters_sql.index_column(alternative)
    if len(values) * len(alternative.indexed) > _MAX_RUNS:
        return None
    runs = [(form_id, value) for form_id in alternative.indexed for value in values]
    return IndexRuns(alternative.field.name, column, runs)


async def _scan_runs(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, runs: IndexRuns, after: Position | None, size: int
) -> Candidates:
    query = Query(_ENTRIES, scope.customer_id).where("field = ?", runs.field)
    parts = list(_render_branches(query, criteria, runs, after, size))
    rows = await tx.fetch(query.union(parts), *query.args)
    places = sorted({Position(*row) for row in rows}, reverse=criteria.order.is_descending)[:size]
    return Candidates([place.id for place in places], places[-1] if len(places) == size else None)


def _render_branches(
    query: Query, criteria: SubmissionFilter, runs: IndexRuns, after: Position | None, size: int
) -> Iterator[str]:
    """Yield the SQL for each run, of its next `size` entries."""
    sign, direction = ("<", "DESC") if criteria.order.is_descending else (">", "ASC")
    bounds = []
    if after:
        bounds.append(f"(at, submission_id) {sign} ({query.bind(after.number)}, {query.bind(after.id)})")
    if criteria.submitted_from is not None:
        bounds.append(f"at >= {query.bind(criteria.submitted_from)}")
    if criteria.submitted_to is not None:
        bounds.append(f"at < {query.bind(criteria.submitted_to)}")
    for form_id, value in runs.runs:
        run = [f"form_id = {query.bind(form_id)} AND {runs.column} = {query.bind(value)}", *bounds]
        yield f"{' AND '.join(run)} ORDER BY at {direction}, submission_id {direction} LIMIT {size}"
