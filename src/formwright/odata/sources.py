"""Where the rows of tables come from: pages of the records that the API lists, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.clock import rfc3339
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Page, Position, Window
from formwright.domain.datasources import cell_types
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import DataRow, Datasource, RowFilter
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_filters import MAX_CONDITIONS, parse_conditions
from formwright.domain.submissions.models import (
    SortOrder,
    Submission,
    SubmissionFilter,
    SubmissionNotFound,
    SubmissionStatus,
)
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import Task, TaskNotFound
from formwright.domain.users import service as users
from formwright.domain.users.models import User, UserNotFound
from formwright.odata.columns import ColumnType
from formwright.odata.filters import Comparison


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records to read. All rows that the query asks for come from these records, but others may, too.

    `required` are comparisons that rows must meet, `types` the types of the columns. `by_update` reads the records in
    the order of their last change.
    """

    required: Sequence[Comparison] = ()
    types: Mapping[str, ColumnType] | None = None
    by_update: bool = False


class RowSource(Protocol):
    """Reads the records of a table."""

    async def read(self, tx: ReadTransaction, actor: Actor, selection: Selection, window: Window) -> Page[Any]:
        """Return a page of records in a stable order."""

    async def find(self, tx: ReadTransaction, actor: Actor, key: str) -> Any | None:
        """Return the record with this value in the first key column, or None."""

    async def count(self, tx: ReadTransaction, actor: Actor) -> int | None:
        """Return the number of records; None if only reading them can tell."""

    def position(self, record: Any, selection: Selection) -> Position:
        """Return the position of a record, after which the next page begins."""


_COUNT_LIMIT = 1_000_000_000
_OPERATORS = {"eq": "eq", "gt": "gt", "ge": "gte", "lt": "lt", "le": "lte"}


@dataclass(frozen=True, slots=True)
class Submissions:
    """The submissions of a form.

    `unchanged` are the fields with the same type in all versions. Only their answers can be compared in SQL: it would
    compare the answers to older versions by the new type.
    """

    form_id: str
    unchanged: frozenset[str]

    async def read(self, tx: ReadTransaction, actor: Actor, selection: Selection, window: Window) -> Page[Submission]:
        return await submissions.page(tx, actor, await self._filter(tx, actor, selection), window)

    async def find(self, tx: ReadTransaction, actor: Actor, key: str) -> Submission | None:
        try:
            found = await submissions.get(tx, actor, submission_id=key)
        except SubmissionNotFound:
            return None
        return found if found.form_id == self.form_id else None

    async def count(self, tx: ReadTransaction, actor: Actor) -> int | None:
        return await submissions.count(tx, actor, SubmissionFilter(form_ids=[self.form_id]), limit=_COUNT_LIMIT)

    def position(self, record: Submission, selection: Selection) -> Position:
        return Position(record.updated if selection.by_update else record.at, record.id)

    async def _filter(self, tx: ReadTransaction, actor: Actor, selection: Selection) -> SubmissionFilter:
        order = SortOrder.UPDATED if selection.by_update else SortOrder.SUBMITTED
        filter_ = SubmissionFilter(form_ids=[self.form_id], order=order)
        raw: dict[str, Sequence[str]] = {}
        for one in selection.required:
            if one.column.startswith("_"):
                filter_ = _restrict(filter_, one)
            elif one.column in self.unchanged and len(raw) < MAX_CONDITIONS:
                raw[f"{one.column}[{_OPERATORS[one.operator]}]"] = [_to_text(one, selection.types or {})]
        # A comparison that SQL doesn't support is left to the filter of the query.
        conditions, _ = await parse_conditions(tx, actor, raw, form_ids=[self.form_id])
        return replace(filter_, answers=conditions)


def _restrict(filter_: SubmissionFilter, comparison: Comparison) -> SubmissionFilter:
    """Apply a comparison of a built-in column, if the list of submissions can be restricted by it."""
    match comparison:
        case Comparison("_status", "eq", status):
            known = [one for one in SubmissionStatus if one.value == status]
            return replace(filter_, statuses=known, matches_nothing=filter_.matches_nothing or not known)
        case Comparison("_user_id", "eq", user_id):
            return replace(filter_, user_id=user_id)
        case Comparison("_submitted" | "_updated" as name, operator, ms):
            kind = name.removeprefix("_")
            bounds = {f"{kind}_from": ms + (operator == "gt")} if operator in ("gt", "ge", "eq") else {}
            if operator in ("lt", "le", "eq"):
                bounds[f"{kind}_to"] = ms + (operator != "lt")
            return replace(filter_, **bounds)
    return filter_


def _to_text(comparison: Comparison, types: Mapping[str, ColumnType]) -> str:
    """Return the value as the filters of the API have it."""
    value = comparison.value
    if types.get(comparison.column) is ColumnType.MOMENT:
        return rfc3339(value)
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


class TaskRows:
    """The tasks of the account."""

    async def read(self, tx: ReadTransaction, actor: Actor, selection: Selection, window: Window) -> Page[Task]:
        return await tasks.page(tx, actor, window)

    async def find(self, tx: ReadTransaction, actor: Actor, key: str) -> Task | None:
        try:
            return await tasks.get(tx, actor, task_id=key)
        except TaskNotFound:
            return None

    async def count(self, tx: ReadTransaction, actor: Actor) -> int | None:
        return None

    def position(self, record: Task, selection: Selection) -> Position:
        return Position(record.created, record.id)


class UserRows:
    """The users of the account."""

    async def read(self, tx: ReadTransaction, actor: Actor, selection: Selection, window: Window) -> Page[User]:
        return await users.page(tx, actor, window)

    async def find(self, tx: ReadTransaction, actor: Actor, key: str) -> User | None:
        try:
            return await users.get(tx, actor, user_id=key)
        except UserNotFound:
            return None

    async def count(self, tx: ReadTransaction, actor: Actor) -> int | None:
        return await users.count(tx, actor)

    def position(self, record: User, selection: Selection) -> Position:
        return Position(record.created, record.id)


@dataclass(frozen=True, slots=True)
class DatasourceRows:
    """The rows of a data source, each as its typed cells by column."""

    datasource: Datasource

    async def read(
        self, tx: ReadTransaction, actor: Actor, selection: Selection, window: Window
    ) -> Page[dict[str, Any]]:
        _, found = await datasources.find_rows(tx, actor, RowFilter(), window, datasource_id=self.datasource.id)
        return Page([self._cells(row) for row in found.items], found.next)

    async def find(self, tx: ReadTransaction, actor: Actor, key: str) -> dict[str, Any] | None:
        row_filter = RowFilter(key=key)
        _, found = await datasources.find_rows(tx, actor, row_filter, Window(1), datasource_id=self.datasource.id)
        return self._cells(found.items[0]) if found.items else None

    async def count(self, tx: ReadTransaction, actor: Actor) -> int | None:
        return self.datasource.row_count

    def position(self, record: dict[str, Any], selection: Selection) -> Position:
        return Position(record[_NUMBER], "")

    def _cells(self, row: DataRow) -> dict[str, Any]:
        cells = cell_types.to_values(self.datasource.columns, msgspec.json.decode(row.data))
        return {**cells, _NUMBER: row.number}


_NUMBER = "\0number"
"""Where a row of a data source has its number. No column has this name, because names have no control characters."""
