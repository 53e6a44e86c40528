"""Records, rules and errors of data sources, their rows, imports and scheduled pulls."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid, NotFound, ValidationFault
from formwright.core.tables.base import BadRow


class ImportMode(StrEnum):
    """How an import treats existing rows that it does not contain. `REPLACE`: they are deleted. `UPSERT`: they are
    kept.
    """

    REPLACE = "REPLACE"
    UPSERT = "UPSERT"


class ImportSource(StrEnum):
    """The format in which the rows arrived, or `PULL` if the server fetched them from a URL."""

    JSON = "JSON"
    CSV = "CSV"
    XLSX = "XLSX"
    PULL = "PULL"


class ImportStatus(StrEnum):
    """The result of an import. `DONE`: rows were imported. `FAILED`: nothing was changed."""

    DONE = "DONE"
    FAILED = "FAILED"


@dataclass(slots=True)
class ImportCounts:
    """How many rows an import changed. `skipped` counts the invalid rows that an import with `skip_bad` left out."""

    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    skipped: int = 0

    @property
    def has_changes(self) -> bool:
        """Whether the import inserted, updated or deleted any row."""
        return bool(self.inserted or self.updated or self.deleted)


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """An entry in a data source's import history. Times are in milliseconds.

    `bad` contains the first invalid rows, and `version` is the version of the data source after the import.
    """

    id: str
    customer_id: str
    datasource_id: str
    source: ImportSource
    mode: ImportMode
    status: ImportStatus
    counts: ImportCounts
    version: int
    bad: Sequence[BadRow]
    detail: str
    """Why the import failed; empty if it succeeded."""
    by_kind: str
    by_id: str
    started: int
    created: int


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did or, as a dry run, would do. `bad` contains up to 1,000 invalid rows."""

    counts: ImportCounts
    version: int
    bad: Sequence[BadRow]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """How to import rows. Without `skip_bad`, a single invalid row makes the whole import fail."""

    source: ImportSource
    mode: ImportMode = ImportMode.REPLACE
    skip_bad: bool = False
    dry_run: bool = False
    guard: Callable[[ReadTransaction], Awaitable[None]] | None = None
    """Called in the transaction that locks the data source; raises if the import must not take place any more."""


class InvalidRows(Invalid):
    """The import contains invalid rows: `count` in total, of which `bad` contains the first."""

    max_errors = 1000

    def __init__(self, faults: Sequence[ValidationFault], detail: str, bad: Sequence[BadRow], count: int) -> None:
        super().__init__(faults, detail)
        self.bad, self.count = bad, count


MINUTE_S, HOUR_S, DAY_S, WEEK_S = 60, 3600, 86400, 604800
MIN_INTERVAL_S, MAX_INTERVAL_S = 15 * MINUTE_S, WEEK_S
MAX_HEADERS = 20

_DURATION = re.compile(r"P(?:(\d{1,3})W|(?=[\dT])(?:(\d{1,3})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?)", re.ASCII)


class PullStatus(StrEnum):
    """The status of the last pull. `RUNNING`: in progress. `DONE`: rows were imported. `UNCHANGED`: successful, without
    new data. `FAILED`: failed, and nothing was changed.
    """

    RUNNING = "RUNNING"
    DONE = "DONE"
    UNCHANGED = "UNCHANGED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Pull:
    """The URL from which a data source is updated, and the result of the last attempt. Times are in milliseconds.

    It contains no secrets: `headers` are the names of the request headers. `rows` is the number of rows in the last
    successful pull; `detail` and `bad` say why the last pull failed.
    """

    url: str
    headers: tuple[str, ...]
    every_s: int
    due: int | None
    """The time of the next pull; None while one is running."""
    status: PullStatus | None
    started: int | None
    ended: int | None
    took: int | None
    rows: int | None
    detail: str
    bad: Sequence[BadRow]


@dataclass(frozen=True, slots=True)
class PullUpdate:
    """Changes to the pull of a data source. None keeps a value; a header whose value is None keeps that value."""

    url: str | None = None
    headers: Mapping[str, str | None] | None = None
    every: str | None = None


