"""Records, options and errors of imports of submissions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.errors import Conflict, NotFound

MAX_FILE = 256 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_CELL = 1_000_000
"""Characters of a cell: the rows of a repeat are one cell of a CSV file."""
MAX_REPORTED = 1000
"""How many errors an import keeps."""
MAX_WAITING = 20
"""How many imports of an account may wait or run at the same time."""
MAX_STAGED = 20
"""How many files of an account may wait for somebody to map their columns."""
RETENTION_MS = 30 * 24 * 3600 * 1000
LEASE_MS = 20_000
MAX_TRIES = 5

Kind = Literal["csv", "xlsx"]


class SubmissionImportStatus(StrEnum):
    """The status of an import.

    `ARRIVING`: its file is being stored, or waits for somebody to map its columns. `QUEUED`: waits for a worker.
    `CHECKING`: rows are being checked, and nothing is written yet. `IMPORTING`: rows are being written. `DONE`: all
    valid rows were written. `REJECTED`: a row is invalid, and nothing was written. `FAILED`: stopped by an error, after
    writing `imported` rows.
    """

    ARRIVING = "ARRIVING"
    QUEUED = "QUEUED"
    CHECKING = "CHECKING"
    IMPORTING = "IMPORTING"
    DONE = "DONE"
    REJECTED = "REJECTED"
    FAILED = "FAILED"


ACTIVE = (SubmissionImportStatus.QUEUED, SubmissionImportStatus.CHECKING, SubmissionImportStatus.IMPORTING)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to read a file and what to do with its rows.

    `columns` are names of columns by target; None to map columns by their names. `silent` imports send no webhooks.
    `is_detected` says that what is None was looked for in the file, and is unclear or does not matter.
    """

    columns: Mapping[str, str] | None = None
    skip_unmapped: bool = False
    skip_bad: bool = False
    check_only: bool = False
    silent: bool = False
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    time_zone: str = "UTC"
    decimal_comma: bool | None = None
    day_first: bool | None = None
    is_detected: bool = False


class RejectedRow(msgspec.Struct, frozen=True):
    """Why a row was rejected. `line` is its line in a CSV file or its row in the sheet, `column` the column's name."""

    line: int
    column: str | None
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class SubmissionsImport:
    """An import. Counts are numbers of rows; `next_line` is the position of the first row that has not been written.

    `due` is when a worker may take it: at once, or when the lease of another one ends (ms); None once it has ended.
    """

    id: str
    customer_id: str
    form_id: str
    version_id: str
    file_name: str
    kind: Kind
    size: int
    actor: Actor
    options: ImportOptions
    status: SubmissionImportStatus
    errors: Sequence[RejectedRow]
    total: int
    checked: int
    imported: int
    rejected: int
    next_line: int
    due: int | None
    tries: int
    created: int
    updated: int
    revision: int
    ended: int | None

    @property
    def blob_key(self) -> str:
        """The key of the file in the blob store."""
        return f"imports/{self.customer_id}/{self.id}"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE


class ImportNotFound(NotFound):
    """The account has no import with this id, or the actor may not see it."""

    code = "import.not_found"
    detail = "There is no such import in this account."


class TooManyImports(Conflict):
    """Too many imports of the account wait or run."""

    code = "import.too_many"
    detail = f"{MAX_WAITING} imports are already waiting or running. Wait until one of them has ended."


class TooManyStagedFiles(Conflict):
    """Too many files of the account wait for somebody to map their columns."""

    code = "import.too_many_files"
    detail = f"{MAX_STAGED} files are already waiting to be imported. Import or discard one of them, or wait an hour."
