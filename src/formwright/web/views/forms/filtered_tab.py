"""What the tabs that show a form's submissions in another way than the list share: the form's head and the filter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.forms import service as forms
from formwright.domain.saved_views.list_query import (
    FormContext,
    ListQuery,
    build_filter,
    load_form_context,
    resolve_view,
)
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus
from formwright.web.page import Page
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.submissions.answer_conditions import ConditionRow, condition_rows
from formwright.web.views.submissions.list_query import list_people, list_periods, read_list_query

_IN_FILTER_LINE = ("form", "q", "status", "person", "days", "from", "to")


@dataclass(frozen=True, slots=True)
class FilterLine:
    """The view model of `filter_bar`. `rest` are the parameters of the query that it does not contain.

    `faults` are invalid values, and `conditions` are those on answers, with links that remove them.
    """

    query: ListQuery
    statuses: Sequence[tuple[str, str]]
    people: Sequence[tuple[str, str]]
    periods: Sequence[tuple[str, str]]
    rest: Sequence[tuple[str, str]]
    all_url: str
    faults: Sequence[str]
    conditions: Sequence[ConditionRow]


@dataclass(frozen=True, slots=True)
class FilteredTab:
    """A tab of a form that shows submissions. If the filter has `faults`, nothing matches it."""

    head: FormHead
    context: FormContext
    query: ListQuery
    filter: SubmissionFilter
    line: FilterLine


async def load_filtered_tab(tx: ReadTransaction, page: Page, form_id: str, path: str) -> FilteredTab:
    """Load what the tab at `path` shows. Raises `FormNotFound`."""
    form = await forms.get(tx, page.actor, form_id=form_id)
    query = await resolve_view(tx, page.visitor, replace(read_list_query(page), form=form_id, folder=""))
    context = await load_form_context(tx, page.visitor, form_id)
    filter_, faults = await build_filter(tx, page.visitor, query)
    head = await load_form_head(tx, page.visitor, form, query.params())
    line = FilterLine(
        query=query,
        statuses=[(status.value, status.capitalize()) for status in SubmissionStatus],
        people=await list_people(tx, page.visitor),
        periods=list_periods(query),
        rest=[(name, value) for name, value in query.exact_params() if name not in _IN_FILTER_LINE],
        all_url=path,
        faults=[fault.detail for fault in faults if not fault.pointer.startswith("?answers.")],
        conditions=_conditions(query, context, faults, path),
    )
    filter_ = replace(filter_, matches_nothing=filter_.matches_nothing or bool(faults or query.faults))
    return FilteredTab(head, context, query, filter_, line)


def _conditions(
    query: ListQuery, context: FormContext, faults: Sequence[ValidationFault], path: str
) -> list[ConditionRow]:
    rows = condition_rows(query, context.fields, faults, context.display)
    return [replace(row, remove_url=row.remove_url.replace("/submissions?", f"{path}?", 1)) for row in rows]
