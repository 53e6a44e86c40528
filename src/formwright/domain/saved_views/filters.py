"""Applying a view to a list of submissions. A filter of the request replaces the same filter of the view."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.customers import service as customers
from formwright.domain.saved_views.models import SavedView
from formwright.domain.submissions.answer_filters import Operator, RawFilters, parse_conditions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.submissions.text_search.words import parse_words


async def merge(
    tx: ReadTransaction, actor: Actor, view: SavedView, given: SubmissionFilter, *, now: int, has_order: bool
) -> SubmissionFilter:
    """Return the filter of a request, with the filter of the view where the request has none.

    The folder and the answers are not part of it. A period of the request replaces that of the view as a whole, and its
    order only if `has_order`.
    """
    own = view.settings.filter
    since, until = given.submitted_from, given.submitted_to
    if since is None and until is None and own.has_period:
        since, until = own.period((await customers.get(tx, actor)).time_zone, now)
    words, fault = parse_words(own.q)
    return replace(
        given,
        form_ids=given.form_ids or ([view.form_id] if view.form_id else []),
        statuses=given.statuses or own.statuses,
        user_id=given.user_id or own.user_id,
        submitted_from=since,
        submitted_to=until,
        words=given.words or words,
        order=given.order if has_order else view.settings.order,
        matches_nothing=given.matches_nothing or bool(fault and not given.words),
    )


async def add_answers(
    tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, given: RawFilters, of_view: Mapping[str, str]
) -> tuple[SubmissionFilter, Sequence[ValidationFault]]:
    """Return the filter with the conditions on answers of a request and of a view, and the errors of the request.

    A condition of the view that cannot be compared, because its form has changed, is treated as if no submission had
    an answer: only `ne` matches. Ignoring it would show submissions that the view has never shown.
    """
    raw = {**{key: [text] for key, text in of_view.items()}, **given}
    if criteria.matches_nothing or not raw:
        return criteria, []
    conditions, faults = await parse_conditions(tx, actor, raw, form_ids=criteria.form_ids)
    errors = [fault for fault in faults if fault.pointer.removeprefix("?answers.") not in of_view.keys() - given.keys()]
    unmet = [fault for fault in faults if fault not in errors and not fault.pointer.endswith(f"[{Operator.NE}]")]
    return replace(criteria, answers=conditions, matches_nothing=bool(unmet)), errors
