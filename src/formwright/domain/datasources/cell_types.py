"""Types of cells: detecting them, and converting between stored text and typed values.

Cells are stored as text in a canonical form, and converted to the type of their column when they are read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from math import isfinite
from typing import Any

from formwright.domain.datasources.models import Cell, CellType, Column

# Integers of 18 digits always fit into 64 bits, and a double keeps 15 digits of a number.
_PATTERNS = re.compile(
    r"(?P<integer>-?(?:0|[1-9][0-9]{0,17}))"
    r"|(?P<decimal>-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?)"
    r"|(?P<boolean>true|false|TRUE|FALSE|True|False)|(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"|(?P<datetime>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}"
    r"(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)"
)
_LONG_INTEGER = re.compile(r"-?[0-9]{16,}")
_COMMON_TYPES = {
    frozenset((CellType.INTEGER, CellType.DECIMAL)): CellType.DECIMAL,
    frozenset((CellType.DATE, CellType.DATETIME)): CellType.DATETIME,
}
"""The type that can represent both. Dates and datetimes mix because spreadsheets write midnight as a date."""


def to_text(cell: Cell) -> str:
    """Convert a JSON value to the text that is stored; None becomes the empty string."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell if isinstance(cell, str) else repr(cell)


def detect_value_type(cell: Cell) -> CellType:
    """Detect the type of a JSON value. A string may be a date or a datetime, but is never a number or a boolean."""
    if isinstance(cell, bool):
        return CellType.BOOLEAN
    if isinstance(cell, int):
        return CellType.INTEGER
    if isinstance(cell, float):
        return CellType.DECIMAL
    detected = detect_text_type(cell or "")
    return detected if detected in (CellType.DATE, CellType.DATETIME) else CellType.TEXT


def detect_text_type(text: str) -> CellType:
    """Detect the type of a cell from an untyped format such as CSV.

    `007` and `+49` are text, because converting them to numbers would lose characters.
    """
    match = _PATTERNS.fullmatch(text)
    kind = CellType(match.lastgroup) if match and match.lastgroup else CellType.TEXT
    return kind if _is_valid(kind, text) else CellType.TEXT


def _is_valid(kind: CellType, text: str) -> bool:
    try:
        if kind is CellType.DATE:
            date.fromisoformat(text)
        elif kind is CellType.DATETIME:
            datetime.fromisoformat(text)
    except ValueError:
        return False
    return kind is not CellType.DECIMAL or isfinite(float(text))


def common_type(first: CellType | None, second: CellType) -> CellType:
    """Return the type that can represent values of both types."""
    if first is None or first is second:
        return second
    return _COMMON_TYPES.get(frozenset((first, second)), CellType.TEXT)


def is_convertible(kind: CellType, text: str) -> bool:
    """Return whether a stored text can be converted to this type; the empty text can be converted to any."""
    return kind is CellType.TEXT or not text or common_type(kind, detect_text_type(text)) is kind


def normalize(kind: CellType, text: str) -> str:
    """Return the text in the canonical form of its type: booleans in lower case, datetimes with a time."""
    if kind is CellType.DATETIME and len(text) == len("2026-11-21"):
        return text + "T00:00:00"
    return text.lower() if kind is CellType.BOOLEAN else text


def to_values(columns: Iterable[Column], cells: Mapping[str, str]) -> dict[str, Any]:
    """Return all cells of a row by column name, converted to the type of the column; None for empty cells."""
    return {column.name: _to_value(column.type, cells.get(column.name, "")) for column in columns}


def to_values_or_text(columns: Iterable[Column], cells: Mapping[str, str], names: Iterable[str]) -> dict[str, Any]:
    """Return the named cells of a row that may be older than the current columns.

    A cell that cannot be converted to the current type of its column remains text. If the column no longer exists, the
    type is detected from the cell.
    """
    types = {column.name: column.type for column in columns}
    texts = {name: cells.get(name, "") for name in names}
    return {name: _to_value_or_text(types.get(name) or detect_text_type(text), text) for name, text in texts.items()}


def _to_value_or_text(kind: CellType, text: str) -> Any:
    return _to_value(kind, normalize(kind, text)) if is_convertible(kind, text) else text


def _to_value(kind: CellType, text: str) -> Any:
    if not text:
        return None
    match kind:
        case CellType.INTEGER:
            return int(text)
        case CellType.DECIMAL:
            # A float would round longer integers.
            return int(text) if _LONG_INTEGER.fullmatch(text) else float(text)
        case CellType.BOOLEAN:
            return text == "true"
    return text


class TypeDetector:
    """Detects the type of each column from its cells, row by row."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._detected: list[CellType | None] = [None] * len(columns)
        self._undecided = [index for index, column in enumerate(columns) if not column.fixed]
        self._columns = columns

    def set_text(self, index: int) -> bool:
        """Let a column be text, whatever its cells are; return False if it has a fixed type that is a number."""
        column = self._columns[index]
        if column.fixed:
            return column.type not in (CellType.INTEGER, CellType.DECIMAL)
        self._widen(index, CellType.TEXT)
        return True

    def add_texts(self, cells: Sequence[str | None]) -> None:
        """Add a row of untyped cells, in the order of the columns."""
        for index in self._undecided:
            if cell := cells[index]:
                self._widen(index, detect_text_type(cell))

    def add_values(self, cells: Sequence[Cell]) -> None:
        """Add a row of JSON values, in the order of the columns."""
        for index in self._undecided:
            if (cell := cells[index]) is not None and cell != "":
                self._widen(index, detect_value_type(cell))

    def _widen(self, index: int, kind: CellType) -> None:
        common = self._detected[index] = common_type(self._detected[index], kind)
        if common is CellType.TEXT:
            self._undecided = [other for other in self._undecided if other != index]

    def columns_with_values(self) -> frozenset[str]:
        """Return the names of the columns without a fixed type that have any value."""
        return frozenset(column.name for column, kind in zip(self._columns, self._detected, strict=True) if kind)

    def columns(self) -> tuple[Column, ...]:
        """Return the columns with the detected types; a column without values is text."""
        return tuple(
            column if column.fixed else Column(column.name, kind or CellType.TEXT)
            for column, kind in zip(self._columns, self._detected, strict=True)
        )
