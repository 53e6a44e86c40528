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
    """Resource limits for a workbook. `cells` (not empty) and `text` (characters) apply to all read sheets together."""

    file: int
    """Bytes of the file."""
    unpacked: int
    """Uncompressed bytes of the read parts, according to the archive."""
    cells: int
    text: int
    memory: int
    """Bytes of address space of the reader process."""
    seconds: int
    """CPU seconds of the reader process."""


class Selection(msgspec.Struct, frozen=True):
    """The sheets to read: those with one of `names` (case-insensitive), or else the sheet that `fallback` describes."""

    names: tuple[str, ...] = ()
    fallback: str = ""
    """`first`: the first visible worksheet. `only`: the only worksheet of the workbook. Empty: none."""
    formulas: bool = False
    """Whether to report the positions of formulas."""


class ReaderArguments(msgspec.Struct, frozen=True):
    """The argument of the reader process."""

    limits: Limits
    selection: Selection


class WorkbookInfo(msgspec.Struct, array_like=True):
    """The names of all sheets, and of the worksheets, in the order of the workbook."""

    names: list[str]
    worksheets: list[str]


class SheetStart(msgspec.Struct, array_like=True):
    """Starts a sheet. Rows begin in `first_column`, counted from 1. The others are packed positions of cells.

    `missing` are formulas whose value was not saved.
    """

    name: str
    first_column: int
    formulas: bytes
    errors: bytes
    missing: bytes


class Failure(msgspec.Struct, array_like=True):
    """The message that the workbook cannot be read."""

    code: Problem
    detail: str


Rows = list[tuple[int, list[Cell]]]
"""Rows with their numbers in the sheet, from 1, without empty rows and without trailing empty cells."""


def damaged() -> WorkbookUnreadable:
    """Return the error for a file that is not a workbook or is damaged."""
    return WorkbookUnreadable(Problem.DAMAGED, "The file isn't a valid .xlsx or .xls file or is damaged.")


def locked() -> WorkbookUnreadable:
    """Return the error for an encrypted workbook."""
    return WorkbookUnreadable(Problem.LOCKED, "The file is protected with a password. Save it without a password.")


def too_large(limits: Limits) -> WorkbookUnreadable:
    """Return the error for a file that is too large."""
    return WorkbookUnreadable(Problem.TOO_LARGE, f"The file is larger than {limits.file // _MIB} MiB.")


def unpacks_too_large(limits: Limits) -> WorkbookUnreadable:
    """Return the error for an archive whose parts are too large when uncompressed."""
    return WorkbookUnreadable(Problem.BOMB, f"The file unpacks to more than {limits.unpacked // _MIB} MiB.")


def too_demanding() -> WorkbookUnreadable:
    """Return the error for a file for which the reader process exceeded its memory or time."""
    detail = "The workbook takes too much memory or time to read. Delete cells far below or to the right of the table."
    return WorkbookUnreadable(Problem.BOMB, detail)


Place = tuple[int, int]
"""The row and column of a cell, both from 1."""


class Positions(msgspec.Struct):
    """Where a sheet has formulas, if they were requested, error values, and formulas whose value was not saved."""

    formulas: list[Place] = []
    errors: list[Place] = []
    missing: list[Place] = []


_COLUMNS = 2**24


def pack_positions(positions: Iterable[tuple[int, int]]) -> bytes:
    """Encode rows and columns in eight bytes per cell, because a sheet may have a million formulas."""
    return array("Q", (row * _COLUMNS + column for row, column in positions)).tobytes()


def unpack_positions(packed: bytes) -> Iterator[tuple[int, int]]:
    """Return the rows and columns that were packed, in the same order."""
    return (divmod(position, _COLUMNS) for position in array("Q", packed))


def column_letters(column: int) -> str:
    """Return the name of a column, counted from 1: `A`, `Z`, `AA`."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
