"""Cells: kept as text in one canonical form, shown as the type of their column."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from math import isfinite
from typing import Any

from formwright.domain.datasources.models import Cell, CellType, Column

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
"""Of two types, the one that holds both; a spreadsheet writes midnight as a date."""


def to_text(cell: Cell) -> str:
    """A JSON cell as it is kept; empty for none."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell if isinstance(cell, str) else repr(cell)


def detect_value_type(cell: Cell) -> CellType:
    """The type of a JSON cell: a text is never a number, whatever it looks like."""
    if isinstance(cell, bool):
        return CellType.BOOLEAN
    if isinstance(cell, int):
        return CellType.INTEGER
    if isinstance(cell, float):
        return CellType.DECIMAL
    looks = detect_text_type(cell or "")
    return looks if looks in (CellType.DATE, CellType.DATETIME) else CellType.TEXT


def detect_text_type(text: str) -> CellType:
    """What a text that came without types is. `007` and `+49` are texts: a number would lose something."""
    found = _PATTERNS.fullmatch(text)
    kind = CellType(found.lastgroup) if found and found.lastgroup else CellType.TEXT
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
    """The type that holds both."""
    if first is None or first is second:
        return second
    return _COMMON_TYPES.get(frozenset((first, second)), CellType.TEXT)


def is_convertible(kind: CellType, text: str) -> bool:
    """Whether a text can be shown as this type."""
    return kind is CellType.TEXT or not text or common_type(kind, detect_text_type(text)) is kind


def normalize(kind: CellType, text: str) -> str:
    """The text in the canonical form of its type."""
    if kind is CellType.DATETIME and len(text) == len("2026-11-21"):
        return text + "T00:00:00"
    return text.lower() if kind is CellType.BOOLEAN else text


def to_values(columns: Iterable[Column], cells: Mapping[str, str]) -> dict[str, Any]:
    """All cells of a row by column, each as its type; None where it is empty."""
    return {column.name: _to_value(column.type, cells.get(column.name, "")) for column in columns}


def to_values_or_text(columns: Iterable[Column], cells: Mapping[str, str], names: Iterable[str]) -> dict[str, Any]:
    """Some cells of a row that may be older than the columns: what does not fit its type any more is shown as text.

    The cell of a column that is gone is shown as what it looks like.
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
            # Of a longer whole number a double keeps only the beginning, if it holds it at all.
            return int(text) if _LONG_INTEGER.fullmatch(text) else float(text)
        case CellType.BOOLEAN:
            return text == "true"
    return text


class TypeDetector:
    """Finds the type of each column while its cells go by."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._found: list[CellType | None] = [None] * len(columns)
        self._open = [index for index, column in enumerate(columns) if not column.fixed]
        self._columns = columns

    def see_texts(self, cells: Sequence[str | None]) -> None:
        """Cells that came as text, one a column."""
        for index in self._open:
            if cell := cells[index]:
                self._widen(index, detect_text_type(cell))

    def see_values(self, cells: Sequence[Cell]) -> None:
        """Cells that came as JSON, one a column."""
        for index in self._open:
            if (cell := cells[index]) is not None and cell != "":
                self._widen(index, detect_value_type(cell))

    def _widen(self, index: int, seen: CellType) -> None:
        now = self._found[index] = common_type(self._found[index], seen)
        if now is CellType.TEXT:
            self._open = [other for other in self._open if other != index]

    def seen(self) -> frozenset[str]:
        """The columns, not fixed, in which any cell stood."""
        return frozenset(column.name for column, found in zip(self._columns, self._found, strict=True) if found)

    def columns(self) -> tuple[Column, ...]:
        """The columns with what was found; a column without cells is of text."""
        return tuple(
            column if column.fixed else Column(column.name, found or CellType.TEXT)
            for column, found in zip(self._columns, self._found, strict=True)
        )
