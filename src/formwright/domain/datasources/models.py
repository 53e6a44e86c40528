"""What an import is asked to do, and what became of it.

Pulls: rows that are fetched from a URL, again and again.

Datasources, their columns and rows.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid, NotFound, ValidationFault
from formwright.domain.datasources.parsers.base import BadRow


class ImportMode(StrEnum):
    """What happens to rows that do not come: a replacing import deletes them, an upsert leaves them."""

    REPLACE = "REPLACE"
    UPSERT = "UPSERT"


class ImportSource(StrEnum):
    """How the rows came."""

    JSON = "JSON"
    CSV = "CSV"
    XLSX = "XLSX"
    PULL = "PULL"


class ImportStatus(StrEnum):
    """How it ended."""

    DONE = "DONE"
    FAILED = "FAILED"


@dataclass(slots=True)
class ImportCounts:
    """What happened to the rows. `skipped` are bad rows that were left out because that was asked for."""

    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    skipped: int = 0

    @property
    def changed(self) -> bool:
        """Whether anything is different now."""
        return bool(self.inserted or self.updated or self.deleted)


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """One import in a datasource's history; `bad` are the first of its bad rows, `version` what it made."""

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
    """Why it failed; empty for one that did not."""
    by_kind: str
    by_id: str
    started: int
    created: int


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did or, tried only, would do; `bad` names up to 1,000 rows."""

    counts: ImportCounts
    version: int
    bad: Sequence[BadRow]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """How rows are to be imported. Without `skip_bad`, one bad row means that none is taken in."""

    source: ImportSource
    mode: ImportMode = ImportMode.REPLACE
    skip_bad: bool = False
    dry_run: bool = False
    guard: Callable[[ReadTransaction], Awaitable[None]] | None = None
    """Asked when the datasource is leased for this import: raises where it is not to be made any more."""


class InvalidRows(Invalid):
    """Rows cannot be taken in; `bad` are the first of them."""

    most = 1000

    def __init__(self, faults: Sequence[ValidationFault], detail: str, bad: Sequence[BadRow], count: int) -> None:
        super().__init__(faults, detail)
        self.bad, self.count = bad, count


MINUTE_S, HOUR_S, DAY_S, WEEK_S = 60, 3600, 86400, 604800
MIN_INTERVAL_S, MAX_INTERVAL_S = 15 * MINUTE_S, WEEK_S
MAX_HEADERS = 20

_DURATION = re.compile(r"P(?:(\d{1,3})W|(?=[\dT])(?:(\d{1,3})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?)", re.ASCII)


class PullStatus(StrEnum):
    """How the last pull went; `UNCHANGED`: all was well, and nothing was new."""

    RUNNING = "RUNNING"
    DONE = "DONE"
    UNCHANGED = "UNCHANGED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull and the state of its last try, without its secrets: `headers` are names. Times in milliseconds.

    `rows` are those of the last pull that succeeded; `detail` and `bad` say why the last one failed.
    """

    url: str
    headers: tuple[str, ...]
    every_s: int
    due: int | None
    """When it is pulled next; None while it runs."""
    status: PullStatus | None
    started: int | None
    ended: int | None
    took: int | None
    rows: int | None
    detail: str
    bad: Sequence[BadRow]


@dataclass(frozen=True, slots=True)
class PullUpdate:
    """What is asked of a pull. None leaves what is there; a header of None keeps the value that is there."""

    url: str | None = None
    headers: Mapping[str, str | None] | None = None
    every: str | None = None


class PullNotConfigured(Conflict):
    """It has no pull."""

    code = "datasource.not_pulled"
    detail = "This datasource is not pulled from anywhere. Give it a `pull` first."


def parse_duration(text: str) -> int:
    """`PT15M`, `P1D`, `P1W` (ISO 8601 without years, months and seconds); ValueError where it is none."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    weeks, days, hours, minutes = (int(part or 0) for part in found.groups())
    return weeks * WEEK_S + days * DAY_S + hours * HOUR_S + minutes * MINUTE_S


def format_duration(seconds: int) -> str:
    """Whole minutes as ISO 8601."""
    days, rest = divmod(seconds, DAY_S)
    hours, rest = divmod(rest, HOUR_S)
    time = (f"{hours}H" if hours else "") + (f"{rest // MINUTE_S}M" if rest else "")
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "")


FOREVER = 2**62
"""The version at which a row ends that has not ended."""

Cell = str | int | float | bool | None


class CellType(StrEnum):
    """What the cells of a column are. They are kept as text, and shown as this."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `fixed` when somebody said its type, else it was found in the cells and may still change."""

    name: str
    type: CellType = CellType.TEXT
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Datasource:
    """A table of outside data; `key_column` is the column whose value is unique. Times in milliseconds.

    `version` counts the imports that changed something; `place` and `next_number` say where its rows' numbers are.
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
    pull: Pull | None = field(default=None, compare=False)
    """Where its rows are fetched; only what is to be shown has it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row: its number, its key, and its cells as a JSON object of texts; an empty cell is not in it."""

    number: int
    key: str
    data: str


class NewRow(NamedTuple):
    """A row that is to be written: its key, its cells as JSON, and the same cells."""

    key: str
    data: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows are wanted: with all words of `text` in the key or the shown columns, with the cells of `by`.

    A word of three or more letters is found anywhere, a shorter one where a word begins. Case and accents do not count.
    """

    text: str = ""
    shown: frozenset[str] | None = None
    """The columns in which words may be found; None means all."""
    by: Mapping[str, str] | None = None
    key: str | None = None
    skip: int = 0


class DatasourceNotFound(NotFound):
    """No such datasource in this account."""

    code = "datasource.not_found"
    detail = "There is no such datasource in this account."


class DatasourceNameTaken(Conflict):
    """The account has a datasource of this name."""

    code = "datasource.name_taken"
    detail = "This account has a datasource with this name already. Choose another name."


class DatasourceBusy(Conflict):
    """Another import into it is under way."""

    code = "datasource.busy"
    detail = "Rows are being imported into this datasource right now. Try again when that is done."
