"""Lists filtered by what an answer is: which submissions come next, straight from the index of answers in its order.

What the index finds may fit; it is compared once more, as everywhere. So who asks may have to ask for more of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Place
from formwright.domain.submissions import answer_filters_sql
from formwright.domain.submissions.answer_filters import Condition, Operator, Value
from formwright.domain.submissions.models import SubmissionFilter

_MAX_RUNS = 8
"""The index holds one run of entries for each form and value; so many are merged for a list."""
_ENTRIES = "SELECT at, submission_id FROM answer_index"


@dataclass(frozen=True, slots=True)
class IndexRuns:
    """A condition that an answer is one of some values, as the index has it: the runs of entries that meet it."""

    field: str
    column: str
    runs: Sequence[tuple[str, Value]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Those submissions that alone can be on a page.

    `until`: only so far along the list are they all. What has moved behind that since they were asked for comes there,
    and hides nothing that lies between.
    """

    ids: Sequence[str]
    until: Place | None = None


async def next_candidates(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, after: Place | None, size: int
) -> Candidates | None:
    """The next of the list that may fit: of the conditions that one of which `size` entries reach furthest.

    None where no index has the list's order, or entries that a version before wrote do not know their times yet.
    """
    found = [await _scan_runs(tx, scope, criteria, equal, after, size) for equal in _find_index_runs(criteria)]
    known = [one for one in found if one]
    if not known or len(known) < len(found):
        return None
    return max(known, key=lambda one: (one.until is None, _progress(criteria, one.until)))


def _progress(criteria: SubmissionFilter, until: Place | None) -> int:
    return 0 if until is None else -until.number if criteria.order.is_descending else until.number


def _find_index_runs(criteria: SubmissionFilter) -> Sequence[IndexRuns]:
    """The conditions by whose entries the list can be read; none where something else may leave fewer, or orders it."""
    by_other = criteria.statuses or criteria.user_id or criteria.task_id or criteria.invite_id
    if by_other or criteria.order.by_update or (criteria.updated_from, criteria.updated_to) != (None, None):
        return []
    indexed = [condition for condition in criteria.answers if answer_filters_sql.can_use_index(condition)]
    made = [equal for condition in indexed if (equal := _to_index_runs(condition))]
    return made if len(made) == len(indexed) else []


def _to_index_runs(condition: Condition) -> IndexRuns | None:
    if condition.operator not in (Operator.EQ, Operator.IN):
        return None
    [way] = condition.alternatives
    column, values = answer_filters_sql.index_column(way)
    if len(values) * len(way.indexed) > _MAX_RUNS:
        return None
    return IndexRuns(way.field.name, column, [(form_id, value) for form_id in way.indexed for value in values])


async def _scan_runs(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, equal: IndexRuns, after: Place | None, size: int
) -> Candidates | None:
    query = Query(_ENTRIES, scope.customer_id).where("field = ?", equal.field)
    parts = list(_render_branches(query, criteria, equal, after, size))
    rows = await tx.fetch(query.union(parts), *query.args)
    if any(at is None for at, _ in rows):
        return None
    places = sorted({Place(*row) for row in rows}, reverse=criteria.order.is_descending)[:size]
    return Candidates([place.id for place in places], places[-1] if len(places) == size else None)


def _render_branches(
    query: Query, criteria: SubmissionFilter, equal: IndexRuns, after: Place | None, size: int
) -> Iterator[str]:
    """Of each run one entry without a time, where there is any, and those that come next."""
    sign, direction = ("<", "DESC") if criteria.order.is_descending else (">", "ASC")
    bounds = ["at IS NOT NULL"]
    if after:
        bounds.append(f"(at, submission_id) {sign} ({query.place(after.number)}, {query.place(after.id)})")
    if criteria.submitted_from is not None:
        bounds.append(f"at >= {query.place(criteria.submitted_from)}")
    if criteria.submitted_to is not None:
        bounds.append(f"at < {query.place(criteria.submitted_to)}")
    for form_id, value in equal.runs:
        run = f"form_id = {query.place(form_id)} AND {equal.column} = {query.place(value)}"
        yield f"{run} AND at IS NULL ORDER BY at, submission_id LIMIT 1"
        by = f"ORDER BY at {direction}, submission_id {direction} LIMIT {size}"
        yield f"{run} AND {' AND '.join(bounds)} {by}"
