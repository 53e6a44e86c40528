"""The filter of a request for submissions: that of its query, and that of the saved view which the query names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from formwright.api.context import RequestContext
from formwright.asgi.validation import QueryInvalid
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.saved_views import filters
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import SavedView
from formwright.domain.submissions.answer_order import parse_sort
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.submissions.text_search.words import parse_words


class FilterQuery(Protocol):
    """The query parameters that need the database."""

    @property
    def folder_id(self) -> str | None: ...
    @property
    def answers(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def q(self) -> str: ...
    @property
    def view(self) -> str | None: ...


class AnswerQuery(Protocol):
    """The query parameter that selects answers."""

    @property
    def fields(self) -> Sequence[str]: ...


def select_names(query: AnswerQuery, view: SavedView | None) -> frozenset[str] | None:
    """Return the names of the fields whose answers are returned: those of the query, or of the view; None for all."""
    if query.fields:
        return frozenset(query.fields)
    return view.settings.answer_names if view else None


async def sort_by_answer(
    call: RequestContext, tx: ReadTransaction, criteria: SubmissionFilter, sort: str
) -> SubmissionFilter:
    """Return the filter with the order `answers.NAME`. Raises `QueryInvalid`."""
    order, fault = await parse_sort(tx, call.actor, sort, form_ids=criteria.form_ids)
    if fault:
        raise QueryInvalid([fault])
    return replace(criteria, by_answer=order)


async def complete_filter(
    call: RequestContext, tx: ReadTransaction, criteria: SubmissionFilter, query: FilterQuery
) -> tuple[SubmissionFilter, SavedView | None]:
    """Return the filter with the folder, the search, the conditions on answers and the view of the query, and the view.

    Raises `QueryInvalid` or `ViewNotFound`.
    """
    view, folder_id = None, query.folder_id
    words, fault = parse_words(query.q)
    criteria = replace(criteria, words=words)
    if query.view:
        view = await saved_views.get(tx, call.actor, view_id=query.view)
        # From the request itself, because the parsed query also has an order if the caller sent none.
        has_order = any(name == "order" for name, _ in call.request.query)
        now = call.ctx.clock.now()
        criteria = await filters.merge(tx, call.actor, view, criteria, now=now, has_order=has_order)
        folder_id = folder_id or view.settings.filter.folder_id
    if folder_id:
        criteria = criteria.restrict_to_forms(await forms.list_ids_below(tx, call.actor, folder_id=folder_id))
    of_view = view.settings.filter.answers if view else {}
    criteria, errors = await filters.add_answers(tx, call.actor, criteria, query.answers, of_view)
    if errors or fault:
        raise QueryInvalid([*([fault] if fault else []), *errors])
    return criteria, view
