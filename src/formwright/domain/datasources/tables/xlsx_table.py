"""A sheet of an .xlsx."""

import datetime
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from formwright.core.kernel.workbook import Limits, Unpacked, unpack
from formwright.core.kernel.workbook_part import Unusable, letters
from formwright.domain.datasources.limits import MAX_CELL
from formwright.domain.datasources.tables.cells import header_of, settled
from formwright.domain.datasources.tables.model import BadRow, Dialect, TableUnreadable

LIMITS = Limits(file=20 * 2**20, unpacked=150 * 2**20, cells=2_000_000, text=50_000_000)
"""All of it is laid out at once: a million cells take some 100 MB. A CSV of any size is streamed."""

CODES = {"bomb": "table.zip_bomb", "too_large": "table.too_large"}
_NAMED = 20


class XlsxTable:
    """One sheet as its program last saved it: formulas give the value stored with them."""

    def __init__(self, file: BinaryIO, dialect: Dialect) -> None:
        unpacked = _unpacked(file)
        try:
            self._sheet, name, self.sheets = _sheet(unpacked.content, dialect.sheet)
        except CalamineError:
            raise TableUnreadable("table.kind", "This is no .xlsx file, or it is damaged. Save it once more.") from None
        self.dialect = Dialect(sheet=name)
        self._first = self._sheet.start[1] + 1 if self._sheet.start else 1
        self._errors = unpacked.errors[name].first_by_row() if name in unpacked.errors else {}
        self._header_line, self.header = self._head()

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        header, width, errors = self.header, len(self.header), self._errors
        for line, row in enumerate(self._sheet.iter_rows(), start=1):
            if line <= self._header_line:
                continue
            if line in errors:
                yield self._error(line)
                continue
            cells = _texts(row)
            if not (length := len(whole := "".join(cells))):
                continue
            if len(cells) != width or length > MAX_CELL or "\0" in whole:
                yield settled(cells, header, line)
            else:
                yield line, cells

    def _head(self) -> tuple[int, tuple[str, ...]]:
        for line, row in enumerate(self._sheet.iter_rows(), start=1):
            if line in self._errors:
                raise TableUnreadable("table.header.error", self._error(line, ()).detail, line)
            if any(cells := _texts(row)):
                return line, header_of(cells, line, self._first)
        raise TableUnreadable("table.empty", "There is nothing in the sheet. The first row must name the columns.")

    def _error(self, line: int, header: tuple[str, ...] | None = None) -> BadRow:
        column = self._errors[line]
        names = self.header if header is None else header
        place = column - self._first
        name = names[place] if place < len(names) else None
        detail = f"Cell {letters(column)}{line} holds an error such as #REF! or #N/A. Mend its formula, or clear it."
        return BadRow(line, name, "cell.formula_error", detail)


def _unpacked(file: BinaryIO) -> Unpacked:
    try:
        return unpack(file, LIMITS)
    except Unusable as error:
        instead = " Or send it as CSV, which may be of any size." if error.code in CODES else ""
        raise TableUnreadable(CODES.get(error.code, "table.kind"), error.detail + instead) from None


def _sheet(content: bytes, wanted: str | None) -> tuple[CalamineSheet, str, tuple[str, ...]]:
    with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        seen = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
        names = [sheet.name for sheet in sheets]
        name = wanted if wanted is not None else next(iter(seen or names), None)
        if name not in names or name is None:
            shown = ", ".join(map(repr, names[:_NAMED])) + (" …" if len(names) > _NAMED else "")
            raise TableUnreadable("table.sheet", f"The file has no sheet {wanted!r}. It has: {shown or 'none'}.")
        return book.get_sheet_by_name(name), name, tuple(names)


def _texts(row: list[Any]) -> list[str]:
    return [cell.strip() if type(cell) is str else _AS_TEXT[type(cell)](cell) for cell in row]


def _number(cell: float) -> str:
    return str(int(cell)) if cell.is_integer() else repr(cell)


def _duration(cell: datetime.timedelta) -> str:
    minutes, seconds = divmod(round(cell.total_seconds()), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


_AS_TEXT: Mapping[type, Callable[[Any], str]] = {
    bool: lambda cell: "true" if cell else "false",
    int: str,
    float: _number,
    datetime.datetime: datetime.datetime.isoformat,
    datetime.date: datetime.date.isoformat,
    datetime.time: datetime.time.isoformat,
    datetime.timedelta: _duration,
}
