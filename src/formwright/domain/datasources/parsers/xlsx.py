"""A sheet of an .xlsx, .xlsm or .xls file."""

from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from formwright.core.workbooks.models import Cell, Limits, Selection, WorkbookUnreadable, column_letters
from formwright.core.workbooks.reader import Workbook, read_workbook
from formwright.domain.datasources.limits import MAX_CELL
from formwright.domain.datasources.parsers.base import BadRow, Dialect, TableUnreadable, check_row, parse_header

LIMITS = Limits(file=20 * 2**20, unpacked=150 * 2**20, cells=2_000_000, text=50_000_000, memory=384 * 2**20, seconds=60)
"""A separate process reads the sheet as a whole. A CSV of any size is streamed."""

SIZE_CODES = {"bomb": "table.zip_bomb", "too_large": "table.too_large"}
_MAX_LISTED_SHEETS = 20


class XlsxTable:
    """One sheet as its program last saved it: formulas give the value stored with them."""

    def __init__(self, file: BinaryIO, dialect: Dialect) -> None:
        book = _read_workbook(file, dialect.sheet)
        self._sheet, self.sheets = book.selected[0], tuple(book.worksheets)
        self.dialect = Dialect(sheet=self._sheet.name)
        self._errors = self._sheet.first_errors()
        self._header_line, self.header = self._head()

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        header, width, errors = self.header, len(self.header), self._errors
        for line, row in self._sheet.rows():
            if line <= self._header_line:
                continue
            if line in errors:
                yield self._error(line)
                continue
            cells = _to_texts(row)
            if not (length := len(whole := "".join(cells))):
                continue
            cells += [""] * (width - len(cells))
            if len(cells) != width or length > MAX_CELL or "\0" in whole:
                yield check_row(cells, header, line)
            else:
                yield line, cells

    def _head(self) -> tuple[int, tuple[str, ...]]:
        for line, row in self._sheet.rows():
            if line in self._errors:
                raise TableUnreadable("table.header.error", self._error(line, ()).detail, line)
            if any(cells := _to_texts(row)):
                return line, parse_header(cells, line, self._sheet.first_column)
        raise TableUnreadable("table.empty", "There is nothing in the sheet. The first row must name the columns.")

    def _error(self, line: int, header: tuple[str, ...] | None = None) -> BadRow:
        column = self._errors[line]
        names = self.header if header is None else header
        place = column - self._sheet.first_column
        name = names[place] if place < len(names) else None
        cell = f"{column_letters(column)}{line}"
        detail = f"Cell {cell} holds an error such as #REF! or #N/A. Mend its formula, or clear it."
        return BadRow(line, name, "cell.formula_error", detail)


def _read_workbook(file: BinaryIO, sheet: str | None) -> Workbook:
    selection = Selection(fallback="first") if sheet is None else Selection((sheet,))
    try:
        book = read_workbook(file, selection, LIMITS)
    except WorkbookUnreadable as error:
        csv_hint = " Or send it as CSV, which may be of any size." if error.code in SIZE_CODES else ""
        raise TableUnreadable(SIZE_CODES.get(error.code, "table.kind"), error.detail + csv_hint) from None
    if not book.selected:
        names = book.worksheets
        listed = ", ".join(map(repr, names[:_MAX_LISTED_SHEETS])) + (" …" if len(names) > _MAX_LISTED_SHEETS else "")
        raise TableUnreadable("table.sheet", f"The file has no sheet {sheet!r}. It has: {listed or 'none'}.")
    return book


def _to_texts(row: list[Cell]) -> list[str]:
    return [cell.strip() if type(cell) is str else _AS_TEXT[type(cell)](cell) for cell in row]


def _format_number(cell: float) -> str:
    return str(int(cell)) if cell.is_integer() else repr(cell)


_AS_TEXT: Mapping[type, Callable[[Cell], str]] = {
    bool: lambda cell: "true" if cell else "false",
    int: str,
    float: lambda cell: _format_number(float(cell)),
}
