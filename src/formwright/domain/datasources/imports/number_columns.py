"""Finds the columns of a file whose numbers have decimal commas or groups of digits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from formwright.core.tables.numbers import (
    MARKS,
    DecimalMark,
    DecimalMarks,
    NumberCell,
    NumberPlace,
    to_machine_notation,
)
from formwright.domain.datasources.cell_types import detect_text_type
from formwright.domain.datasources.models import CellType

_NUMBERS = (CellType.INTEGER, CellType.DECIMAL)


@dataclass(slots=True)
class _Column:
    """What the cells of a column say. `marks` are the decimal marks with which all of them are numbers."""

    marks: set[DecimalMark] = field(default_factory=lambda: set(MARKS))
    seen: DecimalMarks = field(default_factory=DecimalMarks)
    example: NumberPlace | None = None
    has_commas: bool = False

    def add(self, cell: str, line: int, name: str) -> bool:
        """Add a cell that is not empty; return False if the column is none of numbers."""
        has_comma = "," in cell
        if "." in self.seen.places and not has_comma:
            return detect_text_type(cell) in _NUMBERS
        self.has_commas = self.has_commas or has_comma
        self.marks &= {mark for mark in MARKS if _is_number(to_machine_notation(cell, mark))}
        self.seen.add(cell, line, name)
        if self.example is None and (has_comma or "." in cell):
            self.example = NumberPlace(cell, line, name)
        return bool(self.marks)


def _is_number(plain: str | None) -> bool:
    # Texts such as 007 are not numbers, because they would lose characters.
    return plain is not None and detect_text_type(plain) in _NUMBERS


@dataclass(frozen=True, slots=True)
class NumberColumns:
    """The decimal mark of each column that has to be converted, and a cell of each column that is unclear, by index."""

    converted: Mapping[int, DecimalMark]
    unclear: Mapping[int, NumberPlace]


def find_number_columns(
    header: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    *,
    key_column: str,
    delimiter: str | None,
    known: DecimalMark | None,
) -> NumberColumns:
    """Return how the numbers in each column are written. Keys are texts, and remain as they are."""
    columns = {index: _Column() for index, name in enumerate(header) if name != key_column}
    for line, cells in rows:
        for index, column in list(columns.items()):
            cell = cells[index]
            is_plain = not cell or type(cell) is NumberCell or (cell.isdigit() and cell[0] != "0")
            if not is_plain and not column.add(cell, line, header[index]):
                del columns[index]
        if not columns:
            break
    return _decide(columns, delimiter, known)


def _decide(columns: Mapping[int, _Column], delimiter: str | None, known: DecimalMark | None) -> NumberColumns:
    own = {index: mark for index, column in columns.items() if (mark := column.seen.decide(None))}
    used = {*own.values()}
    of_file = known or (used.pop() if len(used) == 1 else None)
    converted: dict[int, DecimalMark] = {}
    unclear: dict[int, NumberPlace] = {}
    for index, column in columns.items():
        mark = own.get(index) or of_file or column.seen.decide(delimiter)
        if column.example is None or (mark is None and column.has_commas):
            continue  # Whole numbers, and texts with commas.
        if mark is None:
            unclear[index] = column.example
        elif mark == "," or (column.has_commas and (index in own or known)):
            converted[index] = mark
    return NumberColumns(converted, unclear)
