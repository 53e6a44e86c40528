"""Reads workbooks: runs the reader process and parses its output."""

import io
import mmap
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import BinaryIO, cast

import msgspec

from formwright.core.child_process import LimitsExceeded, run_limited
from formwright.core.workbooks import process
from formwright.core.workbooks.models import (
    Cell,
    Failure,
    Limits,
    ReaderArguments,
    Rows,
    Selection,
    SheetStart,
    WorkbookInfo,
    WorkbookUnreadable,
    damaged,
    too_demanding,
    too_large,
    unpack_positions,
)
from formwright.core.workbooks.process import FAILURE, FRAME, OPENED, ROWS, SHEET


@dataclass(frozen=True, slots=True)
class Worksheet:
    """A sheet. `first_column` is the number of the column in which all rows begin. Columns and rows count from 1."""

    name: str
    first_column: int
    formulas: bytes
    errors: bytes
    missing: bytes
    _content: mmap.mmap
    _frames: list[slice]

    def rows(self) -> Iterator[tuple[int, list[Cell]]]:
        """Yield each row that is not empty or has an error value, with its number, without trailing empty cells."""
        for frame in self._frames:
            yield from _ROWS.decode(self._content[frame])

    def formula_positions(self) -> Iterator[tuple[int, int]]:
        """Return the row and column of each formula, if the selection requested them."""
        return unpack_positions(self.formulas)

    def first_errors(self) -> dict[int, int]:
        """Return the leftmost column with an error value such as `#REF!`, for each row that has any."""
        return dict(sorted(unpack_positions(self.errors), reverse=True))

    def first_missing_values(self) -> dict[int, int]:
        """Return the leftmost column with a formula whose value was not saved, for each row that has any."""
        return dict(sorted(unpack_positions(self.missing), reverse=True))


@dataclass(frozen=True, slots=True)
class Workbook:
    """The names of all sheets and of the worksheets, and the selected sheets."""

    names: list[str]
    worksheets: list[str]
    selected: list[Worksheet]


def read_workbook(file: BinaryIO, selection: Selection, limits: Limits) -> Workbook:
    """Read an .xlsx, .xlsm or .xls file, which stays open. Raises `WorkbookUnreadable`.

    This blocks until a separate process has read the sheets, so call it in a thread. The rows are in a temporary file
    and not in memory.
    """
    if file.seek(0, io.SEEK_END) > limits.file:
        raise too_large(limits)
    with ExitStack() as stack:
        source = _with_descriptor(file, stack)
        output = stack.enter_context(_open_temporary())
        _run(source, output, ReaderArguments(limits, selection))
        # An empty file cannot be mapped.
        if not output.seek(0, io.SEEK_END):
            raise damaged()
        # The mapping remains valid when the block closes the temporary file.
        content = mmap.mmap(output.fileno(), 0, access=mmap.ACCESS_READ)
    return _parse(content)


def _with_descriptor(file: BinaryIO, stack: ExitStack) -> BinaryIO:
    try:
        file.fileno()
    except io.UnsupportedOperation:
        file.seek(0)
        copy = stack.enter_context(_open_temporary())
        shutil.copyfileobj(file, copy)
        file = copy
    file.flush()
    return file


def _open_temporary() -> BinaryIO:
    return cast(BinaryIO, tempfile.TemporaryFile())


def _run(source: BinaryIO, output: BinaryIO, request: ReaderArguments) -> None:
    streams = {"stdin": source, "stdout": output, "stderr": subprocess.DEVNULL}
    argument = msgspec.json.encode(request).decode()
    try:
        completed = run_limited(process.__name__, argument, cpu_s=request.limits.seconds, **streams)
    except LimitsExceeded:
        raise too_demanding() from None
    if completed.returncode:
        raise damaged()


_ROWS = msgspec.msgpack.Decoder(Rows)


def _parse(content: mmap.mmap) -> Workbook:
    """Parse the output of the reader process. Rows are decoded later."""
    book = Workbook([], [], [])
    position = 0
    while position < len(content):
        kind, length = FRAME.unpack_from(content, position)
        frame = slice(position + FRAME.size, position + FRAME.size + length)
        position = frame.stop
        if kind == ROWS:
            book.selected[-1]._frames.append(frame)
        elif kind == SHEET:
            sheet = msgspec.msgpack.decode(content[frame], type=SheetStart)
            positions = sheet.formulas, sheet.errors, sheet.missing
            book.selected.append(Worksheet(sheet.name, sheet.first_column, *positions, content, []))
        elif kind == OPENED:
            opened = msgspec.msgpack.decode(content[frame], type=WorkbookInfo)
            book = Workbook(opened.names, opened.worksheets, [])
        elif kind == FAILURE:
            failure = msgspec.msgpack.decode(content[frame], type=Failure)
            raise WorkbookUnreadable(failure.code, failure.detail)
    return book
