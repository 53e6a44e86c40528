"""What the list of submissions is asked for in its address, so that a view can be sent to a colleague."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from litestar import Request

from formwright.core.clock import to_milliseconds
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.core.ids import is_id
from formwright.core.pagination import Position
from formwright.domain.forms import service as forms
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.models import SortOrder, SubmissionFilter, SubmissionStatus
from formwright.web.session import Reader

_ANSWER_PREFIX = "answers."


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The address's query, read: what does not make sense in it is left out, or told as a fault."""

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
        """Whether anything is left out."""
        return bool(self.form or self.folder or self.status or self.person or self.since or self.until or self.answers)

    @property
    def is_first_page(self) -> bool:
        """Whether it is the beginning of the list."""
        return self.after is None and self.before is None

    def params(self) -> list[tuple[str, str]]:
        """The filter as members of a query; where in the list one is does not belong to it."""
        plain = {"form": self.form, "folder": self.folder, "person": self.person, "from": self.since, "to": self.until}
        found = [(name, value) for name, value in plain.items() if value]
        found += [("status", one.value) for one in self.status]
        found += [(_ANSWER_PREFIX + name, value) for name, value in self.answers.items()]
        return found + ([("order", self.order.value)] if self.order is not SortOrder.SUBMITTED_DESC else [])

    def url(self, path: str = "/submissions", **more: str) -> str:
        """The address of this view, with `more` in it."""
        query = urlencode([*self.params(), *more.items()])
        return path + (f"?{query}" if query else "")

    def url_without(self, answer: str) -> str:
        """The address of the view without one of its conditions on answers."""
        return replace(self, answers={n: v for n, v in self.answers.items() if n != answer}).url()

    def sort_url(self, down: SortOrder) -> str:
        """The address with the list sorted by this, the newest first, or turned where it is so already."""
        return replace(self, order=down.reversed if self.order is down else down).url()


def read_list_query(request: Request[Any, Any, Any]) -> ListQuery:
    """The view that an address asks for."""
    return parse_list_query(list(request.query_params.multi_items()))


def parse_list_query(params: Sequence[tuple[str, str]]) -> ListQuery:
    """The view that the members of a query ask for."""
    asked = dict(params)
    days = {name: asked.get(name, "") for name in ("from", "to")}
    faults = [
        ValidationFault(f"?{name}", "query.value", "Enter a date.")
        for name, day in days.items()
        if day and not _parse_day(day)
    ]
    known = tuple(SubmissionStatus(value) for n, value in params if n == "status" and value in tuple(SubmissionStatus))
    order = asked.get("order", "")
    return ListQuery(
        form=_valid_id(asked.get("form", ""), "frm"),
        folder=_valid_id(asked.get("folder", ""), "fol"),
        status=tuple(dict.fromkeys(known)),
        person=_valid_id(asked.get("person", ""), "usr"),
        since=days["from"] if _parse_day(days["from"]) else "",
        until=days["to"] if _parse_day(days["to"]) else "",
        order=SortOrder(order) if order in tuple(SortOrder) else SortOrder.SUBMITTED_DESC,
        answers={name.removeprefix(_ANSWER_PREFIX): value for name, value in params if name.startswith(_ANSWER_PREFIX)},
        after=_parse_place(asked.get("after", "")),
        before=_parse_place(asked.get("before", "")),
        faults=tuple(faults),
    )


def _valid_id(text: str, prefix: str) -> str:
    return text if is_id(text, prefix) else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) else None
    except ValueError:
        return None


def _parse_place(text: str) -> Position | None:
    found = re.fullmatch(r"(-?[0-9]{1,15})\.([a-z0-9_]{1,40})", text)
    return Position(int(found[1]), found[2]) if found else None


def format_place(place: Position) -> str:
    """A place in the list as it stands in an address."""
    return f"{place.number}.{place.id}"


async def build_filter(
    tx: ReadTransaction, reader: Reader, query: ListQuery
) -> tuple[SubmissionFilter, Sequence[ValidationFault]]:
    """Which submissions are meant, and what is wrong with the conditions on answers."""
    zone = ZoneInfo(reader.customer.time_zone)
    until = _parse_day(query.until)
    wanted = SubmissionFilter(
        form_ids=[query.form] if query.form else [],
        statuses=query.status,
        user_id=query.person or None,
        submitted_from=_start_of_day(_parse_day(query.since), zone),
        submitted_to=_start_of_day(until + timedelta(days=1) if until and until < date.max else None, zone),
        order=query.order,
    )
    if query.folder:
        wanted = wanted.restrict_to_forms(await forms.list_ids_below(tx, reader.actor, folder_id=query.folder))
    if wanted.matches_nothing or not query.answers:
        return wanted, query.faults
    asked = {name: [value] for name, value in query.answers.items()}
    met, faults = await parse_conditions(tx, reader.actor, asked, form_ids=wanted.form_ids)
    return replace(wanted, answers=met), [*query.faults, *faults]


def _start_of_day(day: date | None, zone: ZoneInfo) -> int | None:
    """The first millisecond of a day in the account's zone."""
    if day is None:
        return None
    if not 1 < day.year < 9999:
        return to_milliseconds(datetime(day.year, day.month, day.day, tzinfo=UTC))
    return to_milliseconds(datetime(day.year, day.month, day.day, tzinfo=zone))
