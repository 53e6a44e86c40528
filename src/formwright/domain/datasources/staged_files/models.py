"""Records of staged files, the choices of their users, and suggestions derived from the beginning of a file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Literal, Protocol

from formwright.core.errors import Conflict, NotFound, ValidationFault
from formwright.core.tables.base import BadRow, Dialect, FileTable
from formwright.domain.datasources.models import CellType, Column, ImportCounts, ImportMode

MAX_FILE = 256 * 1024 * 1024
MAX_UPLOADS = 20
"""How many files an account may stage at the same time."""
RETENTION_MS = 3_600_000
HEARTBEAT_TIMEOUT_MS = 60_000
"""How long a job may go without reporting progress before it counts as interrupted."""
PREVIEW_ROWS = 20
"""How many rows a preview contains."""

Kind = Literal["csv", "xlsx"]


class UploadState(StrEnum):
    """`LOOKING` and `LOOKED`: the file is being analysed, and its preview is ready."""

    ARRIVED = "ARRIVED"
    LOOKING = "LOOKING"
    LOOKED = "LOOKED"
    IMPORTING = "IMPORTING"
    DONE = "DONE"


ACTIVE_STATES = (UploadState.LOOKING, UploadState.IMPORTING)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a user chose for a file. None means to detect it; without `types`, the data source's fixed types apply."""

    name: str = ""
    mode: ImportMode = ImportMode.REPLACE
    key_column: str | None = None
    types: Mapping[str, CellType] | None = None
    dialect: Dialect = field(default_factory=Dialect)
    skip_bad: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of analysing a file. `faults` are errors of the file as a whole or of the user's choices.

    `encoding_sample` are cells to check the encoding with, if it was guessed.
    """

    dialect: Dialect = field(default_factory=Dialect)
    encoding_sample: Sequence[str] = ()
    sheets: Sequence[str] = ()
    key_column: str = ""
    columns: Sequence[Column] = ()
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    counts: ImportCounts = field(default_factory=ImportCounts)
    bad: Sequence[BadRow] = ()
    faults: Sequence[ValidationFault] = ()

    @property
    def total(self) -> int:
        """The number of rows in the file."""
        counts = self.counts
        return counts.inserted + counts.updated + counts.unchanged + counts.skipped


@dataclass(frozen=True, slots=True)
class Upload:
    """A staged file.

    `seen` is the number of rows that the running job has read, and `done` its progress in thousandths, or -1 if it is
    unknown. `touched` is the time of the last use in milliseconds.
    """

    id: str
    customer_id: str
    user_id: str
    datasource_id: str
    """The data source to import into; if it is new, the id that it will have."""
    is_new: bool
    """Whether the import creates the data source."""
    file_name: str
    kind: Kind
    size: int
    state: UploadState
    choices: Choices
    preview: Preview
    seen: int
    done: int
    touched: int

    @property
    def blob_key(self) -> str:
        """The key of its content in the blob store."""
        return f"rows/{self.customer_id}/{self.id}"

    def is_active(self, now: int) -> bool:
        """Return whether a job is running."""
        return self.state in ACTIVE_STATES and now - self.touched < HEARTBEAT_TIMEOUT_MS

    def is_interrupted(self, now: int) -> bool:
        """Return whether a job ended without storing its result."""
        return self.state in ACTIVE_STATES and not self.is_active(now)


class UploadNotFound(NotFound):
    """The file never existed, belongs to another user, or has been deleted."""

    code = "datasource.upload.not_found"
    detail = "This file no longer exists. Files are deleted after one hour. Upload it again."


class TooManyUploads(Conflict):
    """The account has too many staged files."""

    code = "datasource.upload.too_many"
    detail = f"{MAX_UPLOADS} files are already waiting to be imported. Import or discard one of them, or wait an hour."


class UploadBusy(Conflict):
    """A job is running for the file."""

    code = "datasource.upload.busy"
    detail = "This file is being read or imported. Wait until that has finished."


KEY_SAMPLE_ROWS = 10_000
"""How many rows are read to suggest a key column. The analysis then checks all rows."""
_MAX_PREVIEW_CHARACTERS = 300
_MAX_SUGGESTED_NAME = 100


class _Rows(Protocol):
    """A table, or the rows of one."""

    def rows(self) -> Iterator[tuple[int, Sequence[str | None]] | BadRow]: ...


def preview_rows(table: _Rows) -> list[tuple[int, list[str]]]:
    """Return the first rows with their line numbers. Long cells are truncated, and invalid rows have no cells."""
    return [_truncate_cells(row) for row in islice(table.rows(), PREVIEW_ROWS)]


def _truncate_cells(row: tuple[int, Sequence[str | None]] | BadRow) -> tuple[int, list[str]]:
    if isinstance(row, BadRow):
        return row.line, []
    line, cells = row
    return line, [
        cell if len(cell) <= _MAX_PREVIEW_CHARACTERS else cell[:_MAX_PREVIEW_CHARACTERS] + "…"
        for cell in (str(cell or "") for cell in cells)
    ]


def suggest_key_column(table: FileTable) -> str:
    """Return the first column whose cells are all filled and unique, or else the first column."""
    seen: dict[int, set[str]] = {index: set() for index in range(len(table.header))}
    for cells in _valid_rows(table):
        for index in [index for index, values in seen.items() if not cells[index] or cells[index] in values]:
            del seen[index]
        if not seen:
            return table.header[0]
        for index, values in seen.items():
            values.add(cells[index])
    return table.header[min(seen)]


def _valid_rows(table: FileTable) -> Iterator[list[str]]:
    for row in islice(table.rows(), KEY_SAMPLE_ROWS):
        if not isinstance(row, BadRow):
            yield row[1]


def suggest_name(file_name: str) -> str:
    """Derive the name of a data source from a file name: `customers_2026-03.csv` becomes `customers 2026-03`."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", file_name)
    return re.sub(r"[\s_]+", " ", stem).strip()[:_MAX_SUGGESTED_NAME]
