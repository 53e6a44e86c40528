"""What the tabs that show a form's submissions in another way than the list share: the form's head and the filter."""

from dataclasses import dataclass, replace

from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.saved_views.list_query import (
    FormContext,
    ListQuery,
    build_filter,
    load_form_context,
    resolve_view,
)
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.page import Page
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.submissions.answer_conditions import load_named_rows
from formwright.web.views.submissions.list_filter import FilterOptions, SubmissionFilterForm, build_filter_form
from formwright.web.views.submissions.list_query import list_people, read_list_query


@dataclass(frozen=True, slots=True)
class FilteredTab:
    """A tab of a form that shows submissions, with the form of its filter. If that has faults, nothing matches."""

    head: FormHead
    context: FormContext
    query: ListQuery
    filter: SubmissionFilter
    form: SubmissionFilterForm


async def load_filtered_tab(tx: ReadTransaction, page: Page, form_id: str, path: str) -> FilteredTab:
    """Load what the tab at `path` shows. Raises `FormNotFound`."""
    form = await forms.get(tx, page.actor, form_id=form_id)
    query = await resolve_view(tx, page.visitor, replace(read_list_query(page), form=form_id, folder=""))
    context = await load_form_context(tx, page.visitor, form_id)
    filter_, faults = await build_filter(tx, page.visitor, query)
    head = await load_form_head(tx, page.visitor, form, query.params())
    options = FilterOptions(await list_people(tx, page.visitor))
    display = await load_named_rows(tx, page.actor, query.answers, context.fields, context.display)
    context = replace(context, display=display)
    filter_form = build_filter_form(query, context, faults, options, path)
    filter_ = replace(filter_, matches_nothing=filter_.matches_nothing or bool(faults or query.faults))
    return FilteredTab(head, context, query, filter_, filter_form)
