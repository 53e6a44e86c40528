"""What an import is asked to do, and what became of it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.kernel.errors import Fault, Invalid
from formwright.core.storage.database import Reading
from formwright.domain.datasources.tables.model import BadRow


class Mode(StrEnum):
    """What happens to rows that do not come: a replacing import deletes them, an upsert leaves them."""

    REPLACE = "REPLACE"
    UPSERT = "UPSERT"


class Source(StrEnum):
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
class Counts:
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
    source: Source
    mode: Mode
    status: ImportStatus
    counts: Counts
    version: int
    bad: Sequence[BadRow]
    detail: str
    """Why it failed; empty for one that did not."""
    by_kind: str
    by_id: str
    started: int
    created: int


@dataclass(frozen=True, slots=True)
class Report:
    """What an import did or, tried only, would do; `bad` names up to 1,000 rows."""

    counts: Counts
    version: int
    bad: Sequence[BadRow]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows are to be imported. Without `skip_bad`, one bad row means that none is taken in."""

    source: Source
    mode: Mode = Mode.REPLACE
    skip_bad: bool = False
    dry_run: bool = False
    guard: Callable[[Reading], Awaitable[None]] | None = None
    """Asked when the datasource is leased for this import: raises where it is not to be made any more."""


class RowsRefused(Invalid):
    """Rows cannot be taken in; `bad` are the first of them."""

    most = 1000

    def __init__(self, faults: Sequence[Fault], detail: str, bad: Sequence[BadRow], count: int) -> None:
        super().__init__(faults, detail)
        self.bad, self.count = bad, count
