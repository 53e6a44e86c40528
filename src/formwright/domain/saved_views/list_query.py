"""The query of the list of submissions: its URL is the whole view, so that people can share it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol
from urllib.parse import urlencode

from msgspec import structs

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Position
from formwright.domain.customers.models import Customer
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.models import Form
from formwright.domain.saved_views import filters
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import (
    MAX_COLUMNS,
    MAX_DAYS,
    SavedView,
    ViewFilter,
    ViewNotFound,
    ViewSettings,
    is_column,
)
from formwright.domain.submissions import answer_order
from formwright.domain.submissions.models import SortOrder, SubmissionFilter, SubmissionStatus
from formwright.domain.submissions.text_search.words import MAX_QUERY_LENGTH, parse_words

_ANSWER_PREFIX = "answers."
_MAX_NAME = 100


class Reader(Protocol):
    """Who reads the list: a visitor of the pages, a worker for somebody, or the command line."""

    @property
    def customer(self) -> Customer: ...

    @property
    def actor(self) -> Actor: ...


@dataclass(frozen=True, slots=True)
class AccountReader:
    """A reader of whom only the account and the permissions are known."""

    customer: Customer
    actor: Actor


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The parsed query. Unknown values are ignored; `faults` are the invalid dates, and a view that does not exist.

    `view` is the id of a saved view. Once `resolve_view` has loaded it, it is in `saved`, and what the query does not
    filter by itself is filtered as in the view; unless the query is `exact`, which means that it is the whole filter.
    `ids` are single submissions that were selected in the list, and `q` the words to search for.
    `days` counts today, and `now` is the time from which it is counted. `columns` are named as in saved views. `split`
    is the name of the choice by which the tab “Summary” compares, and `by_count` whether its charts have the most
    frequent answer first instead of the order of the form; other tabs only keep them.
    """

    ids: tuple[str, ...] = ()
    form: str = ""
    folder: str = ""
    status: tuple[SubmissionStatus, ...] = ()
    person: str = ""
    since: str = ""
    until: str = ""
    days: int | None = None
    order: SortOrder = SortOrder.SUBMITTED_DESC
    has_order: bool = False
    sort: str = ""
    q: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    view: str = ""
    exact: bool = False
    split: str = ""
    by_count: bool = False
    saved: SavedView | None = None
    now: int = 0
    after: Position | None = None
    before: Position | None = None
    faults: tuple[ValidationFault, ...] = ()

    @property
    def is_filtered(self) -> bool:
        """Whether the list leaves out some submissions."""
        by_resource = self.ids or self.form or self.folder or self.person
        return bool(by_resource or self.q or self.status or self.has_period or self.answers)

    @property
    def has_period(self) -> bool:
        """Whether the list has the submissions of some days only."""
        return bool(self.since or self.until or self.days)

    @property
    def is_first_page(self) -> bool:
        """Whether this is the first page of the list."""
        return self.after is None and self.before is None

    @property
    def is_newest_first(self) -> bool:
        """Whether the order is descending."""
        return self.order.startswith("-")

    @property
    def is_modified(self) -> bool:
        """Whether the list shows something else than its saved view."""
        if self.saved is None:
            return False
        return _comparable(self.settings()) != _comparable(self.saved.settings)

    def settings(self) -> ViewSettings:
        """Return what the list shows as the settings of a view."""
        filter_ = ViewFilter(
            statuses=self.status,
            user_id=self.person or None,
            folder_id=self.folder or None,
            from_day=_parse_day(self.since),
            to_day=_parse_day(self.until),
            last_days=self.days,
            answers=dict(self.answers),
            q=self.q,
        )
        return ViewSettings(filter_, self.order, self.columns)

    def params(self) -> list[tuple[str, str]]:
        """Return the query parameters of the filter, the order and the columns, without the page.

        A view that shows what it was saved with is only named, so that the address follows its changes.
        """
        if self.saved and not self.is_modified and not self.ids:
            single = {"form": self.form, "view": self.saved.id, **self._chart_params(), "sort": self.sort}
            return [(name, value) for name, value in single.items() if value]
        return self.exact_params()

    def exact_params(self) -> list[tuple[str, str]]:
        """Return the query parameters with all filters, also those that the saved view has: forms can change them."""
        single = {
            "form": self.form,
            "view": self.view,
            "exact": "1" if self.view and (self.saved or self.exact) else "",
            "q": self.q,
            "folder": self.folder,
            "person": self.person,
            "from": self.since,
            "to": self.until,
            "days": str(self.days or ""),
            **self._chart_params(),
            "sort": self.sort,
        }
        params = [(name, value) for name, value in single.items() if value]
        params += [("id", submission_id) for submission_id in self.ids]
        params += [("status", status.value) for status in self.status]
        params += [(_ANSWER_PREFIX + name, value) for name, value in self.answers.items()]
        has_order = self.order is not SortOrder.SUBMITTED_DESC or (self.view and self.has_order)
        params += [("order", self.order.value)] if has_order else []
        return params + [("column", name) for name in self.columns]

    def _chart_params(self) -> dict[str, str]:
        return {"split": self.split, "charts": "count" if self.by_count else ""}

    def url(self, path: str = "/submissions", **more: str) -> str:
        """Return the URL of this view, with further query parameters."""
        query = urlencode([*self.params(), *more.items()])
        return path + (f"?{query}" if query else "")

    def url_without(self, answer: str, path: str) -> str:
        """Return the URL of the view at this path without one of its conditions on answers."""
        return replace(self, answers={n: v for n, v in self.answers.items() if n != answer}).url(path)

    def sort_url(self, descending: SortOrder) -> str:
        """Return the URL of the list in this order, or in the reverse order if it is in this one already."""
        is_descending = self.order is descending and not self.sort
        return replace(self, order=descending.reversed if is_descending else descending, sort="").url()

    def answer_sort_url(self, name: str) -> str:
        """Return the URL of the list sorted by the answers to a field, or in the reverse order if it is already."""
        ascending = _ANSWER_PREFIX + name
        return replace(self, sort=f"-{ascending}" if self.sort == ascending else ascending).url()


