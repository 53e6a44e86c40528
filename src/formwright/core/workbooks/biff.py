"""The records of an .xls file: what calamine, which reads the cells, doesn't tell about it.

The format is [MS-XLS]. Only Excel 5 and newer store it in a compound file.
"""

import os
import struct
from collections.abc import Iterator

from xlrd.compdoc import CompDoc, CompDocError

from formwright.core.workbooks.models import Limits, damaged, locked

MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of a compound file: an .xls, another old Office file, or any Office file with a password."""

_BOF, _EOF, _SHEET, _PASSWORD, _FORMULA, _ERROR = 0x0809, 0x000A, 0x0085, 0x002F, 0x0006, 0x0205
_HEADER = struct.Struct("<HH")
_CELL = struct.Struct("<HH")


class BiffWorkbook:
    """The records of a workbook stream."""

    def __init__(self, content: bytes) -> None:
        self._stream = _find_stream(content)
        self._sheets = []
        for record, data in self._records(0):
            if record == _PASSWORD:
                raise locked()
            if record == _SHEET:
                self._sheets.append(int.from_bytes(data[:4], "little"))

    def check(self, limits: Limits, sheets: list[int]) -> None:
        """An .xls isn't packed: the limit of the file is enough."""

    def with_known_errors(self) -> bytes:
        """An .xls has no other error values than calamine knows."""
        raise damaged()

    def positions(self, sheet: int, *, formulas: bool) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where the formulas, if they are asked for, and the error values of a sheet are: row and column, from 1."""
        found: list[tuple[int, int]] = []
        errors: list[tuple[int, int]] = []
        for record, data in self._records(self._sheets[sheet]):
            if record in (_FORMULA, _ERROR):
                row, column = _CELL.unpack_from(data)
                if formulas and record == _FORMULA:
                    found.append((row + 1, column + 1))
                if _is_error(record, data):
                    errors.append((row + 1, column + 1))
        return found, errors

    def _records(self, position: int) -> Iterator[tuple[int, bytes]]:
        """The records of the substream that begins at `position`, without those of charts inside it."""
        stream, depth = self._stream, 0
        while position + _HEADER.size <= len(stream):
            record, length = _HEADER.unpack_from(stream, position)
            position += _HEADER.size
            depth += (record == _BOF) - (record == _EOF)
            if not depth:
                return
            if depth == 1:
                yield record, stream[position : position + length]
            position += length


def _is_error(record: int, data: bytes) -> bool:
    if record == _ERROR:
        return data[7:8] == b"\1"  # Otherwise the record holds a boolean.
    return data[12:14] == b"\xff\xff" and data[6:7] == b"\2"


def _find_stream(content: bytes) -> bytes:
    try:
        with open(os.devnull, "w") as log:  # noqa: PTH123 - xlrd writes what it notices.
            document = CompDoc(content, logfile=log, ignore_workbook_corruption=True)
            if document.locate_named_stream("EncryptedPackage")[0]:
                raise locked()
            for name in ("Workbook", "Book"):
                memory, start, length = document.locate_named_stream(name)
                if memory:
                    return bytes(memory[start : start + length])
    except (CompDocError, struct.error, IndexError, AssertionError, ValueError):
        pass
    raise damaged()