class PullNotConfigured(Conflict):
    """The data source has no `pull`."""

    code = "datasource.not_pulled"
    detail = "This data source has no `pull`. Set one first."


def parse_duration(text: str) -> int:
    """Parse an ISO 8601 duration such as `PT15M`, `P1D` or `P1W` to seconds.

    Years, months and seconds are not supported. Raises `ValueError` if the text is not a duration.
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(text)
    weeks, days, hours, minutes = (int(part or 0) for part in match.groups())
    return weeks * WEEK_S + days * DAY_S + hours * HOUR_S + minutes * MINUTE_S


def format_duration(seconds: int) -> str:
    """Format a duration as ISO 8601, rounded down to minutes."""
    days, rest = divmod(seconds, DAY_S)
    hours, rest = divmod(rest, HOUR_S)
    time = (f"{hours}H" if hours else "") + (f"{rest // MINUTE_S}M" if rest else "")
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "")


FOREVER = 2**62
"""The end version of rows that are still current."""

Cell = str | int | float | bool | None


class CellType(StrEnum):
    """The type of the cells in a column. Cells are stored as text and converted to this type when they are read."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. If `fixed`, a user chose its type; otherwise it was detected and may change with the next import."""

    name: str
    type: CellType = CellType.TEXT
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Datasource:
    """A table of external data; values in `key_column` are unique. Times are in milliseconds.

    `version` counts the imports that changed anything. Row numbers consist of `place` in the upper 32 bits, which is
    unique to the data source on SQLite and 0 on PostgreSQL, and a counter whose next value is `next_number`.
    """

    id: str
    customer_id: str
    name: str
    key_column: str
    columns: tuple[Column, ...]
    row_count: int
    version: int
    place: int
    next_number: int
    created: int
    updated: int
    revision: int
    external_id: str | None = None
    pull: Pull | None = field(default=None, compare=False)
    """Only loaded if the data source is shown to a user."""

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class DataRow:
    """A row: its number, its key, and its cells as a JSON object of strings, without the empty cells."""

    number: int
    key: str
    data: str
    since: int
    """The version of the data source that changed the row last."""
    created_in: int | None
    """The version that created the row; None if that is `since`."""

    @property
    def first_version(self) -> int:
        """The version that created the row."""
        return self.since if self.created_in is None else self.created_in


class NewRow(NamedTuple):
    """A row to be stored: its key, its cells as a JSON object, and the same cells as a mapping.

    `created_in` is the version that created the row, if that is not the version that stores it.
    """

    key: str
    data: str
    cells: Mapping[str, str]
    created_in: int | None = None


class RowTimes(NamedTuple):
    """When a row was created, and when it last changed, in milliseconds."""

    created: int
    updated: int


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Matches rows that contain all words of `text` in the key or in `columns`, and that have these exact `cells`.

    Words of three or more letters match anywhere, shorter ones only at the beginning of a word. Case and accents are
    ignored.
    """

    text: str = ""
    columns: frozenset[str] | None = None
    """The columns to search for the words; None means all."""
    cells: Mapping[str, str] | None = None
    key: str | None = None
    skip: int = 0
    updated_from: int | None = None
    """Only rows last changed at or after this time, in milliseconds."""
    updated_to: int | None = None
    """Only rows last changed before this time, in milliseconds."""


class DatasourceNotFound(NotFound):
    """The account has no data source with this id."""

    code = "datasource.not_found"
    detail = "There is no such data source in this account."


class DatasourceNameTaken(Conflict):
    """Another data source of the account has this name."""

    code = "datasource.name_taken"
    detail = "This account already has a data source with this name. Choose another name."


class DatasourceExternalIdTaken(Conflict):
    """Another data source of the account has this external id."""

    code = "datasource.external_id_taken"
    detail = "Another data source of this account already has this externalId."


class DatasourceBusy(Conflict):
    """Another import into the data source is in progress."""

    code = "datasource.busy"
    detail = "Another import into this data source is in progress. Try again when it has finished."