def _comparable(settings: ViewSettings) -> ViewSettings:
    """Return settings that are equal if two views show the same, whatever their tabs and the order of statuses."""
    statuses = tuple(sorted(settings.filter.statuses))
    return ViewSettings(structs.replace(settings.filter, statuses=statuses), settings.order, settings.columns)


def parse_list_query(params: Sequence[tuple[str, str]], *, now: int) -> ListQuery:
    """Parse query parameters, at a time in milliseconds."""
    values = dict(params)
    days = {name: values.get(name, "") for name in ("from", "to")}
    faults = [
        ValidationFault(f"?{name}", "query.value", "Enter a date.")
        for name, day in days.items()
        if day and not _parse_day(day)
    ]
    if days["from"] or days["to"]:
        detail = "Choose either the last days, or the first and the last day."
        faults += [ValidationFault("?days", "view.period", detail)] if values.get("days") else []
    statuses = [
        SubmissionStatus(value) for name, value in params if name == "status" and value in set(SubmissionStatus)
    ]
    order, sort = values.get("order", ""), values.get("sort", "")
    ids = [value for name, value in params if name == "id" and is_id(value, "sub")]
    return ListQuery(
        ids=tuple(ids[:MAX_LIMIT]),
        form=_valid_id(values.get("form", ""), "frm"),
        folder=_valid_id(values.get("folder", ""), "fol"),
        status=tuple(SubmissionStatus(value) for value in dict.fromkeys(statuses) if value in set(SubmissionStatus)),
        person=_valid_id(values.get("person", ""), "usr"),
        since=days["from"] if _parse_day(days["from"]) else "",
        until=days["to"] if _parse_day(days["to"]) else "",
        days=_parse_days(values.get("days", "")),
        order=SortOrder(order) if order in tuple(SortOrder) else SortOrder.SUBMITTED_DESC,
        has_order=order in tuple(SortOrder),
        sort=sort if re.fullmatch(answer_order.PATTERN, sort, re.ASCII) else "",
        q=values.get("q", "").strip()[:MAX_QUERY_LENGTH],
        answers={name.removeprefix(_ANSWER_PREFIX): value for name, value in params if name.startswith(_ANSWER_PREFIX)},
        columns=tuple(dict.fromkeys(value for name, value in params if name == "column" and is_column(value)))[
            :MAX_COLUMNS
        ],
        view=_valid_id(values.get("view", ""), "view"),
        exact=values.get("exact") == "1",
        split=values.get("split", "")[:_MAX_NAME],
        by_count=values.get("charts") == "count",
        now=now,
        after=_parse_position(values.get("after", "")),
        before=_parse_position(values.get("before", "")),
        faults=tuple(faults),
    )


def _valid_id(text: str, prefix: str) -> str:
    return text if is_id(text, prefix) else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) else None
    except ValueError:
        return None


def _parse_days(text: str) -> int | None:
    found = re.fullmatch(r"[0-9]{1,4}", text)
    return int(text) if found and 1 <= int(text) <= MAX_DAYS else None


def _parse_position(text: str) -> Position | None:
    match = re.fullmatch(r"(-?[0-9]{1,15})\.([a-z0-9_]{1,40})(?:\.(.{1,1000}))?", text)
    return Position(int(match[1]), match[2], match[3] or "") if match else None


