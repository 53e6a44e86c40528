"""The reader process: reads a workbook from standard input, and writes rows of cells to standard output.

It trusts nothing in the file. With a crafted file, such as a compound file whose sectors form a cycle or a sheet with
two cells in opposite corners, calamine may allocate unlimited memory or abort. This only ends the reader process.
"""

import datetime
import io
import resource
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import msgspec
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from formwright.core.child_process import limit_this_process
from formwright.core.workbooks.models import (
    Cell,
    Failure,
    Limits,
    Positions,
    Problem,
    ReaderArguments,
    Rows,
    Selection,
    SheetStart,
    WorkbookInfo,
    WorkbookUnreadable,
    damaged,
    pack_positions,
    too_demanding,
    too_large,
)

FRAME = struct.Struct("<cI")
"""The header of each message: its kind and length."""
OPENED, SHEET, ROWS, FAILURE = b"O", b"S", b"R", b"F"

_ROWS_IN_FRAME = 500
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_PLAIN = {str, bool, int, float}


def main() -> None:
    """Limit this process, and read the workbook of the request in its arguments."""
    request = msgspec.json.decode(sys.argv[1], type=ReaderArguments)
    _limit_process(request.limits)
    with sys.stdout.buffer as output:
        respond(request, sys.stdin.buffer, output)


def respond(request: ReaderArguments, source: BinaryIO, output: BinaryIO) -> None:
    """Read the workbook, and report any error in it as a message."""
    try:
        _Reader(output, request.limits).read(source, request.selection)
    except WorkbookUnreadable as error:
        _send(output, FAILURE, Failure(error.code, error.detail))
    except (MemoryError, OSError):
        _send(output, FAILURE, Failure(Problem.BOMB, too_demanding().detail))
    except BaseException:  # noqa: BLE001 - calamine's panics, on some damaged files, are no `Exception`.
        _send(output, FAILURE, Failure(damaged().code, damaged().detail))


def _limit_process(limits: Limits) -> None:
    limit_this_process(limits.memory, limits.seconds)
    # Text may have four bytes per character; numbers, row numbers and positions need less than 64 per cell.
    max_output = 4 * limits.text + 64 * limits.cells + 2**20
    # Python ignores SIGXFSZ, so writing more raises `OSError`, which `respond` reports.
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_output, max_output))


def _send(output: BinaryIO, kind: bytes, message: Any) -> None:
    content = msgspec.msgpack.encode(message)
    output.write(FRAME.pack(kind, len(content)))
    output.write(content)


class _Reader:
    """Reads the selected sheets and sends them."""

    def __init__(self, output: BinaryIO, limits: Limits) -> None:
        self._output, self._limits = output, limits
        self._cells = self._text = 0

    def read(self, file: BinaryIO, selection: Selection) -> None:
        file.seek(0)
        content = file.read(self._limits.file + 1)
        if len(content) > self._limits.file:
            raise too_large(self._limits)
        container = _open_container(content)
        try:
            book = CalamineWorkbook.from_filelike(io.BytesIO(container.content))
            worksheets = _worksheets(book)
            _send(self._output, OPENED, WorkbookInfo(book.sheet_names, list(worksheets.values())))
            selected = _select(book, worksheets, selection)
            container.check(self._limits, selected)
            for index in selected:
                positions = container.positions(index, formulas=selection.formulas)
                self._send_sheet(_sheet(book, container, index), positions)
        except CalamineError:
            raise damaged() from None

    def _send_sheet(self, sheet: CalamineSheet, positions: Positions) -> None:
        places = (positions.formulas, positions.errors, positions.missing)
        if max(map(len, places)) > self._limits.cells:
            raise _too_many_cells(self._limits)
        first_column = sheet.start[1] + 1 if sheet.start else 1
        _send(self._output, SHEET, SheetStart(sheet.name, first_column, *map(pack_positions, places)))
        frame: Rows = []
        for row in self._rows(sheet, {row for row, _ in (*positions.errors, *positions.missing)}):
            frame.append(row)
            if len(frame) == _ROWS_IN_FRAME:
                _send(self._output, ROWS, frame)
                frame = []
        _send(self._output, ROWS, frame)

    def _rows(self, sheet: CalamineSheet, with_errors: set[int]) -> Iterator[tuple[int, list[Cell]]]:
        """Yield the rows that are not empty, and those with errors or missing values, whose cells are empty.

        Enforces the limits.
        """
        number = 0
        # Calamine panics if the rows of an empty sheet are requested.
        for number, values in enumerate(sheet.iter_rows() if sheet.start else (), start=1):
            row = _cells(values)
            if not row and number not in with_errors:
                continue
            self._cells += len(row) - row.count("")
            self._text += sum(len(cell) for cell in row if type(cell) is str)
            if self._cells > self._limits.cells:
                raise _too_many_cells(self._limits)
            if self._text > self._limits.text:
                detail = f"The sheets have more than {self._limits.text} characters."
                raise WorkbookUnreadable(Problem.BOMB, detail)
            yield number, row
        # The used range ends with the last value.
        yield from ((beyond, list[Cell]()) for beyond in sorted(with_errors) if beyond > number)


def _open_container(content: bytes) -> Any:
    # Imported here to start faster, because only one of them is needed.
    if content.startswith(_OLE):
        from formwright.core.workbooks.biff import BiffWorkbook  # noqa: PLC0415

        return BiffWorkbook(content)
    if content.startswith(b"PK"):
        from formwright.core.workbooks.ooxml import OoxmlPackage  # noqa: PLC0415

        return OoxmlPackage(content)
    raise damaged()


def _sheet(book: CalamineWorkbook, container: Any, index: int) -> CalamineSheet:
    try:
        return book.get_sheet_by_index(index)
    except CalamineError:
        readable = CalamineWorkbook.from_filelike(io.BytesIO(container.repair()))
        return readable.get_sheet_by_index(index)


def _worksheets(book: CalamineWorkbook) -> dict[int, str]:
    sheets = enumerate(book.sheets_metadata)
    return {index: sheet.name for index, sheet in sheets if sheet.typ == SheetTypeEnum.WorkSheet}


def _select(book: CalamineWorkbook, worksheets: Mapping[int, str], selection: Selection) -> list[int]:
    names = {name.casefold() for name in selection.names}
    if found := [index for index, name in worksheets.items() if name.casefold() in names]:
        return found
    if selection.fallback == "only":
        return list(worksheets) if len(book.sheet_names) == 1 else []
    if selection.fallback == "first":
        visible = [index for index in worksheets if book.sheets_metadata[index].visible == SheetVisibleEnum.Visible]
        return (visible or list(worksheets))[:1]
    return []


def _cells(values: list[Any]) -> list[Cell]:
    """Return the values without trailing empty ones; values of other types become text."""
    width = len(values)
    while width and values[width - 1] == "":
        width -= 1
    return [value if type(value) in _PLAIN else _TEXT[type(value)](value) for value in values[:width]]


def _duration(value: datetime.timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


_TEXT: Mapping[type, Callable[[Any], str]] = {
    datetime.datetime: datetime.datetime.isoformat,
    datetime.date: datetime.date.isoformat,
    datetime.time: datetime.time.isoformat,
    datetime.timedelta: _duration,
}


def _too_many_cells(limits: Limits) -> WorkbookUnreadable:
    return WorkbookUnreadable(
        Problem.BOMB, f"The sheets have more than {limits.cells} cells. Delete those that aren't needed."
    )
