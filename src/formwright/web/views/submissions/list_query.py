"""The query of the list of submissions: its URL is the whole view, so that people can share it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import Request

from formwright.core.auth.permissions import Permission
from formwright.core.clock import start_of_day
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.core.ids import is_id
from formwright.core.pagination import Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import AnyField
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.models import SortOrder, SubmissionFilter, SubmissionStatus
from formwright.domain.users import service as users
from formwright.web.session import Reader
from formwright.web.views.submissions.answer_text import DisplayContext

_ANSWER_PREFIX = "answers."
_MAX_PEOPLE = 500


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The parsed query. Unknown values are ignored; `faults` are the invalid dates."""

    form: str = ""
    folder: str = ""
    status: tuple[SubmissionStatus, ...] = ()
    person: str = ""
    since: str = ""
    until: str = ""
    order: SortOrder = SortOrder.SUBMITTED_DESC
    answers: Mapping[str, str] = field(default_factory=dict)
    after: Position | None = None
    before: Position | None = None
    faults: tuple[ValidationFault, ...] = ()

    @property
    def is_filtered(self) -> bool:
        """Whether the list leaves out some submissions."""
        return bool(self.form or self.folder or self.status or self.person or self.since or self.until or self.answers)

    @property
    def is_first_page(self) -> bool:
        """Whether this is the first page of the list."""
        return self.after is None and self.before is None

    @property
    def is_newest_first(self) -> bool:
        """Whether the order is descending."""
        return self.order.startswith("-")

    def params(self) -> list[tuple[str, str]]:
        """Return the query parameters of the filter and the order, without the page."""
        single = {"form": self.form, "folder": self.folder, "person": self.person, "from": self.since, "to": self.until}
        params = [(name, value) for name, value in single.items() if value]
        params += [("status", status.value) for status in self.status]
        params += [(_ANSWER_PREFIX + name, value) for name, value in self.answers.items()]
        return params + ([("order", self.order.value)] if self.order is not SortOrder.SUBMITTED_DESC else [])

    def url(self, path: str = "/submissions", **more: str) -> str:
        """Return the URL of this view, with further query parameters."""
        query = urlencode([*self.params(), *more.items()])
        return path + (f"?{query}" if query else "")

    def url_without(self, answer: str) -> str:
        """Return the URL of the view without one of its conditions on answers."""
        return replace(self, answers={n: v for n, v in self.answers.items() if n != answer}).url()

    def sort_url(self, descending: SortOrder) -> str:
        """Return the URL of the list in this order, or in the reverse order if it is in this one already."""
        return replace(self, order=descending.reversed if self.order is descending else descending).url()


def read_list_query(request: Request[Any, Any, Any]) -> ListQuery:
    """Parse the query of a request."""
    return parse_list_query(list(request.query_params.multi_items()))


def parse_list_query(params: Sequence[tuple[str, str]]) -> ListQuery:
    """Parse query parameters."""
    values = dict(params)
    days = {name: values.get(name, "") for name in ("from", "to")}
    faults = [
        ValidationFault(f"?{name}", "query.value", "Enter a date.")
        for name, day in days.items()
        if day and not _parse_day(day)
    ]
    statuses = [
        SubmissionStatus(value) for name, value in params if name == "status" and value in set(SubmissionStatus)
    ]
    order = values.get("order", "")
    return ListQuery(
        form=_valid_id(values.get("form", ""), "frm"),
        folder=_valid_id(values.get("folder", ""), "fol"),
        status=tuple(SubmissionStatus(value) for value in dict.fromkeys(statuses) if value in set(SubmissionStatus)),
        person=_valid_id(values.get("person", ""), "usr"),
        since=days["from"] if _parse_day(days["from"]) else "",
        until=days["to"] if _parse_day(days["to"]) else "",
        order=SortOrder(order) if order in tuple(SortOrder) else SortOrder.SUBMITTED_DESC,
        answers={name.removeprefix(_ANSWER_PREFIX): value for name, value in params if name.startswith(_ANSWER_PREFIX)},
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


def _parse_position(text: str) -> Position | None:
    match = re.fullmatch(r"(-?[0-9]{1,15})\.([a-z0-9_]{1,40})", text)
    return Position(int(match[1]), match[2]) if match else None


async def list_people(tx: ReadTransaction, reader: Reader) -> list[tuple[str, str]]:
    """Return the ids and names of the people to filter by; empty if the reader may not see people."""
    if Permission.PEOPLE_READ not in reader.actor.permissions:
        return []
    page = await users.page(tx, reader.actor, Window(_MAX_PEOPLE))
    return [(user.id, user.name) for user in page.items]


@dataclass(frozen=True, slots=True)
class FormContext:
    """The form by which the list is filtered, its fields, and how their answers are displayed.

    `form` is None in the list of all forms, and if the reader has no access to the form. `fields` are those of the
    published version.
    """

    form: Form | None
    fields: Sequence[AnyField]
    display: DisplayContext


async def load_form_context(tx: ReadTransaction, reader: Reader, form_id: str) -> FormContext:
    """Load the form context for a form's id, which may be empty."""
    time_zone = reader.customer.time_zone
    try:
        form = await forms.get(tx, reader.actor, form_id=form_id) if form_id else None
    except FormNotFound:
        form = None
    if form is None or form.published_version_id is None:
        return FormContext(form, [], DisplayContext("en", time_zone))
    version = await versions.get(tx, reader.actor, form_id=form.id, version_id=form.published_version_id)
    language = version.definition.settings.language
    return FormContext(form, version.definition.fields, DisplayContext(language, time_zone))


async def build_filter(
    tx: ReadTransaction, reader: Reader, query: ListQuery
) -> tuple[SubmissionFilter, Sequence[ValidationFault]]:
    """Return the filter for the domain, and what is invalid in the query and its conditions on answers."""
    zone = reader.customer.time_zone
    until = _parse_day(query.until)
    filter_ = SubmissionFilter(
        form_ids=[query.form] if query.form else [],
        statuses=query.status,
        user_id=query.person or None,
        submitted_from=start_of_day(_parse_day(query.since), zone),
        submitted_to=start_of_day(until + timedelta(days=1) if until and until < date.max else None, zone),
        order=query.order,
    )
    if query.folder:
        filter_ = filter_.restrict_to_forms(await forms.list_ids_below(tx, reader.actor, folder_id=query.folder))
    if filter_.matches_nothing or not query.answers:
        return filter_, query.faults
    params = {name: [value] for name, value in query.answers.items()}
    conditions, faults = await parse_conditions(tx, reader.actor, params, form_ids=filter_.form_ids)
    return replace(filter_, answers=conditions), [*query.faults, *faults]
