"""The filter above submissions: of the list, and of the tabs that show submissions in another way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from formwright.core.errors import ValidationFault
from formwright.domain.folders.models import Folder
from formwright.domain.saved_views.list_query import FormContext, ListQuery
from formwright.domain.submissions.answer_filters import Operator
from formwright.domain.submissions.models import SubmissionStatus
from formwright.web.views.folders import folder_options
from formwright.web.views.list_pages import FilterField, ListFilter, Options, day_fields, label_options, search_field
from formwright.web.views.submissions.answer_conditions import (
    OPERATOR_LABELS,
    ConditionRow,
    FilterableAnswer,
    condition_rows,
    filterable_answers,
)
from formwright.web.views.submissions.list_query import list_periods

_PATH = "/submissions"


@dataclass(frozen=True, slots=True)
class SubmissionFilterForm(ListFilter):
    """The filter of submissions, with its conditions on answers, and the `answers` that further ones can compare."""

    conditions: Sequence[ConditionRow] = ()
    answers: Sequence[FilterableAnswer] = ()
    operators: Mapping[Operator, str] = field(default_factory=lambda: OPERATOR_LABELS)

    @property
    def is_invalid(self) -> bool:
        """Whether something in the filter is wrong, so that nothing is listed."""
        return bool(self.faults) or any(condition.fault for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """What the filter offers. Only the list of all submissions has options for forms and folders.

    `lookup_url` is the beginning of the URL that finds rows of lookups; empty if the visitor may not read them.
    """

    people: Options
    forms: Options = ()
    folders: Sequence[Folder] = ()
    lookup_url: str = ""


def build_filter_form(
    query: ListQuery,
    context: FormContext,
    faults: Sequence[ValidationFault],
    options: FilterOptions,
    path: str = _PATH,
) -> SubmissionFilterForm:
    """Return the filter of the query, for the list or for the tab of a form at `path`."""
    form, is_list = context.form, path == _PATH
    fields = _list_fields(query, options, is_of_form=form is not None)
    # The path of a tab names its form.
    shown = {*(one.name for one in fields), *([] if is_list else ["form"])}
    return SubmissionFilterForm(
        path,
        fields,
        _field_values(query),
        clear_url=ListQuery(form=form.id if form and is_list else "").url(path),
        is_filtered=(replace(query, form="") if form else query).is_filtered,
        hidden=[(name, value) for name, value in query.exact_params() if name not in shown],
        faults={fault.pointer[1:]: fault.detail for fault in faults if not fault.pointer.startswith("?answers.")},
        conditions=condition_rows(query, context.fields, faults, context.display, path),
        answers=filterable_answers(context.fields, context.display, options.lookup_url) if form and is_list else [],
    )


def _list_fields(query: ListQuery, options: FilterOptions, *, is_of_form: bool) -> list[FilterField]:
    fields = [
        search_field("Search submissions"),
        FilterField("form", "Form", options.forms, "All forms"),
        FilterField("status", "Status", label_options(SubmissionStatus), "Any status"),
        FilterField("days", "Period", list_periods(query), "Any time"),
        FilterField("folder", "Folder", folder_options(options.folders), "All folders", further=True),
        FilterField("person", "Person", options.people, "Anyone", further=True),
        *day_fields(),
    ]
    left_out = {
        "form": is_of_form,
        "folder": is_of_form or not options.folders,
        "person": len(options.people) < 2,
    }
    return [one for one in fields if not left_out.get(one.name)]


def _field_values(query: ListQuery) -> dict[str, str]:
    return {
        "q": query.q,
        "form": query.form,
        "folder": query.folder,
        "status": query.status[-1] if query.status else "",
        "person": query.person,
        "days": str(query.days or ""),
        "from": query.since,
        "to": query.until,
    }
