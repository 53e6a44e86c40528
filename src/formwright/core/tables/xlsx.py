"""Parser of .xlsx, .xlsm and .xls files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import BinaryIO

from formwright.core.tables.base import (
    DEFAULT_RULES,
    BadRow,
    CellRules,
    Dialect,
    TableUnreadable,
    check_row,
    parse_header,
)
from formwright.core.tables.numbers import NumberCell
from formwright.core.workbooks.models import Cell, Limits, Selection, WorkbookUnreadable, column_letters
from formwright.core.workbooks.reader import Workbook, Worksheet, read_workbook

LIMITS = Limits(file=20 * 2**20, unpacked=150 * 2**20, cells=2_000_000, text=50_000_000, memory=384 * 2**20, seconds=60)
"""Limits of the separate process that reads the whole sheet. CSV files are streamed and need no such limits."""

SIZE_CODES = {"bomb": "table.zip_bomb", "too_large": "table.too_large"}
_MAX_LISTED_SHEETS = 20


def open_sheet(file: BinaryIO, dialect: Dialect, rules: CellRules = DEFAULT_RULES) -> "XlsxTable":
    """Return the sheet of the dialect, or else the first visible one. Raises `TableUnreadable` if there is none."""
    book = _read_workbook(file, dialect.sheet)
    return XlsxTable(book.selected[0], tuple(book.worksheets), rules)


def open_sheets(file: BinaryIO, names: Sequence[str], rules: CellRules = DEFAULT_RULES) -> list["XlsxTable"]:
    """Return the sheets with these names that are not empty, in the order of the workbook."""
    try:
        book = read_workbook(file, Selection(tuple(names)), LIMITS)
    except WorkbookUnreadable as error:
        raise _to_unreadable(error) from None
    sheets = [sheet for sheet in book.selected if next(sheet.rows(), None)]
    return [XlsxTable(sheet, tuple(book.worksheets), rules) for sheet in sheets]


class XlsxTable:
    """One sheet of a workbook. Cells with formulas have the values that were stored with them."""

    def __init__(self, sheet: Worksheet, sheets: tuple[str, ...], rules: CellRules) -> None:
        self._sheet, self.sheets, self._rules = sheet, sheets, rules
        self.dialect = Dialect(sheet=sheet.name)
        self.encoding_sample: tuple[str, ...] = ()
        self._errors, self._missing = sheet.first_errors(), sheet.first_missing_values()
        self._header_line, self.header = self._read_header()

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        header, width, rules = self.header, len(self.header), self._rules
        unreadable = self._errors.keys() | self._missing.keys()
        for line, row in self._sheet.rows():
            if line <= self._header_line:
                continue
            if line in unreadable:
                yield self._formula_error(line, header)
                continue
            cells = _to_texts(row, rules)
            if not (length := len(joined := "".join(cells))):
                continue
            cells += [""] * (width - len(cells))
            if len(cells) != width or length > rules.max_length or "\0" in joined:
                yield check_row(cells, header, line, rules.max_length)
            else:
                yield line, cells

    def _read_header(self) -> tuple[int, tuple[str, ...]]:
        for line, row in self._sheet.rows():
            if line in self._errors or line in self._missing:
                raise TableUnreadable("table.header.error", self._formula_error(line, ()).detail, line)
            if any(cells := _to_texts(row, DEFAULT_RULES)):
                return line, parse_header(cells, line, self._sheet.first_column)
        raise TableUnreadable("table.empty", "The sheet is empty. The first row must contain the column names.")

    def _formula_error(self, line: int, header: tuple[str, ...]) -> BadRow:
        is_error = line in self._errors
        column = self._errors[line] if is_error else self._missing[line]
        index = column - self._sheet.first_column
        name = header[index] if 0 <= index < len(header) else None
        cell = f"{column_letters(column)}{line}"
        if is_error:
            detail = f"Cell {cell} contains an error such as #REF! or #N/A. Fix its formula, or clear the cell."
            return BadRow(line, name, "cell.formula_error", detail)
        detail = (
            f"Cell {cell} contains a formula whose value was not saved. Open the file in a spreadsheet program and save"
            " it there, or write the value."
        )
        return BadRow(line, name, "cell.formula_without_value", detail)


def _read_workbook(file: BinaryIO, sheet: str | None) -> Workbook:
    selection = Selection(fallback="first") if sheet is None else Selection((sheet,))
    try:
        book = read_workbook(file, selection, LIMITS)
    except WorkbookUnreadable as error:
        raise _to_unreadable(error) from None
    if not book.selected:
        names = book.worksheets
        listed = ", ".join(map(repr, names[:_MAX_LISTED_SHEETS])) + (" …" if len(names) > _MAX_LISTED_SHEETS else "")
        raise TableUnreadable("table.sheet", f"The file has no sheet {sheet!r}. Its sheets are: {listed or 'none'}.")
    return book


def _to_unreadable(error: WorkbookUnreadable) -> TableUnreadable:
    csv_hint = " Alternatively, send it as CSV, which may be larger." if error.code in SIZE_CODES else ""
    return TableUnreadable(SIZE_CODES.get(error.code, "table.kind"), error.detail + csv_hint)


def _to_texts(row: list[Cell], rules: CellRules) -> list[str]:
    convert = _AS_MARKED_TEXT if rules.marks_numbers else _AS_TEXT
    return [rules.clean(cell) if type(cell) is str else convert[type(cell)](cell) for cell in row]


def _format_number(cell: float) -> str:
    return str(int(cell)) if cell.is_integer() else repr(cell)


_AS_TEXT: Mapping[type, Callable[[Cell], str]] = {
    bool: lambda cell: "true" if cell else "false",
    int: str,
    float: lambda cell: _format_number(float(cell)),
}
_AS_MARKED_TEXT: Mapping[type, Callable[[Cell], str]] = {
    **_AS_TEXT,
    int: lambda cell: NumberCell(cell),
    float: lambda cell: NumberCell(_format_number(float(cell))),
}