@dataclass(frozen=True, slots=True)
class FormContext:
    """The form by which the list is filtered, its fields, and how their answers are displayed.

    `form` is None in the list of all forms, and if the reader has no access to the form. `fields` are those of the
    published version.
    """

    form: Form | None
    fields: Sequence[AnyField]
    display: DisplayContext
    title: str = ""
    """The name of the field whose answer is the title of a submission, if there is one."""


async def load_form_context(tx: ReadTransaction, reader: Reader, form_id: str) -> FormContext:
    """Load the form context for a form's id, which may be empty."""
    time_zone = reader.customer.time_zone
    found = await forms.find_with_published(tx, reader.actor, form_id=form_id) if form_id else None
    form, version = found or (None, None)
    if form is None or version is None:
        return FormContext(form, [], DisplayContext("en", time_zone))
    language = version.definition.settings.language
    title = version.definition.settings.title_field or ""
    return FormContext(form, version.definition.fields, DisplayContext(language, time_zone), title)


async def resolve_view(tx: ReadTransaction, reader: Reader, query: ListQuery) -> ListQuery:
    """Return the query with what the saved view that it names adds to it; itself if it names none.

    A view of all forms does not stay selected if the query chooses a form. If the reader may not see the view, or if it
    belongs to another form, the query has a fault; unless it is exact, and then it only loses the view.
    """
    if not query.view or query.saved:
        return query
    without_view = replace(query, view="", exact=False)
    try:
        view = await saved_views.get(tx, reader.actor, view_id=query.view)
    except ViewNotFound as error:
        detail = "This saved view was deleted, or it is not shared with you."
        fault = ValidationFault("?view", error.code, detail)
        return without_view if query.exact else replace(without_view, faults=(*query.faults, fault))
    if view.form_id and query.form not in ("", view.form_id):
        fault = ValidationFault("?view", ViewNotFound.code, "This saved view belongs to another form.")
        return without_view if query.exact else replace(without_view, faults=(*query.faults, fault))
    merged = _merge_view(query, view)
    return replace(merged, view="", exact=False) if query.form and not view.form_id else replace(merged, saved=view)


def _merge_view(query: ListQuery, view: SavedView) -> ListQuery:
    own, form = view.settings.filter, query.form or view.form_id or ""
    if query.exact:
        return replace(query, form=form)
    if not query.has_period:
        since, until = (day.isoformat() if day else "" for day in (own.from_day, own.to_day))
        query = replace(query, since=since, until=until, days=own.last_days)
    return replace(
        query,
        form=form,
        folder=query.folder or own.folder_id or "",
        status=query.status or own.statuses,
        person=query.person or own.user_id or "",
        order=query.order if query.has_order else view.settings.order,
        q=query.q or own.q,
        answers={**own.answers, **query.answers},
        columns=query.columns or view.settings.columns,
    )


async def build_filter(
    tx: ReadTransaction, reader: Reader, query: ListQuery
) -> tuple[SubmissionFilter, Sequence[ValidationFault]]:
    """Return the filter for the domain, and what is invalid in the query and its conditions on answers.

    Conditions of the saved view are never invalid: if its form has changed, they match as `filters.add_answers` says.
    """
    query = await resolve_view(tx, reader, query)
    period = query.settings().filter.period(reader.customer.time_zone, query.now)
    words, fault = parse_words(query.q)
    filter_ = SubmissionFilter(
        ids=query.ids,
        words=words,
        form_ids=[query.form] if query.form else [],
        statuses=query.status,
        user_id=query.person or None,
        submitted_from=period[0],
        submitted_to=period[1],
        order=query.order,
    )
    if query.folder:
        filter_ = filter_.restrict_to_forms(await forms.list_ids_below(tx, reader.actor, folder_id=query.folder))
    known = query.saved.settings.filter.answers if query.saved else {}
    of_view = {name: value for name, value in query.answers.items() if known.get(name) == value}
    given = {name: [value] for name, value in query.answers.items() if name not in of_view}
    filter_, faults = await filters.add_answers(tx, reader.actor, filter_, given, of_view)
    found = [*query.faults, *([fault] if fault else []), *faults]
    if query.sort:
        by_answer, unsorted = await answer_order.parse_sort(tx, reader.actor, query.sort, form_ids=filter_.form_ids)
        filter_, found = replace(filter_, by_answer=by_answer), found + ([unsorted] if unsorted else [])
        for position in (query.after, query.before):
            try:
                _ = by_answer and position and by_answer.read_key(position)
            except Invalid as error:
                found += error.faults
    return filter_, found
