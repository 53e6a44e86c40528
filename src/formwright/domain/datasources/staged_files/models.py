"""A file of rows that waits, what is chosen for it, and what was found in it.

What can be proposed from the beginning of a file: the rows that are shown, the key column, the name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Literal

from formwright.core.errors import Conflict, NotFound, ValidationFault
from formwright.domain.datasources.models import CellType, Column, ImportCounts, ImportMode
from formwright.domain.datasources.parsers.base import BadRow, Dialect, Table

MAX_FILE = 256 * 1024 * 1024
MAX_UPLOADS = 20
"""How many files of an account may wait at once."""
RETENTION_MS = 3_600_000
HEARTBEAT_TIMEOUT_MS = 60_000
"""How long work on a file may be silent before it counts as interrupted."""
PREVIEW_ROWS = 20
"""How many rows a preview shows."""

Kind = Literal["csv", "xlsx"]


class UploadState(StrEnum):
    """Where a file is on its way."""

    ARRIVED = "ARRIVED"
    LOOKING = "LOOKING"
    LOOKED = "LOOKED"
    IMPORTING = "IMPORTING"
    DONE = "DONE"


ACTIVE_STATES = (UploadState.LOOKING, UploadState.IMPORTING)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person may choose. None is left to be found; without `types` a datasource's own fixed ones hold."""

    name: str = ""
    mode: ImportMode = ImportMode.REPLACE
    key_column: str | None = None
    types: Mapping[str, CellType] | None = None
    dialect: Dialect = field(default_factory=Dialect)
    skip_bad: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What was found when the file was looked through; `faults` are of the file as a whole, or of what was chosen."""

    dialect: Dialect = field(default_factory=Dialect)
    sheets: Sequence[str] = ()
    key_column: str = ""
    columns: Sequence[Column] = ()
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    counts: ImportCounts = field(default_factory=ImportCounts)
    bad: Sequence[BadRow] = ()
    faults: Sequence[ValidationFault] = ()

    @property
    def total(self) -> int:
        """How many rows the file has."""
        counts = self.counts
        return counts.inserted + counts.updated + counts.unchanged + counts.skipped


@dataclass(frozen=True, slots=True)
class Upload:
    """One file. `done` is the share of the work that is done, in thousandths; -1 where nobody knows it."""

    id: str
    customer_id: str
    user_id: str
    datasource_id: str
    """Of the datasource that it goes into; of a new one, the id that it will have."""
    fresh: bool
    """Whether it becomes a new datasource."""
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
    def place(self) -> str:
        """Where its content is kept."""
        return f"rows/{self.customer_id}/{self.id}"

    def working(self, now: int) -> bool:
        """Whether something is being done with it right now."""
        return self.state in ACTIVE_STATES and now - self.touched < HEARTBEAT_TIMEOUT_MS

    def interrupted(self, now: int) -> bool:
        """Whether what was done with it ended without a word."""
        return self.state in ACTIVE_STATES and not self.working(now)


class UploadNotFound(NotFound):
    """It never was, is another person's, or was removed after an hour."""

    code = "datasource.upload.not_found"
    detail = "This file is no longer here. Files wait for an hour; choose it once more."


class TooManyUploads(Conflict):
    """Too many files wait."""

    code = "datasource.upload.too_many"
    detail = f"{MAX_UPLOADS} files wait to be imported already. Import or discard one of them, or wait an hour."


class UploadBusy(Conflict):
    """It is being worked on."""

    code = "datasource.upload.busy"
    detail = "This file is being read or imported right now. Wait until that is done."


KEY_SAMPLE_ROWS = 10_000
"""How many rows are looked at for a key column; all of them are checked when they are looked through."""
_MAX_PREVIEW_CHARACTERS = 300
_MAX_SUGGESTED_NAME = 100


def preview_rows(table: Table) -> list[tuple[int, list[str]]]:
    """The first rows with their lines; long cells are cut. A row that cannot be read has no cells."""
    return [_truncate_cells(row) for row in islice(table.rows(), PREVIEW_ROWS)]


def _truncate_cells(row: tuple[int, list[str]] | BadRow) -> tuple[int, list[str]]:
    if isinstance(row, BadRow):
        return row.line, []
    line, cells = row
    return line, [
        cell if len(cell) <= _MAX_PREVIEW_CHARACTERS else cell[:_MAX_PREVIEW_CHARACTERS] + "…" for cell in cells
    ]


def suggest_key_column(table: Table) -> str:
    """The first column whose cells are all there and all different; the first column where there is none."""
    seen: dict[int, set[str]] = {index: set() for index in range(len(table.header))}
    for cells in _valid_rows(table):
        for index in [index for index, values in seen.items() if not cells[index] or cells[index] in values]:
            del seen[index]
        if not seen:
            return table.header[0]
        for index, values in seen.items():
            values.add(cells[index])
    return table.header[min(seen)]


def _valid_rows(table: Table) -> Iterator[list[str]]:
    for row in islice(table.rows(), KEY_SAMPLE_ROWS):
        if not isinstance(row, BadRow):
            yield row[1]


def suggest_name(file_name: str) -> str:
    """A datasource's name from that of a file: `kunden_2026-03.csv` becomes `kunden 2026-03`."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", file_name)
    return re.sub(r"[\s_]+", " ", stem).strip()[:_MAX_SUGGESTED_NAME]
