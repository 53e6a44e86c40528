"""Excel files. Answers never become formulas."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from sys import float_info
from typing import IO, Any

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from formwright.core.formulas import looks_like_formula
from formwright.domain.exports.cells import Cell, Link
from formwright.domain.exports.csv import format_csv_cell
from formwright.domain.exports.table import Table, headings, sheet_title

_MAX_CELL = 32_767  # characters of a cell (Excel's specifications and limits)
_MAX_ROWS = 1_048_576
_MAX_LINKS = 65_530
"""The most links of a worksheet. XlsxWriter omits the cells of further ones."""
_MAX_TITLE = 31
_COLUMN_WIDTH = 18


class Workbook:
    """An .xlsx file, written row by row in constant memory. It blocks on disk I/O, so call it in a thread."""

    def __init__(self, file: IO[bytes], table: Table, folder: Path) -> None:
        """Temporary files go into the folder."""
        self._table = table
        options = {
            "tmpdir": str(folder),
            "constant_memory": True,
            "strings_to_urls": False,
            "strings_to_formulas": False,
        }
        self._book = xlsxwriter.Workbook(file, options)
        self._bold = self._book.add_format({"bold": True})
        # Marks cells as text. Excel doesn't show the mark, and the cell stays text when somebody edits it.
        self._text = self._book.add_format({"quote_prefix": True})
        self._bold_text = self._book.add_format({"bold": True, "quote_prefix": True})
        self._day = self._book.add_format({"num_format": "yyyy-mm-dd"})
        self._time = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._titles: set[str] = set()
        titles = [sheet_title(table, sheet) for sheet in (table.main, *table.repeats)]
        heads = [headings(table, sheet) for sheet in (table.main, *table.repeats)]
        self._sheets = [_Sheet(title, head) for title, head in zip(titles, heads, strict=True)]
        for sheet in self._sheets:
            self._add_sheet(sheet)

    def add(self, rows: Sequence[Iterable[Sequence[Cell]]]) -> None:
        """Write rows to each of the sheets; the sheet of submissions comes first."""
        for sheet, further in zip(self._sheets, rows, strict=True):
            for row in further:
                if sheet.next_row == _MAX_ROWS:
                    sheet.add_filter_row()
                    self._add_sheet(sheet)
                for place, cell in enumerate(row):
                    self._write_cell(sheet, place, cell)
                sheet.next_row += 1

    def close(self) -> None:
        """Finish the file. Raises `OSError` if the disk is full."""
        for sheet in self._sheets:
            sheet.add_filter_row()
        try:
            self._book.close()
        except FileCreateError as error:
            # Raise its cause, so that callers can handle a full disk.
            raise error.args[0] from error

    def abandon(self) -> None:
        """Stop without finishing the file. Temporary files stay in their folder."""
        for sheet in self._book.worksheets():
            # XlsxWriter has no public method to give up a workbook, and its temporary files would stay open.
            sheet.row_data_fh.close()

    def _add_sheet(self, sheet: "_Sheet") -> None:
        """Add a worksheet. A sheet continues in another one after about a million rows, the limit of Excel."""
        sheet.worksheet = self._book.add_worksheet(self._unique_title(sheet.title))
        sheet.worksheet.freeze_panes(1, 0)
        sheet.worksheet.set_column(0, len(sheet.headings), _COLUMN_WIDTH)
        for place, heading in enumerate(sheet.headings):
            format_ = self._bold_text if looks_like_formula(heading) else self._bold
            sheet.worksheet.write_string(0, place, heading[:_MAX_CELL], format_)
        sheet.next_row, sheet.link_count = 1, 0

    def _unique_title(self, title: str) -> str:
        """Return a title that Excel accepts: up to 31 characters, none of them special, and not used yet."""
        plain = _truncate(re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", title), _MAX_TITLE) or "Rows"
        name, number = plain, 1
        while name.casefold() in self._titles:
            number += 1
            name = f"{_truncate(plain, _MAX_TITLE - 1 - len(str(number)))} {number}"
        self._titles.add(name.casefold())
        return name

    def _write_cell(self, sheet: "_Sheet", place: int, cell: Cell) -> None:
        match cell:
            case None | "":
                pass
            case Link() if sheet.link_count < _MAX_LINKS:
                sheet.link_count += 1
                sheet.worksheet.write_url(sheet.next_row, place, cell.url, string=cell.text)
            case Link():
                sheet.worksheet.write_string(sheet.next_row, place, cell.text)
            case str():
                format_ = self._text if looks_like_formula(cell) else None
                sheet.worksheet.write_string(sheet.next_row, place, cell[:_MAX_CELL], format_)
            # Excel's calendar begins in 1900. Earlier days are written as text.
            case datetime() if cell.year >= 1900:
                sheet.worksheet.write_datetime(sheet.next_row, place, cell, self._time)
            case date() if cell.year >= 1900:
                sheet.worksheet.write_datetime(sheet.next_row, place, cell, self._day)
            case date():
                sheet.worksheet.write_string(sheet.next_row, place, format_csv_cell(cell))
            # Numbers in Excel are doubles (IEEE 754), and converting a larger integer to one raises `OverflowError`.
            case int() if abs(cell) > float_info.max:
                sheet.worksheet.write_string(sheet.next_row, place, str(cell))
            case _:
                sheet.worksheet.write_number(sheet.next_row, place, cell)


def _truncate(text: str, length: int) -> str:
    """Return up to `length` UTF-16 code units, as Excel counts, without spaces and apostrophes at the ends."""
    return text.strip(" '").encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore").rstrip(" '")


class _Sheet:
    """A sheet that is being written, with the title and headings for its next worksheet."""

    def __init__(self, title: str, head: Sequence[str]) -> None:
        self.title, self.headings = title, head
        self.worksheet: Any = None
        self.next_row = self.link_count = 0

    def add_filter_row(self) -> None:
        """Show the buttons of a filter in the headings, once all rows are written, because it names the last one."""
        self.worksheet.autofilter(0, 0, self.next_row - 1, len(self.headings) - 1)
