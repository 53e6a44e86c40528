"""Schemas of saved views."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    FolderId,
    FormId,
    Name,
    RequestBody,
    Resource,
    Revision,
    Updated,
    UserId,
    ViewId,
)
from formwright.core.errors import ValidationFault
from formwright.domain.saved_views import models
from formwright.domain.saved_views.models import BUILT_IN_COLUMNS, ViewTab, ViewVisibility
from formwright.domain.submissions.answer_filters import MAX_CONDITIONS
from formwright.domain.submissions.models import SortOrder, SubmissionStatus

_NAME = Meta(
    pattern=r"\S", description="The name, which must be unique among the views of the form that have the same owner."
)
_VISIBILITY = Meta(
    description="`ACCOUNT`: everyone who may read the submissions sees the view. `PRIVATE`: only the user who saved it;"
    " API keys neither see nor save private views."
)
_FORM = Meta(description="The form whose submissions the view shows. Null: those of all forms.")
_ORDER = Meta(description="The order of the submissions, as in `listSubmissions`.")
_TAB = Meta(description="The tab in which the view opens.")
_COLUMNS = Meta(
    max_length=models.MAX_COLUMNS,
    description=f"The columns in their order: {', '.join(f'`{name}`' for name in BUILT_IN_COLUMNS)}, or `answers.` and"
    " the name of a field. Empty: the default columns, and all answers in exports.",
    examples=[["submittedAt", "status", "answers.site"]],
)
_DAY = "in the time zone of the account."


class ViewFilter(RequestBody):
    """The filter of a saved view. Empty properties do not restrict it."""

    status: Annotated[
        list[SubmissionStatus], Meta(max_length=4, description="Only submissions with one of these statuses.")
    ] = []
    user_id: Annotated[UserId | None, Meta(description="Only submissions by this user.")] = None
    folder_id: Annotated[
        FolderId | None, Meta(description="Only submissions of the forms in this folder and in the folders below it.")
    ] = None
    from_day: Annotated[date | None, Meta(description=f"Only submissions submitted on this day or later, {_DAY}")] = (
        None
    )
    to_day: Annotated[date | None, Meta(description=f"Only submissions submitted on this day or earlier, {_DAY}")] = (
        None
    )
    last_days: Annotated[
        Annotated[int, Meta(ge=1, le=models.MAX_DAYS)] | None,
        Meta(
            description="Only submissions of the last days, today included: 1 is today, 7 is today and the six days"
            f" before, {_DAY} Cannot be combined with `fromDay` and `toDay`."
        ),
    ] = None
    answers: Annotated[
        dict[str, Annotated[str, Meta(max_length=2000)]],
        Meta(
            max_length=MAX_CONDITIONS,
            description="Conditions on answers as in the query of `listSubmissions`, without the prefix `answers.`.",
            examples=[{"site": "Harbour", "people[gte]": "3"}],
        ),
    ] = {}
    q: Annotated[
        str,
        Meta(max_length=200, description="Only submissions with these words, as with `q` of `listSubmissions`."),
    ] = ""

    def to_domain(self) -> models.ViewFilter:
        return models.ViewFilter(
            statuses=tuple(dict.fromkeys(self.status)),
            user_id=self.user_id,
            folder_id=self.folder_id,
            from_day=self.from_day,
            to_day=self.to_day,
            last_days=self.last_days,
            answers=self.answers,
            q=self.q,
        )


class ViewWrite(RequestBody):
    """A saved view to create, or to replace another with."""

    name: Annotated[Name, _NAME]
    visibility: Annotated[ViewVisibility, _VISIBILITY] = ViewVisibility.ACCOUNT
    form_id: Annotated[FormId | None, _FORM] = None
    filter: ViewFilter = msgspec.field(default_factory=ViewFilter)
    order: Annotated[SortOrder, _ORDER] = SortOrder.SUBMITTED_DESC
    columns: Annotated[list[str], _COLUMNS] = []
    tab: Annotated[ViewTab, _TAB] = ViewTab.LIST

    def to_domain(self) -> models.NewView:
        settings = models.ViewSettings(self.filter.to_domain(), self.order, tuple(self.columns), self.tab)
        return models.NewView(self.name, self.visibility, self.form_id, settings)


class ViewProblem(Resource):
    """A part of a view that no longer fits its form."""

    pointer: Annotated[str, Meta(description="A JSON Pointer into the view.", examples=["/filter/answers/site"])]
    code: Annotated[str, Meta(description="A stable code.", examples=["view.field_removed"])]
    detail: Annotated[str, Meta(description="What is wrong, for people.")]


class View(Resource):
    """A saved view: a named filter of the list of submissions, with its order, columns and tab."""

    drifting = ("problems",)

    id: ViewId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the view.")]
    visibility: Annotated[ViewVisibility, _VISIBILITY]
    form_id: Annotated[FormId | None, _FORM]
    filter: ViewFilter
    order: Annotated[SortOrder, _ORDER]
    columns: Annotated[list[str], _COLUMNS]
    tab: Annotated[ViewTab, _TAB]
    problems: Annotated[
        list[ViewProblem],
        Meta(
            description="The parts of the view that no longer fit, because the form has changed. The view still works:"
            " a condition that cannot be compared is treated as if no submission had an answer, and a missing column is"
            " left out."
        ),
    ]
    created: Created
    updated: Updated
    revision: Revision


class ViewQuery(PageQuery):
    """Filters of the list of saved views."""

    form_id: Annotated[FormId | None, Meta(description="Only views of this form.")] = None


def view(record: models.SavedView, problems: list[ValidationFault]) -> View:
    """Return a view with what is no longer right with it."""
    settings = record.settings
    return View.of(
        record,
        filter=ViewFilter.of(settings.filter, status=list(settings.filter.statuses)),
        order=settings.order,
        columns=list(settings.columns),
        tab=settings.tab,
        problems=[*map(ViewProblem.of, problems)],
    )
