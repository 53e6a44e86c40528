"""The saved view record, its errors and limits."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

import msgspec

from formwright.core.clock import start_of_day, to_local
from formwright.core.errors import Conflict, NotFound
from formwright.domain.submissions.models import SortOrder, SubmissionStatus

ID_PREFIX = "view"
MAX_PER_USER = 100
MAX_PER_ACCOUNT = 200
MAX_COLUMNS = 30
MAX_DAYS = 3660
ANSWER_PREFIX = "answers."
BUILT_IN_COLUMNS = ("formId", "submittedAt", "status", "userId", "updated", "externalId", "id")
"""The columns that every submission has. The others are `answers.` and the name of a field."""
_ANSWER_COLUMN = re.compile(rf"{re.escape(ANSWER_PREFIX)}[A-Za-z]\w{{0,63}}", re.ASCII)


def is_column(name: str) -> bool:
    """Whether this can be the name of a column, whatever fields the form has."""
    return name in BUILT_IN_COLUMNS or _ANSWER_COLUMN.fullmatch(name) is not None


class ViewVisibility(StrEnum):
    """Who can see a view. `PRIVATE`: only the user who saved it. `ACCOUNT`: everyone who may read its submissions."""

    PRIVATE = "PRIVATE"
    ACCOUNT = "ACCOUNT"


class ViewTab(StrEnum):
    """The tab in which a view opens."""

    LIST = "LIST"
    SUMMARY = "SUMMARY"
    MAP = "MAP"


class ViewFilter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The filter of a view. Empty properties do not restrict it. Days are in the account's time zone and inclusive.

    `last_days` counts today: 1 is today, 7 is today and the six days before. `answers` are conditions on answers as in
    the query of the API: `{"people[gte]": "3"}`.
    """

    statuses: tuple[SubmissionStatus, ...] = ()
    user_id: str | None = None
    folder_id: str | None = None
    from_day: date | None = None
    to_day: date | None = None
    last_days: int | None = None
    answers: dict[str, str] = {}
    q: str = ""
    """The words that the submissions contain, as they were entered."""

    @property
    def has_period(self) -> bool:
        """Whether the view shows the submissions of some days only."""
        return bool(self.from_day or self.to_day or self.last_days)

    def period(self, zone: str, now: int) -> tuple[int | None, int | None]:
        """Return the half-open period (from <= t < to) in milliseconds; None if it is unbounded on that side."""
        since, until = self.from_day, self.to_day
        if self.last_days is not None:
            since = to_local(now, zone).date() - timedelta(days=self.last_days - 1)
        end = until + timedelta(days=1) if until and until < date.max else None
        return start_of_day(since, zone), start_of_day(end, zone)


class ViewSettings(msgspec.Struct, frozen=True):
    """What a view shows: its filter, order, columns and tab. Without columns, it has the default ones."""

    filter: ViewFilter = ViewFilter()
    order: SortOrder = SortOrder.SUBMITTED_DESC
    columns: tuple[str, ...] = ()
    tab: ViewTab = ViewTab.LIST

    @property
    def answer_names(self) -> frozenset[str] | None:
        """The names of the fields among the columns; None without columns, which means all of them."""
        names = (name.removeprefix(ANSWER_PREFIX) for name in self.columns if name.startswith(ANSWER_PREFIX))
        return frozenset(names) if self.columns else None


@dataclass(frozen=True, slots=True)
class NewView:
    """The properties of a view to create, or to replace another with."""

    name: str
    visibility: ViewVisibility
    form_id: str | None
    settings: ViewSettings


@dataclass(frozen=True, slots=True)
class SavedView:
    """A saved view of one form, or of all forms without `form_id`. Times are in milliseconds.

    `owner_id` is the user whose private view it is; None if it belongs to the account.
    """

    id: str
    customer_id: str
    owner_id: str | None
    name: str
    form_id: str | None
    settings: ViewSettings
    created: int
    updated: int
    revision: int

    @property
    def visibility(self) -> ViewVisibility:
        """Who can see the view."""
        return ViewVisibility.ACCOUNT if self.owner_id is None else ViewVisibility.PRIVATE


class ViewNotFound(NotFound):
    """The account has no view with this id, it is another user's, or the actor may not read its form."""

    code = "view.not_found"
    detail = "There is no such saved view in this account."


class ViewNameTaken(Conflict):
    """The user, or the account, already has a view with this name for the form."""

    code = "view.name_taken"
    detail = "A saved view with this name already exists. Choose another name."


class ViewLimitReached(Conflict):
    """The user or the account already has the maximum number of views."""

    code = "view.limit_reached"
    detail = (
        f"A user can have at most {MAX_PER_USER} saved views, and an account {MAX_PER_ACCOUNT} for everyone. Delete one"
        " that is no longer used."
    )
