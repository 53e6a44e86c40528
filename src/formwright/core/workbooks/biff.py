"""Reads from an .xls file ([MS-XLS]) what calamine, which reads the cells, does not provide: formulas and errors.

Only files of Excel 5 and newer, which are compound files, are supported.
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
        """Do nothing: .xls files are not compressed, so the limit of the file size is sufficient."""

    def with_known_errors(self) -> bytes:
        """Raise an error: .xls files have no error values that calamine does not know."""
        raise damaged()

    def positions(self, sheet: int, *, formulas: bool) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the positions (row and column, from 1) of formulas, if requested, and of error values in a sheet."""
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
        """Yield the records of the substream at `position`, without those of embedded charts."""
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
        return data[7:8] == b"\1"  # Otherwise the record is a boolean.
    return data[12:14] == b"\xff\xff" and data[6:7] == b"\2"


def _find_stream(content: bytes) -> bytes:
    try:
        with open(os.devnull, "w") as log:  # noqa: PTH123 - xlrd prints warnings.
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
