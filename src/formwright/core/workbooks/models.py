"""Limits, errors and the messages that the reader process sends."""

from array import array
from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

Cell = str | bool | int | float
"""A value. Dates and times are ISO 8601 text, durations are `HH:MM:SS`; empty cells and error values are ``""``."""

_MIB = 2**20


class Problem(StrEnum):
    """Why a workbook can't be read. The values are part of published error codes."""

    DAMAGED = "not_xlsx"
    LOCKED = "old_or_locked"
    TOO_LARGE = "too_large"
    BOMB = "bomb"


class WorkbookUnreadable(Exception):
    """The workbook can't be read. `detail` tells the user what to do."""

    def __init__(self, code: Problem, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


class Limits(msgspec.Struct, frozen=True):
    """What one workbook may use. `cells` (not empty) and `text` (characters) count in all sheets that are read."""

    file: int
    """Bytes of the file."""
    unpacked: int
    """Bytes of the parts that are read, as the archive states them."""
    cells: int
    text: int
    memory: int
    """Bytes of address space of the reader process."""
    seconds: int
    """Processor time of the reader process."""


class Selection(msgspec.Struct, frozen=True):
    """The sheets to read: those with one of `names`, in any case; if there is none, the one `fallback` describes."""

    names: tuple[str, ...] = ()
    fallback: str = ""
    """`first`: the first visible worksheet. `only`: the worksheet of a workbook with a single one. Empty: none."""
    formulas: bool = False
    """Whether to report where formulas are."""


class Request(msgspec.Struct, frozen=True):
    """What the reader process is asked for."""

    limits: Limits
    selection: Selection


class WorkbookInfo(msgspec.Struct, array_like=True):
    """The names of all sheets, and of those that hold cells, in their order."""

    names: list[str]
    worksheets: list[str]


class SheetStart(msgspec.Struct, array_like=True):
    """Starts a sheet. Rows begin in `first_column`, counted from 1; `formulas` and `errors` are packed positions."""

    name: str
    first_column: int
    formulas: bytes
    errors: bytes


class Failure(msgspec.Struct, array_like=True):
    """Why the workbook can't be read."""

    code: Problem
    detail: str


Rows = list[tuple[int, list[Cell]]]
"""Rows with their number in the sheet, from 1, without those that are empty and without trailing empty cells."""


def damaged() -> WorkbookUnreadable:
    """The error for a file that is no workbook, or a broken one."""
    return WorkbookUnreadable(Problem.DAMAGED, "The file isn't a valid .xlsx or .xls file or is damaged.")


def locked() -> WorkbookUnreadable:
    """The error for an encrypted workbook."""
    return WorkbookUnreadable(Problem.LOCKED, "The file is protected with a password. Save it without a password.")


def too_large(limits: Limits) -> WorkbookUnreadable:
    """The error for a file with too many bytes."""
    return WorkbookUnreadable(Problem.TOO_LARGE, f"The file is larger than {limits.file // _MIB} MiB.")


def unpacks_too_large(limits: Limits) -> WorkbookUnreadable:
    """The error for an archive that states more bytes than are read."""
    return WorkbookUnreadable(Problem.BOMB, f"The file unpacks to more than {limits.unpacked // _MIB} MiB.")


def too_demanding() -> WorkbookUnreadable:
    """The error for a file that needs more memory or time than the reader process may use."""
    detail = "The workbook takes too much memory or time to read. Delete cells far below or to the right of the table."
    return WorkbookUnreadable(Problem.BOMB, detail)


_COLUMNS = 2**24


def pack_positions(positions: Iterable[tuple[int, int]]) -> bytes:
    """Rows and columns in eight bytes per cell: a sheet may have a million formulas."""
    return array("Q", (row * _COLUMNS + column for row, column in positions)).tobytes()


def unpack_positions(packed: bytes) -> Iterator[tuple[int, int]]:
    """The rows and columns that were packed, in the same order."""
    return (divmod(position, _COLUMNS) for position in array("Q", packed))


def column_letters(column: int) -> str:
    """The name of a column, counted from 1: `A`, `Z`, `AA`."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
